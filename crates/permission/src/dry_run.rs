//! What a policy would have decided over a recorded conversation.

use std::collections::BTreeMap;

use acp_vocab::{
    Method, PermissionOption, PermissionOptionKind, ProtocolVersion, RequestId,
    RequestPermissionOutcome, RequestPermissionResponse, SessionId,
};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{Answer, Policy, Record, Request, ToolReports, Verdict, pick};

/// Which side wrote a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Side {
    /// The agent.
    Agent,
    /// The client.
    Client,
}

/// How a request was answered when the conversation was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordedAnswer {
    /// An option of this kind was selected; `None` for an option that was not offered.
    Selected(Option<PermissionOptionKind>),
    /// It was cancelled.
    Cancelled,
    /// It was answered with an error, or with something that is no answer.
    Failed,
    /// The recording ends before it was answered.
    Missing,
}

/// One request of the recording, with what the policy makes of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DryRow {
    /// The agent's id of the request.
    pub request_id: RequestId,
    /// What was asked, as far as it was known at that moment.
    pub request: Request,
    /// What the policy decides.
    pub verdict: Verdict,
    /// What would have been answered. A decision that is left to a person counts as cancelled.
    pub answer: Answer,
    /// What was answered.
    pub recorded: RecordedAnswer,
}

impl DryRow {
    /// The decision as a record, for the same tables and logs as real ones.
    #[must_use]
    pub fn record(&self) -> Record {
        Record::answered(&self.request, &self.verdict, &self.answer)
            .of_request(self.request_id.clone())
    }
}

/// Follows a recorded conversation, line by line, and asks a policy about each permission request.
/// The version of the protocol is the one that the recorded `initialize` settled, 1 where it is not in the recording.
///
/// # Examples
/// ```
/// use acp_permission::{DryRun, Kind, Rules, Side};
///
/// let rules = Rules::new().allow(Kind::Execute.command("ls"));
/// let mut run = DryRun::new(&rules).in_directory("/work");
/// run.line(Side::Agent, r#"{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"s",
///     "toolCall":{"toolCallId":"t","kind":"execute","rawInput":{"command":"ls -l"}},
///     "options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}}"#);
/// run.line(Side::Client, r#"{"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"cancelled"}}}"#);
/// let rows = run.finish();
/// assert!(rows[0].answer.approves());
/// assert_eq!(&*rows[0].verdict.why, "rule 1: allow execute:ls");
/// ```
pub struct DryRun<'p> {
    policy: &'p dyn Policy,
    version: ProtocolVersion,
    directory: Option<Box<str>>,
    reports: ToolReports,
    /// The row of each request that has no answer yet.
    open: BTreeMap<RequestId, usize>,
    /// The directory of each `session/new` that has no answer yet.
    opening: BTreeMap<RequestId, Box<str>>,
    directories: BTreeMap<SessionId, Box<str>>,
    rows: Vec<DryRow>,
}

#[derive(Deserialize)]
struct Frame<'a> {
    id: Option<RequestId>,
    method: Option<Box<str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Agreed {
    protocol_version: Option<ProtocolVersion>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Named {
    session_id: Option<SessionId>,
    cwd: Option<Box<str>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Update<'a> {
    session_id: SessionId,
    #[serde(borrow)]
    update: &'a RawValue,
}

impl<'p> DryRun<'p> {
    /// A run of `policy`.
    #[must_use]
    pub fn new(policy: &'p dyn Policy) -> Self {
        Self {
            policy,
            version: ProtocolVersion::V1,
            directory: None,
            reports: ToolReports::new(),
            open: BTreeMap::new(),
            opening: BTreeMap::new(),
            directories: BTreeMap::new(),
            rows: Vec::new(),
        }
    }

    /// The working directory of sessions whose own is not in the recording.
    #[must_use]
    pub fn in_directory(mut self, directory: &str) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Takes the next line of the wire. One that is no message, or none that matters here, is passed over.
    pub fn line(&mut self, side: Side, line: &str) {
        let Ok(frame) = serde_json::from_str::<Frame<'_>>(line) else {
            return;
        };
        let method = frame.method.as_deref();
        match side {
            Side::Agent if method == Some(Method::SESSION_UPDATE.name()) => {
                self.update(frame.params);
            }
            Side::Agent if method == Some(Method::SESSION_REQUEST_PERMISSION.name()) => {
                self.ask(frame.id, frame.params);
            }
            Side::Agent if method.is_none() => self.opened(frame.id, frame.result),
            Side::Client if method.is_some() => self.opening(frame.id, frame.params),
            Side::Client => self.answered(frame.id, frame.result),
            Side::Agent => {}
        }
    }

    /// The rows, in the order of the requests.
    #[must_use]
    pub fn finish(self) -> Vec<DryRow> {
        self.rows
    }

    fn update(&mut self, params: Option<&RawValue>) {
        let Some(Ok(update)) =
            params.map(|params| serde_json::from_str::<Update<'_>>(params.get()))
        else {
            return;
        };
        let text = update.update.get();
        if self.version == ProtocolVersion::V1 {
            if let Ok(update_v1) = serde_json::from_str(text) {
                self.reports.note_v1(&update.session_id, &update_v1);
            }
        } else if let Ok(update_v2) = serde_json::from_str(text) {
            self.reports.note_v2(&update.session_id, &update_v2);
        }
    }

    fn ask(&mut self, id: Option<RequestId>, params: Option<&RawValue>) {
        let (Some(request_id), Some(params)) = (id, params) else {
            return;
        };
        let text = params.get();
        let request = if self.version == ProtocolVersion::V1 {
            serde_json::from_str(text).map(|params| self.reports.request_v1(&params))
        } else {
            serde_json::from_str(text).map(|params| self.reports.request_v2(&params))
        };
        let Ok(request) = request else { return };
        let directory = self
            .directories
            .get(request.session())
            .or(self.directory.as_ref());
        let request = match directory {
            Some(directory) => request.in_directory(directory),
            None => request,
        };
        let verdict = self.policy.decide(&request);
        let answer = pick(request.options(), &verdict.decision);
        self.open.insert(request_id.clone(), self.rows.len());
        self.rows.push(DryRow {
            request_id,
            request,
            verdict,
            answer,
            recorded: RecordedAnswer::Missing,
        });
    }

    fn answered(&mut self, id: Option<RequestId>, result: Option<&RawValue>) {
        let Some(row) = id
            .and_then(|id| self.open.remove(&id))
            .and_then(|at| self.rows.get_mut(at))
        else {
            return;
        };
        let response = result.and_then(|result| {
            serde_json::from_str::<RequestPermissionResponse>(result.get()).ok()
        });
        row.recorded = match response.map(|response| response.outcome) {
            Some(RequestPermissionOutcome::Selected(selected)) => {
                let chosen = |option: &&PermissionOption| option.option_id == selected.option_id;
                RecordedAnswer::Selected(
                    row.request
                        .options()
                        .iter()
                        .find(chosen)
                        .map(|option| option.kind.clone()),
                )
            }
            Some(RequestPermissionOutcome::Cancelled(_)) => RecordedAnswer::Cancelled,
            Some(_) | None => RecordedAnswer::Failed,
        };
    }

    /// The client asks for a session: its directory is known, its id may only come with the answer.
    fn opening(&mut self, id: Option<RequestId>, params: Option<&RawValue>) {
        let Some(Ok(named)) = params.map(|params| serde_json::from_str::<Named>(params.get()))
        else {
            return;
        };
        match (named.session_id, named.cwd, id) {
            (Some(session), Some(cwd), _) => {
                self.directories.insert(session, cwd);
            }
            (None, Some(cwd), Some(id)) => {
                self.opening.insert(id, cwd);
            }
            _ => {}
        }
    }

    /// The agent answers: `initialize` settles the version, `session/new` names its session.
    fn opened(&mut self, id: Option<RequestId>, result: Option<&RawValue>) {
        let agreed = result.and_then(|result| serde_json::from_str::<Agreed>(result.get()).ok());
        if let Some(version) = agreed.and_then(|agreed| agreed.protocol_version) {
            self.version = version;
        }
        let Some(cwd) = id.and_then(|id| self.opening.remove(&id)) else {
            return;
        };
        let named = result.and_then(|result| serde_json::from_str::<Named>(result.get()).ok());
        if let Some(session) = named.and_then(|named| named.session_id) {
            self.directories.insert(session, cwd);
        }
    }
}

impl std::fmt::Debug for DryRun<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DryRun")
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}
