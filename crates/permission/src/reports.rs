//! The reports of all tool calls of a connection, within bounds.

use std::collections::{BTreeMap, VecDeque};

use acp_vocab::{
    SessionId, ToolCallId,
    v1::{self, SessionUpdate as V1Update},
    v2::{self, SessionUpdate as V2Update},
};

use crate::{Request, tool::ToolReport};

/// Most tool calls that are kept; beyond that the oldest is forgotten.
pub const MAX_TOOL_REPORTS: usize = 4096;

/// Most bytes that are kept of all tool calls together; beyond that the oldest are forgotten. One that is larger is kept alone.
pub const MAX_REPORTED_BYTES: usize = 8 * 1024 * 1024;

/// The tool calls that sessions reported, so that a request which says little can be understood.
///
/// Once something had to be forgotten, a request about a call that is not known counts as reaching elsewhere:
/// what is not known must not make it look harmless.
#[derive(Clone, Debug, Default)]
pub struct ToolReports {
    reports: BTreeMap<Key, ToolReport>,
    /// The keys of `reports`, oldest first.
    order: VecDeque<Key>,
    bytes: usize,
    has_forgotten: bool,
}

type Key = (SessionId, ToolCallId);

impl ToolReports {
    /// Nothing reported yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a v1 update of `session`; those that are not about tool calls are not kept.
    pub fn note_v1(&mut self, session: &SessionId, update: &V1Update) {
        if let V1Update::ToolCall(call) = update {
            self.change(session, &call.tool_call_id, |report| {
                report.apply_call(call);
            });
        } else if let V1Update::ToolCallUpdate(update) = update {
            self.change(session, &update.tool_call_id, |report| {
                report.apply_v1(update);
            });
        }
    }

    /// Takes a v2 update of `session`; those that are not about tool calls are not kept.
    pub fn note_v2(&mut self, session: &SessionId, update: &V2Update) {
        if let V2Update::ToolCallUpdate(update) = update {
            self.change(session, &update.tool_call_id, |report| {
                report.apply_v2(update);
            });
        } else if let V2Update::ToolCallContentChunk(chunk) = update {
            self.change(session, &chunk.tool_call_id, |report| {
                report.apply_chunk(chunk);
            });
        }
    }

    /// What was reported of a tool call.
    #[must_use]
    pub fn find(&self, session: &SessionId, call: &ToolCallId) -> Option<&ToolReport> {
        self.reports.get(&(session.clone(), call.clone()))
    }

    /// Bytes that are kept, roughly.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Forgets what a session reported, because nothing more will be asked about it.
    pub fn forget(&mut self, session: &SessionId) {
        self.reports.retain(|(of, _), _| of != session);
        self.order.retain(|(of, _)| of != session);
        self.bytes = self
            .reports
            .iter()
            .map(|(key, report)| weight(key, report))
            .sum();
    }

    /// The request of v1 params, its patch laid over what was reported, and kept.
    pub fn request_v1(&mut self, params: &v1::RequestPermissionRequest) -> Request {
        let (session, call) = (&params.session_id, &params.tool_call);
        let is_lost = self.is_lost(session, &call.tool_call_id);
        self.change(session, &call.tool_call_id, |report| report.apply_v1(call));
        let request = Request::of_v1(params, self.find(session, &call.tool_call_id));
        elsewhere_if(is_lost, request)
    }

    /// The request of v2 params, the patch of its subject laid over what was reported, and kept.
    pub fn request_v2(&mut self, params: &v2::RequestPermissionRequest) -> Request {
        let subject = match &params.subject {
            Some(v2::RequestPermissionSubject::ToolCall(subject)) => subject,
            Some(v2::RequestPermissionSubject::Command(subject)) => {
                let call = subject.tool_call_id.as_ref();
                let report = call.and_then(|call| self.find(&params.session_id, call));
                return Request::of_v2(params, report);
            }
            Some(_) | None => return Request::of_v2(params, None),
        };
        let (session, call) = (&params.session_id, &subject.tool_call);
        let is_lost = self.is_lost(session, &call.tool_call_id);
        self.change(session, &call.tool_call_id, |report| report.apply_v2(call));
        let request = Request::of_v2(params, self.find(session, &call.tool_call_id));
        elsewhere_if(is_lost, request)
    }

    fn is_lost(&self, session: &SessionId, call: &ToolCallId) -> bool {
        self.has_forgotten && self.find(session, call).is_none()
    }

    /// Changes a report and makes room for it.
    fn change(
        &mut self,
        session: &SessionId,
        call: &ToolCallId,
        apply: impl FnOnce(&mut ToolReport),
    ) {
        let key = (session.clone(), call.clone());
        let before = self.reports.get(&key).map(|report| weight(&key, report));
        if before.is_none() {
            self.order.push_back(key.clone());
        }
        let report = self.reports.entry(key.clone()).or_default();
        apply(report);
        self.bytes = (self.bytes + weight(&key, report)).saturating_sub(before.unwrap_or_default());
        self.make_room(&key);
    }

    /// Forgets the oldest reports until the rest fits, and never the one at hand.
    fn make_room(&mut self, at_hand: &Key) {
        while self.order.len() > MAX_TOOL_REPORTS
            || (self.bytes > MAX_REPORTED_BYTES && self.order.len() > 1)
        {
            let Some(oldest) = self.order.pop_front() else {
                return;
            };
            if oldest == *at_hand {
                self.order.push_back(oldest);
                continue;
            }
            if let Some(report) = self.reports.remove(&oldest) {
                self.bytes = self.bytes.saturating_sub(weight(&oldest, &report));
            }
            self.has_forgotten = true;
        }
    }
}

/// What a report holds, under an id that is as long as its agent likes.
fn weight((_, call): &Key, report: &ToolReport) -> usize {
    call.as_str().len() + report.size()
}

fn elsewhere_if(is_lost: bool, request: Request) -> Request {
    if is_lost {
        request.reaching_elsewhere()
    } else {
        request
    }
}
