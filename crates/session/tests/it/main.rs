//! The machine from outside: bytes, commands and virtual time in; bytes, events and keys out.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    reason = "a test that finds something else than it expects fails"
)]

mod asking;
mod cancelling;
mod cases;
mod clocks;
mod endings;
mod faults;
mod holding;
mod pair;
mod privacy;
mod reading;
mod recorded;
mod second_version;
mod storm;
mod traps;
mod winding_down;
mod writing;
