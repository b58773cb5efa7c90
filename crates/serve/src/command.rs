//! What handlers put into the one queue to the writer, in the order in which it goes out.

use std::sync::Arc;

use acp_vocab::{ErrorObject, MessageId, Method, Raw, SessionId, v1, v2};
use tokio::sync::oneshot;

use crate::{
    error::AskError, opening::Opening, options::SessionOption, outcome::Outcome, shared::Live,
};

/// The number of a request of the client that is being handled.
pub(crate) type RequestKey = u64;

#[derive(Debug)]
pub(crate) enum Command {
    /// Something that happened in a session.
    Update(Box<Update>),
    /// A request to the client.
    Ask(Box<Ask>),
    /// A notification to the client that is no update.
    Notify(Method, Raw),
    /// A handler's answer.
    Answer(RequestKey, Box<Answer>),
    /// The end of a turn, behind everything that it sent.
    Settled {
        session: SessionId,
        run: u64,
        outcome: Box<Outcome>,
    },
}

#[derive(Debug)]
pub(crate) struct Update {
    pub(crate) session: SessionId,
    pub(crate) live: Arc<Live>,
    pub(crate) body: Body,
}

/// An update in the form of the version, but for text, which may be joined.
#[derive(Debug)]
pub(crate) enum Body {
    Chunk(Chunk),
    V1(v1::SessionUpdate),
    V2(v2::SessionUpdate),
    /// The options as they are now; version 1 may need two updates to be told.
    Options(Vec<SessionOption>),
}

#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) speaker: Speaker,
    pub(crate) message: MessageId,
    pub(crate) text: Box<str>,
}

/// Whose message a chunk belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    User,
    Agent,
    Thought,
}

impl Speaker {
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::User => "user_message_chunk",
            Self::Agent => "agent_message_chunk",
            Self::Thought => "agent_thought_chunk",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Ask {
    pub(crate) method: Method,
    pub(crate) params: Raw,
    pub(crate) session: Option<SessionId>,
    pub(crate) live: Arc<Live>,
    /// Whether the user has to do something before the answer comes.
    pub(crate) needs_user: bool,
    pub(crate) reply: oneshot::Sender<Result<Raw, AskError>>,
}

/// What a handler answers with, and what follows from it.
#[derive(Debug)]
pub(crate) enum Answer {
    /// An answer and nothing more.
    Plain(Result<Raw, ErrorObject>),
    /// A session was opened.
    Opened(Box<Opening>),
    /// An option of a session was set.
    Changed {
        session: SessionId,
        method: Method,
        changed: Result<Vec<SessionOption>, ErrorObject>,
    },
}
