//! From the wire and back: requests of both versions, and the answer.

use acp_vocab::{RequestPermissionOutcome, RequestPermissionResponse, v1, v2};

use crate::{Answer, Command, Kind, Outcome, Request, tool::ToolReport};

impl Request {
    /// The request of v1 params, with what is known of its tool call; `report` has the request's own patch in it already.
    pub(crate) fn of_v1(
        params: &v1::RequestPermissionRequest,
        report: Option<&ToolReport>,
    ) -> Self {
        let request = Self::new(params.session_id.clone(), params.options.clone());
        let request = request.for_tool_call(params.tool_call.tool_call_id.clone());
        described(report, request)
    }

    /// The request of v2 params, with what is known of its tool call.
    pub(crate) fn of_v2(
        params: &v2::RequestPermissionRequest,
        report: Option<&ToolReport>,
    ) -> Self {
        let mut request =
            Self::new(params.session_id.clone(), params.options.clone()).titled(&params.title);
        if let Some(description) = &params.description {
            request = request.described(description);
        }
        match &params.subject {
            Some(v2::RequestPermissionSubject::ToolCall(subject)) => described(
                report,
                request.for_tool_call(subject.tool_call.tool_call_id.clone()),
            ),
            Some(v2::RequestPermissionSubject::Command(subject)) => {
                if let Some(call) = &subject.tool_call_id {
                    request = request.for_tool_call(call.clone());
                }
                described(report, request)
                    .of_kind(Kind::Execute)
                    .with_command(Command::line(&subject.command))
                    .run_in(&subject.cwd)
            }
            // A subject that is not known says nothing that a rule could go by.
            Some(subject) => request
                .of_kind(Kind::Unknown(subject.tag().into()))
                .with_unread_input(),
            None => request,
        }
    }
}

fn described(report: Option<&ToolReport>, request: Request) -> Request {
    match report {
        Some(report) => report.describe(request),
        None => request,
    }
}

impl From<&v1::RequestPermissionRequest> for Request {
    /// The request as it stands, without what was reported of its tool call before.
    fn from(params: &v1::RequestPermissionRequest) -> Self {
        let mut report = ToolReport::default();
        report.apply_v1(&params.tool_call);
        Self::of_v1(params, Some(&report))
    }
}

impl From<&v2::RequestPermissionRequest> for Request {
    /// The request as it stands, without what was reported of its tool call before.
    fn from(params: &v2::RequestPermissionRequest) -> Self {
        let mut report = ToolReport::default();
        if let Some(v2::RequestPermissionSubject::ToolCall(subject)) = &params.subject {
            report.apply_v2(&subject.tool_call);
        }
        Self::of_v2(params, Some(&report))
    }
}

impl From<&Answer> for RequestPermissionResponse {
    fn from(answer: &Answer) -> Self {
        Self::new(match &answer.outcome {
            Outcome::Selected { option_id, .. } => {
                RequestPermissionOutcome::selected(option_id.clone())
            }
            Outcome::Cancelled => RequestPermissionOutcome::cancelled(),
        })
    }
}
