//! Opening a session: what was asked for, what came of it, and the replay of what was said before.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use acp_vocab::{ContentBlock, Meta, Patch, SessionId, SystemPrompt, v2};

use crate::{
    command::{Body, Chunk, Speaker},
    commands::SlashCommand,
    error::Unsent,
    mcp::McpServer,
    options::SessionOption,
    shared::{Live, fresh},
    timeline::Timeline,
    tool::Tool,
    turn::text_of,
    updates::Updates,
};

/// What every way of opening a session has, checked.
#[derive(Debug, Clone)]
pub struct Setup {
    pub(crate) cwd: PathBuf,
    pub(crate) additional_directories: Vec<PathBuf>,
    pub(crate) mcp_servers: Vec<McpServer>,
    pub(crate) system_prompt: Option<SystemPrompt>,
    pub(crate) meta: Option<Meta>,
}

impl Setup {
    /// The working directory: canonical, and a directory.
    #[must_use]
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// Further roots, canonical. Empty unless the ability was declared.
    #[must_use]
    pub fn additional_directories(&self) -> &[PathBuf] {
        &self.additional_directories
    }

    /// The MCP servers that the session shall have, after the policy.
    #[must_use]
    pub fn mcp_servers(&self) -> &[McpServer] {
        &self.mcp_servers
    }

    /// Instructions of the host, which the agent has to follow: added to its own, or in their place.
    /// Absent unless [`with_system_prompt`](crate::Server::with_system_prompt) was registered, and
    /// in the mode `override` only where that was.
    #[must_use]
    pub const fn system_prompt(&self) -> Option<&SystemPrompt> {
        self.system_prompt.as_ref()
    }

    /// What the client put into `_meta`. Not to be trusted with configuration, credentials or
    /// permissions.
    #[must_use]
    pub const fn meta(&self) -> Option<&Meta> {
        self.meta.as_ref()
    }
}

/// A session to be opened anew.
#[derive(Debug, Clone)]
pub struct NewSession {
    pub(crate) updates: Updates,
    pub(crate) setup: Setup,
}

impl NewSession {
    /// The id that it will have.
    #[must_use]
    pub const fn id(&self) -> &SessionId {
        &self.updates.session
    }

    /// What it shall have.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Senders for what happens in the session outside of turns, usable once it is open.
    #[must_use]
    pub const fn updates(&self) -> &Updates {
        &self.updates
    }
}

/// A stored session to be opened again.
#[derive(Debug)]
pub struct LoadSession {
    pub(crate) updates: Updates,
    pub(crate) setup: Setup,
    pub(crate) replay: Option<Replay>,
}

impl LoadSession {
    /// Its id.
    #[must_use]
    pub const fn id(&self) -> &SessionId {
        &self.updates.session
    }

    /// What it shall have. Nothing of the last time is restored but the conversation.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Where the conversation so far has to be sent; `None` when the client has it.
    #[must_use]
    pub const fn replay(&self) -> Option<&Replay> {
        self.replay.as_ref()
    }

    /// Senders for what happens in the session outside of turns, usable once it is open.
    #[must_use]
    pub const fn updates(&self) -> &Updates {
        &self.updates
    }
}

/// A session to be opened as a copy of another one.
#[derive(Debug, Clone)]
pub struct ForkSession {
    pub(crate) updates: Updates,
    pub(crate) setup: Setup,
    pub(crate) from: SessionId,
}

impl ForkSession {
    /// The id that the copy will have.
    #[must_use]
    pub const fn id(&self) -> &SessionId {
        &self.updates.session
    }

    /// The session to copy.
    #[must_use]
    pub const fn from(&self) -> &SessionId {
        &self.from
    }

    /// What the copy shall have.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }
}

/// What an opened session comes with.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Opened {
    /// Its options, in the order of their weight. The one of category `mode` is shown to version 1
    /// as modes, too.
    pub options: Vec<SessionOption>,
    /// Its slash commands.
    pub commands: Vec<SlashCommand>,
}

impl Opened {
    /// With nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With these options; without the [`Options`](crate::Options) ability they are not shown.
    #[must_use]
    pub fn options(mut self, options: Vec<SessionOption>) -> Self {
        self.options = options;
        self
    }

    /// With these slash commands.
    #[must_use]
    pub fn commands(mut self, commands: Vec<SlashCommand>) -> Self {
        self.commands = commands;
        self
    }
}

/// A session that the agent has opened, on its way to the table.
#[derive(Debug)]
pub(crate) struct Opening {
    pub(crate) way: Way,
    pub(crate) id: SessionId,
    pub(crate) cwd: PathBuf,
    pub(crate) live: Arc<Live>,
    pub(crate) timeline: Arc<Mutex<Timeline>>,
    pub(crate) opened: Opened,
}

/// How a session was opened, which decides how that is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    New,
    Fork,
    /// With a replay or without.
    Stored {
        replayed: bool,
    },
}

/// Sends what was said in a stored session, in its order, before the session is open.
///
/// Version 1 gets chunks, version 2 whole messages, which it can apply twice.
#[derive(Debug)]
pub struct Replay {
    pub(crate) updates: Updates,
}

impl Replay {
    /// What the user said.
    ///
    /// # Errors
    /// [`Unsent`]: withdrawn by the client, gone, or over the line bound.
    pub async fn user(&self, blocks: Vec<ContentBlock>) -> Result<(), Unsent> {
        self.message(Speaker::User, blocks).await
    }

    /// What the agent said.
    ///
    /// # Errors
    /// As [`Replay::user`].
    pub async fn agent(&self, text: impl Into<Box<str>>) -> Result<(), Unsent> {
        self.message(Speaker::Agent, vec![ContentBlock::text(text)])
            .await
    }

    /// What the agent thought.
    ///
    /// # Errors
    /// As [`Replay::user`].
    pub async fn thought(&self, text: impl Into<Box<str>>) -> Result<(), Unsent> {
        self.message(Speaker::Thought, vec![ContentBlock::text(text)])
            .await
    }

    /// A tool call, as it ended.
    ///
    /// # Errors
    /// As [`Replay::user`].
    pub async fn tool(&self, tool: Tool) -> Result<(), Unsent> {
        self.updates.tool(tool).await
    }

    /// Everything else: the plan, the usage, the title.
    #[must_use]
    pub const fn updates(&self) -> &Updates {
        &self.updates
    }

    async fn message(&self, speaker: Speaker, blocks: Vec<ContentBlock>) -> Result<(), Unsent> {
        let id = acp_vocab::MessageId::from(fresh("msg"));
        self.updates.new_message();
        if self.updates.shared.is_v1() {
            for block in blocks {
                let body = match text_of(&block) {
                    Some(text) if block.as_text().is_some() => Body::Chunk(Chunk {
                        speaker,
                        message: id.clone(),
                        text: text.into(),
                    }),
                    _ => {
                        let mut chunk = acp_vocab::v1::ContentChunk::new(block);
                        chunk.message_id = Some(id.clone());
                        Body::V1(acp_vocab::v1::SessionUpdate::UserMessageChunk(chunk))
                    }
                };
                self.updates.send(body).await?;
            }
            return Ok(());
        }
        let content = Patch::Value(blocks);
        let update = match speaker {
            Speaker::User => {
                let mut message = v2::UserMessage::new(id);
                message.content = content;
                v2::SessionUpdate::UserMessage(message)
            }
            Speaker::Agent => {
                let mut message = v2::AgentMessage::new(id);
                message.content = content;
                v2::SessionUpdate::AgentMessage(message)
            }
            Speaker::Thought => {
                let mut message = v2::AgentThought::new(id);
                message.content = content;
                v2::SessionUpdate::AgentThought(message)
            }
        };
        self.updates.send(Body::V2(update)).await
    }
}
