//! Test peers: in-memory pipes of any width, scripted agents and clients, virtual time.
#![doc = include_str!("../README.md")]
