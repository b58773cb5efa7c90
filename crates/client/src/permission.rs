//! A permission request in the host's hands. The session reported it, a policy decides it, and
//! they meet here in one line.

use std::sync::Arc;

use acp_permission::{Decision, Policy, Record, Request, Verdict, pick};
use acp_session::{Settled, UsageError};
use acp_vocab::{PermissionOption, Raw, RequestId, RequestPermissionResponse};

use crate::{inquiry::Inquiry, outcome::Decisions, shared::Shared};

/// The agent asks for permission. Nothing is approved unless somebody decides so: dropped
/// unanswered, it is answered `cancelled`.
#[derive(Debug)]
#[must_use = "dropping a permission request cancels it"]
pub struct Permission {
    inquiry: Inquiry,
    asked: Box<acp_session::Permission>,
    request: Box<Request>,
    decisions: Option<Decisions>,
}

/// What a policy made of a permission request.
#[derive(Debug)]
#[non_exhaustive]
pub enum Decided {
    /// It was answered; this is the record.
    Answered(Box<Record>),
    /// The policy leaves it to somebody else. Dropping this cancels the request.
    Open(Permission),
}

impl Permission {
    pub(crate) fn new(
        shared: &Arc<Shared>,
        asked: acp_session::Permission,
        decisions: Option<&Decisions>,
    ) -> Self {
        let request = shared.reports(|reports| reports.request(&asked.ask));
        // The machine has decoded it before; what it read is enough where the policy's own reading
        // has nothing.
        let request = request.unwrap_or_else(|| {
            let session = asked.ask.session.clone();
            Request::new(session.unwrap_or_else(|| "".into()), asked.options.clone())
        });
        // The agent says its paths and not from where: that is what the host opened the session with.
        let place = shared.read(|inner| inner.scopes.place(&inner.machine, asked.ask.key));
        let request = match place {
            Some(place) => request.in_directory(place.cwd()),
            None => request,
        };
        let ask = asked.ask.clone();
        Self {
            inquiry: Inquiry::new(Arc::clone(shared), ask),
            asked: Box::new(asked),
            request: Box::new(request),
            decisions: decisions.cloned(),
        }
    }

    /// What is asked, as the agent put it: title, tool call, command, options. The agent's text.
    #[must_use]
    pub fn asked(&self) -> &acp_session::Permission {
        &self.asked
    }

    /// What is asked, as a policy sees it, with the directory that the session was opened in.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// What is offered, in the agent's order.
    #[must_use]
    pub fn options(&self) -> &[PermissionOption] {
        self.request.options()
    }

    /// Its id on the wire.
    #[must_use]
    pub const fn id(&self) -> &RequestId {
        self.inquiry.id()
    }

    /// Its params as they came.
    #[must_use]
    pub const fn raw(&self) -> &Raw {
        self.inquiry.raw()
    }

    /// Asks a policy and answers by the option of the kind that it decides. A policy that wants
    /// somebody to be asked gets the request back as [`Decided::Open`].
    ///
    /// # Errors
    /// [`UsageError::TooLate`] when it was settled before; nothing is sent then.
    pub fn decide(self, policy: &(impl Policy + ?Sized)) -> Result<Decided, UsageError> {
        let verdict = policy.decide(&self.request);
        if verdict.decision.is_open() {
            return Ok(Decided::Open(self));
        }
        self.settle(&verdict)
            .map(|record| Decided::Answered(Box::new(record)))
    }

    /// Carries out what somebody decided, and gives the record of it.
    ///
    /// # Errors
    /// [`UsageError::TooLate`] when it was settled before; nothing is sent then.
    pub fn settle(mut self, verdict: &Verdict) -> Result<Record, UsageError> {
        let answer = pick(self.request.options(), &verdict.decision);
        self.inquiry
            .send(&RequestPermissionResponse::from(&answer))?;
        let record = Record::answered(&self.request, verdict, &answer);
        let record = record.of_request(self.inquiry.id().clone());
        if let Some(decisions) = &self.decisions {
            decisions.note(record.clone());
        }
        Ok(record)
    }

    /// Answers `cancelled`.
    ///
    /// # Errors
    /// [`UsageError::TooLate`] when it was settled before; nothing is sent then.
    pub fn cancel(self) -> Result<Record, UsageError> {
        self.settle(&Verdict::person(Decision::Cancel))
    }

    /// How it was settled by somebody else, if it was.
    #[must_use]
    pub fn settled(&self) -> Option<Settled> {
        self.inquiry.settled()
    }

    /// Waits until it is settled by somebody else: for a host that shows a dialog and has to take
    /// it away. Cancel-safe.
    pub async fn withdrawn(&self) -> Settled {
        self.inquiry.withdrawn().await
    }
}
