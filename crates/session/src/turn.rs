//! One prompt from its line to its end.

use std::fmt;

use acp_vocab::{ErrorObject, MessageId, Meta, ToolCallId};
use serde_json::value::RawValue;

use crate::error::CallError;
use crate::key::{CallKey, TurnKey};

/// How a turn ended, in the words that both versions share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The model finished.
    Completed,
    /// The output limit was reached.
    MaxTokens,
    /// Too many model calls in one turn.
    MaxTurnRequests,
    /// The agent will not go on.
    Refusal,
    /// The host cancelled it, or the agent says that it was cancelled.
    Cancelled,
    /// The agent reported a failure, or a stop reason that this version does not have.
    Failed,
    /// There was no report: a refusal, a bound, a broken reply or the end of the connection.
    Lost,
}

impl Outcome {
    /// A short name for records, in `snake_case`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::MaxTokens => "max_tokens",
            Self::MaxTurnRequests => "max_turn_requests",
            Self::Refusal => "refusal",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
            Self::Lost => "lost",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What the agent reported at the end of a turn.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// The stop reason as it was spelled; empty when v2 named none.
    pub stop_reason: Box<str>,
    /// The whole report: the result of `session/prompt` (v1) or the `idle` update (v2). Usage and
    /// `_meta` are in it.
    pub raw: Box<RawValue>,
    /// The `_meta` of the report.
    pub meta: Option<Meta>,
    /// What went wrong, when v2 reports the stop reason `error`.
    pub error: Option<ErrorObject>,
}

/// The last item of a turn's stream: behind every update that came before it on the wire.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TurnEnd {
    /// What the agent reported, or why there is no report.
    pub result: Result<Report, CallError>,
    /// Whether the host, or a bound, asked for the turn to be cancelled. Any end is then a
    /// cancelled turn; what was reported is kept beside it.
    pub cancel_requested: bool,
    /// The message that the prompt became (v2).
    pub message: Option<MessageId>,
    /// Tool calls that the agent left open. They are over, whatever was last said about them.
    pub open_tools: Vec<ToolCallId>,
}

impl TurnEnd {
    /// How the turn ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match &self.result {
            Err(CallError::Refused { .. }) | Ok(_) if self.cancel_requested => Outcome::Cancelled,
            Err(CallError::Refused { error, .. }) if error.code.0 == -32800 => Outcome::Cancelled,
            Err(CallError::GivenUp { .. }) => Outcome::Cancelled,
            Err(_) => Outcome::Lost,
            Ok(report) => match &*report.stop_reason {
                "end_turn" | "" => Outcome::Completed,
                "max_tokens" => Outcome::MaxTokens,
                "max_turn_requests" => Outcome::MaxTurnRequests,
                "refusal" => Outcome::Refusal,
                "cancelled" => Outcome::Cancelled,
                // A custom reason says that the turn has ended, and nothing more.
                reason if reason.starts_with('_') => Outcome::Completed,
                _ => Outcome::Failed,
            },
        }
    }
}

/// A live turn: its end has not been taken, or it was given up and its end has not come.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) key: TurnKey,
    /// The prompt's request.
    pub(crate) call: CallKey,
    /// Whether it is over: its end stands in the queue, or in `end`.
    pub(crate) ended: bool,
    /// Its end, when it came before an older turn's: nothing in the queue belongs to it.
    pub(crate) end: Option<Box<TurnEnd>>,
    /// Whether a cancel went out.
    pub(crate) cancelled: bool,
    /// Whether nobody reads it any more.
    pub(crate) given_up: bool,
    /// v2: the message that the prompt became, once the agent has said so.
    pub(crate) message: Option<MessageId>,
    /// v2: messages of the user that were seen before that; one of them may be the prompt's.
    pub(crate) echoes: Vec<Echo>,
}

/// v2: a message of the user that may be a prompt.
#[derive(Debug)]
pub(crate) struct Echo {
    pub(crate) message: MessageId,
    /// The first idle behind it: its end, if it is the prompt. Later ones repeat it, or belong to
    /// other work.
    pub(crate) idle: Option<Report>,
}

/// What is kept of echoes: answers come soon after, and more than this between is not ours. An id and
/// a report are as long as their agent likes.
const ECHOES: usize = 16;
const ECHO_BYTES: usize = 64 * 1024;

impl Turn {
    pub(crate) const fn new(key: TurnKey, call: CallKey) -> Self {
        Self {
            key,
            call,
            ended: false,
            end: None,
            cancelled: false,
            given_up: false,
            message: None,
            echoes: Vec::new(),
        }
    }

    /// v2: whether the agent may have taken the prompt: it said so, or a message of the user came.
    pub(crate) const fn is_taken(&self) -> bool {
        self.message.is_some() || !self.echoes.is_empty()
    }

    /// v2: a message of the user was seen while the prompt is unanswered.
    pub(crate) fn note_echo(&mut self, message: &MessageId) {
        let is_known = self.echoes.iter().any(|echo| echo.message == *message);
        if self.echoes.len() < ECHOES && !is_known && message.as_str().len() <= ECHO_BYTES / ECHOES
        {
            self.echoes.push(Echo {
                message: message.clone(),
                idle: None,
            });
        }
    }

    /// v2: the session is idle while the prompt is unanswered.
    pub(crate) fn note_idle(&mut self, report: &Report) {
        let open = self.echoes.iter_mut().filter(|echo| echo.idle.is_none());
        open.for_each(|echo| echo.idle = Some(report.clone()));
        let bytes = |echo: &Echo| echo.idle.as_ref().map_or(0, |idle| idle.raw.get().len());
        while self.echoes.len() > 1 && self.echoes.iter().map(bytes).sum::<usize>() > ECHO_BYTES {
            self.echoes.remove(0);
        }
    }

    /// v2: the prompt became this message. Gives the idle that ended it, when that came before.
    pub(crate) fn insert(&mut self, message: MessageId) -> Option<Report> {
        let mut echoes = std::mem::take(&mut self.echoes).into_iter();
        let ended = echoes.find(|echo| echo.message == message);
        self.message = Some(message);
        ended?.idle
    }
}
