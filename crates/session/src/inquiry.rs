//! What the agent asks, as events carry it.

use acp_vocab::{CreateElicitationRequest, PermissionOption, Raw, RequestId, SessionId, v2};

use crate::ask::Settled;
use crate::key::AskKey;
use crate::tool::Tool;

/// A request of the agent. It is answered exactly once: by the host, or by default.
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

/// The agent asks for permission. Choose by the *kind* of the options, never by their ids, names
/// or order.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Permission {
    /// The request.
    pub ask: Ask,
    /// What to ask: v2's own title, else that of the tool call.
    pub title: Box<str>,
    /// A longer explanation (v2).
    pub description: Option<Box<str>>,
    /// The tool call that it is about. It exists from the request on, also when it was never
    /// announced.
    pub tool: Option<Tool>,
    /// The command that it is about (v2).
    pub command: Option<v2::CommandPermissionSubject>,
    /// The choices, as offered; there may be none.
    pub options: Vec<PermissionOption>,
}

/// The agent asks the user something.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Elicitation {
    /// The request.
    pub ask: Ask,
    /// What it asks.
    pub request: CreateElicitationRequest,
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
