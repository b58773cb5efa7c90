//! A prompt becomes a turn: inserted, announced, handed to the agent.

use std::sync::{Arc, atomic::AtomicU64};

use acp_vocab::{
    ContentBlock, IdleStateUpdate, MessageId, Meta, RunningStateUpdate, SessionId, StateUpdate, v2,
};
use tokio::time::Instant;

use super::{Connection, answer::echo, task::contained};
use crate::{
    client::Client,
    command::{Body, Command, RequestKey},
    extension::TraceContext,
    outcome::{Failure, FailureClass, Stop},
    session::{Held, Running},
    shared::{fresh, random},
    turn::{Counts, Prompt, Turn},
    updates::Updates,
};

impl Connection {
    /// Inserts the oldest prompt that is held. One whose submission was inserted meanwhile is a
    /// repeat of it, and gets its answer.
    pub(super) fn insert_next(&mut self, now: Instant, id: &SessionId) {
        while let Some(session) = self.sessions.get_mut(id) {
            let Some(held) = session.held.pop_front() else {
                return;
            };
            let known = held
                .submission
                .as_ref()
                .and_then(|key| session.submissions.find(key))
                .cloned();
            match known {
                Some(message) => {
                    self.respond(now, held.key, &Ok(v2::PromptResponse::new(message)));
                }
                None => return self.insert(now, id, held),
            }
        }
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
        let mut bytes = 0;
        if let Some(blocks) = blocks {
            bytes = self.requests.open(held.key).map_or(0, |(_, it)| it.bytes);
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
                bytes,
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
        let update = v2::SessionUpdate::StateUpdate(state.into());
        self.write_update(now, id, &Body::V2(update), None);
    }

    /// An idle state that says why.
    pub(super) fn idle(stop: acp_vocab::IdleStop) -> IdleStateUpdate {
        let mut idle = IdleStateUpdate::new();
        idle.stop = Some(stop);
        idle
    }
}
