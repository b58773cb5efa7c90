//! What the protocol can say of an outcome.

use acp_vocab::{ErrorCode, ErrorObject, Raw, StopReason};
use serde::Serialize;

use crate::outcome::{Limit, Outcome, Stop};
use crate::shared::measure;

/// What the protocol can say of an outcome: a stop reason, or an error.
///
/// The table of `docs/serve.md`, in code. In version 1 an error answers the prompt; in version 2 it
/// stands in the idle state, behind the stop reason `error`. Neither failure nor timeout is ever
/// `end_turn`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Said {
    /// A stop reason.
    Reason(StopReason),
    /// An error.
    Error(ErrorObject),
}

impl Said {
    /// What is said of `outcome`. Where the client asked for the turn to be cancelled before it was
    /// told of its end, the reason is `cancelled` whatever the outcome was: it waits for that.
    #[must_use]
    pub fn of(outcome: &Outcome, cancel_asked: bool) -> Self {
        if cancel_asked {
            return Self::Reason(StopReason::Cancelled);
        }
        let Err(stop) = outcome else {
            return Self::Reason(StopReason::EndTurn);
        };
        match stop {
            Stop::Cancelled => Self::Reason(StopReason::Cancelled),
            Stop::PolicyDenied => Self::Reason(StopReason::Refusal),
            Stop::LimitExceeded(Limit::Tokens) => Self::Reason(StopReason::MaxTokens),
            Stop::LimitExceeded(Limit::ModelCalls | Limit::ToolCalls) => {
                Self::Reason(StopReason::MaxTurnRequests)
            }
            Stop::LimitExceeded(Limit::Output | Limit::Other(_)) => Self::Error(said_error(
                ErrorCode::INTERNAL_ERROR,
                "limit exceeded",
                stop,
            )),
            Stop::TimedOut => Self::Error(said_error(
                ErrorCode::INTERNAL_ERROR,
                "the turn timed out",
                stop,
            )),
            Stop::Failed(failure) => {
                Self::Error(said_error(failure.class.code(), &failure.message, stop))
            }
        }
    }

    /// The same, without the words of an error that there is no room for.
    pub(crate) fn within(self, room: usize) -> Self {
        match self {
            Self::Error(error) if measure(&error, room).is_none() => {
                let mut bare = ErrorObject::of(error.code);
                bare.data = error.data;
                if measure(&bare, room).is_none() {
                    bare.data = None;
                }
                Self::Error(bare)
            }
            said @ (Self::Reason(_) | Self::Error(_)) => said,
        }
    }
}

fn said_error(code: ErrorCode, message: &str, stop: &Stop) -> ErrorObject {
    #[derive(Serialize)]
    struct Data<'a> {
        outcome: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        class: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<&'a str>,
    }
    let (outcome, class, limit) = match stop {
        Stop::Failed(failure) => ("failed", Some(failure.class.as_str()), None),
        Stop::LimitExceeded(limit) => ("limit_exceeded", None, Some(limit.as_str())),
        Stop::TimedOut => ("timed_out", None, None),
        Stop::Cancelled => ("cancelled", None, None),
        Stop::PolicyDenied => ("policy_denied", None, None),
    };
    let error = ErrorObject::new(code, message);
    match Raw::encode(&Data {
        outcome,
        class,
        limit,
    }) {
        Ok(data) => error.with_data(data.into_inner()),
        Err(_) => error,
    }
}
