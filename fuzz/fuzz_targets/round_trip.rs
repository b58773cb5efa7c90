//! What is encoded is one line and decodes to the same.
#![no_main]
#![expect(dead_code, reason = "each target runs one of the shared properties")]

#[path = "../../crates/codec/tests/it/checks.rs"]
mod checks;
#[path = "../../crates/codec/tests/it/show.rs"]
mod show;

libfuzzer_sys::fuzz_target!(|input: &[u8]| checks::round_trip_of(input));
