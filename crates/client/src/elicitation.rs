//! A question to the user in the host's hands.

use std::{collections::BTreeMap, sync::Arc};

use acp_session::{Settled, UsageError};
use acp_vocab::{CreateElicitationRequest, ElicitationContentValue, Raw, RequestId};
use serde::Serialize;

use crate::{inquiry::Inquiry, shared::Shared};

/// The agent asks the user something, by a form or by a URL. Dropped unanswered, it is declined.
#[derive(Debug)]
#[must_use = "dropping an elicitation declines it"]
pub struct Elicitation {
    inquiry: Inquiry,
    request: CreateElicitationRequest,
}

/// The three answers that there are (v1 section 8.3).
#[derive(Serialize)]
struct Answer<'a> {
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a BTreeMap<Box<str>, ElicitationContentValue>>,
}

impl Elicitation {
    pub(crate) fn new(shared: &Arc<Shared>, asked: acp_session::Elicitation) -> Self {
        let acp_session::Elicitation { ask, request, .. } = asked;
        Self {
            inquiry: Inquiry::new(Arc::clone(shared), ask),
            request,
        }
    }

    /// What it asks. The agent's text.
    #[must_use]
    pub const fn request(&self) -> &CreateElicitationRequest {
        &self.request
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

    /// The user agreed: to these values of the form, or to open the URL (no values).
    ///
    /// # Errors
    /// [`UsageError::TooLate`] when it was settled before; nothing is sent then.
    pub fn accept(
        self,
        content: Option<&BTreeMap<Box<str>, ElicitationContentValue>>,
    ) -> Result<(), UsageError> {
        self.inquiry.answer(&Answer {
            action: "accept",
            content,
        })
    }

    /// The user said no.
    ///
    /// # Errors
    /// [`UsageError::TooLate`] when it was settled before; nothing is sent then.
    pub fn decline(self) -> Result<(), UsageError> {
        self.inquiry.answer(&Answer {
            action: "decline",
            content: None,
        })
    }

    /// The user closed the question without an answer.
    ///
    /// # Errors
    /// [`UsageError::TooLate`] when it was settled before; nothing is sent then.
    pub fn cancel(self) -> Result<(), UsageError> {
        self.inquiry.answer(&Answer {
            action: "cancel",
            content: None,
        })
    }

    /// How it was settled by somebody else, if it was.
    #[must_use]
    pub fn settled(&self) -> Option<Settled> {
        self.inquiry.settled()
    }

    /// Waits until it is settled by somebody else: for a host that shows a form and has to take it
    /// away. Cancel-safe.
    pub async fn withdrawn(&self) -> Settled {
        self.inquiry.withdrawn().await
    }
}
