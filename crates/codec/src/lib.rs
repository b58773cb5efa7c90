//! Bytes to Agent Client Protocol messages and back: a bounded, resumable, sans-IO frame decoder.
#![doc = include_str!("../README.md")]
