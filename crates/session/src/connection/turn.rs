//! Turns of the host: cancelled, given up, ended.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::Connection;
use crate::ask::Settled;
use crate::call::Purpose;
use crate::error::{CallError, UsageError};
use crate::key::{SessionKey, Stream, TurnKey, WaitKey};
use crate::label::Label;
use crate::turn::{Report, TurnEnd};

/// Cancelling and ending.
impl Connection {
    /// Asks the agent to cancel a turn: `session/cancel` goes out, and every open permission
    /// request and elicitation of the session is answered as cancelled at once, as are those that
    /// still come before the turn ends. Updates go on until then. Twice is once; after the end it
    /// does nothing.
    ///
    /// In v2 a prompt that the agent has not taken yet and that waits behind another turn is withdrawn
    /// with `$/cancel_request`, so that the other turn goes on. Once it was taken it is part of the
    /// same work, and `session/cancel` stops all of that. What belongs to background work stays open.
    ///
    /// # Errors
    /// [`UsageError::Gone`] when the turn's end was taken before.
    pub fn cancel(&mut self, now: Instant, turn: TurnKey) -> Result<(), UsageError> {
        let gone = UsageError::Gone { what: "the turn" };
        let session = self.sessions.of_turn(turn).ok_or(gone)?;
        self.cancel_turn(now, session, turn);
        self.progress(now);
        Ok(())
    }

    /// The same, and a bound for what the agent makes of it: a turn that has not ended when `grace` is
    /// over ends here, by its absolute bound, and the host chooses: leave the agent to it, close the
    /// session, or end the connection. A bound that is nearer stays. Updates go on until then.
    ///
    /// # Errors
    /// As [`cancel`](Self::cancel).
    pub fn cancel_within(
        &mut self,
        now: Instant,
        turn: TurnKey,
        grace: Duration,
    ) -> Result<(), UsageError> {
        self.cancel(now, turn)?;
        let session = self.sessions.of_turn(turn);
        let state = session.and_then(|session| self.sessions.find(session));
        if let Some(live) = state.and_then(|state| state.turn(turn)) {
            self.deadlines.shorten(now, live.call, grace);
        }
        Ok(())
    }

    pub(super) fn cancel_turn(&mut self, now: Instant, session: SessionKey, turn: TurnKey) {
        let Some(state) = self.sessions.find_mut(session) else {
            return;
        };
        let id = state.id.clone();
        let waits_behind = state.waits_behind(turn);
        let (call, inserted) = match state.turn_mut(turn) {
            Some(turn) if !turn.ended && !turn.cancelled => {
                turn.cancelled = true;
                (turn.call, turn.message.is_some())
            }
            Some(_) | None => return,
        };
        let label = self.calls.find(call).map(|slot| slot.label.clone());
        if self.withdraw_held(session, turn) {
            // It never went out, so there is nothing to wait for.
            if let Some(label) = label {
                self.end_turn(now, session, turn, Err(CallError::GivenUp { label }));
            }
        } else if waits_behind && !inserted && self.lifecycle.version().0 >= 2 {
            let purpose = Purpose::Prompt(session, turn);
            self.cancel_request(now, purpose, label.as_ref().and_then(Label::id));
        } else {
            #[derive(Serialize)]
            #[serde(rename_all = "camelCase")]
            struct Cancel<'a> {
                session_id: &'a acp_vocab::SessionId,
            }
            self.send_reserved(now, "session/cancel", &Cancel { session_id: &id });
            if let Some(state) = self.sessions.find_mut(session)
                && self.lifecycle.version().0 >= 2
            {
                state.wind_down(turn);
            }
            self.settle_asks_of(now, session, Settled::Cancelled);
        }
    }

    /// Takes back a prompt that was held back. Says whether it was.
    pub(super) fn withdraw_held(&mut self, session: SessionKey, turn: TurnKey) -> bool {
        let Some(state) = self.sessions.find_mut(session) else {
            return false;
        };
        let before = state.held_back.len();
        state.held_back.retain(|(held, _)| *held != turn);
        let was_held = state.held_back.len() < before;
        if was_held
            && let Some(slot) = state.turn(turn).and_then(|turn| self.calls.find(turn.call))
            && let Some(id) = slot.label.id().cloned()
        {
            self.calls.forget(&id);
        }
        was_held
    }

    /// The host dropped the turn: it is cancelled if it still runs, and what it would have read
    /// is drained. One that the agent has made part of an older turn's work (v2) leaves that to
    /// whoever reads the older one.
    pub fn give_up(&mut self, now: Instant, turn: TurnKey) {
        let Some(session) = self.sessions.of_turn(turn) else {
            return;
        };
        self.waits.unpark(WaitKey::Stream(Stream::Turn(turn)));
        let state = self.sessions.find(session);
        if !state.is_some_and(|state| state.shares_work(turn)) {
            self.cancel_turn(now, session, turn);
        }
        if let Some(live) = self
            .sessions
            .find_mut(session)
            .and_then(|s| s.turn_mut(turn))
        {
            live.given_up = true;
            if live.end.is_some() {
                self.forget_turn(session, turn);
            }
        }
        self.drain(now, session);
        self.progress(now);
    }

    /// Puts the end of a turn behind everything that came before it. It is never refused.
    pub(super) fn end_turn(
        &mut self,
        now: Instant,
        session: SessionKey,
        turn: TurnKey,
        result: Result<Report, CallError>,
    ) {
        let Some(state) = self.sessions.find_mut(session) else {
            return;
        };
        let Some(live) = state.turn_mut(turn).filter(|live| !live.ended) else {
            return;
        };
        live.ended = true;
        let (cancelled, call, message) = (live.cancelled, live.call, live.message.clone());
        let given_up = live.given_up;
        let cancel_requested = cancelled || !state.ending.is_empty();
        state.had_turn = true;
        state.held_back.retain(|(held, _)| *held != turn);
        let last = !state.is_running();
        let open_tools = if last {
            state.tools.close_open(&state.beside)
        } else {
            Vec::new()
        };
        let end = Box::new(TurnEnd {
            result,
            cancel_requested,
            message,
            open_tools,
        });
        if given_up {
            let at = state.queue.len();
            self.forget_turn(session, turn);
            self.hand_on_kept(now, session, at);
        } else if state.waits_behind(turn) {
            // An older turn owns what stands in the queue; this one has no part in it.
            if let Some(live) = state.turn_mut(turn) {
                live.end = Some(end);
            }
            self.waits.wake(WaitKey::Stream(Stream::Turn(turn)));
        } else {
            state.queue.push_end(turn, end);
            self.waits.wake(WaitKey::Stream(Stream::Turn(turn)));
        }
        self.deadlines.stop(call);
        self.calls.give_up(call);
        if last && self.lifecycle.version().0 < 2 {
            self.settle_asks_of(now, session, Settled::TurnEnded);
        }
        self.drain(now, session);
    }
}
