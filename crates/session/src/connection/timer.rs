//! Everything that happens because time passed.

use std::time::Instant;

use super::Connection;
use super::stream::Starved;
use crate::ask::Settled;
use crate::call::Purpose;
use crate::deadline::Elapsed;
use crate::ending::EndCause;
use crate::error::{CallError, DeadlineError, StarvedError};
use crate::key::{Scope, SessionKey, WaitKey};

impl Connection {
    /// The first moment at which [`fire_timers`](Self::fire_timers) has something to do.
    pub(super) fn next_timer(&self) -> Option<Instant> {
        if self.lifecycle.closed().is_some() {
            return None;
        }
        if !self.lifecycle.is_live() {
            let ends = [self.lifecycle.flushes_until(), self.ending.wakes_at()];
            return ends.into_iter().flatten().min();
        }
        let unread = self
            .asks
            .first_unread(&self.parked_calls())
            .map(|(at, _)| at);
        let slow = self
            .asks
            .first_slow(|session| self.turn_ends_at(session))
            .map(|(at, _)| at);
        let timers = [
            self.deadlines.next(),
            self.sessions.holding.values().min().copied(),
            self.outbox.stalls_at(),
            self.flow.starves_at(),
            self.ending.wakes_at(),
            unread,
            slow,
        ];
        timers.into_iter().flatten().min()
    }

    pub(super) fn fire_timers(&mut self, now: Instant) {
        if !self.lifecycle.is_live() {
            return;
        }
        while let Some(elapsed) = self.deadlines.expired(now) {
            self.expire(now, elapsed);
        }
        self.release_overdue(now);
        while let Some((at, ask)) = self.asks.first_unread(&self.parked_calls()) {
            if at > now {
                break;
            }
            self.settle_ask(now, ask, Settled::Unread);
        }
        while let Some((at, ask)) = self.asks.first_slow(|session| self.turn_ends_at(session)) {
            if at > now {
                break;
            }
            self.settle_ask(now, ask, Settled::TimedOut);
        }
        if self.flow.starved(now) {
            self.starve(now);
            if self.ending.begun() {
                self.end_unread(now);
            }
        }
        if let Some(stall) = self.outbox.stalled(now) {
            let patience = self.config.limits.stall;
            let cause = EndCause::StoppedReading {
                pending: stall.pending,
                patience,
                label: stall.label,
            };
            self.break_off(now, cause);
        }
    }

    /// Since when, and in which scope, calls are waited for (rule 7).
    fn parked_calls(&self) -> Vec<(Scope, Instant)> {
        if self.asks.has_unread() {
            let scope = |call| self.calls.find(call).map(|slot| slot.scope);
            self.waits
                .calls()
                .filter_map(|(call, since)| Some((scope(call)?, since)))
                .collect()
        } else {
            Vec::new()
        }
    }

    fn turn_ends_at(&self, session: SessionKey) -> Option<Instant> {
        let turn = self
            .sessions
            .find(session)?
            .turns
            .iter()
            .find(|turn| !turn.ended)?;
        self.deadlines.absolute_of(turn.call)
    }

    /// A bound elapsed. The wait ends with an error that says so; on the wire a turn is cancelled
    /// by `session/cancel`, any other request by `$/cancel_request`.
    fn expire(&mut self, now: Instant, elapsed: Elapsed) {
        let Some(slot) = self.calls.find(elapsed.call) else {
            return;
        };
        let (label, purpose) = (slot.label.clone(), slot.purpose);
        let id = label.id().cloned();
        let age = |at: Instant| now.saturating_duration_since(at);
        let error = DeadlineError {
            bound: elapsed.bound,
            length: elapsed.length,
            waited: elapsed.waited,
            awaited: label,
            frames: elapsed.frames,
            skipped: self.skipped.saturating_sub(elapsed.skipped_before),
            last_frame: elapsed.last_frame.map(age),
            last_byte: self.last_byte.map(age),
            reading_paused: elapsed.paused,
        };
        match purpose {
            Purpose::Prompt(session, turn) => {
                if !self.withdraw_held(session, turn) {
                    self.cancel_turn(now, session, turn);
                }
            }
            Purpose::Plain
            | Purpose::Handshake
            | Purpose::Makes
            | Purpose::Opens(_)
            | Purpose::Ends(_) => self.cancel_request(now, purpose, id.as_ref()),
        }
        self.fail_call(
            now,
            elapsed.call,
            purpose,
            CallError::Deadline(Box::new(error)),
        );
    }

    /// Everybody who waits is told why that is hopeless (rule 3).
    fn starve(&mut self, now: Instant) {
        let Some(fullest) = self.sessions.fullest() else {
            return;
        };
        let (session, unread) = (fullest.id.clone(), fullest.queue.bytes());
        let patience = self.config.limits.overdraft_patience;
        let error = |awaited: Box<str>| {
            Box::new(StarvedError {
                awaited,
                session: session.clone(),
                unread,
                patience,
            })
        };
        let waiting: Vec<_> = self.waits.readers().collect();
        for key in waiting {
            match key {
                WaitKey::Call(call) => {
                    let Some(slot) = self.calls.find(call) else {
                        continue;
                    };
                    let (purpose, id) = (slot.purpose, slot.label.id().cloned());
                    let error = error(slot.label.to_string().into());
                    self.cancel_request(now, purpose, id.as_ref());
                    self.fail_call(now, call, purpose, CallError::Starved(error));
                }
                WaitKey::Stream(stream) => {
                    let error = error("the next event".into());
                    self.starved.push_back(Starved { stream, error });
                    self.waits.wake(key);
                }
                WaitKey::Ask(_) | WaitKey::Handler | WaitKey::Writer | WaitKey::Closed => {}
            }
        }
    }
}
