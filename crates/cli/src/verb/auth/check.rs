//! Whether a login works: asked of a fresh process, since the one before it may not look again.

use std::sync::Arc;

use acp_harness::{
    client::{Budget, Client, RequestError, Session},
    handshake::Agreement,
    vocab::{AuthState, Method},
};

use crate::{exit::Exit, failure::Broken, hiargs::Started, start, talk::Talk, wire::Wire};

/// What showed that a login works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Checked {
    /// The agent says so.
    Status,
    /// The agent opened a session.
    Session,
    /// Nothing: the agent cannot say, and failed for another reason.
    Unknown,
}

impl Checked {
    /// Its word in the record.
    pub(super) fn word(self) -> Option<&'static str> {
        match self {
            Self::Status => Some("auth_status"),
            Self::Session => Some("session"),
            Self::Unknown => None,
        }
    }

    /// What a person is told behind `logged in`.
    pub(super) fn said(self) -> &'static str {
        match self {
            Self::Status => " (the agent says so)",
            Self::Session => " (a session can be opened)",
            Self::Unknown => " (the command says so; it could not be checked)",
        }
    }
}

/// Starts the agent again and asks it: for its status where it has one, else for a session.
pub(super) async fn check(
    talk: &mut Talk,
    started: &Started,
    wire: Option<&Arc<Wire>>,
    budget: &Budget,
) -> Result<Checked, Broken> {
    let (client, agreement) =
        start::reach(talk, started, budget, |link| start::seen(link, wire)).await?;
    talk.enter("check");
    if agreement.require(Method::AUTH_STATUS).is_ok() {
        match client.auth_status().await.map(|status| status.state) {
            Ok(AuthState::Authenticated | AuthState::NotRequired) => return Ok(Checked::Status),
            Ok(AuthState::Unauthenticated) => return Err(without_effect()),
            // It does not know: a session shows it.
            Ok(_) | Err(_) => {}
        }
    }
    let cwd = start::directory(started)?;
    match client.new_session(cwd).open_within(budget).await {
        Ok(session) => {
            let_go(&client, &agreement, &session).await;
            Ok(Checked::Session)
        }
        Err(error) if error.wants_login() => Err(without_effect()),
        Err(error) => {
            let failed = Broken::request(&error, &talk.scene());
            talk.notice("login", failed.failure.message)?;
            Ok(Checked::Unknown)
        }
    }
}

fn without_effect() -> Broken {
    Broken::new(
        Exit::AuthRequired,
        "login_failed",
        "the login command ended well, and the agent still wants a login",
    )
}

/// Leaves no empty session behind, where the agent can take it back. What it says to that changes nothing.
async fn let_go(client: &Client, agreement: &Agreement, session: &Session) {
    let gone: Result<(), RequestError> = if agreement.require(Method::SESSION_DELETE).is_ok() {
        client.delete_session(session.id()).await
    } else if agreement.require(Method::SESSION_CLOSE).is_ok() {
        session.close().await
    } else {
        return;
    };
    drop(gone);
}
