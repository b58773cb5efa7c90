//! The record of a decision: what was asked, who decided, why, and what was answered.

use std::{
    borrow::Cow,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use acp_vocab::{PermissionOptionId, PermissionOptionKind, RequestId, SessionId, ToolCallId};
use serde::{Serialize, Serializer};

use crate::{Answer, Decision, Kind, Note, Outcome, Policy, Request, Verdict, pick};

/// Longest text of the agent in a record, in bytes; what is longer is cut and ends in `…`.
pub const MAX_RECORDED_TEXT: usize = 4096;

/// Most paths in a record.
pub const MAX_RECORDED_PATHS: usize = 64;

/// The outcome of a request that ended before anybody decided.
pub const WITHDRAWN: &str = "withdrawn";

/// One decision, for a log of JSON lines. `v` is the layout's version, 1.
///
/// It quotes the agent (title, command, paths), so it may hold secrets; ids and quoted text are written as JSON, so no line of it can be forged by the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Record {
    /// The layout's version: 1.
    pub v: u32,
    /// Milliseconds since a moment that the caller chose, if it gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_ms: Option<u64>,
    /// The session that asked.
    pub session: SessionId,
    /// The id of the agent's request, if the caller gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<RequestId>,
    /// The tool call that the request is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call: Option<ToolCallId>,
    /// The tool's programmatic name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<Box<str>>,
    /// The kind that the agent stated.
    pub kind: Kind,
    /// Display text.
    pub title: Box<str>,
    /// The command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Box<str>>,
    /// The paths, at most [`MAX_RECORDED_PATHS`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<Box<str>>,
    /// The MCP tool, as `server/tool`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp: Option<Box<str>>,
    /// The kinds of the options that were offered, in order.
    #[serde(serialize_with = "kinds")]
    pub offered: Vec<PermissionOptionKind>,
    /// What was decided.
    pub decision: Decision,
    /// Who decided.
    pub by: Box<str>,
    /// Why.
    pub why: Box<str>,
    /// `selected`, `cancelled`, [`withdrawn`](WITHDRAWN) where it ended by itself, or `pending` where somebody still has to be asked.
    pub outcome: &'static str,
    /// The option that was selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub option: Option<PermissionOptionId>,
    /// Its kind.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "maybe_kind")]
    pub option_kind: Option<PermissionOptionKind>,
    /// Whether the agent may go on.
    pub approved: bool,
    /// Where the answer is not simply what was decided, why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Note>,
}

impl Record {
    /// The record of a request that has been answered.
    #[must_use]
    pub fn answered(request: &Request, verdict: &Verdict, answer: &Answer) -> Self {
        let outcome = match answer.outcome {
            Outcome::Selected { .. } => "selected",
            Outcome::Cancelled => "cancelled",
        };
        Self {
            outcome,
            option: answer.option_id().cloned(),
            option_kind: answer.option_kind().cloned(),
            approved: answer.approves(),
            note: answer.note,
            ..Self::asked(request, verdict)
        }
    }

    /// The record of a request that is left to somebody else.
    #[must_use]
    pub fn asked(request: &Request, verdict: &Verdict) -> Self {
        Self {
            v: 1,
            t_ms: None,
            session: request.session().clone(),
            request: None,
            tool_call: request.tool_call().cloned(),
            tool: request.tool_name().map(clipped),
            kind: request.kind().clone(),
            title: clipped(request.title()),
            command: request.command().map(|command| clipped(command.text())),
            paths: request
                .paths()
                .take(MAX_RECORDED_PATHS)
                .map(clipped)
                .collect(),
            mcp: request
                .mcp()
                .map(|mcp| clipped(&format!("{}/{}", mcp.server, mcp.tool))),
            offered: request
                .options()
                .iter()
                .map(|option| option.kind.clone())
                .collect(),
            decision: verdict.decision.clone(),
            by: verdict.by.as_ref().into(),
            why: verdict.why.as_ref().into(),
            outcome: "pending",
            option: None,
            option_kind: None,
            approved: false,
            note: None,
        }
    }

    /// The record of a request that ended before anybody decided: `by` settled it, because of `why`. Nothing was approved and nothing refused.
    #[must_use]
    pub fn withdrawn(
        request: &Request,
        by: impl Into<Cow<'static, str>>,
        why: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            outcome: WITHDRAWN,
            ..Self::asked(request, &Verdict::new(Decision::Cancel, by, why))
        }
    }

    /// With the time since a moment that the caller chose.
    #[must_use]
    pub fn at(mut self, since: Duration) -> Self {
        self.t_ms = Some(u64::try_from(since.as_millis()).unwrap_or(u64::MAX));
        self
    }

    /// With the id of the agent's request.
    #[must_use]
    pub fn of_request(mut self, id: RequestId) -> Self {
        self.request = Some(id);
        self
    }

    /// The record as one line of JSON, with its newline.
    #[must_use]
    #[expect(
        clippy::missing_panics_doc,
        reason = "texts, numbers and flags under fixed names always encode"
    )]
    pub fn to_line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("a record always encodes");
        line.push('\n');
        line
    }
}

fn clipped(text: &str) -> Box<str> {
    if text.len() <= MAX_RECORDED_TEXT {
        return text.into();
    }
    let end = (0..=MAX_RECORDED_TEXT)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or_default();
    format!("{}…", text.get(..end).unwrap_or_default()).into()
}

fn kinds<S: Serializer>(kinds: &[PermissionOptionKind], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(kinds)
}

#[expect(clippy::ref_option, reason = "serde hands the field over like this")]
fn maybe_kind<S: Serializer>(
    kind: &Option<PermissionOptionKind>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    kind.serialize(serializer)
}

/// Where records go.
pub trait Audit {
    /// Takes one record.
    fn record(&mut self, record: Record);
}

impl Audit for Vec<Record> {
    fn record(&mut self, record: Record) {
        self.push(record);
    }
}

impl<A: Audit + ?Sized> Audit for &mut A {
    fn record(&mut self, record: Record) {
        (**self).record(record);
    }
}

/// A policy whose every decision is recorded. Made by [`Policy::recorded`].
#[derive(Debug)]
pub struct Recorded<P, A> {
    policy: P,
    audit: Mutex<A>,
}

impl<P, A: Audit> Recorded<P, A> {
    pub(crate) fn new(policy: P, audit: A) -> Self {
        Self {
            policy,
            audit: Mutex::new(audit),
        }
    }

    /// Gives the log back.
    #[must_use]
    pub fn into_audit(self) -> A {
        self.audit
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Policy, A: Audit> Policy for Recorded<P, A> {
    fn decide(&self, request: &Request) -> Verdict {
        let verdict = self.policy.decide(request);
        let record = if verdict.decision.is_open() {
            Record::asked(request, &verdict)
        } else {
            Record::answered(
                request,
                &verdict,
                &pick(request.options(), &verdict.decision),
            )
        };
        self.audit
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .record(record);
        verdict
    }
}
