//! Be an agent: serve the Agent Client Protocol with back-pressure, exact outcomes and honest cancellation.
#![doc = include_str!("../README.md")]
