//! What an event holds in memory, roughly: a peer must not be able to make much of little.
//!
//! Strings count by length, lists by their items. A list of small objects is the one case where
//! the decoded form is larger than the frame, so items are counted at their full size.

use std::io;
use std::mem::size_of;

use acp_vocab::{ContentBlock, Meta, Patch, Raw, RequestId, StateUpdate, v2};

use serde::Serialize;

use crate::event::{Chunk, Event, PlanContent};
use crate::inquiry::Ask;
use crate::tool::{ContentChange, Tool, ToolContent};

impl Event {
    /// Bytes that the event holds beyond itself.
    pub(crate) fn held_bytes(&self) -> usize {
        match self {
            Self::Text(chunk) | Self::Thought(chunk) | Self::User(chunk) => chunk_bytes(chunk),
            Self::Message(message) => {
                size_of_val(&**message) + message.content.value().map_or(0, |list| blocks(list))
            }
            Self::Tool(tool) => size_of::<Tool>() + tool_bytes(tool),
            Self::Plan(plan) => plan_bytes(&plan.content),
            Self::Commands(commands) => size_of_val(&**commands),
            Self::Options(options) => options.iter().map(option_bytes).sum(),
            Self::Permission(permission) => {
                size_of_val(&**permission)
                    + size_of_val(&*permission.options)
                    + permission.tool.as_ref().map_or(0, tool_bytes)
                    + ask_bytes(&permission.ask)
            }
            Self::Elicitation(elicitation) => {
                // The decoded form stands beside the text, and its schema is made of small parts.
                size_of_val(&**elicitation) + 4 * ask_bytes(&elicitation.ask)
            }
            Self::Request(ask) => ask_bytes(ask),
            Self::Notification(note) => {
                note.method.len() + note.params.as_ref().map_or(0, raw_bytes)
            }
            Self::Suggestions(suggestions) => {
                let one = |suggestion: &acp_vocab::PromptSuggestion| size_of_val(suggestion);
                suggestions.suggestions.iter().map(one).sum()
            }
            Self::CompactionSummary(chunk) => size_of_val(&**chunk) + block(&chunk.content),
            Self::Compaction(update) => {
                size_of_val(&**update) + update.summary.value().map_or(0, |list| blocks(list))
            }
            Self::SessionMessage(message) => {
                size_of_val(&**message) + message.content.value().map_or(0, |list| blocks(list))
            }
            Self::SessionMessageChunk(chunk) => size_of_val(&**chunk) + block(&chunk.content),
            Self::TerminalOutput(chunk) => size_of_val(&**chunk) + chunk.data.len(),
            Self::State(state) => state_bytes(state),
            // These two come without a frame of their own: what they hold is counted here alone.
            Self::Settled(settled) => {
                size_of_val(&**settled) + settled.method.len() + id_bytes(&settled.id)
            }
            Self::Diagnostic(diagnostic) => size_of_val(&**diagnostic) + diagnostic.weight(),
            Self::Info(_)
            | Self::Usage(_)
            | Self::Notice(_)
            | Self::Terminal(_)
            | Self::Subagent(_)
            | Self::Cursor(_)
            | Self::PlanRemoved(_)
            | Self::Mode(_)
            | Self::ReplayComplete
            | Self::Unknown { .. } => 512,
        }
    }
}

pub(crate) fn plan_bytes(plan: &PlanContent) -> usize {
    match plan {
        PlanContent::Steps(steps) => {
            let text = |step: &acp_vocab::PlanEntry| step.content.len() + meta(&step.meta);
            size_of_val(&**steps) + steps.iter().map(text).sum::<usize>()
        }
        PlanContent::Markdown(plan) => size_of_val(&**plan) + plan.content.len(),
        PlanContent::Unknown { raw, .. } => raw_bytes(raw),
    }
}

/// The texts in it stand in its frame; a list of small things may be larger than that.
pub(crate) fn state_bytes(state: &StateUpdate) -> usize {
    let background = match state {
        StateUpdate::Running(state) => state.background.as_deref(),
        StateUpdate::Idle(state) => state.background.as_deref(),
        StateUpdate::RequiresAction(state) => state.background.as_deref(),
        StateUpdate::Untracked(state) => state.background.as_deref(),
        StateUpdate::Unknown { .. } | _ => None,
    };
    size_of_val(state) + background.map_or(0, size_of_val)
}

fn raw_bytes(raw: &Raw) -> usize {
    raw.get().len()
}

fn meta(meta: &Option<Meta>) -> usize {
    meta.as_ref().map_or(0, |meta| meta.as_raw().get().len())
}

/// Bytes of the agent's own id.
pub(crate) fn id_bytes(id: &RequestId) -> usize {
    if let RequestId::String(text) = id {
        text.len()
    } else {
        0
    }
}

fn ask_bytes(ask: &Ask) -> usize {
    ask.method.len() + raw_bytes(&ask.params)
}

fn chunk_bytes(chunk: &Chunk) -> usize {
    block(&chunk.content) + meta(&chunk.meta)
}

fn blocks(blocks: &[ContentBlock]) -> usize {
    size_of_val(blocks) + blocks.iter().map(block).sum::<usize>()
}

pub(crate) fn block(block: &ContentBlock) -> usize {
    match block {
        ContentBlock::Text(text) => {
            text.text.len() + meta(&text.meta) + text.annotations.as_ref().map_or(0, written)
        }
        ContentBlock::Unknown { raw, .. } => raw_bytes(raw),
        ContentBlock::Image(image) => {
            let hints = image.annotations.as_ref().map_or(0, written);
            let uri = image.uri.as_ref().map_or(0, |uri| uri.len());
            let texts = image.data.len() + image.mime_type.len() + uri;
            size_of_val(&**image) + texts + hints + meta(&image.meta)
        }
        ContentBlock::Audio(audio) => {
            let hints = audio.annotations.as_ref().map_or(0, written);
            let texts = audio.data.len() + audio.mime_type.len();
            size_of_val(&**audio) + texts + hints + meta(&audio.meta)
        }
        ContentBlock::Resource(_) | ContentBlock::ResourceLink(_) | ContentBlock::Skill(_) | _ => {
            512 + written(block)
        }
    }
}

fn tool_bytes(tool: &Tool) -> usize {
    let change = &tool.change;
    let raw = |patch: &Patch<Raw>| patch.value().map_or(0, raw_bytes);
    let content = match &change.content {
        ContentChange::Keep => 0,
        ContentChange::Replace(list) => {
            size_of_val(&**list) + list.iter().map(content_bytes).sum::<usize>()
        }
        ContentChange::Append(one) => size_of::<ToolContent>() + content_bytes(one),
    };
    let locations = change
        .locations
        .value()
        .map_or(0, |list| size_of_val(&**list));
    let meta = change
        .meta
        .value()
        .map_or(0, |meta| meta.as_raw().get().len());
    tool.title.len() + content + locations + raw(&change.raw_input) + raw(&change.raw_output) + meta
}

pub(crate) fn content_bytes(content: &ToolContent) -> usize {
    match content {
        ToolContent::Content(content) => block(content),
        ToolContent::Diff(diff) => {
            let old = diff.old_text.as_ref().map_or(0, |text| text.len());
            diff.path.len() + diff.new_text.len() + old + meta(&diff.meta)
        }
        ToolContent::Changes(diff) => size_of_val(&*diff.changes) + written(diff),
        ToolContent::Unknown { raw, .. } => raw_bytes(raw),
        ToolContent::Terminal(id) => id.as_str().len(),
        ToolContent::Session(id) => id.as_str().len(),
    }
}

pub(crate) fn option_bytes(option: &v2::SessionConfigOption) -> usize {
    let values = match &option.kind {
        v2::SessionConfigKind::Select(select) => match &select.options {
            v2::SessionConfigSelectOptions::Ungrouped(values) => size_of_val(&**values),
            v2::SessionConfigSelectOptions::Grouped(groups) => groups
                .iter()
                .map(|group| size_of_val(group) + size_of_val(&*group.options))
                .sum(),
            _ => 512,
        },
        v2::SessionConfigKind::Boolean(_) | v2::SessionConfigKind::Unknown { .. } | _ => 512,
    };
    size_of_val(option) + values
}

/// The length of a value as JSON, without writing it anywhere.
pub(crate) fn written(value: &impl Serialize) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // What came as JSON can be written as JSON; the count is what matters.
    serde_json::to_writer(&mut count, value).ok();
    count.0
}
