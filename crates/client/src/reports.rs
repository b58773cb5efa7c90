//! What the agent reported of its tool calls, so that a permission request which names little more
//! than an id can be understood by a policy.

use acp_permission::{Request, ToolReports};
use acp_session::{Ask, ContentChange, Tool, ToolContent};
use acp_vocab::{Patch, SessionId, v1, v2};

/// The reports of the sessions of one connection; bounded where they are kept.
#[derive(Debug, Default)]
pub(crate) struct Reports(ToolReports);

impl Reports {
    /// Takes what an event said of a tool call.
    pub(crate) fn note(&mut self, session: &SessionId, tool: &Tool) {
        let update = v2::SessionUpdate::ToolCallUpdate(patch(tool).into());
        self.0.note_v2(session, &update);
        if let ContentChange::Append(content) = &tool.change.content
            && let ToolContent::Changes(diff) = &**content
        {
            let piece = v2::ToolCallContent::Diff(diff.clone());
            let chunk = v2::ToolCallContentChunk::new(tool.id.clone(), piece);
            self.0.note_v2(
                session,
                &v2::SessionUpdate::ToolCallContentChunk(chunk.into()),
            );
        }
        if let Some(diffs) = v1_diffs(tool) {
            let update = v1::SessionUpdate::ToolCallUpdate(diffs.into());
            self.0.note_v1(session, &update);
        }
    }

    /// The turn is over, and no request about its tool calls will come.
    pub(crate) fn forget(&mut self, session: &SessionId) {
        self.0.forget(session);
    }

    /// A permission request as a policy sees it.
    pub(crate) fn request(&mut self, ask: &Ask) -> Option<Request> {
        if let Ok(params) = acp_vocab::decode::<v1::RequestPermissionRequest>(&ask.params) {
            return Some(self.0.request_v1(&params));
        }
        let params = acp_vocab::decode::<v2::RequestPermissionRequest>(&ask.params).ok()?;
        Some(self.0.request_v2(&params))
    }
}

/// The change in the words of v2, which say all that v1 says but the texts of a diff.
fn patch(tool: &Tool) -> v2::ToolCallUpdate {
    let change = &tool.change;
    let mut update = v2::ToolCallUpdate::new(tool.id.clone());
    update.title = change.title.clone();
    update.name = change.name.clone();
    update.kind = change.kind.clone();
    update.raw_input = change.raw_input.clone();
    update.locations = change.locations.clone();
    if let ContentChange::Replace(list) = &change.content {
        let changes = list.iter().filter_map(|content| {
            if let ToolContent::Changes(diff) = content {
                Some(v2::ToolCallContent::Diff(diff.clone()))
            } else {
                None
            }
        });
        update.content = Patch::Value(changes.collect());
    }
    update
}

/// The paths of a v1 diff, without its texts.
fn v1_diffs(tool: &Tool) -> Option<v1::ToolCallUpdate> {
    let ContentChange::Replace(list) = &tool.change.content else {
        return None;
    };
    let diffs = list.iter().filter_map(|content| {
        if let ToolContent::Diff(diff) = content {
            Some(v1::ToolCallContent::Diff(v1::Diff::new(
                diff.path.clone(),
                "",
            )))
        } else {
            None
        }
    });
    let diffs: Vec<_> = diffs.collect();
    if diffs.is_empty() {
        return None;
    }
    let mut update = v1::ToolCallUpdate::new(tool.id.clone());
    update.content = Some(diffs);
    Some(update)
}
