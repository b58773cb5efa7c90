//! Prompts: from their line to the end of their turn, in both versions.
//!
//! In v1 the answer to the prompt is the end, and a session has one prompt at a time; one that
//! follows a cancelled one is held until that is answered. In v2 the answer only says that the
//! agent took the prompt, and the end is the `idle` state that belongs to it (v2 section 6.3).

use std::borrow::Cow;
use std::time::Instant;

use acp_vocab::{MessageId, RequestId, StateUpdate};
use serde::Serialize;
use serde_json::value::RawValue;

use super::Connection;
use crate::ask::Settled;
use crate::call::{Purpose, Wire};
use crate::clock::Clock;
use crate::diagnostic::Diagnostic;
use crate::error::{CallError, ProtocolError, UsageError};
use crate::key::{CallKey, Scope, SessionKey, Stream, TurnKey, WaitKey};
use crate::label::Label;
use crate::outbox::Lane;
use crate::session::Stage;
use crate::turn::{Report, Turn, TurnEnd};
use crate::update;

/// Turns.
impl Connection {
    /// Sends a prompt. It returns when the line is in the outgoing queue and never waits for the
    /// agent: the answer is the last item of the turn's stream.
    ///
    /// In v1 a session has one prompt at a time. One that follows a cancelled turn is held back
    /// until the agent has answered the cancelled one, because several agents take the answer of
    /// the one for that of the other; its clocks run meanwhile.
    ///
    /// # Errors
    /// As [`request`](Self::request); [`UsageError::TurnRunning`] in v1 while another prompt of
    /// the session runs; [`UsageError::Gone`] for a session that is over.
    pub fn start_prompt(
        &mut self,
        now: Instant,
        session: SessionKey,
        params: &(impl Serialize + ?Sized),
        clock: Clock,
    ) -> Result<TurnKey, UsageError> {
        let hold = self.permit_prompt(session)?;
        let turn = self.keys.turn();
        let call = if hold {
            self.hold_prompt(now, session, turn, params, clock)?
        } else {
            let (scope, purpose) = (Scope::Session(session), Purpose::Prompt(session, turn));
            let method = Cow::Borrowed("session/prompt");
            self.send_request(now, method, params, scope, purpose, clock)?
        };
        self.sessions.note_turn(turn, session);
        if let Some(state) = self.sessions.find_mut(session) {
            state.turns.push_back(Turn::new(turn, call));
            state.unanswered += usize::from(!hold);
        }
        Ok(turn)
    }

    /// Whether a session may take a prompt, and whether it has to be held back for now.
    fn permit_prompt(&self, session: SessionKey) -> Result<bool, UsageError> {
        let gone = UsageError::Gone {
            what: "the session",
        };
        let state = self.sessions.find(session).ok_or_else(|| gone.clone())?;
        match state.stage {
            Stage::Over => return Err(gone),
            Stage::Opening { .. } => {
                return Err(UsageError::NotReady {
                    method: "session/prompt".into(),
                });
            }
            Stage::Open => {}
        }
        let limit = self.config.limits.turns;
        if state.turns.len() >= limit {
            return Err(UsageError::TooMany {
                what: "turns",
                limit,
            });
        }
        if self.lifecycle.version().0 >= 2 {
            return Ok(false);
        }
        if state
            .turns
            .iter()
            .any(|turn| !turn.ended && !turn.cancelled)
        {
            return Err(UsageError::TurnRunning {
                session: state.id.clone(),
            });
        }
        Ok(state.unanswered > 0)
    }

    /// Registers a prompt whose line waits for the answer of the one before it.
    fn hold_prompt(
        &mut self,
        now: Instant,
        session: SessionKey,
        turn: TurnKey,
        params: &(impl Serialize + ?Sized),
        clock: Clock,
    ) -> Result<CallKey, UsageError> {
        let method = Cow::Borrowed("session/prompt");
        let (scope, purpose) = (Scope::Session(session), Purpose::Prompt(session, turn));
        let (key, id) = self.register_request(method.clone(), scope, purpose)?;
        let mut line = Vec::new();
        if acp_codec::encode::request(&mut line, &id, &method, params).is_err() {
            self.unregister_request(key, &id);
            return Err(UsageError::Encode {
                method: method.into(),
            });
        }
        self.watch(now, key, scope, clock);
        if let Some(state) = self.sessions.find_mut(session) {
            state.held_back.push_back((turn, line));
        }
        Ok(key)
    }

    /// Sends the next prompt that was held back, now that nothing is unanswered.
    fn release_prompt(&mut self, now: Instant, session: SessionKey) {
        let Some(state) = self.sessions.find_mut(session) else {
            return;
        };
        if state.unanswered > 0 {
            return;
        }
        let Some((turn, line)) = state.held_back.pop_front() else {
            return;
        };
        state.unanswered += 1;
        let call = state.turn(turn).map(|turn| turn.call);
        let label = call
            .and_then(|call| self.calls.find(call))
            .map(|slot| slot.label.clone());
        let label = label.unwrap_or_else(|| Label::new("session/prompt".into(), None));
        let sent = self.outbox.push(now, Lane::Command, label, |out| {
            out.extend_from_slice(&line);
            Ok(line.len())
        });
        debug_assert!(sent.is_ok(), "the line was written before");
    }

    /// Asks the agent to cancel a turn: `session/cancel` goes out, and every open permission
    /// request and elicitation of the session is answered as cancelled at once, as are those that
    /// still come before the turn ends. Updates go on until then. Twice is once; after the end it
    /// does nothing.
    ///
    /// In v2 a prompt that still waits behind another turn is withdrawn with `$/cancel_request`,
    /// so that the other turn goes on; and what belongs to background work stays open.
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

    pub(super) fn cancel_turn(&mut self, now: Instant, session: SessionKey, turn: TurnKey) {
        let Some(state) = self.sessions.find_mut(session) else {
            return;
        };
        let id = state.id.clone();
        let waits_behind = state.waits_behind(turn);
        let call = match state.turn_mut(turn) {
            Some(turn) if !turn.ended && !turn.cancelled => {
                turn.cancelled = true;
                turn.call
            }
            Some(_) | None => return,
        };
        let label = self.calls.find(call).map(|slot| slot.label.clone());
        if self.withdraw_held(session, turn) {
            // It never went out, so there is nothing to wait for.
            if let Some(label) = label {
                self.end_turn(now, session, turn, Err(CallError::GivenUp { label }));
            }
        } else if waits_behind && self.lifecycle.version().0 >= 2 {
            let purpose = Purpose::Prompt(session, turn);
            self.cancel_request(now, purpose, label.as_ref().and_then(Label::id));
        } else {
            #[derive(Serialize)]
            #[serde(rename_all = "camelCase")]
            struct Cancel<'a> {
                session_id: &'a acp_vocab::SessionId,
            }
            self.send_reserved(now, "session/cancel", &Cancel { session_id: &id });
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
    /// is drained.
    pub fn give_up(&mut self, now: Instant, turn: TurnKey) {
        let Some(session) = self.sessions.of_turn(turn) else {
            return;
        };
        self.waits.unpark(WaitKey::Stream(Stream::Turn(turn)));
        self.cancel_turn(now, session, turn);
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

    fn forget_turn(&mut self, session: SessionKey, turn: TurnKey) {
        if let Some(state) = self.sessions.find_mut(session) {
            state.turns.retain(|live| live.key != turn);
        }
        self.sessions.forget_turn(turn);
    }
}

/// What the agent says about prompts.
impl Connection {
    /// The answer to a prompt: the end of the turn in v1, its insertion in v2.
    pub(super) fn on_prompted(
        &mut self,
        now: Instant,
        wire: &Wire,
        id: &RequestId,
        (session, turn): (SessionKey, TurnKey),
        result: Result<&RawValue, CallError>,
    ) {
        self.prompt_answered(session);
        let live = self
            .sessions
            .find(session)
            .and_then(|state| state.turn(turn));
        if live.is_none_or(|turn| turn.ended) {
            self.counters.repeated_replies += 1;
            self.note(
                now,
                wire.scope,
                Diagnostic::RepeatedReply { id: id.clone() },
            );
        } else if self.lifecycle.version().0 >= 2 {
            let inserted = result.and_then(|result| {
                update::message_of_result(result).map_err(|error| unusable(wire, id, &error))
            });
            match inserted {
                Ok(message) => self.on_inserted(now, session, turn, message),
                Err(error) => self.end_turn(now, session, turn, Err(error)),
            }
        } else {
            let report = result.and_then(|result| {
                update::report_of_result(result).map_err(|error| unusable(wire, id, &error))
            });
            self.end_turn(now, session, turn, report);
        }
        self.release_prompt(now, session);
    }

    /// One prompt of a session is not unanswered any more.
    pub(super) fn prompt_answered(&mut self, session: SessionKey) {
        if let Some(state) = self.sessions.find_mut(session) {
            state.unanswered = state.unanswered.saturating_sub(1);
        }
    }

    /// v2: the agent took the prompt. When its echo, and behind that an idle, came before this
    /// answer, that idle was its end.
    fn on_inserted(
        &mut self,
        now: Instant,
        session: SessionKey,
        turn: TurnKey,
        message: MessageId,
    ) {
        let Some(state) = self.sessions.find_mut(session) else {
            return;
        };
        let Some(live) = state.turn_mut(turn) else {
            return;
        };
        let ended = live.idle.take().filter(|(_, echoes)| {
            live.echoes
                .iter()
                .take(*echoes)
                .any(|echo| *echo == message)
        });
        live.echoes = Vec::new();
        live.message = Some(message);
        if let Some((report, _)) = ended {
            self.end_turn(now, session, turn, Ok(report));
        }
    }

    /// v2: a message of the user was seen; it may be the echo of a prompt whose answer has not
    /// come.
    pub(super) fn on_echo(&mut self, session: SessionKey, message: &MessageId) {
        /// Answers come soon after; more messages than this between are not ours.
        const KEPT: usize = 16;
        let Some(state) = self.sessions.find_mut(session) else {
            return;
        };
        for turn in state
            .turns
            .iter_mut()
            .filter(|turn| !turn.ended && turn.message.is_none())
        {
            if turn.echoes.len() < KEPT && !turn.echoes.contains(message) {
                turn.echoes.push(message.clone());
            }
        }
    }

    /// v2: the agent says what it is doing. An idle ends every turn whose prompt was inserted
    /// before it; one that comes before both the answer and the echo belongs to earlier work.
    pub(super) fn on_state(&mut self, now: Instant, session: SessionKey, state: &StateUpdate) {
        let Some(known) = self.sessions.find_mut(session) else {
            return;
        };
        if let Some(background) = update::background(state) {
            known.background = background;
        }
        let StateUpdate::Idle(idle) = state else {
            return;
        };
        let report = update::report_of_idle(state, idle);
        let mut ended = Vec::new();
        for turn in known.turns.iter_mut().filter(|turn| !turn.ended) {
            if turn.message.is_some() {
                ended.push(turn.key);
            } else if !turn.echoes.is_empty() {
                turn.idle = Some((report.clone(), turn.echoes.len()));
            }
        }
        for turn in ended {
            self.end_turn(now, session, turn, Ok(report.clone()));
        }
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
        let (cancel_requested, call, message) = (live.cancelled, live.call, live.message.clone());
        let given_up = live.given_up;
        state.had_turn = true;
        state.held_back.retain(|(held, _)| *held != turn);
        let last = !state.is_running();
        let open_tools = if last {
            state.tools.close_open(&state.background)
        } else {
            Vec::new()
        };
        let end = Box::new(TurnEnd {
            result,
            cancel_requested,
            message,
            open_tools,
        });
        if state.waits_behind(turn) {
            // An older turn owns what stands in the queue; this one has no part in it.
            if given_up {
                self.forget_turn(session, turn);
            } else if let Some(live) = state.turn_mut(turn) {
                live.end = Some(end);
                self.waits.wake(WaitKey::Stream(Stream::Turn(turn)));
            }
        } else {
            state.queue.push_end(turn, end);
            if let Some(stream) = state.reader(session) {
                self.waits.wake(WaitKey::Stream(stream));
            }
        }
        self.deadlines.stop(call);
        self.calls.give_up(call);
        if last && self.lifecycle.version().0 < 2 {
            self.settle_asks_of(now, session, Settled::TurnEnded);
        }
        self.drain(now, session);
    }
}

fn unusable(wire: &Wire, id: &RequestId, error: &update::Unusable) -> CallError {
    let (method, detail) = (wire.method.as_ref().into(), error.to_string().into());
    CallError::Protocol(ProtocolError::BadResult {
        method,
        id: id.clone(),
        detail,
    })
}
