//! What can go wrong between bytes and messages. No `Display` here shows what a peer wrote.

use std::fmt;

use thiserror::Error;

use crate::skip::SkipKind;

/// Bytes that are no message.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// A line that is no message.
    #[error("not a message: {kind} (byte {offset})")]
    NotAMessage {
        /// Why.
        kind: SkipKind,
        /// Where in the line that was noticed, in bytes from its first character.
        offset: usize,
    },
    /// A line that is longer than its bound.
    #[error(
        "line {line} is longer than the bound of {limit} bytes: {seen} bytes and no newline yet"
    )]
    TooLong {
        /// Number of the line in its stream, from 1.
        line: u64,
        /// The bound in bytes.
        limit: usize,
        /// How many bytes of the line had come.
        seen: usize,
    },
}

/// A body that does not have the shape of its type.
///
/// The decoder's words may quote the body, so neither `Display` nor `Debug` shows them and they
/// are no `source`, which some loggers print; [`detail`](Self::detail) has them.
#[derive(Error)]
#[error("the body does not fit its type (line {}, column {})", .inner.line(), .inner.column())]
pub struct BodyError {
    inner: serde_json::Error,
}

impl BodyError {
    pub(crate) fn new(inner: serde_json::Error) -> Self {
        Self { inner }
    }

    /// Byte offset in the body's JSON where decoding failed, if the JSON has no newline.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.inner.column().saturating_sub(1)
    }

    /// What did not fit, in words that may quote the body. Not for logs.
    #[must_use]
    pub fn detail(&self) -> String {
        self.inner.to_string()
    }
}

impl fmt::Debug for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BodyError")
            .field("offset", &self.offset())
            .finish_non_exhaustive()
    }
}

/// A message of ours that could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A value that JSON cannot hold, such as a map whose keys are no strings.
    #[error("a value cannot be written as JSON")]
    Value(#[source] serde_json::Error),
    /// A line longer than the bound that was set for it.
    #[error("a line of {len} bytes is longer than the bound of {limit}")]
    TooLong {
        /// Bytes of the line, with its newline.
        len: usize,
        /// The bound in bytes.
        limit: usize,
    },
    /// A [`Malformed`](crate::Message::Malformed) message, which only peers make.
    #[error("a malformed reply cannot be written")]
    Malformed,
}
