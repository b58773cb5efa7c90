//! A session that is open, or is being opened, and that the host does not have yet.

use std::sync::Arc;

use acp_session::SessionKey;
use acp_thinking::Wishes;

use crate::{budget::Budget, error::RequestError, session::Session, shared::Shared};

/// Until it is claimed its drop lets the session go (rule 17): one that the agent has opened is
/// closed there, if it can, and the machine forgets one that it could not open.
#[derive(Debug)]
pub(crate) struct Unclaimed {
    shared: Arc<Shared>,
    key: SessionKey,
    claimed: bool,
}

impl Unclaimed {
    pub(crate) const fn new(shared: Arc<Shared>, key: SessionKey) -> Self {
        Self {
            shared,
            key,
            claimed: false,
        }
    }

    /// The host has it.
    pub(crate) fn claim(mut self) {
        self.claimed = true;
    }
}

impl Drop for Unclaimed {
    fn drop(&mut self) {
        if !self.claimed {
            self.shared
                .with(|inner, now| inner.machine.discard_session(now, self.key));
        }
    }
}

/// Puts in force what the host wishes before it gets the session.
pub(crate) async fn chosen(
    session: Session,
    wishes: Wishes,
    budget: &Budget,
) -> Result<Session, RequestError> {
    let unclaimed = Unclaimed::new(Arc::clone(session.shared()), session.key());
    session.choose_within(wishes, budget).await?;
    unclaimed.claim();
    Ok(session)
}
