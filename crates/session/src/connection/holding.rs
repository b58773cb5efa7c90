//! Prompts that wait: what follows a cancelled prompt goes out when that is over, so that no agent can
//! mix the two up.

use std::borrow::Cow;
use std::time::Instant;

use serde::Serialize;

use super::Connection;
use crate::call::Purpose;
use crate::clock::Clock;
use crate::error::UsageError;
use crate::key::{CallKey, Scope, SessionKey, TurnKey};
use crate::label::Label;
use crate::outbox::Lane;

impl Connection {
    /// Registers a prompt whose line waits until the work before it is over.
    pub(super) fn hold_prompt(
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
            if self.lifecycle.version().0 >= 2 {
                let until = now + self.config.limits.wind_down;
                self.sessions.holding.entry(session).or_insert(until);
            }
        }
        Ok(key)
    }

    /// Sends what was held back, as soon as nothing is in its way any more: in v1 one prompt when none
    /// is unanswered, in v2 all of them when the agent has wound down.
    pub(super) fn release_prompts(&mut self, now: Instant, session: SessionKey) {
        let Some(state) = self.sessions.find(session) else {
            return;
        };
        if self.lifecycle.version().0 < 2 {
            if state.unanswered == 0 {
                self.release_prompt(now, session);
            }
        } else if !state.winds_down {
            self.sessions.holding.remove(&session);
            while self.release_prompt(now, session) {}
        }
    }

    /// v2: a session has waited long enough for its agent to wind down.
    pub(super) fn release_overdue(&mut self, now: Instant) {
        let due = |(session, until): (&SessionKey, &Instant)| (*until <= now).then_some(*session);
        while let Some(session) = self.sessions.holding.iter().find_map(due) {
            self.sessions.holding.remove(&session);
            while self.release_prompt(now, session) {}
        }
    }

    /// v2: the agent did not take a prompt. When that was all there was to cancel, no idle follows.
    pub(super) fn not_taken(&mut self, session: SessionKey, turn: TurnKey) {
        if let Some(state) = self.sessions.find_mut(session)
            && state.winds_down_with == Some(turn)
        {
            state.wound_down();
        }
    }

    /// Sends the next prompt that was held back. Says whether there was one.
    fn release_prompt(&mut self, now: Instant, session: SessionKey) -> bool {
        let Some(state) = self.sessions.find_mut(session) else {
            return false;
        };
        let Some((turn, line)) = state.held_back.pop_front() else {
            return false;
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
        true
    }
}
