//! What is wrong with a reply that names its request and cannot be taken as an answer.

use std::fmt;

/// Why a reply is [`Malformed`](crate::Message::Malformed). It ends the request that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// Neither `result` nor `error`.
    NoOutcome,
    /// A `result` beside an `error`, neither of them null.
    TwoOutcomes,
    /// `error` is not an object but this.
    Error(JsonKind),
    /// `error` has no `code`.
    NoCode,
    /// `code` is not an integer but this (a number with a fraction or an exponent counts).
    Code(JsonKind),
    /// `code` is an integer outside of 32 bits.
    CodeRange,
    /// `method` stands beside the outcome and is no string.
    Method(JsonKind),
    /// The line is not quite JSON (a `NaN`, a control character, a trailing comma), but its id
    /// and its outcome can be told.
    NotJson,
    /// The line is not UTF-8, but its id and its outcome can be told.
    NotUtf8,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOutcome => f.write_str("neither result nor error"),
            Self::TwoOutcomes => f.write_str("both result and error"),
            Self::Error(kind) => write!(f, "error is {kind}, not an object"),
            Self::NoCode => f.write_str("error has no code"),
            Self::Code(kind) => write!(f, "error code is {kind}, not an integer"),
            Self::CodeRange => f.write_str("error code does not fit 32 bits"),
            Self::Method(kind) => write!(f, "method is {kind}, not a string"),
            Self::NotJson => f.write_str("not valid JSON"),
            Self::NotUtf8 => f.write_str("not valid UTF-8"),
        }
    }
}

/// The kinds of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl JsonKind {
    /// The kind of a JSON value, which its first character tells.
    pub(crate) fn of(json: &str) -> Self {
        match json.as_bytes().first() {
            Some(b'{') => Self::Object,
            Some(b'[') => Self::Array,
            Some(b'"') => Self::String,
            Some(b't' | b'f') => Self::Boolean,
            Some(b'n') => Self::Null,
            _ => Self::Number,
        }
    }
}

impl fmt::Display for JsonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        })
    }
}
