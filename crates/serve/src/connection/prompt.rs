//! Prompts: checked, inserted or held, run; cancelled and taken back.

use std::sync::{Arc, atomic::AtomicU64};

use acp_vocab::{
    ContentBlock, ErrorObject, IdleStateUpdate, MessageId, Meta, RunningStateUpdate, SessionId,
    StateUpdate, StopReason, v1, v2,
};
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::{Connection, answer::echo, inbound::read, task::contained};
use crate::{
    client::Client,
    command::{Body, Command, RequestKey},
    config::{Conversations, SecondPrompt},
    extension::TraceContext,
    outcome::{Failure, FailureClass, Stop},
    refusal::{internal, invalid, unknown_session, withdrawn, wrong_time},
    session::{Held, Running},
    shared::{fresh, random},
    turn::{Counts, Prompt, Turn, text_of},
    updates::Updates,
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
        if let Some(agreed) = self.shared.as_ref().and_then(|it| it.extension.as_ref()) {
            agreed.check_prompt(meta.as_ref())?;
        }
        let config = &self.host.config;
        if closing {
            return Err(wrong_time("the session is being closed"));
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

    /// What a prompt may hold: what was declared, within the bound.
    fn check_prompt(&self, blocks: &[ContentBlock]) -> Result<(), ErrorObject> {
        if blocks.is_empty() {
            return Err(invalid("prompt is empty"));
        }
        let abilities = &self.host.abilities;
        let mut text = 0;
        for (at, block) in blocks.iter().enumerate() {
            let offered = match block {
                ContentBlock::Text(_) | ContentBlock::ResourceLink(_) => true,
                ContentBlock::Image(_) => abilities.images,
                ContentBlock::Audio(_) => abilities.audio,
                ContentBlock::Resource(_) => abilities.embedded_context,
                ContentBlock::Skill(_) | ContentBlock::Unknown { .. } | _ => false,
            };
            if !offered {
                let what = format!("prompt[{at}]: this kind of content is not offered");
                return Err(invalid(what));
            }
            text += text_of(block).map_or(0, str::len);
        }
        let limit = self.host.config.prompt_text;
        if text > limit {
            let what = format!("prompt: {text} bytes of text are over the bound of {limit}");
            return Err(invalid(what));
        }
        Ok(())
    }

    /// Puts a prompt into the conversation and starts to work on it.
    pub(super) fn insert(&mut self, now: Instant, id: &SessionId, held: Held) {
        let Some(shared) = self.shared.clone() else {
            return;
        };
        let run = self.next_run;
        let config = Arc::clone(&self.host.config);
        let Some(session) = self.sessions.get_mut(id) else {
            return;
        };
        self.next_run += 1;
        session.prompts += 1;
        let live = session.live.child();
        let counts = Arc::new(Counts {
            model_calls: AtomicU64::new(0),
            tool_calls: AtomicU64::new(0),
            max_model_calls: config.model_calls,
            max_tool_calls: config.tool_calls,
            accounting: std::sync::Mutex::default(),
            trace: held.meta.as_ref().and_then(TraceContext::read),
        });
        crate::shared::lock(&session.timeline).break_message();
        let turn = Turn {
            prompt: Arc::new(Prompt::new(held.blocks)),
            cwd: Arc::clone(&session.cwd),
            updates: Updates {
                shared: Arc::clone(&shared),
                session: id.clone(),
                live: Arc::clone(&live),
                timeline: Arc::clone(&session.timeline),
                counts: Some(Arc::clone(&counts)),
                obey: true,
            },
            client: Client {
                shared: Arc::clone(&shared),
                session: id.clone(),
                live: Arc::clone(&live),
            },
            counts: Arc::clone(&counts),
        };
        let blocks = (!shared.is_v1()).then(|| turn.prompt.blocks().to_vec());
        if let Some(blocks) = blocks {
            self.announce(now, id, held.key, blocks, held.submission);
        }
        let agent = Arc::clone(&self.host.agent);
        let queue = self.queue.clone();
        let ended = Arc::clone(&live);
        let session = id.clone();
        let task = self.tasks.spawn(async move {
            let outcome = contained(async move { agent.prompt(turn).await }).await;
            let outcome = outcome.unwrap_or_else(|| {
                Err(Stop::Failed(Failure::new(
                    FailureClass::Internal,
                    "the handler failed",
                )))
            });
            // Clones of the turn that live on send nothing any more.
            ended.end();
            let command = Command::Settled {
                session,
                run,
                outcome: Box::new(outcome),
            };
            drop(queue.send(command).await);
        });
        if let Some(session) = self.sessions.get_mut(id) {
            session.running = Some(Running {
                run,
                name: format!("run-{:016x}", random()),
                key: shared.is_v1().then_some(held.key),
                live,
                counts,
                task,
                cancel_asked: false,
                timed_out: false,
                deadline: config.deadline.map(|deadline| now + deadline),
                cleanup: None,
                questions: 0,
            });
        }
    }

    /// Version 2 is told at once: the agent works, this is the message, this is its id.
    fn announce(
        &mut self,
        now: Instant,
        id: &SessionId,
        key: RequestKey,
        blocks: Vec<ContentBlock>,
        submission: Option<v2::IdempotencyKey>,
    ) {
        let message = MessageId::from(fresh("msg"));
        if let (Some(submission), Some(session)) = (submission, self.sessions.get_mut(id)) {
            session.submissions.note(submission, message.clone());
        }
        self.state(
            now,
            id,
            StateUpdate::Running(RunningStateUpdate::new()),
            None,
        );
        let echo = echo(message.clone(), blocks);
        self.write_update(now, id, &Body::V2(echo), None);
        self.respond(now, key, &Ok(v2::PromptResponse::new(message)));
    }

    /// Tells version 2 what the session does.
    pub(super) fn state(
        &mut self,
        now: Instant,
        id: &SessionId,
        state: StateUpdate,
        meta: Option<Meta>,
    ) {
        let state = match (state, meta) {
            (StateUpdate::Idle(mut idle), Some(meta)) => {
                idle.meta = Some(meta);
                StateUpdate::Idle(idle)
            }
            (state, _) => state,
        };
        let update = v2::SessionUpdate::StateUpdate(state);
        self.write_update(now, id, &Body::V2(update), None);
    }

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

    /// An idle state that says why.
    pub(super) fn idle(stop: acp_vocab::IdleStop) -> IdleStateUpdate {
        let mut idle = IdleStateUpdate::new();
        idle.stop = Some(stop);
        idle
    }
}
