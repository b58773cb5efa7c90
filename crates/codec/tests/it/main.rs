//! Tests of the codec from outside.

mod allocations;
mod bounds;
mod cases;
mod checks;
mod chunking;
mod encoding;
mod fixtures;
#[cfg(feature = "tokio-util")]
mod framed;
mod fuzz_replay;
mod malformed;
mod show;
mod surrogates;
