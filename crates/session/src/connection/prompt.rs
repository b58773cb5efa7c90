//! Prompts: from their line to the end of their turn, in both versions.
//!
//! In v1 the answer to the prompt is the end, and a session has one prompt at a time. In v2 the answer only says that the
//! agent took the prompt, and the end is the `idle` state that belongs to it (v2 section 6.3).

use std::borrow::Cow;
use std::time::Instant;

use acp_vocab::RequestId;
use serde::Serialize;
use serde_json::value::RawValue;

use super::Connection;
use crate::call::{Purpose, Wire};
use crate::clock::Clock;
use crate::diagnostic::Diagnostic;
use crate::error::{CallError, ProtocolError, UsageError};
use crate::key::{Scope, SessionKey, TurnKey};
use crate::result;
use crate::session::Stage;
use crate::turn::Turn;

/// Turns.
impl Connection {
    /// Sends a prompt. It returns when the line is in the outgoing queue and never waits for the
    /// agent: the answer is the last item of the turn's stream.
    ///
    /// In v1 a session has one prompt at a time. One that follows a cancelled turn is held back
    /// until the agent has answered the cancelled one, because several agents take the answer of
    /// the one for that of the other. In v2 it is held back until the agent is idle, for at most
    /// [`Limits::wind_down`](crate::Limits::wind_down), because agents on one popular SDK may look at
    /// it before they look at the cancel, which then stops the wrong work. Its clocks run meanwhile.
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
            // Behind one that waits already, in order.
            return Ok(state.winds_down || !state.held_back.is_empty());
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
        if result.is_err() {
            self.not_taken(session, turn);
        }
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
                result::message_of_result(result).map_err(|error| unusable(wire, id, &error))
            });
            match inserted {
                Ok(message) => self.on_inserted(now, session, turn, message),
                Err(error) => self.end_turn(now, session, turn, Err(error)),
            }
        } else {
            let report = result.and_then(|result| {
                result::report_of_result(result).map_err(|error| unusable(wire, id, &error))
            });
            self.end_turn(now, session, turn, report);
        }
        self.release_prompts(now, session);
    }

    /// One prompt of a session is not unanswered any more.
    pub(super) fn prompt_answered(&mut self, session: SessionKey) {
        if let Some(state) = self.sessions.find_mut(session) {
            state.unanswered = state.unanswered.saturating_sub(1);
        }
    }
}

fn unusable(wire: &Wire, id: &RequestId, error: &result::Unusable) -> CallError {
    let (method, detail) = (wire.method.as_ref().into(), error.to_string().into());
    CallError::Protocol(ProtocolError::BadResult {
        method,
        id: id.clone(),
        detail,
    })
}
