//! The facade of the Agent Client Protocol stack: hosts and agents, v1 and v2, one dependency.
#![doc = include_str!("../README.md")]
