//! Choose a model, a mode or a reasoning effort on any agent, always in the agent's own spelling.
#![doc = include_str!("../README.md")]
