//! What a session's updates have said so far, as far as the next one depends on it: which message
//! is being written, and which tool calls are known.

use std::{collections::BTreeMap, sync::Mutex};

use acp_vocab::{MessageId, TerminalId, ToolCallId, ToolCallStatus, v1, v2};
use tokio_util::sync::CancellationToken;

use crate::{
    command::{Body, Speaker},
    shared::{fresh, lock},
    tool::{Tool, ToolContent, is_final},
};

/// Tool calls that are remembered, a session. Of more than that the first in order are forgotten.
const MAX_TOOLS: usize = 4096;

#[derive(Debug, Default)]
pub(crate) struct Timeline {
    current: Option<(Speaker, MessageId)>,
    /// Known tool calls, and whether each is still open.
    tools: BTreeMap<ToolCallId, bool>,
    /// What the client may cancel by itself.
    tool_cancels: BTreeMap<ToolCallId, CancellationToken>,
    terminal_cancels: BTreeMap<TerminalId, CancellationToken>,
}

/// What a tool report came to.
pub(crate) struct Reported {
    pub(crate) body: Body,
    /// What was known of the call before; nothing when the report begins it.
    pub(crate) before: Option<bool>,
}

/// A report on its way to the client. Dropped before it was sent, it was never made: the next one
/// about a call that nobody heard of begins it.
pub(crate) struct Unsaid<'a> {
    timeline: &'a Mutex<Timeline>,
    id: Option<ToolCallId>,
    before: Option<bool>,
}

impl<'a> Unsaid<'a> {
    pub(crate) fn new(timeline: &'a Mutex<Timeline>, id: ToolCallId, before: Option<bool>) -> Self {
        Self {
            timeline,
            id: Some(id),
            before,
        }
    }

    /// It was sent.
    pub(crate) fn said(mut self) {
        if let Some(id) = self.id.take() {
            lock(self.timeline).forget_cancel(&id);
        }
    }
}

impl Drop for Unsaid<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else {
            return;
        };
        let mut timeline = lock(self.timeline);
        match self.before {
            Some(open) => timeline.tools.insert(id, open),
            None => timeline.tools.remove(&id),
        };
    }
}

impl Timeline {
    /// The message that text of this speaker belongs to.
    pub(crate) fn message(&mut self, speaker: Speaker) -> MessageId {
        match &self.current {
            Some((current, id)) if *current == speaker => id.clone(),
            _ => {
                let id = MessageId::from(fresh("msg"));
                self.current = Some((speaker, id.clone()));
                id
            }
        }
    }

    /// The next text begins a new message.
    pub(crate) fn break_message(&mut self) {
        self.current = None;
    }

    pub(crate) fn tool(&mut self, tool: Tool, v1: bool) -> Reported {
        self.break_message();
        let before = self.tools.get(&tool.id).copied();
        let open = match &tool.status {
            Some(status) => !is_final(status),
            None => before.unwrap_or(true),
        };
        self.tools.insert(tool.id.clone(), open);
        if self.tools.len() > MAX_TOOLS {
            self.tools.pop_first();
        }
        let body = match (v1, before) {
            (true, None) => Body::V1(v1::SessionUpdate::ToolCall(first_v1(tool).into())),
            (true, Some(_)) => Body::V1(v1::SessionUpdate::ToolCallUpdate(patch_v1(tool).into())),
            (false, _) => Body::V2(v2::SessionUpdate::ToolCallUpdate(patch_v2(tool).into())),
        };
        Reported { body, before }
    }

    /// A call that has ended cannot be cancelled any more.
    fn forget_cancel(&mut self, id: &ToolCallId) {
        if self.tools.get(id) == Some(&false) {
            self.tool_cancels.remove(id);
        }
    }

    /// From now on the client may cancel this call.
    pub(crate) fn offer_tool_cancel(&mut self, id: ToolCallId, token: CancellationToken) {
        self.tool_cancels.retain(|_, token| !token.is_cancelled());
        self.tool_cancels.insert(id, token);
    }

    /// How to cancel a call that runs and offers it.
    pub(crate) fn tool_cancel(&mut self, id: &ToolCallId) -> Option<CancellationToken> {
        let open = self.tools.get(id).copied().unwrap_or_default();
        self.tool_cancels.remove(id).filter(|_| open)
    }

    /// From now on the client may cancel this terminal.
    pub(crate) fn offer_terminal_cancel(&mut self, id: TerminalId, token: CancellationToken) {
        self.terminal_cancels
            .retain(|_, token| !token.is_cancelled());
        self.terminal_cancels.insert(id, token);
    }

    /// How to cancel a terminal that runs and offers it; it is offered once.
    pub(crate) fn terminal_cancel(&mut self, id: &TerminalId) -> Option<CancellationToken> {
        self.terminal_cancels.remove(id)
    }

    /// Ends every call that is still open, as version and circumstances have it.
    pub(crate) fn close_tools(&mut self, v1: bool) -> Vec<Body> {
        let open: Vec<ToolCallId> = self
            .tools
            .iter()
            .filter(|(_, open)| **open)
            .map(|(id, _)| id.clone())
            .collect();
        open.into_iter()
            .map(|id| {
                self.tool(Tool::new(id).status(ToolCallStatus::Cancelled), v1)
                    .body
            })
            .collect()
    }
}

/// Version 1 has fewer statuses.
fn status_v1(status: ToolCallStatus) -> ToolCallStatus {
    if status == ToolCallStatus::Paused {
        ToolCallStatus::InProgress
    } else if status == ToolCallStatus::Cancelled {
        ToolCallStatus::Failed
    } else {
        status
    }
}

fn first_v1(tool: Tool) -> v1::ToolCall {
    let title = tool
        .title
        .or_else(|| tool.name.clone())
        .unwrap_or_else(|| tool.id.as_str().into());
    let mut call = v1::ToolCall::new(tool.id, title);
    call.name = tool.name;
    call.kind = tool.kind.unwrap_or_default();
    call.status = tool.status.map(status_v1).unwrap_or_default();
    call.content = contents_v1(tool.content.unwrap_or_default());
    call.locations = tool.locations.unwrap_or_default();
    call.raw_input = tool.input;
    call.raw_output = tool.output;
    call
}

/// The report as a patch of version 1; permission requests carry one too.
pub(crate) fn patch_v1(tool: Tool) -> v1::ToolCallUpdate {
    let mut update = v1::ToolCallUpdate::new(tool.id);
    update.title = tool.title;
    update.name = tool.name;
    update.kind = tool.kind;
    update.status = tool.status.map(status_v1);
    update.content = tool.content.map(contents_v1);
    update.locations = tool.locations;
    update.raw_input = tool.input;
    update.raw_output = tool.output;
    update
}

/// The report as a patch of version 2.
pub(crate) fn patch_v2(tool: Tool) -> v2::ToolCallUpdate {
    let mut update = v2::ToolCallUpdate::new(tool.id);
    update.title = said(tool.title);
    update.name = said(tool.name);
    update.kind = said(tool.kind);
    update.status = said(tool.status);
    update.content = said(tool.content.map(contents_v2));
    update.locations = said(tool.locations);
    update.raw_input = said(tool.input);
    update.raw_output = said(tool.output);
    update
}

fn said<T>(value: Option<T>) -> acp_vocab::Patch<T> {
    value.map_or(acp_vocab::Patch::Absent, acp_vocab::Patch::Value)
}

fn contents_v1(contents: Vec<ToolContent>) -> Vec<v1::ToolCallContent> {
    contents
        .into_iter()
        .map(|content| match content {
            ToolContent::Block(block) => {
                v1::ToolCallContent::Content(acp_vocab::Content::new(block))
            }
            ToolContent::Diff(change) => v1::ToolCallContent::Diff(change.v1()),
            ToolContent::Terminal(id) => {
                v1::ToolCallContent::Terminal(acp_vocab::Terminal::new(id))
            }
        })
        .collect()
}

fn contents_v2(contents: Vec<ToolContent>) -> Vec<v2::ToolCallContent> {
    contents
        .into_iter()
        .map(|content| match content {
            ToolContent::Block(block) => {
                v2::ToolCallContent::Content(acp_vocab::Content::new(block))
            }
            ToolContent::Diff(change) => v2::ToolCallContent::Diff(change.v2()),
            ToolContent::Terminal(id) => {
                v2::ToolCallContent::Terminal(acp_vocab::Terminal::new(id))
            }
        })
        .collect()
}
