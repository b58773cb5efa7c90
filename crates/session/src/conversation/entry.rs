//! What stands in the timeline.

use acp_vocab::{
    CompactionId, CompactionStatus, MessageId, Meta, Raw, SessionId, ToolCallId, ToolCallLocation,
    ToolCallStatus, ToolKind, v2,
};

use super::content::MessageContent;
use crate::event::Speaker;
use crate::tool::{ContentChange, Tool, ToolContent};

/// One entry of the timeline.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Entry {
    /// A message or a thought.
    Message(MessageEntry),
    /// A tool call.
    Tool(Box<ToolEntry>),
    /// A compaction of the context.
    Compaction(CompactionEntry),
    /// A message between sessions.
    SessionMessage(SessionMessageEntry),
}

impl Entry {
    /// Bytes that it holds, roughly.
    pub(super) fn bytes(&self) -> usize {
        let id = |id: &str| 2 * id.len();
        let held = match self {
            Self::Message(message) => {
                let named = message.id.as_ref().map_or(0, |named| id(named.as_str()));
                named + message.content.bytes()
            }
            Self::Tool(tool) => id(tool.id.as_str()) + tool.bytes(),
            Self::Compaction(compaction) => {
                let error = compaction.error.as_ref().map_or(0, |error| error.len());
                id(compaction.id.as_str()) + error + compaction.summary.bytes()
            }
            Self::SessionMessage(message) => {
                let of = |id: &Option<SessionId>| id.as_ref().map_or(0, |id| id.as_str().len());
                let ends = of(&message.sender) + of(&message.recipient);
                id(message.id.as_str()) + ends + message.content.bytes()
            }
        };
        held + 256
    }
}

impl Entry {
    /// Keeps the end of what it says. A tool call keeps the last pieces of its output, and nothing of
    /// what it says of itself in its own words.
    pub(super) fn cut(&mut self, limit: usize) {
        match self {
            Self::Message(message) => message.content.cut(limit),
            Self::Compaction(compaction) => compaction.summary.cut(limit),
            Self::SessionMessage(message) => message.content.cut(limit),
            Self::Tool(tool) => {
                (tool.raw_input, tool.raw_output, tool.meta) = (None, None, None);
                tool.locations = Vec::new();
                let mut room = limit;
                let fits = |piece: &&ToolContent| {
                    let left = room.checked_sub(crate::weight::content_bytes(piece) + 256);
                    room = left.unwrap_or_default();
                    left.is_some()
                };
                let kept = tool.content.iter().rev().take_while(fits).count();
                tool.content = tool.content.split_off(tool.content.len() - kept);
            }
        }
    }
}

/// A message or a thought.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MessageEntry {
    /// Who speaks.
    pub speaker: Speaker,
    /// Its id, when it has one.
    pub id: Option<MessageId>,
    /// What it says.
    pub content: MessageContent,
}

/// A tool call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolEntry {
    /// Its id.
    pub id: ToolCallId,
    /// Its title.
    pub title: std::sync::Arc<str>,
    /// Its name in programs.
    pub name: Option<Box<str>>,
    /// Its kind.
    pub kind: ToolKind,
    /// Its status.
    pub status: ToolCallStatus,
    /// Its output.
    pub content: Vec<ToolContent>,
    /// Places in files that it is about.
    pub locations: Vec<ToolCallLocation>,
    /// The tool's own input.
    pub raw_input: Option<Raw>,
    /// The tool's own output.
    pub raw_output: Option<Raw>,
    /// What a client may do to it (v2).
    pub capabilities: Option<v2::ToolCallCapabilities>,
    /// Its `_meta`.
    pub meta: Option<Meta>,
}

impl ToolEntry {
    pub(super) fn new(id: ToolCallId) -> Self {
        Self {
            title: id.as_str().into(),
            id,
            name: None,
            kind: ToolKind::default(),
            status: ToolCallStatus::default(),
            content: Vec::new(),
            locations: Vec::new(),
            raw_input: None,
            raw_output: None,
            capabilities: None,
            meta: None,
        }
    }

    fn bytes(&self) -> usize {
        let raw = |raw: &Option<Raw>| raw.as_ref().map_or(0, |raw| raw.get().len());
        let place = |place: &ToolCallLocation| size_of_val(place) + place.path.len();
        let content = self.content.iter().map(crate::weight::content_bytes);
        size_of_val(&*self.content)
            + content.sum::<usize>()
            + raw(&self.raw_input)
            + raw(&self.raw_output)
            + self.title.len()
            + self.name.as_ref().map_or(0, |name| name.len())
            + self.locations.iter().map(place).sum::<usize>()
            + self
                .meta
                .as_ref()
                .map_or(0, |meta| meta.as_raw().get().len())
    }

    /// Applies what an event says.
    pub(super) fn apply(&mut self, tool: &Tool) {
        let change = &tool.change;
        self.title = tool.title.clone();
        self.kind = tool.kind.clone();
        self.status = tool.status.clone();
        change.name.clone().apply_to(&mut self.name);
        match &change.content {
            ContentChange::Keep => {}
            ContentChange::Replace(content) => self.content.clone_from(content),
            ContentChange::Append(one) => self.content.push((**one).clone()),
        }
        if !change.locations.is_absent() {
            self.locations = change.locations.value().cloned().unwrap_or_default();
        }
        change.raw_input.clone().apply_to(&mut self.raw_input);
        change.raw_output.clone().apply_to(&mut self.raw_output);
        change.capabilities.clone().apply_to(&mut self.capabilities);
        change.meta.clone().apply_to(&mut self.meta);
    }
}

/// A compaction of the context.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CompactionEntry {
    /// Its id.
    pub id: CompactionId,
    /// How far it is.
    pub status: CompactionStatus,
    /// The summary.
    pub summary: MessageContent,
    /// Why it failed.
    pub error: Option<Box<str>>,
}

/// A message between sessions.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SessionMessageEntry {
    /// Its id.
    pub id: MessageId,
    /// The session that sent it.
    pub sender: Option<SessionId>,
    /// The session that it is for.
    pub recipient: Option<SessionId>,
    /// What it says.
    pub content: MessageContent,
}
