//! Commands of the queue: what handlers sent, asked and answered, in its order.

use std::{collections::VecDeque, sync::Arc};

use acp_vocab::{
    ErrorObject, IdleStateUpdate, Patch, Raw, StateUpdate,
    v1::{self, LoadSessionResponse, NewSessionResponse},
    v2,
};
use tokio::time::Instant;

use super::{Connection, task::contained};
use crate::{
    command::{Answer, Body, Command, RequestKey},
    commands::SlashCommand,
    opening::{Opened, Opening, Way},
    options::v1_modes,
    refusal::internal,
    session::{Session, Submissions},
    shared::ENVELOPE,
};

impl Connection {
    /// Takes the next command. Its bytes are in the outbox afterwards, or it waits for more text of
    /// its message.
    pub(crate) fn handle_command(&mut self, now: Instant, command: Command) {
        match command {
            Command::Update(update) => self.handle_update(now, *update),
            Command::Ask(ask) => self.ask(now, *ask),
            Command::Notify(method, params) => self.notify(now, method, &params),
            Command::Answer(key, answer) => self.handle_answer(now, key, *answer),
            Command::Settled {
                session,
                run,
                outcome,
            } => self.settled(now, &session, run, *outcome),
        }
    }

    fn handle_answer(&mut self, now: Instant, key: RequestKey, answer: Answer) {
        // A request that was withdrawn has its answer.
        if self.requests.open(key).is_none() {
            if let Answer::Opened(opening) = answer {
                self.forsake(*opening);
            }
            return;
        }
        match answer {
            Answer::Plain(result) => self.respond(now, key, &result),
            Answer::Opened(opening) => self.opened(now, key, *opening),
            Answer::Changed {
                session,
                method,
                changed,
            } => self.changed(now, key, &session, method, changed),
        }
    }

    /// A session is open and nobody waits for it any more: the agent frees what it has of it.
    fn forsake(&mut self, opening: Opening) {
        opening.live.revoke();
        let id = opening.id;
        if let Some(close) = self.host.abilities.close.clone()
            && !self.sessions.contains_key(&id)
        {
            self.tasks.spawn(async move {
                drop(contained(close.close(&id)).await);
            });
        }
    }

    /// A session is open: it gets its place, the client its answer.
    fn opened(&mut self, now: Instant, key: RequestKey, mut opening: Opening) {
        if self.host.abilities.options.is_none() {
            opening.opened.options.clear();
        }
        let result = match self.setup(&opening) {
            Ok(result) => result,
            Err(error) => {
                self.respond(now, key, &Err::<(), _>(error));
                return self.forsake(opening);
            }
        };
        let trace = match &self.host.traces {
            None => None,
            Some(place) => match place.create(&opening.id) {
                Ok(file) => Some(file),
                Err(error) => {
                    tracing::error!(kind = %error.kind(), "a session's trace cannot be created");
                    let error = internal("the session's trace cannot be created");
                    self.respond(now, key, &Err::<(), _>(error));
                    return self.forsake(opening);
                }
            },
        };
        let Opened { options, commands } = &opening.opened;
        let id = &opening.id;
        let session = Session {
            cwd: Arc::new(opening.cwd),
            live: Arc::clone(&opening.live),
            timeline: opening.timeline,
            options: options.clone(),
            running: None,
            held: VecDeque::new(),
            submissions: Submissions::default(),
            closing: Vec::new(),
            prompts: 0,
            sequence: 0,
            last_message: None,
            trace,
        };
        if let Some(before) = self.sessions.insert(id.clone(), session) {
            before.live.revoke();
        }
        if self.is_v1() {
            self.respond(now, key, &Ok(result));
            if !commands.is_empty() {
                let body = SlashCommand::update(commands, true);
                self.write_update(now, id, &body, None);
            }
        } else {
            if let Way::Stored { replayed } = opening.way {
                if replayed {
                    let done = v2::SessionUpdate::ReplayComplete(v2::ReplayComplete::new());
                    self.write_update(now, id, &Body::V2(done), None);
                }
                let idle = StateUpdate::Idle(IdleStateUpdate::new());
                let state = v2::SessionUpdate::StateUpdate(idle.into());
                self.write_update(now, id, &Body::V2(state), None);
            }
            self.respond(now, key, &Ok(result));
        }
        opening.live.start();
    }

    /// The answer of a set-up, in the form of the version and within the line bound.
    fn setup(&self, opening: &Opening) -> Result<Raw, ErrorObject> {
        let Opened { options, commands } = &opening.opened;
        let result = if self.is_v1() {
            self.setup_v1(opening.way, &opening.id, options)?
        } else {
            let commands = commands.iter().map(SlashCommand::v2).collect();
            setup_v2(opening.way, &opening.id, options, commands)?
        };
        if result.get().len() > self.host.config.max_line_out.saturating_sub(ENVELOPE) {
            return Err(internal("the session's description is over the line bound"));
        }
        Ok(result)
    }

    fn setup_v1(
        &self,
        way: Way,
        id: &acp_vocab::SessionId,
        options: &[crate::SessionOption],
    ) -> Result<Raw, ErrorObject> {
        let modes = v1_modes(options);
        let shown = (!options.is_empty()).then(|| self.shown_v1(options));
        let result = match way {
            Way::New => {
                let mut response = NewSessionResponse::new(id.clone());
                response.modes = modes;
                response.config_options = shown;
                Raw::encode(&response)
            }
            Way::Fork => {
                let mut response = v1::ForkSessionResponse::new(id.clone());
                response.modes = modes;
                response.config_options = shown;
                Raw::encode(&response)
            }
            Way::Stored { .. } => {
                // The response of resume has the same members.
                let mut response = LoadSessionResponse::new();
                response.modes = modes;
                response.config_options = shown;
                Raw::encode(&response)
            }
        };
        result.map_err(|_| internal("the session cannot be described"))
    }
}

fn setup_v2(
    way: Way,
    id: &acp_vocab::SessionId,
    options: &[crate::SessionOption],
    commands: Vec<v2::AvailableCommand>,
) -> Result<Raw, ErrorObject> {
    let result = match way {
        Way::New => {
            let mut response = v2::NewSessionResponse::new(id.clone());
            response.config_options = options.to_vec();
            response.available_commands = commands;
            Raw::encode(&response)
        }
        Way::Fork => {
            let mut response = v2::ForkSessionResponse::new(id.clone());
            response.config_options = options.to_vec();
            response.available_commands = commands;
            Raw::encode(&response)
        }
        Way::Stored { .. } => {
            let mut response = v2::ResumeSessionResponse::new();
            response.config_options = options.to_vec();
            response.available_commands = commands;
            Raw::encode(&response)
        }
    };
    result.map_err(|_| internal("the session cannot be described"))
}

/// What a user message looks like when version 2 is told of it.
pub(super) fn echo(
    id: acp_vocab::MessageId,
    blocks: Vec<acp_vocab::ContentBlock>,
) -> v2::SessionUpdate {
    let mut message = v2::UserMessage::new(id);
    message.content = Patch::Value(blocks);
    v2::SessionUpdate::UserMessage(message)
}
