//! Tests of the words.
mod sanity;
