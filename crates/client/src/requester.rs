//! Sending requests and notifications: the part of a client that handlers may hold.

use std::{borrow::Cow, sync::Arc};

use acp_session::{Scope, SessionKey, UsageError};
use acp_vocab::{CloseSessionRequest, ErrorCode, Method, Raw, SessionId};
use serde::Serialize;

use crate::{budget::Budget, error::RequestError, request::PendingRequest, shared::Shared};

/// Sends requests on a connection without owning it: a handler may keep one and wait for answers,
/// beside the pump and without a deadlock.
#[derive(Clone, Debug)]
pub struct Requester {
    pub(crate) shared: Arc<Shared>,
}

impl Requester {
    /// Sends a request of any method and waits for its answer, within the default bounds.
    ///
    /// A method that the protocol knows is sent only if the agent advertised what it needs;
    /// extension methods (`_name`) always are.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally, or no result.
    pub async fn call(
        &self,
        method: &str,
        params: &(impl Serialize + ?Sized),
    ) -> Result<Raw, RequestError> {
        self.send_request(method, params, &Budget::defaults())?
            .await_response()
            .await
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally, or no result.
    pub async fn call_within(
        &self,
        method: &str,
        params: &(impl Serialize + ?Sized),
        budget: &Budget,
    ) -> Result<Raw, RequestError> {
        self.send_request(method, params, budget)?
            .await_response()
            .await
    }

    /// Sends a request and does not wait: [`PendingRequest::await_response`] does.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] and [`RequestError::Usage`]; nothing was sent then.
    pub fn send_request(
        &self,
        method: &str,
        params: &(impl Serialize + ?Sized),
        budget: &Budget,
    ) -> Result<PendingRequest, RequestError> {
        self.require(method)?;
        Ok(self.send_unchecked(method, params, budget)?)
    }

    /// Sends a request whatever the agent advertised: for agents that have more than they say.
    ///
    /// # Errors
    /// [`UsageError`] when the connection is not in a state for it.
    pub fn send_unchecked(
        &self,
        method: &str,
        params: &(impl Serialize + ?Sized),
        budget: &Budget,
    ) -> Result<PendingRequest, UsageError> {
        self.send_in(Scope::Connection, method, params, budget)
    }

    /// Sends a request that belongs to a session, or to none.
    pub(crate) fn send_in(
        &self,
        scope: Scope,
        method: &str,
        params: &(impl Serialize + ?Sized),
        budget: &Budget,
    ) -> Result<PendingRequest, UsageError> {
        let method = spelled(method);
        tracing::debug!(method = &*method, "request");
        let clock = budget.for_call();
        let key = self
            .shared
            .with(|inner, now| inner.machine.request(now, method, params, scope, clock))?;
        Ok(PendingRequest::new(Arc::clone(&self.shared), key))
    }

    /// Ends a session at the agent, one that is `open` on this connection or a stored one. One that is
    /// not there (any more) is ended (v1 section 5.3, v2 section 7).
    pub(crate) async fn end_session(
        &self,
        method: Method,
        session: &SessionId,
        open: Option<SessionKey>,
    ) -> Result<(), RequestError> {
        self.require(method.name())?;
        let (params, budget) = (
            CloseSessionRequest::new(session.clone()),
            Budget::defaults(),
        );
        let mut pending = match open {
            None => self.send_unchecked(method.name(), &params, &budget)?,
            Some(open) => {
                tracing::debug!(method = method.name(), "request");
                let clock = budget.for_call();
                let key = self.shared.with(|inner, now| {
                    let machine = &mut inner.machine;
                    machine.end_session(now, method.name(), &params, open, clock)
                })?;
                PendingRequest::new(Arc::clone(&self.shared), key)
            }
        };
        match pending.await_response().await {
            Ok(_) => Ok(()),
            Err(error) => match error.refusal() {
                Some(refusal) if refusal.code == ErrorCode::RESOURCE_NOT_FOUND => Ok(()),
                Some(_) | None => Err(error),
            },
        }
    }

    /// Waits until less than 1 MiB waits for the agent to read it: what a handler does before it makes
    /// a large answer, for an agent may ask and not read. Cancel-safe.
    pub async fn drained(&self) {
        self.shared.drained(1024 * 1024).await;
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// [`UsageError`] when the connection is not in a state for it.
    pub fn notify(
        &self,
        method: &str,
        params: &(impl Serialize + ?Sized),
    ) -> Result<(), UsageError> {
        let method = spelled(method);
        tracing::debug!(method = &*method, "notification");
        self.shared
            .with(|inner, now| inner.machine.notify(now, method, params))
    }

    /// Whether the agent advertised what a method needs.
    pub(crate) fn require(&self, method: &str) -> Result<(), RequestError> {
        match (Method::find(method), self.shared.agreement()) {
            (Some(method), Some(agreement)) => Ok(agreement.require(method)?),
            (_, None) => Err(UsageError::NotReady {
                method: method.into(),
            }
            .into()),
            (None, Some(_)) => Ok(()),
        }
    }
}

/// The method's name without an allocation where the protocol knows it.
fn spelled(method: &str) -> Cow<'static, str> {
    match Method::find(method) {
        Some(method) => Cow::Borrowed(method.name()),
        None => Cow::Owned(method.to_owned()),
    }
}
