//! From the params of a message to what the machine and the host need of them: each decoded once.

use std::borrow::Cow;
use std::collections::BTreeSet;

use acp_vocab::{
    BackgroundWork, IdleStateUpdate, IdleStop, MessageId, Meta, Patch, ProtocolVersion, Raw,
    RequestId, SessionId, ShapeError, StateUpdate, ToolCallId, decode, decode_params, v1, v2,
};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::event::{Chunk, Event, Message, Plan, PlanContent, Speaker};
use crate::neutral::{command, config_option};
use crate::tool::ToolUpdate;
use crate::turn::Report;

/// Why a result is of no use; kinds and member names only.
#[derive(Debug, thiserror::Error)]
#[error("expected {expected} as {member}")]
pub(crate) struct Unusable {
    member: &'static str,
    expected: &'static str,
}

#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow, rename = "sessionId")]
    session: Option<&'a RawValue>,
}

/// The id of the session that a result names.
pub(crate) fn session_of_result(result: &RawValue) -> Result<SessionId, Unusable> {
    let unusable = || Unusable {
        member: "sessionId",
        expected: "a string",
    };
    let named: Named<'_> = serde_json::from_str(result.get()).map_err(|_| unusable())?;
    let session = named.session.and_then(text).ok_or_else(unusable)?;
    Ok(SessionId::new(session.as_ref()))
}

#[derive(Deserialize)]
struct Stopped<'a> {
    #[serde(borrow, rename = "stopReason")]
    stop_reason: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

/// What the result of a v1 prompt reports.
pub(crate) fn report_of_result(result: &RawValue) -> Result<Report, Unusable> {
    let unusable = || Unusable {
        member: "stopReason",
        expected: "a string",
    };
    let stopped: Stopped<'_> = serde_json::from_str(result.get()).map_err(|_| unusable())?;
    let stop_reason = stopped.stop_reason.and_then(text).ok_or_else(unusable)?;
    let meta = stopped.meta.and_then(|meta| Meta::new(meta).ok());
    Ok(Report {
        stop_reason: stop_reason.into(),
        raw: result.to_owned(),
        meta,
        error: None,
    })
}

/// The message that a v2 prompt became.
pub(crate) fn message_of_result(result: &RawValue) -> Result<MessageId, Unusable> {
    let response: Result<v2::PromptResponse, _> = decode(result);
    let unusable = |_| Unusable {
        member: "messageId",
        expected: "a string",
    };
    response
        .map(|response| response.message_id)
        .map_err(unusable)
}

/// What a v2 idle reports.
pub(crate) fn report_of_idle(state: &StateUpdate, idle: &IdleStateUpdate) -> Report {
    let error = match &idle.stop {
        Some(IdleStop::Error(stop)) => stop.error.clone(),
        Some(_) | None => None,
    };
    Report {
        stop_reason: idle.stop.as_ref().map_or("", IdleStop::tag).into(),
        raw: Raw::encode(state)
            .unwrap_or_else(|_| Raw::null())
            .into_inner(),
        meta: idle.meta.clone(),
        error,
    }
}

/// The tool calls that a state lists as background work; `None` when it does not report any.
pub(crate) fn background(state: &StateUpdate) -> Option<BTreeSet<ToolCallId>> {
    let list = match state {
        StateUpdate::Running(state) => state.background.as_ref(),
        StateUpdate::Idle(state) => state.background.as_ref(),
        StateUpdate::RequiresAction(state) => state.background.as_ref(),
        StateUpdate::Untracked(state) => state.background.as_ref(),
        StateUpdate::Unknown { .. } | _ => None,
    }?;
    let tool = |work: &BackgroundWork| match work {
        BackgroundWork::ToolCall(tool) => Some(tool.tool_call_id.clone()),
        BackgroundWork::Terminal(_)
        | BackgroundWork::Subagent(_)
        | BackgroundWork::Unknown { .. }
        | _ => None,
    };
    Some(list.iter().filter_map(tool).collect())
}

/// What the params of any message say about where it belongs. Members of another kind count as
/// absent.
#[derive(Debug, Default)]
pub(crate) struct Address<'a> {
    pub(crate) session: Option<Cow<'a, str>>,
    pub(crate) request: Option<RequestId>,
    pub(crate) update: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
struct RawAddress<'a> {
    #[serde(borrow, rename = "sessionId", default)]
    session: Option<&'a RawValue>,
    #[serde(borrow, rename = "requestId", default)]
    request: Option<&'a RawValue>,
    #[serde(borrow, default)]
    update: Option<&'a RawValue>,
}

/// Reads where a message belongs.
pub(crate) fn address<'a>(params: Option<&'a RawValue>) -> Address<'a> {
    let Some(params) = params else {
        return Address::default();
    };
    let raw: RawAddress<'a> = serde_json::from_str(params.get()).unwrap_or_default();
    Address {
        session: raw.session.and_then(text),
        request: raw.request.and_then(|id| decode(id).ok()),
        update: raw.update,
    }
}

/// A JSON string, borrowed where it has no escapes. Half a surrogate pair is read as U+FFFD.
fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
    match serde_json::from_str::<Text<'_>>(raw.get()) {
        Ok(Text(text)) => Some(text),
        Err(_) => {
            let repaired = acp_codec::repair_surrogates(raw.get())?;
            serde_json::from_str::<String>(&repaired.text)
                .ok()
                .map(Cow::Owned)
        }
    }
}

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

/// Decodes the params of `session/update` in one pass.
pub(crate) fn read(
    version: ProtocolVersion,
    params: Option<&RawValue>,
) -> Result<(SessionId, Update), ShapeError> {
    if version == ProtocolVersion::V1 {
        let notification: v1::SessionNotification = decode_params(params)?;
        Ok((notification.session_id, from_v1(notification.update)))
    } else {
        let notification: v2::UpdateSessionNotification = decode_params(params)?;
        Ok((notification.session_id, from_v2(notification.update)))
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
        U::ToolCall(call) => return tool(call.into()),
        U::ToolCallUpdate(update) => return tool(update.into()),
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
        U::SessionMessage(message) => Event::SessionMessage(Box::new(message)),
        U::SessionMessageChunk(chunk) => Event::SessionMessageChunk(Box::new(chunk)),
        U::PromptSuggestionsUpdate(update) => Event::Suggestions(Box::new(update)),
        U::CursorUpdate(update) => Event::Cursor(Box::new(update)),
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
        U::StateUpdate(state) => Event::State(Box::new(state)),
        U::ToolCallUpdate(update) => return tool(update.into()),
        U::ToolCallContentChunk(chunk) => return tool(chunk.into()),
        U::TerminalUpdate(update) => Event::Terminal(Box::new(update)),
        U::TerminalOutputChunk(chunk) => Event::TerminalOutput(Box::new(chunk)),
        U::PlanUpdate(update) => Event::Plan(plan_v2(update.plan)),
        U::PlanRemoved(removed) => Event::PlanRemoved(removed.plan_id),
        U::AvailableCommandsUpdate(update) => Event::Commands(update.available_commands),
        U::ConfigOptionUpdate(update) => Event::Options(update.config_options),
        U::SessionInfoUpdate(info) => Event::Info(Box::new(info)),
        U::UsageUpdate(usage) => Event::Usage(Box::new(usage)),
        U::Notice(notice) => Event::Notice(Box::new(notice)),
        U::CompactionUpdate(update) => Event::Compaction(Box::new(update)),
        U::CompactionSummaryChunk(chunk) => Event::CompactionSummary(Box::new(chunk)),
        U::SubagentUpdate(update) => Event::Subagent(update),
        U::SessionMessage(message) => Event::SessionMessage(Box::new(message)),
        U::SessionMessageChunk(chunk) => Event::SessionMessageChunk(Box::new(chunk)),
        U::ReplayComplete(_) => Event::ReplayComplete,
        U::PromptSuggestionsUpdate(update) => Event::Suggestions(Box::new(update)),
        U::CursorUpdate(update) => Event::Cursor(Box::new(update)),
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

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what has no words here is passed on raw"
)]
fn plan_v1(plan: v1::PlanUpdateContent) -> Plan {
    use v1::PlanUpdateContent as P;
    match plan {
        P::Items(plan) => Plan {
            id: Some(plan.plan_id),
            content: PlanContent::Steps(plan.entries),
        },
        P::Markdown(plan) => Plan {
            id: Some(plan.plan_id.clone()),
            content: PlanContent::Markdown(Box::new(plan)),
        },
        P::Unknown { tag, raw } => Plan {
            id: None,
            content: PlanContent::Unknown { tag, raw },
        },
        other => unknown_plan(other.tag(), &other),
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what has no words here is passed on raw"
)]
fn plan_v2(plan: v2::PlanUpdateContent) -> Plan {
    use v2::PlanUpdateContent as P;
    match plan {
        P::Items(plan) => Plan {
            id: Some(plan.plan_id),
            content: PlanContent::Steps(plan.entries),
        },
        P::Markdown(plan) => Plan {
            id: Some(plan.plan_id.clone()),
            content: PlanContent::Markdown(Box::new(plan)),
        },
        P::Unknown { tag, raw } => Plan {
            id: None,
            content: PlanContent::Unknown { tag, raw },
        },
        other => unknown_plan(other.tag(), &other),
    }
}

fn unknown_plan(tag: &str, plan: &impl serde::Serialize) -> Plan {
    let raw = Raw::encode(plan).unwrap_or_else(|_| Raw::null());
    Plan {
        id: None,
        content: PlanContent::Unknown {
            tag: tag.into(),
            raw,
        },
    }
}
