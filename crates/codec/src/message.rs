//! What a JSON-RPC object is: a request, a notification, a response, or a reply that is none.

use std::borrow::Cow;

use acp_vocab::{ErrorObject, RequestId};
use serde_json::value::RawValue;

use crate::{
    envelope::Envelope,
    error_object::read_error,
    fault::{Fault, JsonKind},
    id::{read_id, read_reply_id},
    members::present,
    skip::SkipKind,
    text::unquote,
};

/// One message of a peer, borrowed from the line it came in.
///
/// Bodies stay raw JSON: they are checked to be JSON and nothing else, and may nest as deep as
/// they like. [`decode_body`](crate::decode_body) makes a type of one.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Message<'a> {
    /// A method and an id: somebody waits for an answer.
    Request {
        /// As it came, to be sent back as it came.
        id: RequestId,
        /// The method's name.
        method: Cow<'a, str>,
        /// Absent and null are the same.
        params: Option<&'a RawValue>,
    },
    /// A method without an id: never answered.
    Notification {
        /// The method's name.
        method: Cow<'a, str>,
        /// Absent and null are the same.
        params: Option<&'a RawValue>,
    },
    /// The answer to a request.
    Response {
        /// The id of the request.
        id: RequestId,
        /// Its result (which may be null), or what the peer refused it with.
        outcome: Result<&'a RawValue, ErrorObject>,
    },
    /// An object without a method that carries an id: a reply, but not one that can be read. It
    /// must end the request that it names, or that request would wait for ever.
    Malformed {
        /// The id of the request.
        id: RequestId,
        /// What is wrong.
        fault: Fault,
    },
}

impl<'a> Message<'a> {
    /// The id of a request or a reply.
    #[must_use]
    pub fn id(&self) -> Option<&RequestId> {
        match self {
            Self::Request { id, .. } | Self::Response { id, .. } | Self::Malformed { id, .. } => {
                Some(id)
            }
            Self::Notification { .. } => None,
        }
    }

    /// The method of a request or a notification.
    #[must_use]
    pub fn method(&self) -> Option<&str> {
        match self {
            Self::Request { method, .. } | Self::Notification { method, .. } => Some(method),
            Self::Response { .. } | Self::Malformed { .. } => None,
        }
    }

    /// Tells what an envelope is.
    ///
    /// The meaning is taken where it is plain. In a request null counts as absent for `result` and
    /// `error`, in a reply for `method`, and in both for `params`: some encoders write every
    /// member of their struct. For the same reason a method beside a real outcome and no params is
    /// a reply: no request has an outcome.
    pub(crate) fn classify(envelope: &Envelope<'a>) -> Result<Self, SkipKind> {
        let (params, error) = (present(envelope.params), present(envelope.error));
        let has_outcome = error.is_some() || present(envelope.result).is_some();
        let Some(method) = present(envelope.method) else {
            return reply(envelope, error);
        };
        if has_outcome && params.is_none() && envelope.id.is_some() {
            let kind = JsonKind::of(method);
            if kind == JsonKind::String {
                return reply(envelope, error);
            }
            return Ok(Self::Malformed {
                id: reply_id(envelope)?,
                fault: Fault::Method(kind),
            });
        }
        let method = unquote(method).ok_or(SkipKind::Object)?;
        let params = params.and(envelope.params);
        let Some(id) = envelope.id else {
            return Ok(Self::Notification { method, params });
        };
        let id = read_id(id.get()).ok_or(SkipKind::RequestId)?;
        Ok(Self::Request { id, method, params })
    }
}

fn reply<'a>(envelope: &Envelope<'a>, error: Option<&'a str>) -> Result<Message<'a>, SkipKind> {
    let id = reply_id(envelope)?;
    let outcome = match (envelope.result, error) {
        (Some(result), None) => Ok(Ok(result)),
        (Some(result), Some(_)) if result.get() != "null" => Err(Fault::TwoOutcomes),
        (_, Some(error)) => read_error(error).map(Err),
        (None, None) => Err(Fault::NoOutcome),
    };
    Ok(match outcome {
        Ok(outcome) => Message::Response { id, outcome },
        Err(fault) => Message::Malformed { id, fault },
    })
}

fn reply_id(envelope: &Envelope<'_>) -> Result<RequestId, SkipKind> {
    let id = envelope.id.ok_or(SkipKind::Object)?;
    read_reply_id(id.get()).ok_or(SkipKind::ResponseId)
}
