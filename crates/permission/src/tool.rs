//! What is known of a tool call: what its reports said, one laid over the other.
//!
//! A permission request carries a patch of its tool call. Some agents say everything in it, some (Vibe) only the id, some never announced the call at all;
//! so the patch is laid over what was reported before, whichever came first.

use std::collections::{BTreeMap, VecDeque};

use acp_vocab::{
    Patch, Raw, SessionId, ToolCallId, ToolCallLocation,
    v1::{self, SessionUpdate as V1Update},
    v2::{self, SessionUpdate as V2Update},
};

use crate::{Kind, Request};

/// What the reports of one tool call said so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolReport {
    title: Option<Box<str>>,
    name: Option<Box<str>>,
    kind: Option<Kind>,
    input: Option<Raw>,
    locations: Vec<Box<str>>,
    diffs: Option<Diffs>,
}

impl ToolReport {
    /// Lays a v1 `tool_call` over it.
    pub fn apply_call(&mut self, call: &v1::ToolCall) {
        *self = Self {
            title: Some(call.title.clone()),
            name: call.name.clone(),
            kind: Some(Kind::of(call.kind.as_str())),
            input: call.raw_input.clone(),
            locations: paths(&call.locations),
            diffs: v1_diffs(&call.content),
        };
    }

    /// Lays a v1 patch over it: what is absent keeps what was known.
    pub fn apply_v1(&mut self, update: &v1::ToolCallUpdate) {
        set(&mut self.title, update.title.as_ref());
        set(&mut self.name, update.name.as_ref());
        set(
            &mut self.kind,
            update
                .kind
                .as_ref()
                .map(|kind| Kind::of(kind.as_str()))
                .as_ref(),
        );
        set(&mut self.input, update.raw_input.as_ref());
        if let Some(locations) = &update.locations {
            self.locations = paths(locations);
        }
        if let Some(content) = &update.content {
            self.diffs = v1_diffs(content);
        }
    }

    /// Lays a v2 patch over it: what is absent keeps what was known, null clears it.
    pub fn apply_v2(&mut self, update: &v2::ToolCallUpdate) {
        patch(&mut self.title, &update.title);
        patch(&mut self.name, &update.name);
        patch(&mut self.input, &update.raw_input);
        match &update.kind {
            Patch::Absent => {}
            Patch::Null => self.kind = None,
            Patch::Value(kind) => self.kind = Some(Kind::of(kind.as_str())),
        }
        match &update.locations {
            Patch::Absent => {}
            Patch::Null => self.locations.clear(),
            Patch::Value(locations) => self.locations = paths(locations),
        }
        match &update.content {
            Patch::Absent => {}
            Patch::Null => self.diffs = None,
            Patch::Value(content) => self.diffs = v2_diffs(content),
        }
    }

    /// Puts what is known into a request.
    pub(crate) fn describe(&self, mut request: Request) -> Request {
        if let Some(title) = &self.title {
            request = request.calling(title);
        }
        if let Some(kind) = &self.kind {
            request = request.of_kind(kind.clone());
        }
        if let Some(input) = &self.input {
            request = request.with_input(input);
        }
        if let Some(name) = &self.name {
            request = request.named(name);
        }
        for path in &self.locations {
            request.add_path(path);
        }
        if let Some(diffs) = &self.diffs {
            request = request.with_diff();
            for path in &diffs.paths {
                request.add_path(path);
            }
            if diffs.elsewhere {
                request = request.reaching_elsewhere();
            }
        }
        request
    }
}

fn set<T: Clone>(known: &mut Option<T>, said: Option<&T>) {
    if let Some(said) = said {
        *known = Some(said.clone());
    }
}

fn patch<T: Clone>(known: &mut Option<T>, said: &Patch<T>) {
    match said {
        Patch::Absent => {}
        Patch::Null => *known = None,
        Patch::Value(value) => *known = Some(value.clone()),
    }
}

fn paths(locations: &[ToolCallLocation]) -> Vec<Box<str>> {
    locations
        .iter()
        .map(|location| location.path.clone())
        .collect()
}

/// What the diffs of a call touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Diffs {
    paths: Vec<Box<str>>,
    /// There is a change of a sort that is not known, so where it happens is not known either.
    elsewhere: bool,
}

/// `None` when there is no diff.
fn v1_diffs(content: &[v1::ToolCallContent]) -> Option<Diffs> {
    let mut diffs: Option<Diffs> = None;
    for item in content {
        if let v1::ToolCallContent::Diff(diff) = item {
            diffs.get_or_insert_default().paths.push(diff.path.clone());
        }
    }
    diffs
}

fn v2_diffs(content: &[v2::ToolCallContent]) -> Option<Diffs> {
    use v2::DiffOperation as Operation;
    let mut diffs: Option<Diffs> = None;
    for item in content {
        let v2::ToolCallContent::Diff(diff) = item else {
            continue;
        };
        let diffs = diffs.get_or_insert_default();
        for change in &diff.changes {
            match &change.operation {
                Operation::Add(one) | Operation::Delete(one) | Operation::Modify(one) => {
                    diffs.paths.push(one.path.clone());
                }
                Operation::Move(two) | Operation::Copy(two) => {
                    diffs.paths.extend([two.old_path.clone(), two.path.clone()]);
                }
                Operation::Unknown { .. } | _ => diffs.elsewhere = true,
            }
        }
    }
    diffs
}

/// Most tool calls that are kept; beyond that the oldest is forgotten.
pub const MAX_TOOL_REPORTS: usize = 4096;

/// The tool calls that sessions reported, so that a request which says little can be understood.
#[derive(Clone, Debug, Default)]
pub struct ToolReports {
    reports: BTreeMap<(SessionId, ToolCallId), ToolReport>,
    order: VecDeque<(SessionId, ToolCallId)>,
}

impl ToolReports {
    /// Nothing reported yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a v1 update of `session`; those that are not about tool calls are not kept.
    pub fn note_v1(&mut self, session: &SessionId, update: &V1Update) {
        if let V1Update::ToolCall(call) = update {
            self.report(session, &call.tool_call_id).apply_call(call);
        } else if let V1Update::ToolCallUpdate(update) = update {
            self.report(session, &update.tool_call_id).apply_v1(update);
        }
    }

    /// Takes a v2 update of `session`; those that are not about tool calls are not kept.
    pub fn note_v2(&mut self, session: &SessionId, update: &V2Update) {
        if let V2Update::ToolCallUpdate(update) = update {
            self.report(session, &update.tool_call_id).apply_v2(update);
        }
    }

    /// What was reported of a tool call.
    #[must_use]
    pub fn find(&self, session: &SessionId, call: &ToolCallId) -> Option<&ToolReport> {
        self.reports.get(&(session.clone(), call.clone()))
    }

    /// Forgets what a session reported.
    pub fn forget(&mut self, session: &SessionId) {
        self.reports.retain(|(of, _), _| of != session);
        self.order.retain(|(of, _)| of != session);
    }

    /// The request of v1 params, its patch laid over what was reported, and kept.
    pub fn request_v1(&mut self, params: &v1::RequestPermissionRequest) -> Request {
        let report = self.report(&params.session_id, &params.tool_call.tool_call_id);
        report.apply_v1(&params.tool_call);
        Request::of_v1(params, report)
    }

    /// The request of v2 params, the patch of its subject laid over what was reported, and kept.
    pub fn request_v2(&mut self, params: &v2::RequestPermissionRequest) -> Request {
        let mut report = ToolReport::default();
        if let Some(v2::RequestPermissionSubject::ToolCall(subject)) = &params.subject {
            let known = self.report(&params.session_id, &subject.tool_call.tool_call_id);
            known.apply_v2(&subject.tool_call);
            report = known.clone();
        }
        Request::of_v2(params, &report)
    }

    fn report(&mut self, session: &SessionId, call: &ToolCallId) -> &mut ToolReport {
        let key = (session.clone(), call.clone());
        if !self.reports.contains_key(&key) {
            self.order.push_back(key.clone());
            if self.order.len() > MAX_TOOL_REPORTS
                && let Some(oldest) = self.order.pop_front()
            {
                self.reports.remove(&oldest);
            }
        }
        self.reports.entry(key).or_default()
    }
}
