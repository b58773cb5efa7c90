//! The client against scripted agents: in memory under virtual time, and over real pipes.

#[cfg(test)]
mod stage;
#[cfg(test)]
mod turn;
