//! What can go wrong, by whose fault. The kinds are never merged: the caller's
//! ([`UsageError`]), the peer's ([`ProtocolError`]), the end of the connection
//! ([`ConnectionError`]), a bound that elapsed ([`DeadlineError`]) and an answer "no" (an
//! [`ErrorObject`], which is a value). `Display` holds classification, numbers, ids and method
//! names; what the peer said is behind accessors.

use std::time::Duration;

use acp_codec::Fault;
use acp_vocab::{ErrorObject, RequestId, SessionId};

use crate::clock::Bound;
pub(crate) use crate::ending::{ConnectionError, Phase};
use crate::label::Label;

/// The machine was called in a way that its state does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UsageError {
    /// Only `initialize` may be sent before the version was agreed.
    #[error("{method} was called before the protocol version was agreed")]
    NotReady {
        /// What was called.
        method: Box<str>,
    },
    /// The version was agreed already.
    #[error("the protocol version was agreed already")]
    AlreadyReady,
    /// The connection is closing or closed.
    #[error("{method} was called on a connection that is closed")]
    Closed {
        /// What was called.
        method: Box<str>,
    },
    /// The key names nothing (any more): its reply was taken, it was abandoned or dropped.
    #[error("{what} is not known (any more)")]
    Gone {
        /// The kind of key.
        what: &'static str,
    },
    /// A v1 session has one prompt at a time (v1 section 6.1), and one is running.
    #[error("the session {session} is already running a turn")]
    TurnRunning {
        /// The session.
        session: SessionId,
    },
    /// The question was answered before: by cancel, by withdrawal, by a bound or by another hand.
    #[error("too late: the question was settled before ({settled})")]
    TooLate {
        /// How.
        settled: crate::ask::Settled,
    },
    /// The session is open already.
    #[error("the session {session} is already open on this connection")]
    SessionOpen {
        /// The session.
        session: SessionId,
    },
    /// A bound of [`Limits`](crate::Limits) on what the host may have in flight.
    #[error("too many {what}: the limit is {limit}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// The bound.
        limit: usize,
    },
    /// So much is waiting to be written that nothing more is accepted until the peer reads.
    #[error("{pending} bytes wait to be written: nothing is added until the peer reads")]
    Backlog {
        /// Bytes pending.
        pending: usize,
    },
    /// A path that has to be absolute is relative: an agent works in a directory of its own, and would find
    /// another place there (v1 section 5.3, v2 section 7).
    #[error("{member} is not an absolute path")]
    NotAbsolute {
        /// Which, as the params spell it: `cwd`, `additionalDirectories[0]`.
        member: Box<str>,
    },
    /// The parameters cannot be written as JSON.
    #[error("the parameters of {method} cannot be written as JSON")]
    Encode {
        /// What was called.
        method: Box<str>,
    },
}

/// The peer broke a rule of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProtocolError {
    /// A reply that names a pending request and cannot be taken as an answer. It ends the request.
    #[error("malformed reply to {method} (id {id}): {fault}")]
    MalformedReply {
        /// What was asked.
        method: Box<str>,
        /// The request.
        id: RequestId,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The result of a request has not the shape that the machine needs to go on.
    #[error("unusable result of {method} (id {id}): {detail}")]
    BadResult {
        /// What was asked.
        method: Box<str>,
        /// The request.
        id: RequestId,
        /// Where and what: member names and kinds, no text of the peer.
        detail: Box<str>,
    },
    /// A line over the decoder's bound. Fatal: the lost line may have been an answer.
    #[error("a line of more than {limit} bytes ({seen} bytes seen)")]
    LineTooLong {
        /// The bound.
        limit: usize,
        /// Bytes of the line seen so far.
        seen: usize,
    },
    /// A request for a session that is not open, with strict sessions on. Fatal.
    #[error("{method} for a session that is not open")]
    ForeignSession {
        /// What the agent asked.
        method: Box<str>,
    },
    /// The result of opening a session names one that is open already.
    #[error("the reply to {method} (id {id}) names a session that is open already")]
    SessionTaken {
        /// What was asked.
        method: Box<str>,
        /// The request.
        id: RequestId,
    },
}

impl ProtocolError {
    /// Whether the connection cannot go on.
    #[must_use]
    pub const fn is_fatal(&self) -> bool {
        matches!(self, Self::LineTooLong { .. } | Self::ForeignSession { .. })
    }
}

/// Why a call, or a turn, has no result.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The agent said no; what it said is in the object.
    #[error("the agent refused {label} with error {}", error.code.0)]
    Refused {
        /// What was asked.
        label: Label,
        /// Code, message and data as they came.
        error: ErrorObject,
    },
    /// The reply breaks the protocol.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// A bound elapsed.
    #[error(transparent)]
    Deadline(#[from] Box<DeadlineError>),
    /// The connection ended.
    #[error("{error} while waiting for {label}")]
    Connection {
        /// What was asked.
        label: Label,
        /// How the connection ended.
        error: ConnectionError,
    },
    /// Queues of other streams are full, nobody empties them, and the overdraft is used up.
    #[error(transparent)]
    Starved(#[from] Box<StarvedError>),
    /// The wait was given up by the host.
    #[error("{label} was given up")]
    GivenUp {
        /// What was asked.
        label: Label,
    },
}

/// A bound elapsed. It says which, what was awaited and what the peer did meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeadlineError {
    /// Which bound.
    pub bound: Bound,
    /// Its length.
    pub length: Duration,
    /// How long this call was waited for; shorter than an absolute bound that others shared.
    pub waited: Duration,
    /// What was awaited.
    pub awaited: Label,
    /// Frames that concerned the wait since it began.
    pub frames: u64,
    /// Lines skipped on the connection since it began.
    pub skipped: u64,
    /// How long ago the last such frame came.
    pub last_frame: Option<Duration>,
    /// How long ago the last byte came on the connection.
    pub last_byte: Option<Duration>,
    /// How long of it nothing was read, because the host left events unread: that silence was not the peer's.
    pub reading_paused: Duration,
}

impl std::fmt::Display for DeadlineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            bound,
            length,
            waited,
            awaited,
            frames,
            skipped,
            ..
        } = self;
        write!(
            f,
            "the {bound} bound of {length:?} elapsed after {waited:?} of {awaited}: "
        )?;
        match self.last_frame {
            None => f.write_str("no frame came for it")?,
            Some(age) => write!(f, "{frames} frames came, the last {age:.1?} ago")?,
        }
        match self.last_byte {
            None => f.write_str("; the agent printed nothing at all")?,
            Some(age) => write!(f, "; the last byte came {age:.1?} ago")?,
        }
        if *skipped > 0 {
            write!(f, "; {skipped} lines were no messages and skipped")?;
        }
        if !self.reading_paused.is_zero() {
            write!(
                f,
                "; for {:.1?} of it nothing was read, because events were left unread",
                self.reading_paused
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for DeadlineError {}

/// Somebody waited while unread events of a session filled every bound and nobody took one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "waiting for {awaited} cannot end: {unread} unread bytes of session {session} fill the \
     overdraft and nothing was taken for {patience:?}"
)]
#[non_exhaustive]
pub struct StarvedError {
    /// What was awaited.
    pub awaited: Box<str>,
    /// The session with the most unread bytes.
    pub session: SessionId,
    /// Its unread bytes.
    pub unread: usize,
    /// How long nothing was taken.
    pub patience: Duration,
}
