//! A turn of version 2.

use std::collections::BTreeMap;
use std::sync::Arc;

use agent_client_protocol::v2::schema::*;
use agent_client_protocol::v2::{ConnectionTo, Responder};
use agent_client_protocol::{Client, Error};
use tokio::sync::watch;

use super::State;
use crate::book::{Record, Said};
use crate::script::{Step, steps};

type Ended = Result<Option<StopReason>, Error>;

/// One prompt, held or being worked on.
pub(super) struct Turn {
    state: Arc<State>,
    client: ConnectionTo<Client>,
    session: SessionId,
    stop: watch::Receiver<u64>,
}

/// Sends what was said, in its order, and that it is complete.
pub(super) fn replay(
    client: &ConnectionTo<Client>,
    session: &SessionId,
    record: &Record,
) -> Result<(), Error> {
    let send =
        |update| client.send_notification(UpdateSessionNotification::new(session.clone(), update));
    for (number, said) in record.said.iter().enumerate() {
        let id = format!("stored-{number}");
        send(match said {
            Said::User(text) => {
                SessionUpdate::UserMessage(UserMessage::new(id).content(vec![text.as_str().into()]))
            }
            Said::Thought(text) => SessionUpdate::AgentThought(
                AgentThought::new(id).content(vec![text.as_str().into()]),
            ),
            Said::Agent(text) => SessionUpdate::AgentMessage(
                AgentMessage::new(id).content(vec![text.as_str().into()]),
            ),
        })?;
    }
    // Newer than the SDK's own types.
    send(SessionUpdate::Other(OtherSessionUpdate::new(
        "replay_complete",
        BTreeMap::new(),
    )))
}

impl Turn {
    pub(super) fn new(
        state: Arc<State>,
        client: ConnectionTo<Client>,
        session: SessionId,
        stop: watch::Receiver<u64>,
    ) -> Self {
        Self {
            state,
            client,
            session,
            stop,
        }
    }

    /// Waits for its place behind earlier prompts; until then it can be withdrawn.
    pub(super) async fn hold(
        mut self,
        gate: Arc<tokio::sync::Mutex<()>>,
        prompt: Vec<ContentBlock>,
        responder: Responder<PromptResponse>,
    ) -> Result<(), Error> {
        let withdrawn = responder.cancellation();
        let held = tokio::select! {
            biased;
            _ = self.stop.changed() => None,
            () = withdrawn.cancelled() => None,
            held = gate.lock_owned() => Some(held),
        };
        let Some(_held) = held else {
            return responder.respond_with_error(Error::request_cancelled());
        };
        self.run(&prompt, responder).await
    }

    async fn run(
        &mut self,
        prompt: &[ContentBlock],
        responder: Responder<PromptResponse>,
    ) -> Result<(), Error> {
        let mut text = String::new();
        let mut said = Vec::new();
        for block in prompt {
            match block {
                ContentBlock::Text(block) => text.push_str(&block.text),
                ContentBlock::Image(image) => said.push(format!("image:{}", image.mime_type)),
                ContentBlock::Audio(audio) => said.push(format!("audio:{}", audio.mime_type)),
                ContentBlock::ResourceLink(link) => said.push(format!("link:{}", link.uri)),
                ContentBlock::Resource(_) => said.push("resource".to_owned()),
                _ => return responder.respond_with_error(Error::invalid_params()),
            }
        }
        self.state
            .book
            .remember(&self.session.0, Said::User(text.clone()));
        let message = MessageId::new(format!("user-{}", self.state.book.number()));
        self.state(StateUpdate::Running(RunningStateUpdate::new()))?;
        self.send(SessionUpdate::UserMessage(
            UserMessage::new(message.clone()).content(prompt.to_vec()),
        ))?;
        responder.respond(PromptResponse::new(message))?;
        for word in said {
            self.say(&word)?;
        }
        let mut stop = StopReason::EndTurn;
        for step in steps(&text) {
            match self.step(step).await {
                Ok(None) => {}
                Ok(Some(reason)) => {
                    stop = reason;
                    break;
                }
                Err(error) => {
                    stop = StopReason::Error(
                        ErrorStopReason::new()
                            .error(agent_client_protocol::v2::schema::Error::from(error)),
                    );
                    break;
                }
            }
        }
        let idle = IdleStateUpdate::new()
            .stop_reason(stop)
            .usage(Usage::new(3, 1, 2));
        self.state(StateUpdate::Idle(idle))
    }

    fn send(&self, update: SessionUpdate) -> Result<(), Error> {
        self.client
            .send_notification(UpdateSessionNotification::new(self.session.clone(), update))
    }

    fn state(&self, state: StateUpdate) -> Result<(), Error> {
        self.send(SessionUpdate::StateUpdate(state))
    }

    fn say(&self, text: &str) -> Result<(), Error> {
        self.state
            .book
            .remember(&self.session.0, Said::Agent(text.to_owned()));
        let id = format!("agent-{}", self.state.book.number());
        self.send(SessionUpdate::AgentMessageChunk(ContentChunk::new(
            text.into(),
            id,
        )))
    }

    async fn step(&mut self, step: Step) -> Ended {
        match step {
            Step::Say(word) => self.say(&word)?,
            Step::Think => {
                self.state
                    .book
                    .remember(&self.session.0, Said::Thought("hm".to_owned()));
                let id = format!("thought-{}", self.state.book.number());
                self.send(SessionUpdate::AgentThoughtChunk(ContentChunk::new(
                    "hm".into(),
                    id,
                )))?;
            }
            Step::Tool => self.tool()?,
            Step::Plan => {
                let items = PlanItems::new(
                    "plan",
                    vec![
                        PlanEntry::new(
                            "first",
                            PlanEntryPriority::High,
                            PlanEntryStatus::InProgress,
                        ),
                        PlanEntry::new("second", PlanEntryPriority::Low, PlanEntryStatus::Pending),
                    ],
                );
                self.send(SessionUpdate::PlanUpdate(PlanUpdate::new(
                    PlanUpdateContent::Items(items),
                )))?;
            }
            Step::Ask => return self.ask().await,
            Step::Form => return self.form().await,
            Step::Page => return self.page().await,
            Step::Wait => {
                self.say("waiting")?;
                self.stop
                    .changed()
                    .await
                    .map_err(Error::into_internal_error)?;
                self.say("stopped")?;
                return Ok(Some(StopReason::Cancelled));
            }
            // Version 2 has neither.
            Step::Read(_) | Step::Write(_) => return Err(Error::invalid_params()),
            Step::Run => self.show_command()?,
            Step::Detached => return self.detached().await,
            Step::Server => return self.server().await,
            Step::Given => {
                let given = self.state.book.find(&self.session.0)?.given;
                self.say(&given)?;
            }
            Step::Usage => self.send(SessionUpdate::UsageUpdate(UsageUpdate::new(10, 100)))?,
            Step::Title => {
                self.send(SessionUpdate::SessionInfoUpdate(
                    SessionInfoUpdate::new().title("A title".to_owned()),
                ))?;
            }
            Step::Commands => self.send(SessionUpdate::AvailableCommandsUpdate(
                AvailableCommandsUpdate::new(vec![AvailableCommand::Command(Command::new(
                    "think",
                    "Think aloud",
                ))]),
            ))?,
            Step::Options => {
                let record = self.state.book.change(&self.session.0, |record| {
                    record.model = "large".to_owned();
                    record.clone()
                })?;
                self.send(SessionUpdate::ConfigOptionUpdate(ConfigOptionUpdate::new(
                    super::options(&record),
                )))?;
            }
            Step::Refuse => return Ok(Some(StopReason::Refusal)),
            Step::Fail => return Err(Error::internal_error()),
        }
        Ok(None)
    }

    fn tool(&self) -> Result<(), Error> {
        let call = ToolCallUpdate::new("tool")
            .title("Edit notes".to_owned())
            .kind(ToolKind::Edit)
            .status(ToolCallStatus::Pending)
            .raw_input(serde_json::json!({ "path": "/notes" }));
        self.send(SessionUpdate::ToolCallUpdate(call))?;
        let going = ToolCallUpdate::new("tool").status(ToolCallStatus::InProgress);
        self.send(SessionUpdate::ToolCallUpdate(going))?;
        let text = "diff --git /notes /notes\n--- /notes\n+++ /notes\n@@ -1 +1 @@\n-old\n+new\n";
        let diff = Diff::patch(text, vec![DiffChange::modify("/notes")]);
        let done = ToolCallUpdate::new("tool")
            .status(ToolCallStatus::Completed)
            .content(vec![ToolCallContent::from(diff)])
            .locations(vec![ToolCallLocation::new("/notes").line(1)]);
        self.send(SessionUpdate::ToolCallUpdate(done))?;
        self.send(SessionUpdate::ToolCallContentChunk(
            ToolCallContentChunk::new("tool", "1 line"),
        ))
    }

    /// What a question came to: its answer, or nothing once the turn was cancelled. The question is withdrawn then.
    async fn asked<Req>(&mut self, request: Req) -> Result<Option<Req::Response>, Error>
    where
        Req: agent_client_protocol::JsonRpcRequest<Response: Send>,
    {
        self.state(StateUpdate::RequiresAction(RequiresActionStateUpdate::new()))?;
        let sent = self.client.send_request(request);
        let withdraw = sent.cancellation_handle();
        let mut answer = std::pin::pin!(sent.block_task());
        let answer = tokio::select! {
            biased;
            _ = self.stop.changed() => {
                withdraw.cancel()?;
                // It is answered all the same, one way or the other.
                drop(answer.await);
                return Ok(None);
            }
            answer = &mut answer => answer?,
        };
        self.state(StateUpdate::Running(RunningStateUpdate::new()))?;
        Ok(Some(answer))
    }

    async fn ask(&mut self) -> Ended {
        let subject = ToolCallUpdate::new("asked")
            .title("Delete notes".to_owned())
            .kind(ToolKind::Delete);
        let options = vec![
            PermissionOption::new("yes", "Yes", PermissionOptionKind::AllowOnce),
            PermissionOption::new("ever", "Always", PermissionOptionKind::AllowAlways),
            PermissionOption::new("no", "No", PermissionOptionKind::RejectOnce),
        ];
        let request = RequestPermissionRequest::new(self.session.clone(), "Delete notes?", options)
            .description("They are gone then".to_owned())
            .subject(RequestPermissionSubject::from(subject));
        let Some(answer) = self.asked(request).await? else {
            return Ok(Some(StopReason::Cancelled));
        };
        match answer.outcome {
            RequestPermissionOutcome::Selected(selected) => {
                self.say(&format!("selected:{}", selected.option_id.0))?
            }
            _ => self.say("undecided")?,
        }
        Ok(None)
    }

    async fn form(&mut self) -> Ended {
        if !self
            .state
            .client()
            .elicitation
            .is_some_and(|elicitation| elicitation.supports_form())
        {
            self.say("no form")?;
            return Ok(None);
        }
        let schema = ElicitationSchema::new()
            .string("name", true)
            .boolean("sure", false)
            .integer("age", 0, 150, false);
        let mode =
            ElicitationFormMode::new(ElicitationSessionScope::new(self.session.clone()), schema);
        self.elicit(CreateElicitationRequest::new(mode, "Who are you?"))
            .await
    }

    async fn page(&mut self) -> Ended {
        if !self
            .state
            .client()
            .elicitation
            .is_some_and(|elicitation| elicitation.supports_url())
        {
            self.say("no page")?;
            return Ok(None);
        }
        let scope = ElicitationSessionScope::new(self.session.clone());
        let mode = ElicitationUrlMode::new(scope, "page-1", "https://example.com/");
        let ended = self
            .elicit(CreateElicitationRequest::new(mode, "Open it?"))
            .await?;
        self.client
            .send_notification(CompleteElicitationNotification::new("page-1"))?;
        Ok(ended)
    }

    async fn elicit(&mut self, request: CreateElicitationRequest) -> Ended {
        let Some(answer) = self.asked(request).await? else {
            return Ok(Some(StopReason::Cancelled));
        };
        let said = match answer.action {
            ElicitationAction::Accept(accepted) => {
                let content = accepted.content.unwrap_or_default();
                let content =
                    serde_json::to_string(&content).map_err(Error::into_internal_error)?;
                format!("accepted:{content}")
            }
            ElicitationAction::Decline => "declined".to_owned(),
            ElicitationAction::Cancel => "cancelled".to_owned(),
            _ => return Err(Error::invalid_params()),
        };
        self.say(&said)?;
        Ok(None)
    }

    /// A terminal of the agent's own, for the client to show: "hello\n" in two chunks.
    fn show_command(&self) -> Result<(), Error> {
        let call = ToolCallUpdate::new("run")
            .title("echo hello".to_owned())
            .kind(ToolKind::Execute)
            .content(vec![ToolCallContent::from(Terminal::new("terminal"))]);
        self.send(SessionUpdate::ToolCallUpdate(call))?;
        let begun = TerminalUpdate::new("terminal")
            .command("echo hello".to_owned())
            .size(TerminalSize::new(80, 24));
        self.send(SessionUpdate::TerminalUpdate(begun))?;
        for data in ["aGVs", "bG8K"] {
            self.send(SessionUpdate::TerminalOutputChunk(
                TerminalOutputChunk::new("terminal", data),
            ))?;
        }
        let exited =
            TerminalUpdate::new("terminal").exit_status(TerminalExitStatus::new().exit_code(0));
        self.send(SessionUpdate::TerminalUpdate(exited))?;
        self.send(SessionUpdate::ToolCallUpdate(
            ToolCallUpdate::new("run").status(ToolCallStatus::Completed),
        ))
    }

    /// Waits until something is cancelled by itself. `None` when the whole turn was.
    async fn until_let_go(&mut self, entity: &str) -> Result<Option<()>, Error> {
        let record = self.state.book.change(&self.session.0, |record| {
            record.detached.insert(entity.to_owned());
            record.clone()
        })?;
        let went = tokio::select! {
            () = record.let_go.notified() => Some(()),
            _ = self.stop.changed() => None,
        };
        self.state
            .book
            .change(&self.session.0, |record| record.detached.remove(entity))?;
        Ok(went)
    }

    async fn detached(&mut self) -> Ended {
        let can = ToolCallCapabilities::new().cancel(ToolCallCancelCapabilities::new());
        let call = ToolCallUpdate::new("detached")
            .title("Index".to_owned())
            .status(ToolCallStatus::InProgress);
        self.send(SessionUpdate::ToolCallUpdate(call.capabilities(can)))?;
        let went = self.until_let_go("detached").await?;
        let over = ToolCallUpdate::new("detached").status(ToolCallStatus::Cancelled);
        self.send(SessionUpdate::ToolCallUpdate(
            over.capabilities(ToolCallCapabilities::new()),
        ))?;
        Ok(went.is_none().then_some(StopReason::Cancelled))
    }

    async fn server(&mut self) -> Ended {
        let can = TerminalCapabilities::new().cancel(TerminalCancelCapabilities::new());
        let begun = TerminalUpdate::new("server")
            .command("serve".to_owned())
            .capabilities(can);
        self.send(SessionUpdate::TerminalUpdate(begun))?;
        let went = self.until_let_go("server").await?;
        let over = TerminalUpdate::new("server")
            .exit_status(TerminalExitStatus::new().signal("SIGTERM".to_owned()));
        self.send(SessionUpdate::TerminalUpdate(
            over.capabilities(TerminalCapabilities::new()),
        ))?;
        Ok(went.is_none().then_some(StopReason::Cancelled))
    }
}
