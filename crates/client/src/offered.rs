//! What the answer to a request says of options and mode, in the words that events have.

use acp_session::neutral;
use acp_vocab::{ProtocolVersion, SessionModeId, v1, v2};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The options that an answer lists, when it lists any. One that cannot be read is left out.
pub(crate) fn options(
    version: ProtocolVersion,
    answer: &str,
) -> Option<Vec<v2::SessionConfigOption>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Listed<'a> {
        #[serde(borrow)]
        config_options: Option<Vec<&'a RawValue>>,
    }
    let listed: Option<Listed<'_>> = serde_json::from_str(answer).ok()?;
    let read = |option: &RawValue| {
        if version == ProtocolVersion::V1 {
            let option: v1::SessionConfigOption = acp_vocab::decode(option).ok()?;
            Some(neutral::config_option(option))
        } else {
            acp_vocab::decode(option).ok()
        }
    };
    Some(
        listed?
            .config_options?
            .into_iter()
            .filter_map(read)
            .collect(),
    )
}

/// The mode that a session was opened in (v1).
pub(crate) fn mode(answer: &str) -> Option<SessionModeId> {
    #[derive(Deserialize)]
    struct Opened<'a> {
        #[serde(borrow)]
        modes: Option<&'a RawValue>,
    }
    let opened: Option<Opened<'_>> = serde_json::from_str(answer).ok()?;
    let modes: v1::SessionModeState = acp_vocab::decode(opened?.modes?).ok()?;
    Some(modes.current_mode_id)
}
