//! How a task ended, exactly.

use std::fmt;

use acp_vocab::{ErrorCode, Raw, Usage};

use crate::{AskError, Unsent};

/// What [`Agent::prompt`](crate::Agent::prompt) returns: `?` on a sender or a question ends the turn
/// with what happened.
pub type Outcome = Result<Completed, Stop>;

/// Constructors on [`Outcome`], for `use acp_serve::Outcomes as _`.
pub trait Outcomes: sealed::Sealed {
    /// The task was done.
    fn completed() -> Self;
    /// The task was not done, because it was cancelled.
    fn cancelled() -> Self;
    /// The task was not done, and this is what was wrong.
    fn failed(failure: Failure) -> Self;
}

impl Outcomes for Outcome {
    fn completed() -> Self {
        Ok(Completed::new())
    }

    fn cancelled() -> Self {
        Err(Stop::Cancelled)
    }

    fn failed(failure: Failure) -> Self {
        Err(Stop::Failed(failure))
    }
}

mod sealed {
    #[expect(unnameable_types, reason = "that is what seals the trait")]
    pub trait Sealed {}
    impl Sealed for super::Outcome {}
}

/// A task that was done.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Completed {
    /// The answer as one text, for clients that negotiated the extension.
    pub output: Option<Box<str>>,
    /// The answer as JSON that this program has validated itself.
    pub structured: Option<Raw>,
    /// Tokens of the turn.
    pub usage: Option<Usage>,
}

impl Completed {
    /// Done, with nothing more to say.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With the answer as one text.
    #[must_use]
    pub fn output(mut self, text: impl Into<Box<str>>) -> Self {
        self.output = Some(text.into());
        self
    }

    /// With the answer as JSON that this program has validated itself.
    #[must_use]
    pub fn structured(mut self, value: Raw) -> Self {
        self.structured = Some(value);
        self
    }

    /// With the tokens of the turn.
    #[must_use]
    pub fn usage(mut self, usage: Usage) -> Self {
        self.usage = Some(usage);
        self
    }
}

/// Why a task was not done.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Stop {
    /// The client, or the end of the connection, cancelled it.
    Cancelled,
    /// Its deadline passed.
    TimedOut,
    /// A policy of this program forbids it; the model's own refusal is one too.
    PolicyDenied,
    /// A limit was reached.
    LimitExceeded(Limit),
    /// Something failed.
    Failed(Failure),
}

/// The limit that was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// Tokens of the model.
    Tokens,
    /// Calls of the model.
    ModelCalls,
    /// Calls of tools.
    ToolCalls,
    /// Bytes of output.
    Output,
    /// One of the program's own: a short name in `snake_case`.
    Other(Box<str>),
}

impl Limit {
    /// Its name on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Tokens => "tokens",
            Self::ModelCalls => "model_calls",
            Self::ToolCalls => "tool_calls",
            Self::Output => "output",
            Self::Other(name) => name,
        }
    }
}

/// What failed: a class for programs, a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The class.
    pub class: FailureClass,
    /// A sentence that may be shown to the client.
    pub message: Box<str>,
}

impl Failure {
    /// A failure of this class.
    pub fn new(class: FailureClass, message: impl Into<Box<str>>) -> Self {
        Self {
            class,
            message: message.into(),
        }
    }
}

/// What kind of thing failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FailureClass {
    /// A fault of this program.
    Internal,
    /// The model's provider.
    Provider,
    /// A login that is missing or expired.
    Auth,
    /// The prompt asked for something that cannot be.
    InvalidInput,
    /// Something that the prompt names is not there.
    NotFound,
    /// A tool.
    Tool,
    /// The client: it refused a question, or its answer made no sense.
    Client,
    /// An event did not fit the line bound.
    TooLarge,
}

impl FailureClass {
    /// Every class.
    pub const ALL: &'static [Self] = &[
        Self::Internal,
        Self::Provider,
        Self::Auth,
        Self::InvalidInput,
        Self::NotFound,
        Self::Tool,
        Self::Client,
        Self::TooLarge,
    ];

    /// Its name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Internal => "internal",
            Self::Provider => "provider",
            Self::Auth => "auth",
            Self::InvalidInput => "invalid_input",
            Self::NotFound => "not_found",
            Self::Tool => "tool",
            Self::Client => "client",
            Self::TooLarge => "too_large",
        }
    }

    /// The JSON-RPC code that says it best.
    #[must_use]
    pub const fn code(self) -> ErrorCode {
        match self {
            Self::Auth => ErrorCode::AUTH_REQUIRED,
            Self::InvalidInput => ErrorCode::INVALID_PARAMS,
            Self::NotFound => ErrorCode::RESOURCE_NOT_FOUND,
            Self::Internal | Self::Provider | Self::Tool | Self::Client | Self::TooLarge => {
                ErrorCode::INTERNAL_ERROR
            }
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::TimedOut => f.write_str("timed out"),
            Self::PolicyDenied => f.write_str("denied by policy"),
            Self::LimitExceeded(limit) => write!(f, "limit exceeded: {}", limit.as_str()),
            Self::Failed(failure) => write!(f, "failed: {}", failure.class.as_str()),
        }
    }
}

impl std::error::Error for Stop {}

impl From<Unsent> for Stop {
    fn from(unsent: Unsent) -> Self {
        match unsent {
            Unsent::Limit(limit) => Self::LimitExceeded(limit),
            Unsent::Cancelled | Unsent::Ended | Unsent::NotOpen | Unsent::Disconnected => {
                Self::Cancelled
            }
            Unsent::TooLong { .. } => Self::Failed(Failure::new(
                FailureClass::TooLarge,
                "an event was over the line bound",
            )),
            Unsent::NotJson => Self::Failed(Failure::new(
                FailureClass::Internal,
                "an event could not be written",
            )),
        }
    }
}

impl From<AskError> for Stop {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Unsent(unsent) => unsent.into(),
            error @ (AskError::NotAdvertised(_)
            | AskError::Refused(_)
            | AskError::Unreadable(_)
            | AskError::Malformed) => {
                Self::Failed(Failure::new(FailureClass::Client, error.to_string()))
            }
        }
    }
}
