//! Where a message belongs, as its params say.

use std::borrow::Cow;

use acp_vocab::{RequestId, decode};
use serde::Deserialize;
use serde_json::value::RawValue;

/// What the params of any message say about where it belongs. Members of another kind count as
/// absent.
#[derive(Debug, Default)]
pub(crate) struct Address<'a> {
    pub(crate) session: Option<Cow<'a, str>>,
    pub(crate) request: Option<RequestId>,
    pub(crate) update: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
struct RawAddress<'a> {
    #[serde(borrow, rename = "sessionId", default)]
    session: Option<&'a RawValue>,
    #[serde(borrow, rename = "requestId", default)]
    request: Option<&'a RawValue>,
    #[serde(borrow, default)]
    update: Option<&'a RawValue>,
}

/// Reads where a message belongs.
pub(crate) fn address<'a>(params: Option<&'a RawValue>) -> Address<'a> {
    let Some(params) = params else {
        return Address::default();
    };
    let raw: RawAddress<'a> = serde_json::from_str(params.get()).unwrap_or_default();
    Address {
        session: raw.session.and_then(text),
        request: raw.request.and_then(|id| decode(id).ok()),
        update: raw.update,
    }
}

/// A JSON string, borrowed where it has no escapes. Half a surrogate pair is read as U+FFFD.
pub(crate) fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
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
