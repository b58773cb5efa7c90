//! Tool calls as events: what changed, and how the call stands after it.

use std::sync::Arc;

use acp_vocab::{
    ContentBlock, Meta, Patch, Raw, SessionId, TerminalId, ToolCallId, ToolCallLocation,
    ToolCallStatus, ToolKind, v1, v2,
};

/// A tool call began or changed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tool {
    /// The tool call, unique within its session.
    pub id: ToolCallId,
    /// Whether this is the first that was heard of it.
    pub created: bool,
    /// Its title now; its name, or its id, when it was given none.
    pub title: Arc<str>,
    /// Its kind now.
    pub kind: ToolKind,
    /// Its status now.
    pub status: ToolCallStatus,
    /// What this event changed.
    pub change: ToolChange,
}

/// What an event changes about a tool call: absent keeps, null clears, a value replaces.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ToolChange {
    /// The tool's name in programs.
    pub name: Patch<Box<str>>,
    /// The title.
    pub title: Patch<Box<str>>,
    /// The kind; null is the general one.
    pub kind: Patch<ToolKind>,
    /// The status; null is pending.
    pub status: Patch<ToolCallStatus>,
    /// The output.
    pub content: ContentChange,
    /// Places in files.
    pub locations: Patch<Vec<ToolCallLocation>>,
    /// The tool's own input.
    pub raw_input: Patch<Raw>,
    /// The tool's own output.
    pub raw_output: Patch<Raw>,
    /// What a client may do to it (v2).
    pub capabilities: Patch<v2::ToolCallCapabilities>,
    /// Its `_meta`.
    pub meta: Patch<Meta>,
}

/// What an event does to the output of a tool call.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub enum ContentChange {
    /// Nothing.
    #[default]
    Keep,
    /// It replaces all of it; an empty list clears it.
    Replace(Vec<ToolContent>),
    /// It adds one piece (v2).
    Append(Box<ToolContent>),
}

impl ContentChange {
    /// The pieces that it brings.
    pub(crate) fn pieces(&self) -> &[ToolContent] {
        match self {
            Self::Keep => &[],
            Self::Replace(list) => list,
            Self::Append(one) => std::slice::from_ref(&**one),
        }
    }
}

/// One piece of output of a tool call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ToolContent {
    /// Ordinary content.
    Content(ContentBlock),
    /// A change of one file by its texts (v1).
    Diff(v1::Diff),
    /// A change of files (v2).
    Changes(v2::Diff),
    /// A terminal: one of the client's in v1, a display terminal in v2. Some v1 agents name a
    /// terminal of their own; it is never to be asked for.
    Terminal(TerminalId),
    /// Another session.
    Session(SessionId),
    /// A kind that this crate does not know.
    Unknown {
        /// The value of `type`.
        tag: Box<str>,
        /// The piece as it came.
        raw: Raw,
    },
}

impl From<v1::ToolCallContent> for ToolContent {
    fn from(content: v1::ToolCallContent) -> Self {
        match content {
            v1::ToolCallContent::Content(content) => Self::Content(content.content),
            v1::ToolCallContent::Diff(diff) => Self::Diff(diff),
            v1::ToolCallContent::Terminal(terminal) => Self::Terminal(terminal.terminal_id),
            v1::ToolCallContent::Session(session) => Self::Session(session.session_id),
            v1::ToolCallContent::Unknown { tag, raw } => Self::Unknown { tag, raw },
            other => Self::unknown(other.tag(), &other),
        }
    }
}

impl From<v2::ToolCallContent> for ToolContent {
    fn from(content: v2::ToolCallContent) -> Self {
        match content {
            v2::ToolCallContent::Content(content) => Self::Content(content.content),
            v2::ToolCallContent::Diff(diff) => Self::Changes(diff),
            v2::ToolCallContent::Terminal(terminal) => Self::Terminal(terminal.terminal_id),
            v2::ToolCallContent::Session(session) => Self::Session(session.session_id),
            v2::ToolCallContent::Unknown { tag, raw } => Self::Unknown { tag, raw },
            other => Self::unknown(other.tag(), &other),
        }
    }
}

impl ToolContent {
    /// A variant of the vocabulary that is newer than this crate.
    fn unknown(tag: &str, content: &impl serde::Serialize) -> Self {
        let raw = Raw::encode(content).unwrap_or_else(|_| Raw::null());
        Self::Unknown {
            tag: tag.into(),
            raw,
        }
    }
}

fn contents<T: Into<ToolContent>>(content: Vec<T>) -> ContentChange {
    ContentChange::Replace(content.into_iter().map(Into::into).collect())
}

/// In v1 absent and null both keep what is known.
fn kept<T>(value: Option<T>) -> Patch<T> {
    value.map_or(Patch::Absent, Patch::Value)
}

/// A change and the tool call that it is for.
#[derive(Debug)]
pub(crate) struct ToolUpdate {
    pub(crate) id: ToolCallId,
    pub(crate) change: ToolChange,
}

/// A v1 `tool_call` declares everything: what it leaves out is cleared, also when the id is known.
impl From<v1::ToolCall> for ToolUpdate {
    fn from(call: v1::ToolCall) -> Self {
        let change = ToolChange {
            name: call.name.into(),
            title: Patch::Value(call.title),
            kind: Patch::Value(call.kind),
            status: Patch::Value(call.status),
            content: contents(call.content),
            locations: Patch::Value(call.locations),
            raw_input: call.raw_input.into(),
            raw_output: call.raw_output.into(),
            capabilities: Patch::Absent,
            meta: call.meta.into(),
        };
        Self {
            id: call.tool_call_id,
            change,
        }
    }
}

impl From<v1::ToolCallUpdate> for ToolUpdate {
    fn from(update: v1::ToolCallUpdate) -> Self {
        let change = ToolChange {
            name: kept(update.name),
            title: kept(update.title),
            kind: kept(update.kind),
            status: kept(update.status),
            content: update.content.map_or(ContentChange::Keep, contents),
            locations: kept(update.locations),
            raw_input: kept(update.raw_input),
            raw_output: kept(update.raw_output),
            capabilities: Patch::Absent,
            meta: kept(update.meta),
        };
        Self {
            id: update.tool_call_id,
            change,
        }
    }
}

impl From<v2::ToolCallUpdate> for ToolUpdate {
    fn from(update: v2::ToolCallUpdate) -> Self {
        let content = match update.content {
            Patch::Absent => ContentChange::Keep,
            Patch::Null => ContentChange::Replace(Vec::new()),
            Patch::Value(content) => contents(content),
        };
        let change = ToolChange {
            name: update.name,
            title: update.title,
            kind: update.kind,
            status: update.status,
            content,
            locations: update.locations,
            raw_input: update.raw_input,
            raw_output: update.raw_output,
            capabilities: update.capabilities,
            meta: update.meta,
        };
        Self {
            id: update.tool_call_id,
            change,
        }
    }
}

impl From<v2::ToolCallContentChunk> for ToolUpdate {
    fn from(chunk: v2::ToolCallContentChunk) -> Self {
        let content = ContentChange::Append(Box::new(chunk.content.into()));
        Self {
            id: chunk.tool_call_id,
            change: ToolChange {
                content,
                ..ToolChange::default()
            },
        }
    }
}

/// Whether nothing follows a status.
pub(crate) const fn is_final(status: &ToolCallStatus) -> bool {
    matches!(
        status,
        ToolCallStatus::Completed | ToolCallStatus::Failed | ToolCallStatus::Cancelled
    )
}
