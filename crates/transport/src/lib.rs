//! Where the bytes come from: child processes owned whole, stdio, and links made of any reader and writer.
#![doc = include_str!("../README.md")]
