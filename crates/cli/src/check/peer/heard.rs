//! What a peer says, one line at a time.

use acp_harness::codec::Item;
use serde_json::Value;

use crate::check::stand::Stand;

/// Something that an agent said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Heard {
    /// An object with an id and no method, as it came.
    Reply(Value),
    /// A request, as it came.
    Request(Value),
    /// A notification, as it came.
    Notification(Value),
    /// A line that is no message.
    Noise(String),
}

/// The update that a notification holds, when it is one of this session.
pub(crate) fn update_of<'h>(heard: &'h Heard, session: &str) -> Option<&'h Value> {
    let Heard::Notification(json) = heard else {
        return None;
    };
    let is_update = json
        .get("method")
        .is_some_and(|name| name == "session/update");
    let params = json.get("params").filter(|_| is_update)?;
    params.get("sessionId").filter(|id| *id == session)?;
    params.get("update")
}

/// What a line of the link is; it is noted for the report.
pub(super) fn one(stand: &Stand<'_>, item: &Item<'_>) -> Heard {
    match item {
        Item::Frame(frame) => {
            stand.note("←", frame.raw);
            let json: Value = match serde_json::from_slice(frame.raw) {
                Ok(json) => json,
                Err(_) => return Heard::Noise(String::from_utf8_lossy(frame.raw).into_owned()),
            };
            match (json.get("method").is_some(), json.get("id").is_some()) {
                (true, true) => Heard::Request(json),
                (true, false) => Heard::Notification(json),
                _ => Heard::Reply(json),
            }
        }
        Item::Skipped { sample, .. } => {
            stand.note("?", sample);
            Heard::Noise(String::from_utf8_lossy(sample).into_owned())
        }
        _ => {
            stand.note("?", b"a line longer than 64 MiB");
            Heard::Noise(String::from("a line longer than 64 MiB"))
        }
    }
}
