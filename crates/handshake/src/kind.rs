//! What kind of JSON value stood where another was expected.
//!
//! Refusals and diagnostics name the kind and never the text, so that an error can be logged without leaking what a peer said.

use std::fmt;

use serde_json::value::RawValue;

/// The kind of a JSON value, told from its first characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum JsonKind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number written without fraction and exponent. `1.0` is not one, whatever its value.
    Integer,
    /// A number written with a fraction or an exponent.
    Fraction,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl JsonKind {
    /// The kind of a value whose text is known to be JSON.
    #[must_use]
    pub fn of(value: &RawValue) -> Self {
        let text = value.get().trim_start();
        match text.as_bytes().first() {
            Some(b'"') => Self::String,
            Some(b'{') => Self::Object,
            Some(b'[') => Self::Array,
            Some(b't' | b'f') => Self::Boolean,
            Some(b'n') | None => Self::Null,
            Some(_) if text.contains(['.', 'e', 'E']) => Self::Fraction,
            Some(_) => Self::Integer,
        }
    }
}

impl fmt::Display for JsonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Integer => "an integer",
            Self::Fraction => "a number with a fraction",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        })
    }
}
