//! What can go wrong between a host and its agent, one enum per operation. The kinds stay apart:
//! called wrongly, refused locally, said no, broke the protocol, took too long, ended.

use acp_handshake::{GateError, NegotiationError, OfferError};
use acp_session::{CallError, ConnectionError, DeadlineError, UsageError};
use acp_thinking::{Choice, ChooseError};
use acp_transport::TransportError;
use acp_vocab::{ErrorCode, ErrorObject, Method, SessionId};

use crate::login;

/// A client that cannot be built.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The versions cannot be offered.
    #[error(transparent)]
    Offer(#[from] OfferError),
    /// Two handlers answer the same method.
    #[error("two handlers answer {method}")]
    TwoHandlers {
        /// The method.
        method: Box<str>,
    },
}

/// `initialize` brought no agreement.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InitializeError {
    /// The answer is no agreement; nothing was guessed.
    #[error(transparent)]
    Negotiation(#[from] NegotiationError),
    /// The agent has to be asked again in a fresh process, and this connection has only one link:
    /// [`ClientBuilder::launch`](crate::ClientBuilder::launch) does that.
    #[error("the agent must be started afresh and asked for an older version")]
    NeedsFreshLink {
        /// Why it brought no result; `None` when its result was unusable.
        cause: Option<Box<CallError>>,
    },
    /// There was no answer: a bound, the end of the connection, or a broken reply.
    #[error(transparent)]
    Call(#[from] CallError),
    /// It was called twice, or after the end.
    #[error(transparent)]
    Usage(#[from] UsageError),
    /// The client's own card cannot be written as JSON.
    #[error("the initialize params cannot be written as JSON")]
    Encode,
}

impl InitializeError {
    /// Whether the agent refuses because a person has to log in first: see
    /// [`RequestError::wants_login`].
    #[must_use]
    pub fn wants_login(&self) -> bool {
        let Self::Negotiation(NegotiationError::Refused { code, said, .. }) = self else {
            return false;
        };
        i32::try_from(*code)
            .is_ok_and(|code| login::is_wanted(&ErrorObject::new(ErrorCode(code), said.clone())))
    }

    /// The bound that elapsed, when that is why.
    #[must_use]
    pub fn deadline(&self) -> Option<&DeadlineError> {
        if let Self::Call(CallError::Deadline(error)) = self {
            Some(error)
        } else {
            None
        }
    }

    /// How the connection ended, when that is why.
    #[must_use]
    pub fn connection(&self) -> Option<&ConnectionError> {
        let call = match self {
            Self::Call(call) => call,
            Self::NeedsFreshLink { cause } => cause.as_deref()?,
            Self::Negotiation(_) | Self::Usage(_) | Self::Encode => return None,
        };
        if let CallError::Connection { error, .. } = call {
            Some(error)
        } else {
            None
        }
    }
}

/// An agent that could not be started and agreed with.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// It could not be started, or reached.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The client cannot be built.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// There is no agreement.
    #[error(transparent)]
    Initialize(#[from] InitializeError),
}

/// A session that could not be opened again after its agent ended.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReviveError {
    /// It was revived as often as the policy allows.
    #[error("the agent was started again {times} times, and no more is allowed")]
    Exhausted {
        /// How often it was.
        times: u32,
    },
    /// The agent could not be started and agreed with; the last of several tries.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The session could not be opened; the last of several tries.
    #[error(transparent)]
    Session(#[from] RequestError),
}

/// A request, or a turn, that brought no result.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// Refused locally: the agent did not advertise what the method needs. Nothing was sent.
    #[error(transparent)]
    NotAdvertised(#[from] GateError),
    /// Refused locally: this needs something that the agent did not advertise. Nothing was sent.
    #[error("{what} needs `{capability}`, which the agent did not advertise")]
    Unsupported {
        /// What was asked for: a kind of content, a kind of server.
        what: &'static str,
        /// The capability, as the specification spells it.
        capability: &'static str,
    },
    /// Refused locally: the session does not offer this.
    #[error("the session does not offer this {what}; it offers {offered} of them")]
    NotOffered {
        /// What was chosen: a mode, a config option, a login.
        what: &'static str,
        /// How many there are.
        offered: usize,
    },
    /// Refused locally: the session does not offer what was chosen. Nothing was sent for it. What
    /// is offered, and what is nearest, is behind [`choice`](Self::choice).
    #[error("the session does not offer what was chosen")]
    NotChosen(Box<ChooseError>),
    /// The agent accepted a choice, and something else is in force.
    #[error("the agent accepted {method} and something else is in force")]
    NotHonoured {
        /// The method by which it was chosen.
        method: Box<str>,
        /// What was chosen, in the agent's own spelling.
        chosen: Box<str>,
        /// What is in force, when the agent says it.
        in_force: Option<Box<str>>,
    },
    /// Refused locally: a prompt without content. Nothing was sent.
    #[error("the prompt is empty")]
    EmptyPrompt,
    /// Called in a way that the state does not allow. Nothing was sent.
    #[error(transparent)]
    Usage(#[from] UsageError),
    /// The agent said no, broke the protocol, took too long, or ended.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The result has not the shape that the method promises.
    #[error("unusable result of {method}: {fault}")]
    Result {
        /// The method.
        method: Box<str>,
        /// Where and what, in words of the protocol.
        fault: Box<str>,
    },
}

impl RequestError {
    /// The bound that elapsed, when that is why.
    #[must_use]
    pub fn deadline(&self) -> Option<&DeadlineError> {
        if let Self::Call(CallError::Deadline(error)) = self {
            Some(error)
        } else {
            None
        }
    }

    /// How the connection ended, when that is why: cause, phase, exit status and stderr.
    #[must_use]
    pub const fn connection(&self) -> Option<&ConnectionError> {
        if let Self::Call(CallError::Connection { error, .. }) = self {
            Some(error)
        } else {
            None
        }
    }

    /// What the agent answered, when it said no.
    #[must_use]
    pub const fn refusal(&self) -> Option<&ErrorObject> {
        if let Self::Call(CallError::Refused { error, .. }) = self {
            Some(error)
        } else {
            None
        }
    }

    /// Why something could not be chosen: what is offered, and what is nearest.
    #[must_use]
    pub const fn choice(&self) -> Option<&ChooseError> {
        if let Self::NotChosen(error) = self {
            Some(error)
        } else {
            None
        }
    }

    pub(crate) fn not_honoured(choice: &Choice, in_force: Option<Box<str>>) -> Self {
        Self::NotHonoured {
            method: choice.method().name().into(),
            chosen: choice.sent().into(),
            in_force,
        }
    }

    /// Whether the agent says that a person has to log in (again).
    ///
    /// `-32000` always means it. Agents report a login that has expired as an internal error, or by a status of HTTP: then it is
    /// told by the members of the error's data that are known to name it, and by a few sentences that mean nothing else.
    #[must_use]
    pub fn wants_login(&self) -> bool {
        self.refusal().is_some_and(login::is_wanted)
    }

    /// Whether the agent says that it has no such session (any more).
    ///
    /// Agents use several codes for it. `-32002` always means it; to a request that opens a stored
    /// session `-32602` and `-32603` do as well; to any other request those two only when the
    /// answer names the session. An answer that [wants a login](Self::wants_login) says nothing about
    /// the session.
    #[must_use]
    pub fn is_session_unavailable(&self, session: &SessionId) -> bool {
        let Self::Call(CallError::Refused { label, error }) = self else {
            return false;
        };
        let opens = [
            Method::SESSION_LOAD,
            Method::SESSION_RESUME,
            Method::SESSION_FORK,
        ];
        match error.code {
            ErrorCode::RESOURCE_NOT_FOUND => true,
            ErrorCode::INTERNAL_ERROR if login::is_wanted(error) => false,
            ErrorCode::INVALID_PARAMS | ErrorCode::INTERNAL_ERROR => {
                let names =
                    |text: &str| !session.as_str().is_empty() && text.contains(session.as_str());
                opens.iter().any(|method| method.name() == label.method())
                    || names(&error.message)
                    || error.data.as_ref().is_some_and(|data| names(data.get()))
            }
            _ => false,
        }
    }
}
