//! The client against scripted agents: in memory under virtual time, and over real pipes.

#[cfg(test)]
mod auto_traits;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod choosing;
#[cfg(test)]
mod clocks;
#[cfg(test)]
mod declarations;
#[cfg(test)]
mod drops;
#[cfg(test)]
mod endings;
#[cfg(test)]
mod flood;
#[cfg(test)]
mod launching;
#[cfg(test)]
mod places;
#[cfg(test)]
mod privacy;
#[cfg(test)]
mod pump;
#[cfg(test)]
mod questions;
#[cfg(test)]
mod reading;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod replies;
#[cfg(test)]
mod services;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod stage;
#[cfg(test)]
mod state;
#[cfg(test)]
mod traps;
#[cfg(test)]
mod turn;
#[cfg(test)]
mod unclaimed;
#[cfg(test)]
mod version2;
#[cfg(test)]
mod writing;
