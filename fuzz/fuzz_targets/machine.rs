//! Bytes, commands and time interleaved: the session machine never panics, its bounds hold, every
//! question is answered once and every wait ends.
#![no_main]
#![expect(dead_code, reason = "the property tests use more of the world than this target")]

#[path = "../../crates/session/tests/it/storm/heard.rs"]
mod heard;
#[path = "../../crates/session/tests/it/storm/world.rs"]
mod world;

libfuzzer_sys::fuzz_target!(|program: &[u8]| world::interpret(program));
