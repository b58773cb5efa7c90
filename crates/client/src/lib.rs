//! Drive a coding agent over the Agent Client Protocol: bounded, cancel-safe, policy-free.
#![doc = include_str!("../README.md")]
