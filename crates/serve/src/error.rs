//! What can go wrong on our side: with the connection, with a sender, with a question.

use std::{io, time::Duration};

use acp_handshake::GateError;
use acp_vocab::{ErrorObject, ShapeError};
use thiserror::Error;

/// Why serving ended badly.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Standard input or output cannot be used.
    #[error("the standard streams cannot be set up")]
    Setup(#[source] io::Error),
    /// Reading from the client failed.
    #[error("reading from the client failed")]
    Read(#[source] io::Error),
    /// Writing to the client failed.
    #[error("writing to the client failed, {pending} bytes pending")]
    Write {
        /// Bytes that were not written.
        pending: usize,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The client sent a line over the bound.
    #[error("the client sent a line of more than {limit} bytes ({seen} bytes and no newline)")]
    LineTooLong {
        /// The bound.
        limit: usize,
        /// Bytes seen when it was noticed.
        seen: usize,
    },
    /// The client sent too much before its first prompt.
    #[error("the client sent {bytes} bytes in {messages} messages without a prompt")]
    Unproven {
        /// Bytes so far.
        bytes: u64,
        /// Messages so far.
        messages: u64,
    },
    /// The client took no byte of what is pending.
    #[error("the client stopped reading: {pending} bytes pending for {}s", .after.as_secs())]
    Stalled {
        /// Bytes that were not written.
        pending: usize,
        /// The bound.
        after: Duration,
    },
}

/// Why an event was not taken from its sender. Nothing of it is written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unsent {
    /// The turn was cancelled.
    #[error("the turn was cancelled")]
    Cancelled,
    /// A limit of the turn was reached.
    #[error("a limit of the turn was reached")]
    Limit(crate::Limit),
    /// The turn, the replay or the session has ended.
    #[error("the turn has ended")]
    Ended,
    /// The session's set-up has not been answered yet.
    #[error("the session is not open yet")]
    NotOpen,
    /// The client is gone.
    #[error("the client is gone")]
    Disconnected,
    /// The event would be a line over the bound.
    #[error("an event of at least {len} bytes is over the bound of {limit}")]
    TooLong {
        /// Bytes counted when the bound was passed.
        len: usize,
        /// The bound.
        limit: usize,
    },
    /// The event cannot be written as JSON.
    #[error("the event cannot be written as JSON")]
    NotJson,
}

/// Why a question to the client has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AskError {
    /// It was not sent, or the turn ended first.
    #[error(transparent)]
    Unsent(#[from] Unsent),
    /// The client did not advertise it.
    #[error(transparent)]
    NotAdvertised(#[from] GateError),
    /// The client said no.
    #[error("the client refused: {}", .0.code)]
    Refused(ErrorObject),
    /// The client's answer cannot be read.
    #[error("the client's answer cannot be read: {0}")]
    Unreadable(ShapeError),
    /// The client's answer is no answer.
    #[error("the client's answer is malformed")]
    Malformed,
}
