//! Prompts: checked, then inserted or held.

use acp_vocab::{ContentBlock, ErrorObject, v1, v2};
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::{Connection, inbound::read};
use crate::{
    command::RequestKey,
    config::{Conversations, SecondPrompt},
    refusal::{internal, invalid, unknown_session, wrong_time},
    session::Held,
};

impl Connection {
    pub(super) fn prompt(
        &mut self,
        now: Instant,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let v1 = self.is_v1();
        let (id, blocks, submission, meta) = if v1 {
            let request: v1::PromptRequest = read(params)?;
            (request.session_id, request.prompt, None, request.meta)
        } else {
            let request: v2::PromptRequest = read(params)?;
            (
                request.session_id,
                request.prompt,
                request.idempotency_key,
                request.meta,
            )
        };
        let session = self
            .sessions
            .get_mut(&id)
            .ok_or_else(|| unknown_session(&id))?;
        if let Some(message) = submission
            .as_ref()
            .and_then(|key| session.submissions.find(key))
        {
            let response = v2::PromptResponse::new(message.clone());
            self.respond(now, key, &Ok(response));
            return Ok(());
        }
        let busy = session.running.is_some();
        let held = session.held.len();
        let closing = !session.closing.is_empty();
        let prompts = session.prompts;
        self.check_prompt(&blocks)?;
        if let Some(shared) = &self.shared
            && !v1
            && shared.check(&blocks).is_err()
        {
            return Err(invalid("prompt: it cannot be echoed within the line bound"));
        }
        if let Some(agreed) = self.shared.as_ref().and_then(|it| it.extension.as_ref()) {
            agreed.check_prompt(meta.as_ref())?;
        }
        let config = &self.host.config;
        if closing {
            return Err(wrong_time("the session is being closed"));
        }
        if self.opening.contains(&id) {
            return Err(wrong_time("the session is being opened"));
        }
        if config.conversations == Conversations::OneTask && prompts + held as u64 > 0 {
            return Err(wrong_time("a session of this agent has one prompt"));
        }
        if busy && v1 && config.second_prompt == SecondPrompt::Refuse {
            return Err(wrong_time("a prompt is running on this session"));
        }
        if held >= config.held_prompts {
            return Err(internal("too many prompts are held"));
        }
        self.proven = true;
        let held = Held {
            key,
            blocks,
            submission,
            meta,
        };
        if busy {
            if let Some(session) = self.sessions.get_mut(&id) {
                session.held.push_back(held);
            }
        } else {
            self.insert(now, &id, held);
        }
        Ok(())
    }

    fn check_prompt(&self, blocks: &[ContentBlock]) -> Result<(), ErrorObject> {
        if blocks.is_empty() {
            return Err(invalid("prompt is empty"));
        }
        self.check_blocks("prompt", blocks)
    }
}
