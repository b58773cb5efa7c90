//! Decisions by the field cases, by the recorded requests of real agents, in time, and on anything at all.

#[cfg(test)]
mod audit;
#[cfg(test)]
mod broker;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod picking;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod reports;
#[cfg(test)]
mod rules;
#[cfg(test)]
mod shells;
#[cfg(test)]
mod wire;
