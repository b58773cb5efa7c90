//! v2: what goes on beside the turns of a session, as the agent lists it (v2 section 6.3), and what a
//! question or a tool call is about, to tell whether it belongs there.

use std::collections::BTreeSet;

use acp_vocab::{BackgroundWork, SessionId, StateUpdate, TerminalId, ToolCallId};

use crate::tools::OVERHEAD;

/// The latest list.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    tools: BTreeSet<ToolCallId>,
    /// Work of a process is listed as its terminal only.
    terminals: BTreeSet<TerminalId>,
    children: BTreeSet<SessionId>,
}

impl Beside {
    /// The list of a state, as much of it as `bytes` allow; the rest counts as foreground. `None` when
    /// the state reports none.
    pub(crate) fn of(state: &StateUpdate, bytes: usize) -> Option<Self> {
        let list = match state {
            StateUpdate::Running(state) => state.background.as_ref(),
            StateUpdate::Idle(state) => state.background.as_ref(),
            StateUpdate::RequiresAction(state) => state.background.as_ref(),
            StateUpdate::Untracked(state) => state.background.as_ref(),
            StateUpdate::Unknown { .. } | _ => None,
        }?;
        let mut room = bytes;
        let mut fits = |id: &str| {
            let left = room.checked_sub(id.len() + OVERHEAD);
            room = left.unwrap_or(room);
            left.is_some()
        };
        let mut beside = Self::default();
        for work in list {
            match work {
                BackgroundWork::ToolCall(work) => {
                    let id = Some(&work.tool_call_id).filter(|id| fits(id.as_str()));
                    beside.tools.extend(id.cloned());
                }
                BackgroundWork::Terminal(work) => {
                    let id = Some(&work.terminal_id).filter(|id| fits(id.as_str()));
                    beside.terminals.extend(id.cloned());
                }
                BackgroundWork::Subagent(work) => {
                    let id = Some(&work.session_id).filter(|id| fits(id.as_str()));
                    beside.children.extend(id.cloned());
                }
                BackgroundWork::Unknown { .. } | _ => {}
            }
        }
        Some(beside)
    }

    /// Whether a tool call goes on: it is listed, or a terminal is in which it works.
    pub(crate) fn has_tool(&self, tool: &ToolCallId, terminals: &BTreeSet<TerminalId>) -> bool {
        self.tools.contains(tool) || !self.terminals.is_disjoint(terminals)
    }

    /// Whether what is asked about belongs here.
    pub(crate) fn has(&self, subject: &Subject) -> bool {
        let Subject {
            child,
            tool,
            terminals,
        } = subject;
        match child {
            // Ids of tool calls and terminals are its own.
            Some(child) => self.children.contains(child),
            None => {
                tool.as_ref().is_some_and(|tool| self.tools.contains(tool))
                    || !self.terminals.is_disjoint(terminals)
            }
        }
    }
}

/// What a question is about.
#[derive(Debug, Default)]
pub(crate) struct Subject {
    /// The child session that asks.
    pub(crate) child: Option<SessionId>,
    pub(crate) tool: Option<ToolCallId>,
    /// The terminals in which that works.
    pub(crate) terminals: BTreeSet<TerminalId>,
}
