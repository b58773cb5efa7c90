//! The agent said no: to `initialize`, to a request, or at the end of a turn; and what a login would have changed about it.

use acp_harness::{
    client::InitializeError,
    handshake::NegotiationError,
    vocab::{ErrorCode, ErrorObject},
};

use super::{Broken, Scene};
use crate::{exit::Exit, login};

impl Broken {
    /// There is no agreement.
    pub(crate) fn initialize(error: &InitializeError, scene: &Scene) -> Self {
        match error {
            InitializeError::Negotiation(NegotiationError::Refused { code, said, .. }) => {
                let code = i32::try_from(*code).ok();
                let mut broken = if error.wants_login() {
                    Self::new(Exit::AuthRequired, "auth_required", error.to_string())
                        .hint("log in with the agent's own command first")
                } else if code.is_some_and(is_about_the_protocol) {
                    Self::new(Exit::Protocol, "unsupported_version", error.to_string())
                } else {
                    Self::new(Exit::Failed, "error", error.to_string())
                };
                broken.failure.code = code;
                broken.failure.agent_said = Some(said.to_string()).filter(|said| !said.is_empty());
                broken
            }
            InitializeError::Negotiation(NegotiationError::Ended) => {
                Self::new(Exit::AgentDied, "agent_died", error.to_string())
            }
            InitializeError::Negotiation(_) => {
                Self::new(Exit::Protocol, "unsupported_version", error.to_string())
                    .hint("acp speaks what `acp status` lists; is this an ACP agent?")
            }
            InitializeError::NeedsFreshLink { .. } => {
                Self::new(Exit::Protocol, "unsupported_version", error.to_string())
            }
            InitializeError::Call(error) => Self::call(error, scene),
            error => Self::internal(error.to_string()),
        }
    }

    /// The agent said no.
    pub(super) fn refused(error: &ErrorObject, label: &str) -> Self {
        let mut broken = Self::new(
            Exit::Failed,
            "error",
            format!("the agent refused {label} with error {}", error.code),
        );
        broken.said(error);
        broken
    }

    /// A turn that the agent ended with a failure of its own.
    pub(crate) fn ended(failed: Option<&ErrorObject>, wants_login: bool, scene: &Scene) -> Self {
        let message = match failed {
            Some(error) => format!("the agent ended the turn with error {}", error.code),
            None => String::from("the agent ended the turn with a failure"),
        };
        let mut broken = Self::new(Exit::Failed, "failed", message);
        if let Some(error) = failed {
            broken.said(error);
        }
        if wants_login {
            broken.wanting_login(scene)
        } else {
            broken
        }
    }

    fn said(&mut self, error: &ErrorObject) {
        self.failure.code = Some(error.code.0);
        self.failure.agent_said = Some(error.message.to_string()).filter(|said| !said.is_empty());
        self.failure.data.clone_from(&error.data);
    }

    /// The same failure, which a login would have prevented: the ways that there are, and what to type.
    pub(super) fn wanting_login(mut self, scene: &Scene) -> Self {
        self.exit = Exit::AuthRequired;
        self.outcome = "auth_required";
        self.failure.logins.clone_from(&scene.logins);
        let hint = if scene.logged_in {
            String::from(
                "it accepted the login and refuses all the same: what it was given may not be valid any more, and some agents see a login only when they are started again",
            )
        } else {
            login::hint(&scene.logins, &scene.tail)
        };
        self.hint(hint)
    }
}

/// Whether this answer to `initialize` is about the protocol: it could not be read, was no request, or asked for a version that
/// the agent does not have. Any other error is a failure of the agent.
fn is_about_the_protocol(code: i32) -> bool {
    let codes = [
        ErrorCode::PARSE_ERROR,
        ErrorCode::INVALID_REQUEST,
        ErrorCode::METHOD_NOT_FOUND,
        ErrorCode::INVALID_PARAMS,
        ErrorCode::UNSUPPORTED_VERSION,
    ];
    codes.contains(&ErrorCode(code))
}
