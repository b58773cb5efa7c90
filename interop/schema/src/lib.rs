//! The oracle: the types of `acp-vocab` against those of the official schema crate.
#![doc = include_str!("../README.md")]

mod baseline;
mod choose;
mod json;
mod official;
mod ours;
mod probe;
mod schema;

pub use crate::{
    baseline::{Baseline, Difference, UNEXPLAINED, outcomes},
    choose::{Choose, Drawn, Least, Most},
    json::same,
    official::{DEFINITIONS, Definition, Reading, Route, methods, routes, schemas},
    ours::{Ours, VERSIONS, WIDER, Wider},
    probe::{Probe, probes},
    schema::{Schemas, Words},
};
