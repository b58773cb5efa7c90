//! The state of a conversation, folded from its events: what a host shows.
//!
//! Folding a replayed history gives the same timeline as having watched it live, however the text
//! was cut into chunks and however often a tool call was updated on its way.

use std::collections::BTreeMap;

use acp_vocab::{
    CompactionStatus, ContentBlock, Cost, Patch, PlanId, SessionId, SessionModeId, StateUpdate,
    SubagentUpdate, TerminalId, ToolCallId, ToolCallStatus, UsageUpdate, v2,
};

use crate::event::{Event, Plan, PlanContent, Received, Speaker};
use crate::tool::is_final;
use crate::turn::TurnEnd;

mod base64;
mod content;
mod entry;
mod terminal;
mod timeline;

pub use self::content::{MessageContent, Part};
pub use self::entry::{CompactionEntry, Entry, MessageEntry, SessionMessageEntry, ToolEntry};
pub use self::terminal::TerminalState;
use self::timeline::{Key, Timeline};

/// Bounds of a [`Conversation`], which an agent could otherwise grow without end.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConversationLimits {
    /// Bytes of the timeline; beyond it the oldest entries are forgotten. Default 64 MiB.
    pub bytes: usize,
    /// Entries of the timeline. Default 100,000.
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
    children: BTreeMap<SessionId, Child>,
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
    /// Its state, as the parent mirrors it.
    pub state: Option<StateUpdate>,
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

    /// What the agent is doing (v2).
    #[must_use]
    pub fn state(&self) -> Option<&StateUpdate> {
        self.state.as_ref()
    }

    /// The child sessions.
    pub fn children(&self) -> impl Iterator<Item = (&SessionId, &Child)> {
        self.children.iter()
    }
}

/// What changes it.
impl Conversation {
    /// The host sent a prompt. In v1 the agent does not repeat it; some do, and are not shown
    /// twice. In v2 the agent's echo is authoritative, so a host need not call this.
    pub fn prompted(&mut self, prompt: &[ContentBlock]) {
        self.timeline.add_prompt(prompt);
        self.timeline.bound(&self.limits);
    }

    /// The options that a request answered with: the result of opening a session, or of setting
    /// one.
    pub fn set_options(&mut self, options: Vec<v2::SessionConfigOption>) {
        self.options = options;
    }

    /// The mode that a request answered with.
    pub fn set_mode(&mut self, mode: SessionModeId) {
        self.mode = Some(mode);
    }

    /// The commands that a request answered with.
    pub fn set_commands(&mut self, commands: Vec<v2::AvailableCommand>) {
        self.commands = commands;
    }

    /// Folds an event in.
    pub fn apply(&mut self, received: &Received) {
        let Some(child) = &received.child else {
            return self.apply_event(&received.event);
        };
        if self.children.len() < self.limits.parts || self.children.contains_key(child) {
            let limits = &self.limits;
            let child = self.children.entry(child.clone()).or_insert_with(|| Child {
                conversation: Box::new(Self::new(limits.clone())),
                ..Child::default()
            });
            child.conversation.apply_event(&received.event);
        }
    }

    fn apply_event(&mut self, event: &Event) {
        match event {
            Event::Text(chunk) => self.timeline.add_chunk(Speaker::Agent, chunk),
            Event::Thought(chunk) => self.timeline.add_chunk(Speaker::Thought, chunk),
            Event::User(chunk) => self.timeline.add_chunk(Speaker::User, chunk),
            Event::Message(message) => self.timeline.set_message(message),
            Event::Tool(tool) => self.timeline.change_tool(tool),
            Event::Permission(permission) => {
                permission
                    .tool
                    .iter()
                    .for_each(|tool| self.timeline.change_tool(tool));
            }
            Event::Compaction(update) => self.timeline.change_compaction(update),
            Event::CompactionSummary(chunk) => {
                self.timeline
                    .add_summary(&chunk.compaction_id, &chunk.content);
            }
            Event::SessionMessage(message) => self.timeline.change_session_message(message),
            Event::SessionMessageChunk(chunk) => {
                self.timeline
                    .add_session_chunk(&chunk.message_id, &chunk.content);
            }
            Event::Plan(plan) => self.set_plan(plan),
            Event::PlanRemoved(id) => {
                self.plans.remove(&Some(id.clone()));
            }
            Event::Commands(commands) => self.commands.clone_from(commands),
            Event::Options(options) => self.options.clone_from(options),
            Event::Mode(mode) => self.mode = Some(mode.clone()),
            Event::Info(info) => {
                info.title.clone().apply_to(&mut self.title);
                info.updated_at.clone().apply_to(&mut self.updated_at);
            }
            Event::Usage(usage) => {
                usage.cost.clone().apply_to(&mut self.cost);
                self.usage = Some((**usage).clone());
            }
            Event::Terminal(update) => {
                if let Some(terminal) = self.terminal_mut(&update.terminal_id) {
                    terminal.0.apply(update, terminal.1);
                }
            }
            Event::TerminalOutput(chunk) => {
                if let Some(terminal) = self.terminal_mut(&chunk.terminal_id) {
                    terminal.0.append(&chunk.data, terminal.1);
                }
            }
            Event::State(state) => self.state = Some((**state).clone()),
            Event::Subagent(update) => self.change_child(update),
            Event::ReplayComplete
            | Event::Notice(_)
            | Event::Suggestions(_)
            | Event::Cursor(_)
            | Event::Elicitation(_)
            | Event::Request(_)
            | Event::Settled(_)
            | Event::Notification(_)
            | Event::Unknown { .. }
            | Event::Diagnostic(_) => {}
        }
        self.timeline.bound(&self.limits);
    }

    /// Folds the end of a turn in: what the agent left open is over.
    pub fn apply_end(&mut self, end: &TurnEnd) {
        for id in &end.open_tools {
            if let Some(Entry::Tool(tool)) = self.timeline.find_mut(&Key::Tool(id.clone()))
                && !is_final(&tool.status)
            {
                tool.status = ToolCallStatus::Cancelled;
            }
        }
        self.timeline.break_run();
    }

    fn set_plan(&mut self, plan: &Plan) {
        if self.plans.len() < self.limits.parts || self.plans.contains_key(&plan.id) {
            self.plans.insert(plan.id.clone(), plan.content.clone());
        }
    }

    fn terminal_mut(&mut self, id: &TerminalId) -> Option<(&mut TerminalState, usize)> {
        let known = self.terminals.contains_key(id);
        (known || self.terminals.len() < self.limits.parts).then(|| {
            let terminal = self.terminals.entry(id.clone()).or_default();
            (terminal, self.limits.terminal_bytes)
        })
    }

    fn change_child(&mut self, update: &SubagentUpdate) {
        let known = self.children.contains_key(&update.session_id);
        if !known && self.children.len() >= self.limits.parts {
            return;
        }
        let limits = &self.limits;
        let child = self
            .children
            .entry(update.session_id.clone())
            .or_insert_with(|| Child {
                conversation: Box::new(Self::new(limits.clone())),
                ..Child::default()
            });
        update.title.clone().apply_to(&mut child.title);
        update.description.clone().apply_to(&mut child.description);
        update.state.clone().apply_to(&mut child.state);
        match &update.capabilities {
            Patch::Absent => {}
            Patch::Null => child.can_cancel = false,
            Patch::Value(capabilities) => child.can_cancel = capabilities.cancel.is_some(),
        }
    }
}

/// The status of a compaction that is reset.
fn restarted() -> CompactionStatus {
    CompactionStatus::InProgress
}

#[cfg(test)]
mod tests;
