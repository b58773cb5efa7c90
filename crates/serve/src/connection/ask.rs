//! Questions to the client: sent in the order of the events, answered once, taken back when nobody
//! waits any more.

use std::sync::Arc;

use acp_codec::encode;
use acp_vocab::{
    CancelRequestNotification, Method, Raw, RequestId, RequiresActionStateUpdate,
    RunningStateUpdate, SessionId, StateUpdate, v1,
};
use tokio::{sync::oneshot, time::Instant};

use super::Connection;
use crate::{
    command::Ask,
    error::AskError,
    shared::{Live, lock},
};

/// A question that is out.
#[derive(Debug)]
pub(super) struct Asking {
    /// Who waits; nobody for what only tidies up.
    reply: Option<oneshot::Sender<Result<Raw, AskError>>>,
    session: Option<SessionId>,
    live: Option<Arc<Live>>,
    needs_user: bool,
}

impl Connection {
    pub(super) fn ask(&mut self, now: Instant, ask: Ask) {
        // Nobody waits any more, and the client has not heard of it.
        if ask.reply.is_closed() {
            return;
        }
        let session = ask.session.clone();
        let id = self.asks.register(Asking {
            reply: Some(ask.reply),
            session: ask.session,
            live: Some(ask.live),
            needs_user: ask.needs_user,
        });
        self.write_request(now, &id, ask.method, &ask.params);
        self.outbox.mark_event();
        if let Some(session) = &session {
            self.trace_sent(session);
        }
        if ask.needs_user
            && let Some(session) = session
        {
            self.question(now, &session, true);
        }
    }

    fn write_request(&mut self, now: Instant, id: &RequestId, method: Method, params: &Raw) {
        tracing::debug!(%method, %id, "question");
        let written = self
            .outbox
            .append(now, |out| encode::request(out, id, method.name(), params));
        if written.is_err() {
            tracing::error!(%method, %id, "a question could not be written");
        }
    }

    pub(super) fn answered(&mut self, now: Instant, asking: Asking, answer: Result<Raw, AskError>) {
        if asking.needs_user
            && let Some(session) = &asking.session
        {
            self.question(now, session, false);
        }
        if let Some(reply) = asking.reply {
            // Who asked may have been cancelled meanwhile.
            drop(reply.send(answer));
        }
    }

    /// A question to the user was asked or answered: version 2 is told whether the work waits.
    fn question(&mut self, now: Instant, id: &SessionId, asked: bool) {
        let v1 = self.is_v1();
        let Some(running) = self
            .sessions
            .get_mut(id)
            .and_then(|session| session.running.as_mut())
        else {
            return;
        };
        let before = running.questions;
        running.questions = if asked {
            before + 1
        } else {
            before.saturating_sub(1)
        };
        let after = running.questions;
        if v1 {
            return;
        }
        if before == 0 && after == 1 {
            let waits = StateUpdate::RequiresAction(RequiresActionStateUpdate::new());
            self.state(now, id, waits, None);
        } else if before == 1 && after == 0 {
            let works = StateUpdate::Running(RunningStateUpdate::new());
            self.state(now, id, works, None);
        }
    }

    /// Somebody dropped a question or a terminal: the client is told.
    pub(crate) fn handle_dropped(&mut self, now: Instant) {
        let gone: Vec<RequestId> = self
            .asks
            .iter()
            .filter(|(_, asking)| {
                let reply = asking.reply.as_ref();
                reply.is_some_and(oneshot::Sender::is_closed)
            })
            .map(|(id, _)| id)
            .collect();
        for id in gone {
            let Some(asking) = self.asks.forget(&id) else {
                continue;
            };
            if asking.needs_user
                && let Some(session) = &asking.session
            {
                self.question(now, session, false);
            }
            // A client of version 1 that cancelled the turn answers its questions by itself.
            let by_itself =
                self.is_v1() && asking.live.is_some_and(|live| live.token.is_cancelled());
            if !by_itself {
                let params = CancelRequestNotification::new(id);
                self.notify(now, Method::CANCEL_REQUEST, &params);
            }
        }
        let terminals = self
            .shared
            .as_ref()
            .map(|shared| std::mem::take(&mut *lock(&shared.terminals)))
            .unwrap_or_default();
        for (session, terminal) in terminals {
            let request = v1::ReleaseTerminalRequest::new(session, terminal);
            let Ok(params) = Raw::encode(&request) else {
                continue;
            };
            // Nobody waits for the answer, so that nothing is kept for it.
            let id = self.asks.register(Asking {
                reply: None,
                session: None,
                live: None,
                needs_user: false,
            });
            self.asks.forget(&id);
            self.write_request(now, &id, Method::TERMINAL_RELEASE, &params);
        }
    }
}
