//! The agent's side over in-memory pipes, in virtual time.

mod agents;
mod cancelling;
mod driver;
mod lifecycle;
mod pressure;
mod turns;
