//! What is known of a session's tool calls: enough to complete an update that names only what
//! changed, and to know which are open when a turn ends.

use std::collections::{BTreeMap, VecDeque};

use acp_vocab::ToolCallId;

use crate::event::ToolStatus;

/// The state of one tool call that later updates build on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) title: std::sync::Arc<str>,
    pub(crate) status: ToolStatus,
    /// v2: whether the agent lists it among its background work, which a turn's end does not end.
    pub(crate) background: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Tools {
    known: BTreeMap<ToolCallId, Known>,
    /// In order of appearance, for forgetting the oldest.
    order: VecDeque<ToolCallId>,
}

impl Tools {
    /// The state of a tool call, created when it is new; says whether it was. Beyond `limit` the
    /// oldest is forgotten: a later update to it looks like a new call.
    pub(crate) fn upsert(&mut self, id: &ToolCallId, limit: usize) -> (bool, &mut Known) {
        let created = !self.known.contains_key(id);
        if created {
            while self.order.len() >= limit.max(1) {
                if let Some(oldest) = self.order.pop_front() {
                    self.known.remove(&oldest);
                }
            }
            self.order.push_back(id.clone());
        }
        let known = self.known.entry(id.clone()).or_insert_with(|| Known {
            title: "".into(),
            status: ToolStatus::default(),
            background: false,
        });
        (created, known)
    }

    /// Closes what is open at the end of a turn and says which those were, oldest first.
    pub(crate) fn close_open(&mut self) -> Vec<ToolCallId> {
        let mut closed = Vec::new();
        for id in &self.order {
            if let Some(known) = self.known.get_mut(id)
                && !known.status.is_final()
                && !known.background
            {
                known.status = ToolStatus::Cancelled;
                closed.push(id.clone());
            }
        }
        closed
    }
}
