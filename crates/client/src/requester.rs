//! Sending requests and notifications: the part of a client that handlers may hold.

use std::{borrow::Cow, sync::Arc};

use acp_session::{Scope, UsageError};
use acp_vocab::{Method, Raw};
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
        let method = spelled(method);
        tracing::debug!(method = &*method, "request");
        let key = self.shared.with(|inner, now| {
            inner
                .machine
                .request(now, method, params, Scope::Connection, budget.for_call())
        })?;
        Ok(PendingRequest::new(Arc::clone(&self.shared), key))
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
pub(crate) fn spelled(method: &str) -> Cow<'static, str> {
    match Method::find(method) {
        Some(method) => Cow::Borrowed(method.name()),
        None => Cow::Owned(method.to_owned()),
    }
}
