//! What the demo agent remembers of a session: what was said, its settings, its file.

use acp_harness::{
    serve::{Replay, Tool, Unsent},
    vocab::{ContentBlock, SystemPrompt, SystemPromptMode},
};
use serde::{Deserialize, Serialize};

use super::options::Settings;

/// Entries that are kept, a session; of more the oldest are forgotten.
const MAX_ENTRIES: usize = 1000;

/// A stored session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) cwd: String,
    pub(super) title: Option<String>,
    pub(super) settings: Settings,
    /// The text of its one file, which exists nowhere else.
    pub(super) notes: String,
    pub(super) turns: u64,
    #[serde(default)]
    pub(super) archived: bool,
    /// What the host of the last set-up wants said; it is not kept.
    #[serde(skip)]
    pub(super) instructions: Option<Instructions>,
    pub(super) entries: Vec<Entry>,
}

/// Instructions of the host. The demo has no model to follow them: it repeats them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Instructions {
    pub(super) text: String,
    /// They stand in the place of what the agent says by itself.
    pub(super) alone: bool,
}

impl Instructions {
    pub(super) fn read(prompt: &SystemPrompt) -> Self {
        let texts = prompt.content.iter().filter_map(ContentBlock::as_text);
        Self {
            text: texts.collect::<Vec<_>>().join(" "),
            alone: prompt.mode == SystemPromptMode::Override,
        }
    }
}

/// One thing that was said or done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Entry {
    User(String),
    Thought(String),
    Agent(String),
    Tool {
        id: String,
        title: String,
        edit: bool,
        done: bool,
        text: String,
    },
}

impl Record {
    pub(super) fn new(cwd: String) -> Self {
        Self {
            cwd,
            title: None,
            settings: Settings::default(),
            notes: String::from("# Notes\n\n- the demo agent was here\n"),
            turns: 0,
            archived: false,
            instructions: None,
            entries: Vec::new(),
        }
    }

    pub(super) fn remember(&mut self, entry: Entry) {
        if self.entries.len() >= MAX_ENTRIES {
            self.entries.remove(0);
        }
        self.entries.push(entry);
    }

    /// Sends everything that was said, in its order.
    pub(super) async fn replay(&self, replay: &Replay) -> Result<(), Unsent> {
        for entry in &self.entries {
            match entry {
                Entry::User(text) => {
                    replay.user(vec![ContentBlock::text(text.as_str())]).await?;
                }
                Entry::Thought(text) => replay.thought(text.as_str()).await?,
                Entry::Agent(text) => replay.agent(text.as_str()).await?,
                Entry::Tool {
                    id,
                    title,
                    edit,
                    done,
                    text,
                } => {
                    let tool = Tool::new(id.as_str())
                        .title(title.as_str())
                        .text(text.as_str());
                    let tool = if *edit { tool.edit() } else { tool.read() };
                    let tool = if *done {
                        tool.completed()
                    } else {
                        tool.failed()
                    };
                    replay.tool(tool).await?;
                }
            }
        }
        Ok(())
    }
}
