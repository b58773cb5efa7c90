//! What becomes of a request that is handed to the broker.

use acp_vocab::RequestId;

use crate::{Answer, Ended, PendingId, Record, Request, Verdict};

/// The one answer to a request. It must be sent.
#[derive(Clone, Debug)]
#[must_use = "the agent waits for this answer"]
#[non_exhaustive]
pub struct Resolved {
    /// The number it had, unless it never had to wait.
    pub id: Option<PendingId>,
    /// The agent's id of the request.
    pub request_id: RequestId,
    /// What to send.
    pub answer: Answer,
    /// How it came about.
    pub ended: Ended,
    /// For the log.
    pub record: Record,
}

/// What became of a request that was handed in.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Opened {
    /// It waits for a decision.
    Pending(PendingId),
    /// It need not wait: it was remembered, or too many are waiting.
    Resolved(Box<Resolved>),
}

impl Resolved {
    pub(crate) fn new(
        id: Option<PendingId>,
        request_id: RequestId,
        request: &Request,
        verdict: &Verdict,
        answer: Answer,
        ended: Ended,
    ) -> Self {
        let record = Record::answered(request, verdict, &answer).of_request(request_id.clone());
        Self {
            id,
            request_id,
            answer,
            ended,
            record,
        }
    }
}
