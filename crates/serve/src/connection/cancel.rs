//! Cancelling: what a session does, one prompt, one tool call, one terminal.

use acp_vocab::{ErrorObject, SessionId, StopReason, v1, v2};
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::{Connection, inbound::read};
use crate::{
    command::RequestKey,
    refusal::{invalid, unknown_session, withdrawn},
    session::Held,
    shared::lock,
};

impl Connection {
    /// The client cancels what the session does now and what it holds. Without either it has no
    /// effect.
    pub(super) fn cancel_session(&mut self, now: Instant, id: &SessionId) {
        let cleanup = self.host.config.cleanup;
        let Some(session) = self.sessions.get_mut(id) else {
            return;
        };
        if let Some(running) = &mut session.running {
            running.cancel_asked = true;
            running.stop(now, cleanup);
        }
        let held: Vec<Held> = session.held.drain(..).collect();
        for held in held {
            self.give_back(now, held.key);
        }
    }

    /// A prompt that was not begun is answered as its version has it.
    pub(super) fn give_back(&mut self, now: Instant, key: RequestKey) {
        if self.is_v1() {
            let response = v1::PromptResponse::new(StopReason::Cancelled);
            self.respond(now, key, &Ok(response));
        } else {
            self.respond(now, key, &Err::<(), _>(withdrawn()));
        }
    }

    /// Takes back a prompt, if the request is one. One that runs is cancelled in version 1; in
    /// version 2 its request was answered when it was inserted.
    pub(super) fn withdraw_prompt(&mut self, now: Instant, key: RequestKey) -> bool {
        let cleanup = self.host.config.cleanup;
        for session in self.sessions.values_mut() {
            if let Some(running) = &mut session.running
                && running.key == Some(key)
            {
                running.cancel_asked = true;
                running.stop(now, cleanup);
                return true;
            }
            if let Some(at) = session.held.iter().position(|held| held.key == key) {
                session.held.remove(at);
                self.give_back(now, key);
                return true;
            }
        }
        false
    }

    /// One tool call, or one terminal, shall stop; the rest goes on.
    pub(super) fn cancel_tool(
        &mut self,
        now: Instant,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let request: v2::CancelToolCallRequest = read(params)?;
        let session = self
            .sessions
            .get(&request.session_id)
            .ok_or_else(|| unknown_session(&request.session_id))?;
        let token = lock(&session.timeline).tool_cancel(&request.tool_call_id);
        let token = token.ok_or_else(|| invalid("toolCallId: it cannot be cancelled"))?;
        token.cancel();
        self.respond(now, key, &Ok(v2::CancelToolCallResponse::new()));
        Ok(())
    }

    pub(super) fn cancel_terminal(
        &mut self,
        now: Instant,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let request: v2::CancelTerminalRequest = read(params)?;
        let session = self
            .sessions
            .get(&request.session_id)
            .ok_or_else(|| unknown_session(&request.session_id))?;
        let token = lock(&session.timeline).terminal_cancel(&request.terminal_id);
        let token = token.ok_or_else(|| invalid("terminalId: it cannot be cancelled"))?;
        token.cancel();
        self.respond(now, key, &Ok(v2::CancelTerminalResponse::new()));
        Ok(())
    }
}
