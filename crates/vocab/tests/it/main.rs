//! What the words promise: every type of both versions, every rule of every member, openness, and
//! that real agents are understood.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test may fail by panicking, and prints what it counted"
)]

mod adapters;
mod allocations;
mod cases;
mod claims;
mod errors;
mod leniency;
mod methods;
mod openness;
mod probes;
mod properties;
mod sample;
mod text;
mod transcripts;
mod update;
