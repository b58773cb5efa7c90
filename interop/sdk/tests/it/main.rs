//! Our client against agents on the official SDKs, and their clients against our agent.

mod host;
#[cfg(feature = "node")]
mod node;
mod ours;
mod peer;
mod program;
mod theirs;
