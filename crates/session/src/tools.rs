//! What is known of a session's tool calls: enough to complete an update that names only what
//! changed, and to know which are open when a turn ends.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use acp_vocab::{Patch, ToolCallId, ToolCallStatus, ToolKind};

use crate::tool::{Tool, ToolUpdate, is_final};

#[derive(Debug, Default)]
struct Known {
    title: Option<Arc<str>>,
    name: Option<Arc<str>>,
    kind: ToolKind,
    status: ToolCallStatus,
}

#[derive(Debug, Default)]
pub(crate) struct Tools {
    known: BTreeMap<ToolCallId, Known>,
    /// In order of appearance, for forgetting the oldest.
    order: VecDeque<ToolCallId>,
}

impl Tools {
    /// Applies a change, creating the call when it is new. Beyond `limit` calls the oldest is
    /// forgotten: a later update to it looks like a new call.
    pub(crate) fn apply(&mut self, update: ToolUpdate, limit: usize) -> Tool {
        let ToolUpdate { id, change } = update;
        let created = !self.known.contains_key(&id);
        if created {
            while self.order.len() >= limit.max(1) {
                if let Some(oldest) = self.order.pop_front() {
                    self.known.remove(&oldest);
                }
            }
            self.order.push_back(id.clone());
        }
        let known = self.known.entry(id.clone()).or_default();
        fn text(text: &str) -> Arc<str> {
            text.into()
        }
        change
            .title
            .as_ref()
            .map(|title| text(title))
            .apply_to(&mut known.title);
        change
            .name
            .as_ref()
            .map(|name| text(name))
            .apply_to(&mut known.name);
        match &change.kind {
            Patch::Absent => {}
            Patch::Null => known.kind = ToolKind::default(),
            Patch::Value(kind) => known.kind = kind.clone(),
        }
        match &change.status {
            Patch::Absent => {}
            Patch::Null => known.status = ToolCallStatus::default(),
            Patch::Value(status) => known.status = status.clone(),
        }
        let title = known.title.as_ref().filter(|title| !title.is_empty());
        let title = title.or(known.name.as_ref()).cloned();
        Tool {
            title: title.unwrap_or_else(|| id.as_str().into()),
            kind: known.kind.clone(),
            status: known.status.clone(),
            id,
            created,
            change,
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
                known.status = ToolCallStatus::Cancelled;
                closed.push(id.clone());
            }
        }
        closed
    }
}
