//! The state of a conversation, folded from its events: what a host shows.
//!
//! Folding a replayed history gives the same timeline as having watched it live, however the text
//! was cut into chunks and however often a tool call was updated on its way.

use std::collections::BTreeMap;

use acp_vocab::{
    CompactionStatus, Cost, PlanId, SessionId, SessionModeId, StateUpdate, TerminalId, ToolCallId,
    UsageUpdate, v2,
};

use crate::event::PlanContent;

mod base64;
mod bound;
mod content;
mod entry;
mod fold;
mod terminal;
mod timeline;

pub use self::content::{MessageContent, Part};
pub use self::entry::{CompactionEntry, Entry, MessageEntry, SessionMessageEntry, ToolEntry};
pub use self::terminal::TerminalState;
use self::timeline::{Key, Timeline};

/// Bounds of a [`Conversation`], which an agent could otherwise grow without end. Altogether it holds
/// at most twice [`bytes`](Self::bytes), and one event more.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConversationLimits {
    /// Bytes of the timeline; beyond it the oldest entries are forgotten, and of one that alone is more
    /// the end is kept. What stands beside it
    /// (plans, commands, options, the state, descriptions of child sessions) may have a quarter as
    /// much, and what has no room is not kept; what terminals printed a quarter, of which the
    /// fullest are cleared; all child sessions together a half. Default 64 MiB.
    pub bytes: usize,
    /// Entries of the timeline, and of that of each child session. Default 100,000.
    pub entries: usize,
    /// Bytes kept of each display terminal: the tail. Default 1 MiB.
    pub terminal_bytes: usize,
    /// Display terminals, plans and child sessions, each. Default 256.
    pub parts: usize,
}

impl Default for ConversationLimits {
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            entries: 100_000,
            terminal_bytes: 1 << 20,
            parts: 256,
        }
    }
}

/// The current state of a conversation.
///
/// ```
/// use acp_session::{Conversation, Entry};
/// use acp_vocab::ContentBlock;
///
/// let mut conversation = Conversation::default();
/// conversation.prompted(&[ContentBlock::text("fix the test")]);
/// let Some(Entry::Message(message)) = conversation.timeline().next() else { unreachable!() };
/// assert_eq!(message.content.text(), "fix the test");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    limits: ConversationLimits,
    timeline: Timeline,
    plans: BTreeMap<Option<PlanId>, PlanContent>,
    commands: Vec<v2::AvailableCommand>,
    options: Vec<v2::SessionConfigOption>,
    mode: Option<SessionModeId>,
    title: Option<Box<str>>,
    updated_at: Option<Box<str>>,
    usage: Option<UsageUpdate>,
    cost: Option<Cost>,
    terminals: BTreeMap<TerminalId, TerminalState>,
    state: Option<StateUpdate>,
    unconfirmed: bool,
    children: BTreeMap<SessionId, Child>,
    /// Bytes of what stands beside the timeline.
    standing: usize,
    /// Bytes of the terminals.
    printed: usize,
}

/// A child session, as its parent describes it, and what happened in it.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Child {
    /// A short name.
    pub title: Option<Box<str>>,
    /// A longer explanation.
    pub description: Option<Box<str>>,
    /// Whether the host may cancel it.
    pub can_cancel: bool,
    /// Its state, as the parent mirrors it: the last one that it was sure of.
    pub state: Option<StateUpdate>,
    /// Whether the parent is not sure of it any more.
    pub is_unconfirmed: bool,
    /// What happened in it.
    pub conversation: Box<Conversation>,
}

/// What there is.
impl Conversation {
    /// An empty conversation with these bounds.
    #[must_use]
    pub fn new(limits: ConversationLimits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// Messages, thoughts, tool calls and compactions, in the order of their first appearance.
    pub fn timeline(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.timeline.iter()
    }

    /// How many entries were forgotten for the bounds.
    #[must_use]
    pub fn forgotten(&self) -> u64 {
        self.timeline.forgotten()
    }

    /// A tool call.
    #[must_use]
    pub fn tool(&self, id: &ToolCallId) -> Option<&ToolEntry> {
        match self.timeline.find(&Key::Tool(id.clone()))? {
            Entry::Tool(tool) => Some(tool),
            Entry::Message(_) | Entry::Compaction(_) | Entry::SessionMessage(_) => None,
        }
    }

    /// The plans; v1's only one has no id.
    pub fn plans(&self) -> impl Iterator<Item = (Option<&PlanId>, &PlanContent)> {
        self.plans.iter().map(|(id, plan)| (id.as_ref(), plan))
    }

    /// The slash commands.
    #[must_use]
    pub fn commands(&self) -> &[v2::AvailableCommand] {
        &self.commands
    }

    /// The options, in the agent's order.
    #[must_use]
    pub fn options(&self) -> &[v2::SessionConfigOption] {
        &self.options
    }

    /// The mode (v1).
    #[must_use]
    pub fn mode(&self) -> Option<&SessionModeId> {
        self.mode.as_ref()
    }

    /// The title.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// When the session last changed, RFC 3339.
    #[must_use]
    pub fn updated_at(&self) -> Option<&str> {
        self.updated_at.as_deref()
    }

    /// How full the context is; unknown is `None`, never 0.
    #[must_use]
    pub fn usage(&self) -> Option<&UsageUpdate> {
        self.usage.as_ref()
    }

    /// What the session has cost.
    #[must_use]
    pub fn cost(&self) -> Option<&Cost> {
        self.cost.as_ref()
    }

    /// A display terminal (v2).
    #[must_use]
    pub fn terminal(&self, id: &TerminalId) -> Option<&TerminalState> {
        self.terminals.get(id)
    }

    /// What the agent is doing (v2): the last state that it was sure of.
    #[must_use]
    pub fn state(&self) -> Option<&StateUpdate> {
        self.state.as_ref()
    }

    /// Whether the agent has lost track of what it is doing (v2 section 6.3): the
    /// [`state`](Self::state) is the last known, and that is no end of anything.
    #[must_use]
    pub const fn is_unconfirmed(&self) -> bool {
        self.unconfirmed
    }

    /// The child sessions.
    pub fn children(&self) -> impl Iterator<Item = (&SessionId, &Child)> {
        self.children.iter()
    }
}

/// The status of a compaction that is reset.
fn restarted() -> CompactionStatus {
    CompactionStatus::InProgress
}

#[cfg(test)]
mod tests;
