//! Endings: of a turn, of the connection, by us and by the peer (rules 14 to 16).

use std::time::Instant;

use super::Connection;
use crate::ask::Settled;
use crate::call::{Purpose, Reply};
use crate::ending::EndCause;
use crate::error::{CallError, ConnectionError};
use crate::key::{CallKey, SessionKey, Stream, WaitKey};

impl Connection {
    /// Closes the connection: every open question is answered, what is pending is flushed for a
    /// bounded time, then the writing side is shut down. Waits end at once; queued events stay
    /// readable; what the agent still says is drained. Twice is once.
    pub fn close(&mut self, now: Instant) {
        if !self.lifecycle.is_live() {
            return;
        }
        for session in self.sessions.keys() {
            let running: Vec<_> = self
                .sessions
                .find(session)
                .into_iter()
                .flat_map(|state| state.turns.iter())
                .filter(|turn| !turn.ended)
                .map(|turn| turn.key)
                .collect();
            for turn in running {
                self.cancel_turn(now, session, turn);
            }
        }
        for ask in self.asks.keys() {
            self.settle_ask(now, ask, Settled::Closed);
        }
        for frame in self.early.take_all() {
            self.counters.early_dropped += 1;
            self.refuse_early(now, &frame.line);
        }
        let error = self.error(EndCause::Closed);
        self.fail_all(now, &error);
        self.lifecycle
            .flush_until(now + self.config.limits.flush, error);
        self.check_end(now);
    }

    fn error(&mut self, cause: EndCause) -> ConnectionError {
        let (phase, exit) = (self.lifecycle.phase(), self.ending.exit().cloned());
        ConnectionError::new(cause, phase, exit, 0, self.skipped)
    }

    /// Ends the connection at once: nothing that follows can be trusted or written.
    pub(super) fn break_off(&mut self, now: Instant, cause: EndCause) {
        if self.lifecycle.is_live() {
            let error = self.error(cause);
            self.finish_connection(now, error);
        }
    }

    /// The agent has ended, and for long nobody took what keeps us from reading the rest of what it
    /// said: the end comes without that. What was read stays readable.
    pub(super) fn end_unread(&mut self, now: Instant) {
        if self.lifecycle.is_live() {
            let error = self.ending.to_error(self.lifecycle.phase(), self.skipped);
            self.finish_connection(now, error);
        }
    }

    fn finish_connection(&mut self, now: Instant, error: ConnectionError) {
        self.outbox.clear();
        for ask in self.asks.keys() {
            self.settle_ask(now, ask, Settled::Closed);
        }
        self.outbox.clear();
        self.fail_all(now, &error);
        self.behind = false;
        self.lifecycle.end(error);
        self.waits.wake_all();
    }

    /// Looks whether an end that has begun is complete.
    pub(super) fn check_end(&mut self, now: Instant) {
        let paused = !self.may_read(now);
        let grace = self.config.limits.exit_grace;
        self.ending.hold(paused, now + grace);
        if let Some(until) = self.lifecycle.flushes_until()
            && (self.outbox.is_empty() || until <= now)
        {
            self.outbox.clear();
            let error = self.error(EndCause::Closed);
            self.lifecycle.shut_down(error);
            self.waits.wake(WaitKey::Writer);
        }
        let expects_exit = self.config.expects_exit;
        if self.lifecycle.is_live() {
            if !self.behind && self.ending.is_complete(now, expects_exit) {
                let error = self.ending.to_error(self.lifecycle.phase(), self.skipped);
                self.finish_connection(now, error);
            }
        } else if self.lifecycle.is_shut_down()
            && self.lifecycle.closed().is_none()
            && self.ending.is_complete(now, expects_exit)
        {
            let error = self.error(EndCause::Closed);
            self.finish_connection(now, error);
        }
    }

    /// Ends every wait with the same error, behind everything that was read.
    fn fail_all(&mut self, now: Instant, error: &ConnectionError) {
        for call in self.calls.waiting() {
            let Some(slot) = self.calls.find(call) else {
                continue;
            };
            let (label, purpose) = (slot.label.clone(), slot.purpose);
            let error = CallError::Connection {
                label,
                error: error.clone(),
            };
            self.fail_call(now, call, purpose, error);
        }
        for frame in self.early.take_all() {
            drop(frame);
            self.counters.early_dropped += 1;
        }
        for session in self.sessions.keys() {
            self.waits.wake(WaitKey::Stream(Stream::Session(session)));
        }
        self.waits.wake(WaitKey::Stream(Stream::Connection));
        self.waits.wake(WaitKey::Handler);
        self.waits.wake(WaitKey::Closed);
    }

    /// A call has no result.
    pub(super) fn fail_call(
        &mut self,
        now: Instant,
        call: CallKey,
        purpose: Purpose,
        error: CallError,
    ) {
        self.deadlines.stop(call);
        match purpose {
            Purpose::Prompt(session, turn) => {
                self.calls.give_up(call);
                self.end_turn(now, session, turn, Err(error));
            }
            Purpose::Opens(session) => {
                self.finish_call(call, Err(error));
                self.abort_opening(now, session);
            }
            Purpose::Ends(session) => {
                self.not_ending(session, call);
                self.finish_call(call, Err(error));
            }
            Purpose::Plain | Purpose::Handshake | Purpose::Makes => {
                self.finish_call(call, Err(error));
            }
        }
    }

    pub(super) fn finish_call(&mut self, call: CallKey, result: Result<Reply, CallError>) -> bool {
        self.deadlines.stop(call);
        let waited = self.calls.finish(call, result);
        self.waits.wake(WaitKey::Call(call));
        waited
    }

    /// A session whose opening failed: what came for it can still be read, nothing follows.
    fn abort_opening(&mut self, now: Instant, session: SessionKey) {
        self.sessions.deactivate(session);
        self.settle_asks_of(now, session, Settled::Closed);
        self.waits.wake(WaitKey::Stream(Stream::Session(session)));
        self.drain(now, session);
    }
}
