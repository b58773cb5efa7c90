//! The agent's side over in-memory pipes, in virtual time; and as a process.
#![expect(
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that finds something else than it expects fails"
)]

mod abilities;
mod agents;
mod cancelling;
mod deployment;
mod driver;
mod extension;
mod hostile;
mod lifecycle;
mod outcomes;
mod pressure;
mod process;
mod questions;
mod reopening;
mod schema;
mod storm;
mod turns;
