//! Sessions of the host: opened, ended, dropped.

use std::borrow::Cow;
use std::time::Instant;

use acp_vocab::SessionId;
use serde::Serialize;

use super::Connection;
use crate::ask::Settled;
use crate::beside::Beside;
use crate::call::Purpose;
use crate::clock::{Bounds, Clock};
use crate::error::{CallError, UsageError};
use crate::key::{CallKey, Scope, SessionKey, Stream, WaitKey};
use crate::session::Stage;
use crate::sessions::Place;

/// Requests that open a session whose id is in their params or in their result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Opening<'a> {
    /// The result will name the session: `session/new`, `session/fork`.
    New,
    /// The session has this id, and its history is replayed: `session/load`, `session/resume`
    /// with `replayFrom`. Its stream exists at once, and what comes before the reply (in v2 before
    /// `replay_complete`) is marked as history.
    Known(&'a SessionId),
    /// The session has this id, and goes on without a replay: `session/resume`.
    Resumed(&'a SessionId),
}

/// Sessions.
impl Connection {
    /// Sends a request that opens a session. With [`Opening::Known`] the session's key comes
    /// back at once; with [`Opening::New`] it is in the [`Reply`](crate::Reply).
    ///
    /// # Errors
    /// As [`request`](Self::request); [`UsageError::SessionOpen`] for a session that is open.
    pub fn open_session(
        &mut self,
        now: Instant,
        method: impl Into<Cow<'static, str>>,
        params: &(impl Serialize + ?Sized),
        opening: Opening<'_>,
        clock: Clock,
    ) -> Result<(CallKey, Option<SessionKey>), UsageError> {
        let method = method.into();
        let limit = self.config.limits.sessions;
        if self.sessions.is_full() {
            return Err(UsageError::TooMany {
                what: "sessions",
                limit,
            });
        }
        let (id, replays) = match opening {
            Opening::New => {
                let (scope, purpose) = (Scope::Connection, Purpose::Makes);
                let call = self.send_request(now, method, params, scope, purpose, clock)?;
                return Ok((call, None));
            }
            Opening::Known(id) => (id, true),
            Opening::Resumed(id) => (id, false),
        };
        if matches!(self.sessions.place(id.as_str()), Place::Own(_)) {
            return Err(UsageError::SessionOpen {
                session: id.clone(),
            });
        }
        let key = self.keys.session();
        let (scope, purpose) = (Scope::Session(key), Purpose::Opens(key));
        let call = self.send_request(now, method, params, scope, purpose, clock)?;
        self.sessions
            .add(key, id.clone(), Stage::Opening { replays });
        Ok((call, Some(key)))
    }

    /// Sends a request after which a session is over: `session/close`, `session/delete`. What the
    /// agent asks a person in it is answered as cancelled, now and until the answer comes: it may
    /// have to end its work first, and wait for that.
    ///
    /// # Errors
    /// As [`request`](Self::request).
    pub fn end_session(
        &mut self,
        now: Instant,
        method: impl Into<Cow<'static, str>>,
        params: &(impl Serialize + ?Sized),
        session: SessionKey,
        clock: Clock,
    ) -> Result<CallKey, UsageError> {
        let (scope, purpose) = (Scope::Session(session), Purpose::Ends(session));
        let call = self.send_request(now, method.into(), params, scope, purpose, clock)?;
        if let Some(state) = self.sessions.find_mut(session) {
            state.ending.insert(call);
        }
        for ask in self.asks.of_session(session, false, &Beside::default()) {
            self.settle_ask(now, ask, Settled::Cancelled);
        }
        Ok(call)
    }

    /// A request that was to end a session is over, and the session may not be.
    pub(super) fn not_ending(&mut self, session: SessionKey, call: CallKey) {
        if let Some(state) = self.sessions.find_mut(session) {
            state.ending.remove(&call);
        }
    }

    /// The agent says that a session is over. Nothing follows for it; in v2 that goes for the idle
    /// of a turn that still runs, too, while the answer to a prompt may come late.
    pub(super) fn end_session_here(&mut self, now: Instant, session: SessionKey) {
        self.sessions.deactivate(session);
        self.settle_asks_of(now, session, Settled::Closed);
        let Some(state) = self.sessions.find_mut(session) else {
            return;
        };
        let held: Vec<_> = state.held_back.iter().map(|(held, _)| *held).collect();
        let mut running = Vec::new();
        for turn in state.turns.iter_mut().filter(|turn| !turn.ended) {
            turn.cancelled = true;
            if turn.message.is_some() || held.contains(&turn.key) {
                running.push((turn.key, turn.call));
            }
        }
        for (turn, call) in running {
            // What never went out is answered by nobody.
            self.withdraw_held(session, turn);
            if let Some(label) = self.calls.find(call).map(|slot| slot.label.clone()) {
                self.end_turn(now, session, turn, Err(CallError::GivenUp { label }));
            }
        }
        self.waits.wake(WaitKey::Stream(Stream::Session(session)));
    }

    /// The host dropped the session. Its turns go on; when none is left its events are drained
    /// and its id counts as inactive.
    pub fn drop_session(&mut self, now: Instant, session: SessionKey) {
        self.waits.unpark(WaitKey::Stream(Stream::Session(session)));
        if let Some(state) = self.sessions.find_mut(session) {
            state.held = false;
        }
        self.drain(now, session);
        self.progress(now);
    }

    /// The host does not want a session that it asked for: one that the agent has opened is closed
    /// there, if it can, and what comes of it is drained.
    pub fn discard_session(&mut self, now: Instant, session: SessionKey) {
        let state = self.sessions.find(session);
        if state.is_some_and(|state| state.stage == Stage::Open) {
            self.close_late(now, session);
        } else {
            self.drop_session(now, session);
        }
        self.progress(now);
    }

    /// A session that was opened for nobody: closed if the agent can, and drained.
    pub(super) fn close_late(&mut self, now: Instant, session: SessionKey) {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Close<'a> {
            session_id: &'a SessionId,
        }
        let Some(id) = self.sessions.find(session).map(|state| state.id.clone()) else {
            return;
        };
        self.drop_session(now, session);
        if self.lifecycle.closes_sessions() {
            let clock = Clock::start(now, Bounds::START_UP);
            let (method, purpose) = (Cow::Borrowed("session/close"), Purpose::Plain);
            let params = Close { session_id: &id };
            let sent = self.send_request(now, method, &params, Scope::Connection, purpose, clock);
            if let Ok(call) = sent {
                // Nobody waits for this answer; it is only recognised.
                self.deadlines.stop(call);
                self.calls.give_up(call);
            }
        }
    }

    /// The id of a session.
    #[must_use]
    pub fn session_id(&self, session: SessionKey) -> Option<&SessionId> {
        self.sessions.find(session).map(|state| &state.id)
    }

    /// The key of an open session with this id.
    #[must_use]
    pub fn session_key(&self, id: &str) -> Option<SessionKey> {
        match self.sessions.place(id) {
            Place::Own(key) => Some(key),
            Place::Child(_) | Place::Inactive | Place::Unknown => None,
        }
    }
}
