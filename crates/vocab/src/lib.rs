//! The words of the Agent Client Protocol: every method, type and enum of v1 and v2.
#![doc = include_str!("../README.md")]
