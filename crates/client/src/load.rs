//! Opening sessions that the agent has stored, with or without their history.

use std::sync::Arc;

use acp_session::{CallError, Opening, Reply, UsageError};
use acp_thinking::Wishes;
use acp_vocab::{Method, SessionId};

use crate::{
    budget::Budget,
    client::Client,
    error::RequestError,
    event::Received,
    open::{send, session_of},
    request::PendingRequest,
    scope::SessionPlace,
    session::Session,
    setup::{Setup, words_of_a_session},
    stream::{SessionEvents, StreamError},
    unclaimed::{Unclaimed, chosen},
};

/// A stored session, about to be opened. Made by [`Client::load`] and [`Client::resume`].
#[derive(Debug)]
#[must_use = "a builder does nothing until it opens"]
pub struct LoadSession {
    client: Client,
    setup: Setup,
    session: SessionId,
    replays: bool,
    wishes: Wishes,
}

impl LoadSession {
    pub(crate) fn new(client: Client, session: SessionId, cwd: Box<str>, replays: bool) -> Self {
        Self {
            client,
            setup: Setup::new(Some(session.clone()), cwd),
            session,
            replays,
            wishes: Wishes::new(),
        }
    }

    words_of_a_session!();

    /// Opens it and drains the replay of its history, within the default bounds. When a choice fails
    /// it is closed again, if the agent can.
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
        let wishes = self.wishes.clone();
        let session = self.replay_within(budget)?.finish().await?;
        chosen(session, wishes, budget).await
    }

    /// Opens it and hands its stream out at once: the replay can be read before the agent has
    /// answered. Within the default bounds. Nothing is chosen: see
    /// [`Session::choose`](crate::Session::choose).
    ///
    /// # Errors
    /// [`RequestError`]: refused locally.
    pub fn replay(self) -> Result<Replay, RequestError> {
        self.replay_within(&Budget::defaults())
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally.
    pub fn replay_within(self, budget: &Budget) -> Result<Replay, RequestError> {
        let speaks_v2 = self
            .client
            .agreement()
            .is_some_and(|agreement| agreement.version().0 >= 2);
        // v2 has one method, which replays when it is asked to.
        let method = if self.replays && !speaks_v2 {
            Method::SESSION_LOAD
        } else {
            Method::SESSION_RESUME
        };
        let opening = if self.replays {
            Opening::Known(&self.session)
        } else {
            Opening::Resumed(&self.session)
        };
        let (key, session) = send(&self.client, method, &self.setup, opening, budget)?;
        let shared = Arc::clone(self.client.shared());
        let session = session.ok_or(UsageError::Gone {
            what: "the session",
        })?;
        let place = SessionPlace::new(&self.setup.cwd, &self.setup.directories);
        shared.with(|inner, _| inner.scopes.opened(&inner.machine, session, place));
        Ok(Replay {
            events: SessionEvents::new(Arc::clone(&shared), session, self.session),
            pending: PendingRequest::new(Arc::clone(&shared), key),
            unclaimed: Unclaimed::new(shared, session),
            reply: None,
            client: self.client,
            method,
            setup: self.setup,
        })
    }
}

/// A stored session that is being opened: its history comes before the agent's answer.
#[derive(Debug)]
#[must_use = "dropping it gives the session up"]
pub struct Replay {
    events: SessionEvents,
    pending: PendingRequest,
    unclaimed: Unclaimed,
    /// The answer, once it was heard while the history was read.
    reply: Option<Result<Result<Reply, CallError>, UsageError>>,
    client: Client,
    method: Method,
    setup: Setup,
}

impl Replay {
    /// The stream of the session: history first, marked as replay.
    pub const fn events(&mut self) -> &mut SessionEvents {
        &mut self.events
    }

    /// The next event of the history; `None` once the agent has answered and everything before that
    /// was read. Cancel-safe.
    ///
    /// # Errors
    /// [`StreamError`]: waiting is hopeless at the moment, or the connection ended.
    pub async fn next(&mut self) -> Result<Option<Received>, StreamError> {
        if self.reply.is_some() {
            return Ok(None);
        }
        tokio::select! {
            biased;
            received = self.events.next() => received,
            reply = self.pending.reply() => {
                self.reply = Some(reply);
                Ok(None)
            }
        }
    }

    /// Waits for the agent's answer. History that was not read by then is drained.
    ///
    /// # Errors
    /// [`RequestError`]: no session.
    pub async fn finish(mut self) -> Result<Session, RequestError> {
        let reply = match self.reply.take() {
            Some(reply) => reply??,
            None => loop {
                tokio::select! {
                    biased;
                    reply = self.pending.reply() => break reply??,
                    () = self.events.discard_replay() => {}
                }
            },
        };
        self.events.discard_replay_now();
        let session = session_of(&self.client, self.method, &self.setup, reply)?;
        self.unclaimed.claim();
        Ok(session)
    }
}
