//! What is known of a session's tool calls: enough to complete an update that names only what
//! changed, and to know which are open when a turn ends.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use acp_vocab::{Patch, ToolCallId, ToolCallStatus, ToolKind};

use crate::config::Limits;
use crate::tool::{Tool, ToolChange, ToolUpdate, is_final};

#[derive(Debug, Default)]
struct Known {
    title: Option<Arc<str>>,
    name: Option<Arc<str>>,
    kind: ToolKind,
    status: ToolCallStatus,
}

/// What is known costs more than its texts.
pub(crate) const OVERHEAD: usize = 256;

impl Known {
    /// A word of the protocol weighs nothing of its own, so that closing a call never adds weight.
    fn weight(&self, id: &ToolCallId) -> usize {
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
        OVERHEAD + id.as_str().len() + text(&self.title) + text(&self.name) + kind + status
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
    known: BTreeMap<ToolCallId, Known>,
    /// In order of appearance, for forgetting the oldest.
    order: VecDeque<ToolCallId>,
    /// What all that is known weighs.
    bytes: usize,
}

impl Tools {
    /// Applies a change, creating the call when it is new. Beyond the bounds (so many calls, so
    /// many bytes) the oldest are forgotten: a later update to them looks like a new call.
    pub(crate) fn apply(&mut self, update: ToolUpdate, limits: &Limits) -> Tool {
        let ToolUpdate { id, change } = update;
        let created = !self.known.contains_key(&id);
        if created {
            self.order.push_back(id.clone());
        }
        let known = self.known.entry(id.clone()).or_default();
        let before = if created { 0 } else { known.weight(&id) };
        known.apply(&change);
        self.bytes = self.bytes - before + known.weight(&id);
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
        self.forget_oldest(&tool.id, limits);
        tool
    }

    /// The call at hand stays, however much it says of itself.
    fn forget_oldest(&mut self, at_hand: &ToolCallId, limits: &Limits) {
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

    /// Closes what is open at the end of a turn and says which those were, oldest first. What
    /// the agent lists as `background` goes on.
    pub(crate) fn close_open(&mut self, background: &BTreeSet<ToolCallId>) -> Vec<ToolCallId> {
        let mut closed = Vec::new();
        for id in &self.order {
            if let Some(known) = self.known.get_mut(id)
                && !is_final(&known.status)
                && !background.contains(id)
            {
                self.bytes -= known.weight(id);
                known.status = ToolCallStatus::Cancelled;
                self.bytes += known.weight(id);
                closed.push(id.clone());
            }
        }
        closed
    }
}

#[cfg(test)]
mod tests;
