//! What the agent reported of its tool calls, so that a permission request which names little more
//! than an id can be understood by a policy.

use acp_permission::{Request, ToolReports};
use acp_session::{Ask, ContentChange, Tool, ToolContent};
use acp_vocab::{Patch, SessionId, v1, v2};

/// Bytes of raw input that are kept. Beyond it everything is forgotten, and requests have to speak
/// for themselves: a policy then sees less, and so allows less.
const BOUND: usize = 8 * 1024 * 1024;

/// The reports of the sessions of one connection.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    reports: ToolReports,
    bytes: usize,
}

impl Reports {
    /// Takes what an event said of a tool call.
    pub(crate) fn note(&mut self, session: &SessionId, tool: &Tool) {
        self.bytes += weight(tool);
        if self.bytes > BOUND {
            *self = Self::default();
            self.bytes = weight(tool);
        }
        if speaks_v2(tool) {
            let update = v2::SessionUpdate::ToolCallUpdate(patch_v2(tool).into());
            self.reports.note_v2(session, &update);
        } else {
            let update = v1::SessionUpdate::ToolCallUpdate(patch_v1(tool).into());
            self.reports.note_v1(session, &update);
        }
    }

    /// The turn is over, and no request about its tool calls will come.
    pub(crate) fn forget(&mut self, session: &SessionId) {
        self.reports.forget(session);
        self.bytes = 0;
    }

    /// A permission request as a policy sees it.
    pub(crate) fn request(&mut self, ask: &Ask) -> Option<Request> {
        if let Ok(params) = acp_vocab::decode::<v1::RequestPermissionRequest>(&ask.params) {
            return Some(self.reports.request_v1(&params));
        }
        let params = acp_vocab::decode::<v2::RequestPermissionRequest>(&ask.params).ok()?;
        Some(self.reports.request_v2(&params))
    }
}

fn weight(tool: &Tool) -> usize {
    let input = match &tool.change.raw_input {
        Patch::Value(raw) => raw.get().len(),
        Patch::Absent | Patch::Null => 0,
    };
    let locations = match &tool.change.locations {
        Patch::Value(list) => list.iter().map(|location| location.path.len() + 64).sum(),
        Patch::Absent | Patch::Null => 0,
    };
    input + locations + tool.title.len() + 256
}

/// Only v2 clears by null and has changes of several files at once.
fn speaks_v2(tool: &Tool) -> bool {
    let change = &tool.change;
    let changes = |content: &ToolContent| matches!(content, ToolContent::Changes(_));
    let content = match &change.content {
        ContentChange::Replace(list) => list.iter().any(changes),
        ContentChange::Append(_) => true,
        ContentChange::Keep | _ => false,
    };
    let cleared = matches!(change.title, Patch::Null)
        || matches!(change.kind, Patch::Null)
        || matches!(change.raw_input, Patch::Null)
        || matches!(change.locations, Patch::Null);
    content || cleared
}

fn patch_v1(tool: &Tool) -> v1::ToolCallUpdate {
    let change = &tool.change;
    let mut update = v1::ToolCallUpdate::new(tool.id.clone());
    update.title = value(&change.title);
    update.name = value(&change.name);
    update.kind = value(&change.kind);
    update.raw_input = value(&change.raw_input);
    update.locations = value(&change.locations);
    if let ContentChange::Replace(list) = &change.content {
        let diffs = list.iter().filter_map(|content| match content {
            ToolContent::Diff(diff) => {
                let mut path = v1::Diff::new(diff.path.clone(), "");
                path.meta = None;
                Some(v1::ToolCallContent::Diff(path.into()))
            }
            _ => None,
        });
        update.content = Some(diffs.collect());
    }
    update
}

fn patch_v2(tool: &Tool) -> v2::ToolCallUpdate {
    let change = &tool.change;
    let mut update = v2::ToolCallUpdate::new(tool.id.clone());
    update.title = change.title.clone();
    update.name = change.name.clone();
    update.kind = change.kind.clone();
    update.raw_input = change.raw_input.clone();
    update.locations = change.locations.clone();
    let changes = |content: &ToolContent| match content {
        ToolContent::Changes(diff) => Some(v2::ToolCallContent::Diff(diff.clone().into())),
        _ => None,
    };
    match &change.content {
        ContentChange::Replace(list) => {
            update.content = Patch::Value(list.iter().filter_map(changes).collect());
        }
        ContentChange::Append(content) => {
            if let Some(diff) = changes(content) {
                update.content = Patch::Value(vec![diff]);
            }
        }
        ContentChange::Keep | _ => {}
    }
    update
}

fn value<T: Clone>(patch: &Patch<T>) -> Option<T> {
    match patch {
        Patch::Value(value) => Some(value.clone()),
        Patch::Absent | Patch::Null => None,
    }
}
