//! The sender of typed events: waits for the client's pipe, ends at once on cancel.

use std::sync::{Arc, Mutex};

use acp_vocab::{
    Notice, NoticeSeverity, Patch, PlanEntry, PlanEntryStatus, SessionId, SessionInfoUpdate,
    UsageUpdate, v1, v2,
};
use tokio_util::sync::CancellationToken;

use crate::{
    command::{Body, Chunk, Speaker, Update},
    commands::SlashCommand,
    display::Display,
    error::Unsent,
    options::SessionOption,
    shared::{ENVELOPE, Live, Shared, lock},
    timeline::{Timeline, Unsaid},
    tool::Tool,
    turn::Counts,
};

/// Sends what happens in a session: text, thoughts, tools, plans.
///
/// Every sender waits until the event has a place in the queue to the writer, which holds eight and
/// hands one at a time to the client's pipe. So work never runs ahead of what the client has read.
/// Nothing of an event is sent when a sender fails. A future that is dropped sends nothing.
#[derive(Debug, Clone)]
pub struct Updates {
    pub(crate) shared: Arc<Shared>,
    pub(crate) session: SessionId,
    pub(crate) live: Arc<Live>,
    pub(crate) timeline: Arc<Mutex<Timeline>>,
    /// Counts what a turn does; absent outside of one.
    pub(crate) counts: Option<Arc<Counts>>,
    /// Whether senders end when the turn is cancelled.
    pub(crate) obey: bool,
}

impl Updates {
    /// The session.
    #[must_use]
    pub const fn session(&self) -> &SessionId {
        &self.session
    }

    /// Text of the agent's message. Text after text is one message; a thought, a tool or
    /// [`Updates::new_message`] ends it.
    ///
    /// # Errors
    /// [`Unsent`]: cancelled, ended, gone, or a text over the line bound.
    pub async fn say(&self, text: impl Into<Box<str>>) -> Result<(), Unsent> {
        self.chunk(Speaker::Agent, text.into()).await
    }

    /// Text of the agent's thought.
    ///
    /// # Errors
    /// As [`Updates::say`].
    pub async fn think(&self, text: impl Into<Box<str>>) -> Result<(), Unsent> {
        self.chunk(Speaker::Thought, text.into()).await
    }

    /// The next text begins a new message.
    pub fn new_message(&self) {
        lock(&self.timeline).break_message();
    }

    /// A report about a tool call; the first about an id begins it.
    ///
    /// # Errors
    /// As [`Updates::say`]; [`Unsent::Limit`] when one more call is over the turn's limit.
    pub async fn tool(&self, tool: Tool) -> Result<(), Unsent> {
        let id = tool.id.clone();
        let reported = lock(&self.timeline).tool(tool, self.shared.is_v1());
        let unsaid = Unsaid::new(&self.timeline, id, reported.before);
        if reported.before.is_none()
            && let Some(counts) = &self.counts
        {
            counts.tool_call(&self.live)?;
        }
        self.send(reported.body).await?;
        unsaid.said();
        Ok(())
    }

    /// The plan, all of it; what was planned before is replaced.
    ///
    /// # Errors
    /// As [`Updates::say`].
    pub async fn plan(&self, entries: Vec<PlanEntry>) -> Result<(), Unsent> {
        let body = if self.shared.is_v1() {
            Body::V1(v1::SessionUpdate::Plan(v1::Plan::new(settled(entries))))
        } else {
            let items = v2::PlanItems::new("plan", entries);
            let content = v2::PlanUpdateContent::Items(items);
            Body::V2(v2::SessionUpdate::PlanUpdate(v2::PlanUpdate::new(content)))
        };
        self.send(body).await
    }

    /// How full the context is, and what it has cost so far.
    ///
    /// # Errors
    /// As [`Updates::say`].
    pub async fn usage(&self, usage: UsageUpdate) -> Result<(), Unsent> {
        let body = if self.shared.is_v1() {
            Body::V1(v1::SessionUpdate::UsageUpdate(usage))
        } else {
            Body::V2(v2::SessionUpdate::UsageUpdate(usage))
        };
        self.send(body).await
    }

    /// A message for the user that is no part of the conversation. A client of version 1 that did
    /// not say that it shows notices gets none.
    ///
    /// # Errors
    /// As [`Updates::say`].
    pub async fn notice(
        &self,
        severity: NoticeSeverity,
        title: impl Into<Box<str>>,
    ) -> Result<(), Unsent> {
        let notice = Notice::new(severity, title);
        if !self.shared.is_v1() {
            return self.send(Body::V2(v2::SessionUpdate::Notice(notice))).await;
        }
        if self.shared.offer.advertises("session.notices") {
            return self.send(Body::V1(v1::SessionUpdate::Notice(notice))).await;
        }
        self.live.check(self.obey)
    }

    /// The title of the session.
    ///
    /// # Errors
    /// As [`Updates::say`].
    pub async fn title(&self, title: impl Into<Box<str>>) -> Result<(), Unsent> {
        let mut update = SessionInfoUpdate::new();
        update.title = Patch::Value(title.into());
        let body = if self.shared.is_v1() {
            Body::V1(v1::SessionUpdate::SessionInfoUpdate(update))
        } else {
            Body::V2(v2::SessionUpdate::SessionInfoUpdate(update))
        };
        self.send(body).await
    }

    /// The slash commands, all of them.
    ///
    /// # Errors
    /// As [`Updates::say`].
    pub async fn commands(&self, commands: &[SlashCommand]) -> Result<(), Unsent> {
        self.send(SlashCommand::update(commands, self.shared.is_v1()))
            .await
    }

    /// The options of the session, all of them, after the agent has changed one itself. Without the
    /// [`Options`](crate::Options) ability there are none to tell.
    ///
    /// # Errors
    /// As [`Updates::say`].
    pub async fn options(&self, options: Vec<SessionOption>) -> Result<(), Unsent> {
        self.shared
            .check(&v2::ConfigOptionUpdate::new(options.clone()))?;
        self.push(Body::Options(options)).await
    }

    /// Lets the client cancel this tool call alone (version 2: `tool_call/cancel`); the token is
    /// cancelled when it does, and with the turn. The proof of it is the call's final status, which
    /// is the handler's to send.
    ///
    /// # Errors
    /// As [`Updates::say`].
    pub async fn cancellable(
        &self,
        tool: impl Into<acp_vocab::ToolCallId>,
    ) -> Result<CancellationToken, Unsent> {
        let token = self.live.token.child_token();
        if self.shared.is_v1() {
            return Ok(token);
        }
        let id = tool.into();
        lock(&self.timeline).offer_tool_cancel(id.clone(), token.clone());
        let mut capabilities = v2::ToolCallCapabilities::new();
        capabilities.cancel = Some(v2::ToolCallCancelCapabilities::new());
        let mut update = v2::ToolCallUpdate::new(id);
        update.capabilities = Patch::Value(capabilities);
        self.send(Body::V2(v2::SessionUpdate::ToolCallUpdate(update.into())))
            .await?;
        Ok(token)
    }

    /// A terminal that this agent runs and the client shows (version 2). In version 1, which has no
    /// such thing, its output becomes text of the tool call that shows it.
    #[must_use]
    pub fn display(&self, tool: impl Into<acp_vocab::ToolCallId>) -> Display {
        Display::new(self.clone(), tool.into())
    }

    async fn chunk(&self, speaker: Speaker, text: Box<str>) -> Result<(), Unsent> {
        let limit = self.shared.config.max_line_out;
        // A byte of text is at most six of JSON.
        if text.len().saturating_mul(6).saturating_add(ENVELOPE) > limit {
            self.shared.check(&*text)?;
        }
        let message = lock(&self.timeline).message(speaker);
        let chunk = Chunk {
            speaker,
            message,
            text,
        };
        self.push(Body::Chunk(chunk)).await
    }

    pub(crate) async fn send(&self, body: Body) -> Result<(), Unsent> {
        match &body {
            Body::V1(update) => self.shared.check(update)?,
            Body::V2(update) => self.shared.check(update)?,
            Body::Chunk(chunk) => self.shared.check(&*chunk.text)?,
            // Checked where it was made.
            Body::Options(_) => {}
        }
        self.push(body).await
    }

    async fn push(&self, body: Body) -> Result<(), Unsent> {
        let update = Update {
            session: self.session.clone(),
            live: Arc::clone(&self.live),
            body,
        };
        self.shared.update(update, self.obey).await
    }
}

/// Version 1 has no cancelled entries: they are as done as they will be.
fn settled(mut entries: Vec<PlanEntry>) -> Vec<PlanEntry> {
    for entry in &mut entries {
        if entry.status == PlanEntryStatus::Cancelled {
            entry.status = PlanEntryStatus::Completed;
        }
    }
    entries
}
