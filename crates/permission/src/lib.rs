//! Who decides: policies over Agent Client Protocol permission requests, by option kind, with a record.
#![doc = include_str!("../README.md")]
