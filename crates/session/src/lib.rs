//! The Agent Client Protocol as a pure state machine: bytes, commands and time in; bytes and events out.
#![doc = include_str!("../README.md")]
