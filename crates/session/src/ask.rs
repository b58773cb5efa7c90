//! What the agent asks of us: accepted within bounds, handed over once, answered exactly once
//! (rules 7 and 8).

use std::borrow::Cow;

use std::fmt;
use std::time::Instant;

use acp_vocab::{ErrorCode, ErrorObject, RequestId};

use crate::beside::Subject;
use crate::key::{CallKey, Scope, SessionKey};

/// How a question was settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Settled {
    /// The host answered.
    Answered,
    /// The host let go of it without an answer, or nobody reads its stream any more.
    Dropped,
    /// The turn was cancelled.
    Cancelled,
    /// The agent took it back with `$/cancel_request`.
    Withdrawn,
    /// Nobody was there to decide: it stayed unread while a call waited behind it.
    Unread,
    /// A handler took too long.
    TimedOut,
    /// Its turn ended.
    TurnEnded,
    /// The connection was closed, or ended.
    Closed,
}

impl Settled {
    /// A short name for records, in `snake_case`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Dropped => "dropped",
            Self::Cancelled => "cancelled",
            Self::Withdrawn => "withdrawn",
            Self::Unread => "unread",
            Self::TimedOut => "timed_out",
            Self::TurnEnded => "turn_ended",
            Self::Closed => "closed",
        }
    }
}

impl fmt::Display for Settled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Answered => "answered",
            Self::Dropped => "dropped without an answer",
            Self::Cancelled => "its turn was cancelled",
            Self::Withdrawn => "withdrawn by the agent",
            Self::Unread => "nobody was there to decide",
            Self::TimedOut => "the handler took too long",
            Self::TurnEnded => "its turn ended",
            Self::Closed => "the connection ended",
        })
    }
}

/// What kind of answer is owed when nobody gives one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Permission,
    Elicitation,
    /// A request whose handler waits for a process, bounded by the turn.
    TerminalExit,
    Other,
}

impl Kind {
    pub(crate) fn of(method: &str) -> Self {
        match method {
            "session/request_permission" => Self::Permission,
            "elicitation/create" => Self::Elicitation,
            "terminal/wait_for_exit" => Self::TerminalExit,
            _ => Self::Other,
        }
    }
}

/// Appends the answer that is given when the host gives none. It never approves anything.
pub(crate) fn write_default(
    out: &mut Vec<u8>,
    id: &RequestId,
    kind: Kind,
    settled: Settled,
) -> Result<usize, acp_codec::EncodeError> {
    #[derive(serde::Serialize)]
    struct Outcome {
        outcome: &'static str,
    }
    #[derive(serde::Serialize)]
    struct Permission {
        outcome: Outcome,
    }
    #[derive(serde::Serialize)]
    struct Elicitation {
        action: &'static str,
    }
    match (kind, settled) {
        (Kind::Permission, _) => {
            let outcome = Permission {
                outcome: Outcome {
                    outcome: "cancelled",
                },
            };
            acp_codec::encode::result(out, id, &outcome)
        }
        (Kind::Elicitation, Settled::Cancelled | Settled::Withdrawn) => {
            acp_codec::encode::result(out, id, &Elicitation { action: "cancel" })
        }
        (Kind::Elicitation, _) => {
            acp_codec::encode::result(out, id, &Elicitation { action: "decline" })
        }
        (_, Settled::Withdrawn | Settled::Cancelled) => {
            let error = ErrorObject::new(ErrorCode(-32800), "request cancelled");
            acp_codec::encode::error(out, id, &error)
        }
        (_, Settled::Closed) => {
            acp_codec::encode::error(out, id, &ErrorObject::new(ErrorCode(-32603), "closing"))
        }
        (_, _) => {
            let error = ErrorObject::new(ErrorCode(-32603), "not handled");
            acp_codec::encode::error(out, id, &error)
        }
    }
}

/// An accepted request.
#[derive(Debug)]
pub(crate) struct Accepted {
    pub(crate) method: Cow<'static, str>,
    pub(crate) kind: Kind,
    pub(crate) session: Option<SessionKey>,
    /// What it is about.
    pub(crate) subject: Subject,
    /// Whose idle clock it pauses once it was handed over.
    pub(crate) pauses: Option<(Scope, Option<CallKey>)>,
    pub(crate) arrived: Instant,
    pub(crate) handed: Option<Instant>,
    /// Whether a registered handler gets it, and not the stream.
    pub(crate) for_handler: bool,
}
