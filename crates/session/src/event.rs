//! What the host learns: one model for both versions. What a version cannot say is absent, never
//! invented. Events own their data; none holds on to what was read.

use std::fmt;

use acp_vocab::{Raw, RequestId, SessionId};

use crate::ask::Settled;
use crate::diagnostic::Diagnostic;
use crate::key::AskKey;

/// An event and the circumstances under which it came.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Received {
    /// What happened.
    pub event: Event,
    /// It came after the end of the last turn and before the next: it may belong to the turn that
    /// is over, or to none.
    pub late: bool,
    /// It is history that the agent replays while a session is being loaded.
    pub replay: bool,
    /// The child session that it is about, when it is not the session itself.
    pub child: Option<SessionId>,
    /// The update, the notification's params or the request's params as they came: always for
    /// what is unknown, otherwise when [`Config::keep_raw`](crate::Config) says so.
    pub raw: Option<Raw>,
}

impl Received {
    pub(crate) const fn new(event: Event) -> Self {
        Self {
            event,
            late: false,
            replay: false,
            child: None,
            raw: None,
        }
    }
}

/// What happened.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Event {
    /// The agent asks something. It is answered exactly once: by the host, or by default.
    Request(Ask),
    /// A question was settled without its holder: withdrawn, cancelled, or nobody was there.
    Settled(SettledAsk),
    /// A notification that is no update.
    Notification(Notification),
    /// An update of a kind that this crate does not know. Its JSON is in [`Received::raw`].
    Unknown {
        /// The value of `sessionUpdate`.
        tag: Box<str>,
    },
    /// A fault of the agent that harmed nothing else.
    Diagnostic(Diagnostic),
}

/// A request of the agent.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Ask {
    /// What to answer it by.
    pub key: AskKey,
    /// Its id on the wire.
    pub id: RequestId,
    /// The method.
    pub method: Box<str>,
    /// The session that it names.
    pub session: Option<SessionId>,
    /// Its params as they came.
    pub params: Raw,
}

/// How a question ended without its holder.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettledAsk {
    /// The question's key.
    pub key: AskKey,
    /// Its id on the wire.
    pub id: RequestId,
    /// Its method.
    pub method: Box<str>,
    /// How.
    pub how: Settled,
    /// Whether the host had it; if not, this event stands in its place.
    pub was_handed_over: bool,
}

/// A notification that is no update.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Notification {
    /// The method.
    pub method: Box<str>,
    /// Its params; absent and null are the same.
    pub params: Option<Raw>,
}

impl Event {
    pub(crate) const fn ask(&self) -> Option<&Ask> {
        match self {
            Self::Request(ask) => Some(ask),
            Self::Settled(_)
            | Self::Notification(_)
            | Self::Unknown { .. }
            | Self::Diagnostic(_) => None,
        }
    }

    /// Bytes that the event holds beyond itself, roughly.
    pub(crate) fn held_bytes(&self) -> usize {
        match self {
            Self::Request(ask) => ask.params.get().len() + ask.method.len(),
            Self::Settled(settled) => settled.method.len(),
            Self::Notification(note) => {
                note.method.len() + note.params.as_ref().map_or(0, |raw| raw.get().len())
            }
            Self::Unknown { tag } => tag.len(),
            Self::Diagnostic(_) => 0,
        }
    }
}

/// The status of a tool call, in the words of both versions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ToolStatus {
    /// Not started: its input is streaming, or it waits for approval.
    #[default]
    Pending,
    /// Running.
    InProgress,
    /// v2: paused.
    Paused,
    /// Done.
    Completed,
    /// Failed.
    Failed,
    /// v2: cancelled; or left open at the end of a turn (closed locally).
    Cancelled,
    /// A status that this crate does not know.
    Other(Box<str>),
}

impl ToolStatus {
    /// Whether nothing follows it.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }

    /// As it is spelled on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Paused => "paused",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Other(text) => text,
        }
    }
}

impl fmt::Display for ToolStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
