//! From the params of a message to what the machine and the host need of them: each decoded once.

use std::borrow::Cow;

use acp_vocab::{Patch, ProtocolVersion, Raw, ShapeError, decode, decode_update, v1, v2};
use serde_json::value::RawValue;

use crate::event::{Chunk, Event, Message, Plan, PlanContent, Speaker};
use crate::neutral::{command, config_option, plan_v1, plan_v2};
use crate::tool::ToolUpdate;

/// An update, decoded but not yet completed by what is known of its session.
#[derive(Debug)]
pub(crate) enum Update {
    /// Complete as it is.
    Event(Event),
    /// A change of a tool call.
    Tool(Box<ToolUpdate>),
    /// Of a kind that the vocabulary does not know.
    Unknown { tag: Box<str>, raw: Raw },
}

/// Decodes the params of `session/update` in one pass: whose it is, and what it says.
pub(crate) fn read(
    version: ProtocolVersion,
    params: Option<&RawValue>,
) -> Result<(Cow<'_, str>, Update), ShapeError> {
    if version == ProtocolVersion::V1 {
        decode_update(params).map(|(session, update)| (session, from_v1(update)))
    } else {
        decode_update(params).map(|(session, update)| (session, from_v2(update)))
    }
}

/// Decodes an update without its envelope.
pub(crate) fn read_update(
    version: ProtocolVersion,
    update: &RawValue,
) -> Result<Update, ShapeError> {
    if version == ProtocolVersion::V1 {
        decode(update).map(from_v1)
    } else {
        decode(update).map(from_v2)
    }
}

fn chunk_v1(chunk: v1::ContentChunk) -> Chunk {
    Chunk {
        message: chunk.message_id,
        content: chunk.content,
        meta: chunk.meta,
    }
}

fn chunk_v2(chunk: v2::ContentChunk) -> Chunk {
    Chunk {
        message: Some(chunk.message_id),
        content: chunk.content,
        meta: chunk.meta,
    }
}

fn tool(update: ToolUpdate) -> Update {
    Update::Tool(Box::new(update))
}

fn from_v1(update: v1::SessionUpdate) -> Update {
    use v1::SessionUpdate as U;
    Update::Event(match update {
        U::AgentMessageChunk(chunk) => Event::Text(chunk_v1(chunk)),
        U::AgentThoughtChunk(chunk) => Event::Thought(chunk_v1(chunk)),
        U::UserMessageChunk(chunk) => Event::User(chunk_v1(chunk)),
        U::ToolCall(call) => return tool((*call).into()),
        U::ToolCallUpdate(update) => return tool((*update).into()),
        U::Plan(plan) => Event::Plan(Plan {
            id: None,
            content: PlanContent::Steps(plan.entries),
        }),
        U::PlanUpdate(update) => Event::Plan(plan_v1(update.plan)),
        U::PlanRemoved(removed) => Event::PlanRemoved(removed.plan_id),
        U::AvailableCommandsUpdate(update) => {
            Event::Commands(update.available_commands.into_iter().map(command).collect())
        }
        U::CurrentModeUpdate(update) => Event::Mode(update.current_mode_id),
        U::ConfigOptionUpdate(update) => Event::Options(
            update
                .config_options
                .into_iter()
                .map(config_option)
                .collect(),
        ),
        U::SessionInfoUpdate(info) => Event::Info(Box::new(info)),
        U::UsageUpdate(usage) => Event::Usage(Box::new(usage)),
        U::Notice(notice) => Event::Notice(Box::new(notice)),
        U::CompactionUpdate(update) => {
            let mut compaction = v2::CompactionUpdate::new(update.compaction_id);
            compaction.status = Patch::Value(update.status);
            compaction.summary = update.summary;
            compaction.error = update.error;
            compaction.meta = update.meta;
            Event::Compaction(Box::new(compaction))
        }
        U::CompactionSummaryChunk(chunk) => Event::CompactionSummary(Box::new(chunk)),
        U::SubagentUpdate(update) => Event::Subagent(update),
        U::SessionMessage(message) => Event::SessionMessage(message),
        U::SessionMessageChunk(chunk) => Event::SessionMessageChunk(Box::new(chunk)),
        U::PromptSuggestionsUpdate(update) => Event::Suggestions(Box::new(update)),
        U::CursorUpdate(update) => Event::Cursor(update),
        U::Unknown { tag, raw } => return Update::Unknown { tag, raw },
        other => return unknown(other.tag(), &other),
    })
}

fn from_v2(update: v2::SessionUpdate) -> Update {
    use v2::SessionUpdate as U;
    let message = |speaker, id, content, meta| {
        Event::Message(Box::new(Message {
            speaker,
            id,
            content,
            meta,
        }))
    };
    Update::Event(match update {
        U::AgentMessageChunk(chunk) => Event::Text(chunk_v2(chunk)),
        U::AgentThoughtChunk(chunk) => Event::Thought(chunk_v2(chunk)),
        U::UserMessageChunk(chunk) => Event::User(chunk_v2(chunk)),
        U::AgentMessage(m) => message(Speaker::Agent, m.message_id, m.content, m.meta),
        U::AgentThought(m) => message(Speaker::Thought, m.message_id, m.content, m.meta),
        U::UserMessage(m) => message(Speaker::User, m.message_id, m.content, m.meta),
        U::StateUpdate(state) => Event::State(state),
        U::ToolCallUpdate(update) => return tool((*update).into()),
        U::ToolCallContentChunk(chunk) => return tool((*chunk).into()),
        U::TerminalUpdate(update) => Event::Terminal(update),
        U::TerminalOutputChunk(chunk) => Event::TerminalOutput(Box::new(chunk)),
        U::PlanUpdate(update) => Event::Plan(plan_v2(update.plan)),
        U::PlanRemoved(removed) => Event::PlanRemoved(removed.plan_id),
        U::AvailableCommandsUpdate(update) => Event::Commands(update.available_commands),
        U::ConfigOptionUpdate(update) => Event::Options(update.config_options),
        U::SessionInfoUpdate(info) => Event::Info(Box::new(info)),
        U::UsageUpdate(usage) => Event::Usage(Box::new(usage)),
        U::Notice(notice) => Event::Notice(Box::new(notice)),
        U::CompactionUpdate(update) => Event::Compaction(update),
        U::CompactionSummaryChunk(chunk) => Event::CompactionSummary(Box::new(chunk)),
        U::SubagentUpdate(update) => Event::Subagent(update),
        U::SessionMessage(message) => Event::SessionMessage(message),
        U::SessionMessageChunk(chunk) => Event::SessionMessageChunk(Box::new(chunk)),
        U::ReplayComplete(_) => Event::ReplayComplete,
        U::PromptSuggestionsUpdate(update) => Event::Suggestions(Box::new(update)),
        U::CursorUpdate(update) => Event::Cursor(update),
        U::Unknown { tag, raw } => return Update::Unknown { tag, raw },
        other => return unknown(other.tag(), &other),
    })
}

/// An update that the vocabulary knows and this crate does not yet.
fn unknown(tag: &str, update: &impl serde::Serialize) -> Update {
    let raw = Raw::encode(update).unwrap_or_else(|_| Raw::null());
    Update::Unknown {
        tag: tag.into(),
        raw,
    }
}
