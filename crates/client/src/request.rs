//! A request on its way: the handle that owns it.

use std::sync::Arc;

use acp_session::{CallError, CallKey, Reply, UsageError, WaitKey};
use acp_vocab::Raw;

use crate::shared::Shared;

/// A request that was sent and whose answer was not taken.
///
/// Waiting is apart from owning: a wait can be raced against anything and dropped, and the next
/// one goes on from there. Dropping *this* gives the request up and tells the agent so with
/// `$/cancel_request`.
#[derive(Debug)]
#[must_use = "dropping a request cancels it"]
pub struct PendingRequest {
    shared: Arc<Shared>,
    key: CallKey,
    /// The answer was taken.
    done: bool,
}

impl PendingRequest {
    pub(crate) const fn new(shared: Arc<Shared>, key: CallKey) -> Self {
        Self {
            shared,
            key,
            done: false,
        }
    }

    /// Waits for the answer. Cancel-safe: dropping the future loses nothing.
    ///
    /// # Errors
    /// The agent said no, its reply is broken, a bound elapsed, or the connection ended. After an
    /// answer was given once: [`CallError::GivenUp`] never, but [`UsageError::Gone`] as
    /// [`RequestError::Usage`](crate::RequestError::Usage).
    pub async fn await_response(&mut self) -> Result<Raw, crate::RequestError> {
        Ok(self.reply().await??.result.into())
    }

    /// The whole reply.
    pub(crate) async fn reply(&mut self) -> Result<Result<Reply, CallError>, UsageError> {
        let key = self.key;
        let taken = crate::waiter::Waiter::new(&self.shared)
            .wait(WaitKey::Call(key), |machine, _| {
                machine.take_reply(key).transpose()
            })
            .await;
        self.done = true;
        taken
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        if !self.done {
            self.shared
                .with(|inner, now| inner.machine.abandon(now, self.key));
        }
    }
}
