//! One prompt in the hands of the agent.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use acp_vocab::{ContentBlock, EmbeddedResourceResource, PlanEntry, SessionId, UsageUpdate};
use tokio_util::sync::CancellationToken;

use crate::{
    client::Client,
    error::{AskError, Unsent},
    extension::{Accounting, TraceContext},
    outcome::Limit,
    permission::{Permission, PermissionRequest},
    shared::{Live, lock},
    tool::Tool,
    updates::Updates,
};

/// What the user said.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    blocks: Vec<ContentBlock>,
}

impl Prompt {
    pub(crate) fn new(blocks: Vec<ContentBlock>) -> Self {
        Self { blocks }
    }

    /// The blocks, as they came.
    #[must_use]
    pub fn blocks(&self) -> &[ContentBlock] {
        &self.blocks
    }

    /// The text of it: text blocks and embedded texts, a newline between two.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for block in &self.blocks {
            if let Some(part) = text_of(block) {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(part);
            }
        }
        text
    }

    /// The slash command that it begins with, and what stands behind it.
    #[must_use]
    pub fn command(&self) -> Option<(&str, &str)> {
        let first = self.blocks.first()?.as_text()?;
        let line = first.strip_prefix('/')?;
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        (!name.is_empty()).then_some((name, rest.trim()))
    }
}

pub(crate) fn text_of(block: &ContentBlock) -> Option<&str> {
    if let ContentBlock::Resource(resource) = block
        && let EmbeddedResourceResource::Text(contents) = &resource.resource
    {
        return Some(&contents.text);
    }
    block.as_text()
}

/// A turn: the prompt, senders for what happens, the cancellation token, the client.
///
/// A turn ends when [`Agent::prompt`](crate::Agent::prompt) returns; clones that live longer send
/// nothing any more.
#[derive(Debug, Clone)]
pub struct Turn {
    pub(crate) prompt: Arc<Prompt>,
    pub(crate) cwd: Arc<PathBuf>,
    pub(crate) updates: Updates,
    pub(crate) client: Client,
    pub(crate) counts: Arc<Counts>,
}

impl Turn {
    /// What the user said.
    #[must_use]
    pub fn prompt(&self) -> &Prompt {
        &self.prompt
    }

    /// The session.
    #[must_use]
    pub const fn session(&self) -> &SessionId {
        &self.updates.session
    }

    /// The session's working directory: canonical, and a directory when the session was opened.
    #[must_use]
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// Cancelled when the client cancels the turn, a limit is reached or the client is gone. The
    /// senders end by themselves then; everything else that takes time should watch it.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        &self.updates.live.token
    }

    /// All the senders.
    #[must_use]
    pub const fn updates(&self) -> &Updates {
        &self.updates
    }

    /// Senders that go on after a cancel, to report how the work was wound up. The turn ends when
    /// the handler returns; it is abandoned when that takes longer than
    /// [`Config::cleanup`](crate::Config::cleanup).
    #[must_use]
    pub fn last_words(&self) -> Updates {
        let mut updates = self.updates.clone();
        updates.obey = false;
        updates
    }

    /// Text of the agent's message: see [`Updates::say`].
    ///
    /// # Errors
    /// [`Unsent`].
    pub async fn say(&self, text: impl Into<Box<str>>) -> Result<(), Unsent> {
        self.updates.say(text).await
    }

    /// Text of the agent's thought: see [`Updates::think`].
    ///
    /// # Errors
    /// [`Unsent`].
    pub async fn think(&self, text: impl Into<Box<str>>) -> Result<(), Unsent> {
        self.updates.think(text).await
    }

    /// A report about a tool call: see [`Updates::tool`].
    ///
    /// # Errors
    /// [`Unsent`].
    pub async fn tool(&self, tool: Tool) -> Result<(), Unsent> {
        self.updates.tool(tool).await
    }

    /// The whole plan: see [`Updates::plan`].
    ///
    /// # Errors
    /// [`Unsent`].
    pub async fn plan(&self, entries: Vec<PlanEntry>) -> Result<(), Unsent> {
        self.updates.plan(entries).await
    }

    /// How full the context is: see [`Updates::usage`].
    ///
    /// # Errors
    /// [`Unsent`].
    pub async fn usage(&self, usage: UsageUpdate) -> Result<(), Unsent> {
        self.updates.usage(usage).await
    }

    /// What the client can do for the agent.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Asks the user: see [`Client::request_permission`].
    ///
    /// # Errors
    /// [`AskError`].
    pub async fn request_permission(
        &self,
        request: PermissionRequest,
    ) -> Result<Permission, AskError> {
        self.client.request_permission(request).await
    }

    /// Counts one call of the model.
    ///
    /// # Errors
    /// [`Unsent::Limit`] when that is one more than [`Config::model_calls`](crate::Config::model_calls)
    /// allows; the turn is then stopped.
    pub fn model_call(&self) -> Result<(), Unsent> {
        self.counts.model_call(&self.updates.live)
    }

    /// What the turn has used so far; for clients that negotiated the extension. The last one
    /// counts.
    pub fn account(&self, accounting: Accounting) {
        *lock(&self.counts.accounting) = Some(accounting);
    }

    /// The trace that the client's request belongs to.
    #[must_use]
    pub fn trace(&self) -> Option<&TraceContext> {
        self.counts.trace.as_ref()
    }
}

/// What a turn has done, and how much it may.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) model_calls: AtomicU64,
    pub(crate) tool_calls: AtomicU64,
    pub(crate) max_model_calls: Option<u64>,
    pub(crate) max_tool_calls: Option<u64>,
    pub(crate) accounting: Mutex<Option<Accounting>>,
    pub(crate) trace: Option<TraceContext>,
}

impl Counts {
    pub(crate) fn tool_call(&self, live: &Live) -> Result<(), Unsent> {
        count(
            &self.tool_calls,
            self.max_tool_calls,
            Limit::ToolCalls,
            live,
        )
    }

    fn model_call(&self, live: &Live) -> Result<(), Unsent> {
        count(
            &self.model_calls,
            self.max_model_calls,
            Limit::ModelCalls,
            live,
        )
    }
}

fn count(counter: &AtomicU64, max: Option<u64>, limit: Limit, live: &Live) -> Result<(), Unsent> {
    let number = counter.fetch_add(1, Ordering::AcqRel) + 1;
    if max.is_some_and(|max| number > max) {
        counter.fetch_sub(1, Ordering::AcqRel);
        live.limit(limit.clone());
        return Err(Unsent::Limit(limit));
    }
    Ok(())
}
