//! What the machine needs of results and states: members, told apart by kind.

use acp_vocab::{
    IdleStateUpdate, IdleStop, MessageId, Meta, Raw, SessionId, StateUpdate, decode, v2,
};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::address::text;
use crate::turn::Report;

/// Why a result is of no use; kinds and member names only.
#[derive(Debug, thiserror::Error)]
#[error("expected {expected} as {member}")]
pub(crate) struct Unusable {
    member: &'static str,
    expected: &'static str,
}

#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow, rename = "sessionId")]
    session: Option<&'a RawValue>,
}

/// The id of the session that a result names.
pub(crate) fn session_of_result(result: &RawValue) -> Result<SessionId, Unusable> {
    let unusable = || Unusable {
        member: "sessionId",
        expected: "a string",
    };
    let named: Named<'_> = serde_json::from_str(result.get()).map_err(|_| unusable())?;
    let session = named.session.and_then(text).ok_or_else(unusable)?;
    Ok(SessionId::new(session.as_ref()))
}

#[derive(Deserialize)]
struct Stopped<'a> {
    #[serde(borrow, rename = "stopReason")]
    stop_reason: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

/// What the result of a v1 prompt reports.
pub(crate) fn report_of_result(result: &RawValue) -> Result<Report, Unusable> {
    let unusable = || Unusable {
        member: "stopReason",
        expected: "a string",
    };
    let stopped: Stopped<'_> = serde_json::from_str(result.get()).map_err(|_| unusable())?;
    let stop_reason = stopped.stop_reason.and_then(text).ok_or_else(unusable)?;
    let meta = stopped.meta.and_then(|meta| Meta::new(meta).ok());
    Ok(Report {
        stop_reason: stop_reason.into(),
        raw: result.to_owned(),
        meta,
        error: None,
    })
}

/// The message that a v2 prompt became.
pub(crate) fn message_of_result(result: &RawValue) -> Result<MessageId, Unusable> {
    let response: Result<v2::PromptResponse, _> = decode(result);
    let unusable = |_| Unusable {
        member: "messageId",
        expected: "a string",
    };
    response
        .map(|response| response.message_id)
        .map_err(unusable)
}

/// What a v2 idle reports.
pub(crate) fn report_of_idle(state: &StateUpdate, idle: &IdleStateUpdate) -> Report {
    let error = match &idle.stop {
        Some(IdleStop::Error(stop)) => stop.error.clone(),
        Some(_) | None => None,
    };
    Report {
        stop_reason: idle.stop.as_ref().map_or("", IdleStop::tag).into(),
        raw: Raw::encode(state)
            .unwrap_or_else(|_| Raw::null())
            .into_inner(),
        meta: idle.meta.clone(),
        error,
    }
}
