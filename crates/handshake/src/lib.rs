//! Agree before anything else: initialize, version negotiation and the capability gate.
#![doc = include_str!("../README.md")]
