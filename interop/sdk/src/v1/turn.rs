//! A turn of version 1.

use std::sync::Arc;

use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::*;
use agent_client_protocol::{Client, Error};
use tokio::sync::watch;

use super::State;
use crate::book::{Record, Said};
use crate::script::{Step, steps};

type Ended = Result<Option<StopReason>, Error>;

/// One prompt that is being worked on.
pub(super) struct Turn {
    state: Arc<State>,
    client: ConnectionTo<Client>,
    session: SessionId,
    stop: watch::Receiver<u64>,
}

/// Sends what was said, in its order.
pub(super) fn replay(
    client: &ConnectionTo<Client>,
    session: &SessionId,
    record: &Record,
) -> Result<(), Error> {
    for said in &record.said {
        let update = match said {
            Said::User(text) => SessionUpdate::UserMessageChunk(chunk(text)),
            Said::Thought(text) => SessionUpdate::AgentThoughtChunk(chunk(text)),
            Said::Agent(text) => SessionUpdate::AgentMessageChunk(chunk(text)),
        };
        client.send_notification(SessionNotification::new(session.clone(), update))?;
    }
    Ok(())
}

fn chunk(text: &str) -> ContentChunk {
    ContentChunk::new(text.into())
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

    pub(super) async fn run(mut self, prompt: &[ContentBlock]) -> Result<PromptResponse, Error> {
        let mut text = String::new();
        for block in prompt {
            match block {
                ContentBlock::Text(block) => text.push_str(&block.text),
                ContentBlock::Image(image) => self.say(&format!("image:{}", image.mime_type))?,
                ContentBlock::Audio(audio) => self.say(&format!("audio:{}", audio.mime_type))?,
                ContentBlock::ResourceLink(link) => self.say(&format!("link:{}", link.uri))?,
                ContentBlock::Resource(_) => self.say("resource")?,
                _ => return Err(Error::invalid_params()),
            }
        }
        self.state
            .book
            .remember(&self.session.0, Said::User(text.clone()));
        for step in steps(&text) {
            if let Some(stop) = self.step(step).await? {
                return Ok(PromptResponse::new(stop));
            }
        }
        Ok(PromptResponse::new(StopReason::EndTurn).usage(Usage::new(3, 1, 2)))
    }

    fn send(&self, update: SessionUpdate) -> Result<(), Error> {
        self.client
            .send_notification(SessionNotification::new(self.session.clone(), update))
    }

    fn say(&self, text: &str) -> Result<(), Error> {
        self.state
            .book
            .remember(&self.session.0, Said::Agent(text.to_owned()));
        self.send(SessionUpdate::AgentMessageChunk(chunk(text)))
    }

    async fn step(&mut self, step: Step) -> Ended {
        match step {
            Step::Say(word) => self.say(&word)?,
            Step::Think => {
                self.state
                    .book
                    .remember(&self.session.0, Said::Thought("hm".to_owned()));
                self.send(SessionUpdate::AgentThoughtChunk(chunk("hm")))?;
            }
            Step::Tool => self.tool()?,
            Step::Plan => self.send(SessionUpdate::Plan(Plan::new(vec![
                PlanEntry::new(
                    "first",
                    PlanEntryPriority::High,
                    PlanEntryStatus::InProgress,
                ),
                PlanEntry::new("second", PlanEntryPriority::Low, PlanEntryStatus::Pending),
            ])))?,
            Step::Ask => return self.ask().await,
            Step::Form => self.form().await?,
            Step::Page => self.page().await?,
            Step::Wait => {
                self.say("waiting")?;
                self.stop
                    .changed()
                    .await
                    .map_err(Error::into_internal_error)?;
                self.say("stopped")?;
                return Ok(Some(StopReason::Cancelled));
            }
            Step::Read(path) => self.read(path).await?,
            Step::Write(path) => self.write(path).await?,
            Step::Run => self.run_command().await?,
            // Version 1 has neither.
            Step::Detached | Step::Server => return Err(Error::invalid_params()),
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
                AvailableCommandsUpdate::new(vec![AvailableCommand::new("think", "Think aloud")]),
            ))?,
            Step::Options => {
                let record = self.state.book.change(&self.session.0, |record| {
                    record.mode = "auto".to_owned();
                    record.model = "large".to_owned();
                    record.clone()
                })?;
                self.send(SessionUpdate::CurrentModeUpdate(CurrentModeUpdate::new(
                    "auto",
                )))?;
                let options = self.state.options(&record);
                self.send(SessionUpdate::ConfigOptionUpdate(ConfigOptionUpdate::new(
                    options,
                )))?;
            }
            Step::Refuse => return Ok(Some(StopReason::Refusal)),
            Step::Fail => return Err(Error::internal_error()),
        }
        Ok(None)
    }

    fn tool(&self) -> Result<(), Error> {
        let call = ToolCall::new("tool", "Edit notes")
            .kind(ToolKind::Edit)
            .status(ToolCallStatus::Pending)
            .raw_input(serde_json::json!({ "path": "/notes" }));
        self.send(SessionUpdate::ToolCall(call))?;
        let going = ToolCallUpdateFields::new().status(ToolCallStatus::InProgress);
        self.send(SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(
            "tool", going,
        )))?;
        let diff = Diff::new("/notes", "new\n").old_text("old\n".to_owned());
        let done = ToolCallUpdateFields::new()
            .status(ToolCallStatus::Completed)
            .content(vec![
                ToolCallContent::from(diff),
                ToolCallContent::from("1 line"),
            ])
            .locations(vec![ToolCallLocation::new("/notes").line(1)]);
        self.send(SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(
            "tool", done,
        )))
    }

    /// Asks, and says what came of it. A cancelled turn ends here.
    async fn ask(&mut self) -> Ended {
        let fields = ToolCallUpdateFields::new()
            .title("Delete notes".to_owned())
            .kind(ToolKind::Delete);
        let options = vec![
            PermissionOption::new("yes", "Yes", PermissionOptionKind::AllowOnce),
            PermissionOption::new("ever", "Always", PermissionOptionKind::AllowAlways),
            PermissionOption::new("no", "No", PermissionOptionKind::RejectOnce),
        ];
        let request = RequestPermissionRequest::new(
            self.session.clone(),
            ToolCallUpdate::new("asked", fields),
            options,
        );
        let answer = self.client.send_request(request).block_task().await?;
        match answer.outcome {
            RequestPermissionOutcome::Selected(selected) => {
                self.say(&format!("selected:{}", selected.option_id.0))?
            }
            _ if self
                .stop
                .has_changed()
                .map_err(Error::into_internal_error)? =>
            {
                return Ok(Some(StopReason::Cancelled));
            }
            _ => self.say("undecided")?,
        }
        Ok(None)
    }

    async fn form(&self) -> Result<(), Error> {
        if !self
            .state
            .client()
            .elicitation
            .is_some_and(|elicitation| elicitation.supports_form())
        {
            return self.say("no form");
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

    async fn page(&self) -> Result<(), Error> {
        if !self
            .state
            .client()
            .elicitation
            .is_some_and(|elicitation| elicitation.supports_url())
        {
            return self.say("no page");
        }
        let scope = ElicitationSessionScope::new(self.session.clone());
        let mode = ElicitationUrlMode::new(scope, "page-1", "https://example.com/");
        self.elicit(CreateElicitationRequest::new(mode, "Open it?"))
            .await?;
        self.client
            .send_notification(CompleteElicitationNotification::new("page-1"))
    }

    async fn elicit(&self, request: CreateElicitationRequest) -> Result<(), Error> {
        let answer = self.client.send_request(request).block_task().await?;
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
        self.say(&said)
    }

    async fn read(&self, path: String) -> Result<(), Error> {
        if !self.state.client().fs.read_text_file {
            return self.say("no reading");
        }
        let request = ReadTextFileRequest::new(self.session.clone(), path)
            .line(2)
            .limit(1);
        match self.client.send_request(request).block_task().await {
            Ok(answer) => self.say(&answer.content),
            Err(error) => self.say(&format!("refused:{}", i32::from(error.code))),
        }
    }

    async fn write(&self, path: String) -> Result<(), Error> {
        if !self.state.client().fs.write_text_file {
            return self.say("no writing");
        }
        let request = WriteTextFileRequest::new(self.session.clone(), path, "one\ntwo\nthree\n");
        match self.client.send_request(request).block_task().await {
            Ok(_) => self.say("written"),
            Err(error) => self.say(&format!("refused:{}", i32::from(error.code))),
        }
    }

    /// All five terminal methods, in the order that a short command needs them.
    async fn run_command(&self) -> Result<(), Error> {
        if !self.state.client().terminal {
            return self.say("no terminal");
        }
        let id = self.session.clone();
        let create = CreateTerminalRequest::new(id.clone(), "echo")
            .args(vec!["hello".to_owned()])
            .output_byte_limit(1024);
        let terminal = self
            .client
            .send_request(create)
            .block_task()
            .await?
            .terminal_id;
        let call = ToolCall::new("run", "echo hello")
            .kind(ToolKind::Execute)
            .content(vec![ToolCallContent::Terminal(Terminal::new(
                terminal.clone(),
            ))]);
        self.send(SessionUpdate::ToolCall(call))?;
        let exited = WaitForTerminalExitRequest::new(id.clone(), terminal.clone());
        let exited = self
            .client
            .send_request(exited)
            .block_task()
            .await?
            .exit_status;
        let output = TerminalOutputRequest::new(id.clone(), terminal.clone());
        let output = self.client.send_request(output).block_task().await?;
        let kill = KillTerminalRequest::new(id.clone(), terminal.clone());
        self.client.send_request(kill).block_task().await?;
        let release = ReleaseTerminalRequest::new(id, terminal);
        self.client.send_request(release).block_task().await?;
        let done = ToolCallUpdateFields::new().status(ToolCallStatus::Completed);
        self.send(SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(
            "run", done,
        )))?;
        self.say(&format!(
            "exit:{:?} {}",
            exited.exit_code,
            output.output.trim_end()
        ))
    }
}
