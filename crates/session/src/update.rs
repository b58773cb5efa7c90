//! From the params of a message to what the machine and the host need of them: each decoded once.

use std::borrow::Cow;

use acp_vocab::{RequestId, SessionId};
use serde::Deserialize;
use serde_json::value::RawValue;

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
    let meta = stopped
        .meta
        .and_then(|meta| acp_vocab::Meta::new(meta).ok());
    Ok(Report {
        stop_reason: stop_reason.into(),
        raw: result.to_owned(),
        meta,
    })
}

/// What the params of any message say about where it belongs. Members of another kind count as
/// absent.
#[derive(Debug, Default)]
pub(crate) struct Address<'a> {
    pub(crate) session: Option<Cow<'a, str>>,
    pub(crate) request: Option<RequestId>,
}

#[derive(Deserialize, Default)]
struct RawAddress<'a> {
    #[serde(borrow, rename = "sessionId", default)]
    session: Option<&'a RawValue>,
    #[serde(borrow, rename = "requestId", default)]
    request: Option<&'a RawValue>,
}

/// Reads where a message belongs.
pub(crate) fn address<'a>(params: Option<&'a RawValue>) -> Address<'a> {
    let Some(params) = params else {
        return Address::default();
    };
    let raw: RawAddress<'a> = serde_json::from_str(params.get()).unwrap_or_default();
    Address {
        session: raw.session.and_then(text),
        request: raw.request.and_then(|id| acp_vocab::decode(id).ok()),
    }
}

/// A JSON string, borrowed where it has no escapes. Half a surrogate pair is read as U+FFFD.
fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
    match serde_json::from_str::<Text<'_>>(raw.get()) {
        Ok(Text(text)) => Some(text),
        Err(_) => {
            let repaired = acp_codec::repair_surrogates(raw.get())?;
            serde_json::from_str::<String>(&repaired.text)
                .ok()
                .map(Cow::Owned)
        }
    }
}
