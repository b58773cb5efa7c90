//! The shape of a call: a request carries an id, a notification none, and no caller can mix them up.
//!
//! `session/cancel` is the one that matters: with an id it is a request that an agent answers with an error, and the turn goes on.

use acp_vocab::{Method, MethodKind, RequestId, SessionId};
use serde::Serialize;
use thiserror::Error;

/// A call whose shape is not the method's.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CallError {
    /// A notification was given an id.
    #[error("{} is a notification and takes no id (got {id})", .method.name())]
    NotificationWithId {
        /// The method.
        method: Method,
        /// The id that it was given.
        id: RequestId,
    },
    /// A request was given no id.
    #[error("{} is a request and needs an id", .method.name())]
    RequestWithoutId {
        /// The method.
        method: Method,
    },
}

/// One call, ready to be serialized as one JSON-RPC message.
#[derive(Debug, Clone, Serialize)]
pub struct Call<P> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<RequestId>,
    method: &'static str,
    params: P,
}

/// The params of `session/cancel`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CancelParams {
    session_id: SessionId,
}

impl<P: Serialize> Call<P> {
    /// A call of this method.
    ///
    /// # Errors
    /// [`CallError`] when a notification is given an id, or a request none.
    pub fn new(method: Method, id: Option<RequestId>, params: P) -> Result<Self, CallError> {
        match id {
            Some(id) if is_only(method, MethodKind::Notification) => {
                Err(CallError::NotificationWithId { method, id })
            }
            None if is_only(method, MethodKind::Request) => {
                Err(CallError::RequestWithoutId { method })
            }
            id => Ok(Self {
                jsonrpc: "2.0",
                id,
                method: method.name(),
                params,
            }),
        }
    }
}

/// Whether every row of the method is of this kind. (`mcp/message` is a request one way and a notification the other.)
fn is_only(method: Method, kind: MethodKind) -> bool {
    method.specs().all(|spec| spec.kind == kind)
}

/// `session/cancel` for a session: a notification, so that there is no id to pass.
#[must_use]
pub fn cancel(session_id: SessionId) -> Call<CancelParams> {
    Call {
        jsonrpc: "2.0",
        id: None,
        method: Method::SESSION_CANCEL.name(),
        params: CancelParams { session_id },
    }
}
