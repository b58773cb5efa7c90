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

    choose::{Choose, Drawn, Least, Most},
    json::same,
    official::{DEFINITIONS, Definition, Reading, methods, routes, schemas},
    ours::{Ours, VERSIONS, WIDER, Wider},

    schema::{Schemas, Words},
};
