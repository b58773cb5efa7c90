//! Opening new sessions, from nothing or from a copy of another one's history.

use std::sync::Arc;

use acp_session::{CallKey, Opening, Reply, SessionKey, UsageError};
use acp_thinking::Wishes;
use acp_vocab::{CursorId, Method, SessionId};

use crate::{
    budget::Budget,
    client::Client,
    error::RequestError,
    request::PendingRequest,
    scope::SessionPlace,
    session::Session,
    setup::{Setup, words_of_a_session},
    unclaimed::chosen,
};

/// A new session, about to be opened. Made by [`Client::new_session`] and [`Client::fork`].
#[derive(Debug)]
#[must_use = "a builder does nothing until it opens"]
pub struct NewSession {
    client: Client,
    setup: Setup,
    wishes: Wishes,
}

impl NewSession {
    pub(crate) fn new(client: Client, from: Option<SessionId>, cwd: Box<str>) -> Self {
        Self {
            client,
            setup: Setup::new(from, cwd),
            wishes: Wishes::new(),
        }
    }

    words_of_a_session!();

    /// Of a fork: the position in the history at which it branches off, the end by default.
    pub fn at(mut self, cursor: impl Into<CursorId>) -> Self {
        self.setup.cursor = Some(cursor.into());
        self
    }

    /// Opens it, within the default bounds (idle 120 s, absolute 10 min).
    ///
    /// Dropping the future gives it up: `$/cancel_request` goes out, and a session that the agent
    /// opens all the same is closed, if it can, and drained. So is one for which a choice fails.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally, or no session.
    pub async fn open(self) -> Result<Session, RequestError> {
        self.open_within(&Budget::defaults()).await
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally, or no session.
    pub async fn open_within(self, budget: &Budget) -> Result<Session, RequestError> {
        let method = match self.setup.session {
            Some(_) => Method::SESSION_FORK,
            None => Method::SESSION_NEW,
        };
        let (key, _) = send(&self.client, method, &self.setup, Opening::New, budget)?;
        let mut pending = PendingRequest::new(Arc::clone(self.client.shared()), key);
        let reply = pending.reply().await??;
        let session = session_of(&self.client, method, &self.setup, reply)?;
        chosen(session, self.wishes, budget).await
    }
}

/// Sends a request that opens a session, once everything in it was advertised.
pub(crate) fn send(
    client: &Client,
    method: Method,
    setup: &Setup,
    opening: Opening<'_>,
    budget: &Budget,
) -> Result<(CallKey, Option<SessionKey>), RequestError> {
    client.requester().require(method.name())?;
    let agreement = client.agreement().ok_or_else(|| UsageError::NotReady {
        method: method.name().into(),
    })?;
    let replay = matches!(opening, Opening::Known(_));
    let params = setup.params(&agreement, replay)?;
    tracing::debug!(method = method.name(), "request");
    let clock = budget.for_call();
    let sent = client.shared().with(|inner, now| {
        inner
            .machine
            .open_session(now, method.name(), &params, opening, clock)
    })?;
    Ok(sent)
}

/// The session that a reply opened.
pub(crate) fn session_of(
    client: &Client,
    method: Method,
    setup: &Setup,
    reply: Reply,
) -> Result<Session, RequestError> {
    let unusable = || RequestError::Result {
        method: method.name().into(),
        fault: "expected a string as sessionId".into(),
    };
    let key = reply.session.ok_or_else(unusable)?;
    let shared = Arc::clone(client.shared());
    let place = SessionPlace::new(&setup.cwd, &setup.directories);
    let id = shared
        .with(|inner, _| {
            inner.scopes.opened(&inner.machine, key, place);
            inner.machine.session_id(key).cloned()
        })
        .ok_or_else(unusable)?;
    let cwd = setup.cwd.clone();
    Ok(Session::new(shared, key, id, cwd, reply))
}
