//! `acp-vocab` against the official schema crate, in both directions.

mod claims;
mod decode;
mod encode;
mod methods;
mod tolerance;
mod words;
