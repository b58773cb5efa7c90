//! Questions of the agent: taken in, answered exactly once.

use std::time::Instant;

use acp_vocab::ErrorObject;
use serde::Serialize;

use super::Connection;
use crate::ask::{Settled, write_default};
use crate::beside::Beside;
use crate::error::UsageError;
use crate::event::{Event, Received};
use crate::inquiry::SettledAsk;
use crate::key::{AskKey, SessionKey, WaitKey};
use crate::label::Label;
use crate::outbox::Lane;

/// Answers.
impl Connection {
    /// Registers for a method, so that requests of it are not refused with `-32601`. With a
    /// handler they are given to [`next_handler_ask`](Self::next_handler_ask), without one they
    /// are events of their session's stream. Permission requests are always accepted.
    pub fn register(&mut self, method: &str, with_handler: bool) {
        let methods = if with_handler {
            &mut self.handled
        } else {
            &mut self.streamed
        };
        methods.insert(method.into());
    }

    /// Answers a question with a result. It never waits for the pipe: a slot was reserved when
    /// the question was accepted.
    ///
    /// # Errors
    /// [`UsageError::TooLate`] when it was settled before; nothing is sent then.
    /// [`UsageError::Encode`] when the result cannot be written; the question stays open.
    pub fn answer(
        &mut self,
        now: Instant,
        ask: AskKey,
        result: &(impl Serialize + ?Sized),
    ) -> Result<(), UsageError> {
        self.answer_with(now, ask, |out, id| {
            acp_codec::encode::result(out, id, result)
        })
    }

    /// Refuses a question with an error.
    ///
    /// # Errors
    /// [`UsageError::TooLate`] when it was settled before; nothing is sent then.
    pub fn refuse(
        &mut self,
        now: Instant,
        ask: AskKey,
        error: &ErrorObject,
    ) -> Result<(), UsageError> {
        self.answer_with(now, ask, |out, id| acp_codec::encode::error(out, id, error))
    }

    fn answer_with(
        &mut self,
        now: Instant,
        ask: AskKey,
        write: impl FnOnce(&mut Vec<u8>, &acp_vocab::RequestId) -> Result<usize, acp_codec::EncodeError>,
    ) -> Result<(), UsageError> {
        let Some((id, method)) = self.asks.label(ask) else {
            let settled = self.asks.release(ask).unwrap_or(Settled::Answered);
            return Err(UsageError::TooLate { settled });
        };
        let label = Label::new(method.clone(), Some(id.clone()));
        let pushed = self
            .outbox
            .push(now, Lane::Slot, label, |out| write(out, &id));
        if pushed.is_err() {
            return Err(UsageError::Encode {
                method: method.into(),
            });
        }
        self.close_ask(now, ask, Settled::Answered);
        self.progress(now);
        Ok(())
    }

    /// The host lets go of a question without an answer: it gets the default one (permission
    /// `cancelled`, elicitation `decline`, else `-32603`).
    pub fn drop_ask(&mut self, now: Instant, ask: AskKey) {
        self.settle_ask(now, ask, Settled::Dropped);
        self.asks.release(ask);
        self.progress(now);
    }

    /// The session that an open question belongs to: for one of a child session, its root.
    #[must_use]
    pub fn ask_session(&self, ask: AskKey) -> Option<SessionKey> {
        self.asks.session(ask)
    }

    /// How a question was settled without its holder; `None` while it is open, or unknown.
    #[must_use]
    pub fn ask_settled(&self, ask: AskKey) -> Option<Settled> {
        self.asks.settled(ask)
    }

    /// Gives the default answer to a question that is still open.
    pub(super) fn settle_ask(&mut self, now: Instant, ask: AskKey, how: Settled) {
        let Some((id, method)) = self.asks.label(ask) else {
            return;
        };
        let Some(kind) = self.asks.kind(ask) else {
            return;
        };
        let label = Label::new(method, Some(id.clone()));
        let sent = self.outbox.push(now, Lane::Slot, label, |out| {
            write_default(out, &id, kind, how)
        });
        debug_assert!(sent.is_ok(), "our own answers can be written");
        self.counters.defaulted += 1;
        self.close_ask(now, ask, how);
    }

    /// Takes a question out of the table; clocks run on and whoever holds it is told.
    fn close_ask(&mut self, now: Instant, ask: AskKey, how: Settled) {
        let Some((id, accepted)) = self.asks.settle(ask, how) else {
            return;
        };
        if accepted.handed.is_some()
            && let Some((scope, call)) = accepted.pauses
        {
            self.deadlines.hold(now, scope, call, false);
        }
        self.waits.wake(WaitKey::Ask(ask));
        let told = matches!(how, Settled::Answered | Settled::Dropped);
        if accepted.handed.is_some() && !told && !accepted.for_handler {
            let settled = SettledAsk {
                key: ask,
                id,
                method: accepted.method.as_ref().into(),
                how,
                was_handed_over: true,
            };
            let received = Received::new(Event::Settled(Box::new(settled)));
            match accepted.session {
                Some(session) => self.deliver(now, session, 0, received),
                None => self.deliver_general(now, 0, received),
            }
        }
    }

    /// Settles what is open in a session: permission requests and elicitations when a turn is
    /// cancelled or over, everything when the session is.
    pub(super) fn settle_asks_of(&mut self, now: Instant, session: SessionKey, how: Settled) {
        let all = matches!(how, Settled::Closed | Settled::Dropped);
        let nothing = Beside::default();
        let state = self.sessions.find(session);
        let beside = state.map_or(&nothing, |state| &state.beside);
        for ask in self.asks.of_session(session, all, beside) {
            self.settle_ask(now, ask, how);
        }
    }
}
