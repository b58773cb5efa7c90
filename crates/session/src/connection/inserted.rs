//! v2: which idle ends which turn. States carry no message id, so it is told by what came before
//! them: the answer to the prompt, or its echo (v2 section 6.3).

use std::time::Instant;

use acp_vocab::{MessageId, StateUpdate};

use super::Connection;
use crate::beside::Beside;
use crate::key::{SessionKey, TurnKey};
use crate::result;
use crate::session::Stage;

impl Connection {
    /// v2: the agent took the prompt. When its echo, and behind that an idle, came before this
    /// answer, that idle was its end.
    pub(super) fn on_inserted(
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
        let ended = live.insert(message);
        let is_over = state.stage == Stage::Over;
        match ended {
            Some(report) => self.end_turn(now, session, turn, Ok(report)),
            // The session was closed before: no idle follows.
            None if is_over => self.end_session_here(now, session),
            None => {}
        }
    }

    /// v2: a message of the user was seen; it may be the echo of a prompt whose answer has not
    /// come.
    pub(super) fn on_echo(&mut self, session: SessionKey, message: &MessageId) {
        let Some(state) = self.sessions.find_mut(session) else {
            return;
        };
        for turn in state
            .turns
            .iter_mut()
            .filter(|turn| !turn.ended && turn.message.is_none())
        {
            turn.note_echo(message);
        }
    }

    /// v2: the agent says what it is doing. An idle ends every turn whose prompt was inserted
    /// before it; one that comes before both the answer and the echo belongs to earlier work.
    pub(super) fn on_state(&mut self, now: Instant, session: SessionKey, state: &StateUpdate) {
        let Some(known) = self.sessions.find_mut(session) else {
            return;
        };
        if let Some(beside) = Beside::of(state, self.config.limits.tool_bytes) {
            known.beside = beside;
        }
        let StateUpdate::Idle(idle) = state else {
            return;
        };
        known.wound_down();
        let report = result::report_of_idle(state, idle);
        let mut ended = Vec::new();
        for turn in known.turns.iter_mut().filter(|turn| !turn.ended) {
            if turn.message.is_some() {
                ended.push(turn.key);
            } else {
                turn.note_idle(&report);
            }
        }
        for turn in ended {
            self.end_turn(now, session, turn, Ok(report.clone()));
        }
        self.release_prompts(now, session);
    }
}
