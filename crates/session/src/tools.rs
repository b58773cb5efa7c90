//! What is known of a session's tool calls: enough to complete an update that names only what
//! changed, and to know which are open when a turn ends.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use acp_vocab::{Patch, SessionId, TerminalId, ToolCallId, ToolCallStatus, ToolKind};

use crate::beside::Beside;
use crate::config::Limits;
use crate::tool::{ContentChange, Tool, ToolChange, ToolContent, ToolUpdate, is_final};

#[derive(Debug, Default)]
struct Known {
    title: Option<Arc<str>>,
    name: Option<Arc<str>>,
    kind: ToolKind,
    status: ToolCallStatus,
    /// The terminals in its output.
    terminals: BTreeSet<TerminalId>,
}

/// A tool call and the child session that it belongs to: each session has ids of its own.
type Place = (Option<SessionId>, ToolCallId);

/// How many terminals of one tool call are remembered, and how long their ids may be: an agent may
/// add one after the other to the call at hand, which is not forgotten.
const TERMINALS: usize = 64;
const LONGEST: usize = 1024;

/// What is known costs more than its texts.
pub(crate) const OVERHEAD: usize = 256;

impl Known {
    /// A word of the protocol weighs nothing of its own, so that closing a call never adds weight.
    fn weight(&self, (child, id): &Place) -> usize {
        let text = |text: &Option<Arc<str>>| text.as_ref().map_or(0, |text| text.len());
        let kind = if let ToolKind::Other(word) = &self.kind {
            word.len()
        } else {
            0
        };
        let status = if let ToolCallStatus::Other(word) = &self.status {
            word.len()
        } else {
            0
        };
        let terminals = |id: &TerminalId| OVERHEAD + id.as_str().len();
        let terminals: usize = self.terminals.iter().map(terminals).sum();
        let child = child.as_ref().map_or(0, |child| child.as_str().len());
        let texts = text(&self.title) + text(&self.name) + kind + status;
        OVERHEAD + child + id.as_str().len() + texts + terminals
    }

    fn apply(&mut self, change: &ToolChange) {
        fn text(text: &str) -> Arc<str> {
            text.into()
        }
        change
            .title
            .as_ref()
            .map(|title| text(title))
            .apply_to(&mut self.title);
        change
            .name
            .as_ref()
            .map(|name| text(name))
            .apply_to(&mut self.name);
        if matches!(change.content, ContentChange::Replace(_)) {
            self.terminals.clear();
        }
        for piece in change.content.pieces() {
            if let ToolContent::Terminal(terminal) = piece
                && self.terminals.len() < TERMINALS
                && terminal.as_str().len() <= LONGEST
            {
                self.terminals.insert(terminal.clone());
            }
        }
        match &change.kind {
            Patch::Absent => {}
            Patch::Null => self.kind = ToolKind::default(),
            Patch::Value(kind) => self.kind = kind.clone(),
        }
        match &change.status {
            Patch::Absent => {}
            Patch::Null => self.status = ToolCallStatus::default(),
            Patch::Value(status) => self.status = status.clone(),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Tools {
    known: BTreeMap<Place, Known>,
    /// In order of appearance, for forgetting the oldest.
    order: VecDeque<Place>,
    /// What all that is known weighs.
    bytes: usize,
}

impl Tools {
    /// Applies a change, creating the call when it is new. Beyond the bounds (so many calls, so
    /// many bytes) the oldest are forgotten: a later update to them looks like a new call.
    pub(crate) fn apply(
        &mut self,
        child: Option<&SessionId>,
        update: ToolUpdate,
        limits: &Limits,
    ) -> Tool {
        let ToolUpdate { id, change } = update;
        let place = (child.cloned(), id.clone());
        let created = !self.known.contains_key(&place);
        if created {
            self.order.push_back(place.clone());
        }
        let known = self.known.entry(place.clone()).or_default();
        let before = if created { 0 } else { known.weight(&place) };
        known.apply(&change);
        self.bytes = self.bytes - before + known.weight(&place);
        let title = known.title.as_ref().filter(|title| !title.is_empty());
        let title = title.or(known.name.as_ref()).cloned();
        let tool = Tool {
            title: title.unwrap_or_else(|| id.as_str().into()),
            kind: known.kind.clone(),
            status: known.status.clone(),
            id,
            created,
            change,
        };
        self.forget_oldest(&place, limits);
        tool
    }

    /// The terminals in the output of a tool call of the session itself.
    pub(crate) fn terminals(&self, tool: &ToolCallId) -> impl Iterator<Item = TerminalId> {
        let known = self.known.get(&(None, tool.clone()));
        known
            .into_iter()
            .flat_map(|known| known.terminals.iter().cloned())
    }

    /// The call at hand stays, however much it says of itself.
    fn forget_oldest(&mut self, at_hand: &Place, limits: &Limits) {
        while self.order.len() > 1
            && (self.order.len() > limits.tool_calls || self.bytes > limits.tool_bytes)
        {
            let Some(oldest) = self.order.pop_front() else {
                return;
            };
            if oldest == *at_hand {
                self.order.push_back(oldest);
            } else if let Some(known) = self.known.remove(&oldest) {
                self.bytes -= known.weight(&oldest);
            }
        }
    }

    /// Closes what is open at the end of a turn and says which those were, oldest first. What goes on
    /// beside it does, and what child sessions do is no part of it.
    pub(crate) fn close_open(&mut self, beside: &Beside) -> Vec<ToolCallId> {
        let mut closed = Vec::new();
        for place in self.order.iter().filter(|(child, _)| child.is_none()) {
            if let Some(known) = self.known.get_mut(place)
                && !is_final(&known.status)
                && !beside.has_tool(&place.1, &known.terminals)
            {
                self.bytes -= known.weight(place);
                known.status = ToolCallStatus::Cancelled;
                self.bytes += known.weight(place);
                closed.push(place.1.clone());
            }
        }
        closed
    }
}

#[cfg(test)]
mod tests;
