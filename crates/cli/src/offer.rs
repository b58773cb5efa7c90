//! The offer of this program: the versions it speaks, its name, and what its handlers can do.
//!
//! `run`, `probe`, `status` and `initialize-request` all take it from here, so that what is shown is what is sent.

use acp_harness::{
    handshake::{Declaration, KNOWN, Offer, OfferError, SPOKEN},
    vocab::{Implementation, ProtocolVersion},
};

/// The name under which the program speaks.
pub(crate) const NAME: &str = "acp";
/// Its version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The info card of this program.
pub(crate) fn info() -> Implementation {
    Implementation::new(NAME, VERSION)
}

/// What the handlers of `acp run` come to: it registers none, so that files and terminals stay the agent's own.
pub(crate) fn declaration() -> Declaration {
    Declaration::none()
}

/// The offer of these versions; of those that are spoken, when none is named.
pub(crate) fn offer(version: Option<ProtocolVersion>) -> Result<Offer, OfferError> {
    let versions = version.map_or_else(|| SPOKEN.to_vec(), |version| vec![version]);
    Ok(Offer::new(versions, info())?.declare(declaration()))
}

/// Reads a `--protocol`. What is no version is refused like a version that cannot be built.
pub(crate) fn version(
    typed: Option<&str>,
) -> Result<Option<ProtocolVersion>, crate::envelope::Envelope> {
    let Some(typed) = typed else { return Ok(None) };
    let known = || KNOWN.iter().map(|version| version.0).collect::<Vec<_>>();
    match typed.parse::<u16>().ok().map(ProtocolVersion) {
        Some(version) if KNOWN.contains(&version) => Ok(Some(version)),
        _ => Err(crate::envelope::Envelope::new(
            "acp-unsupported-request-version",
            format!(
                "no initialize can be built for this protocol version; supported: {}",
                list(&known())
            ),
        )
        .with(
            serde_json::json!({ "requested": crate::safe::line(typed, 40), "supported": known() }),
        )),
    }
}

fn list(numbers: &[u16]) -> String {
    numbers
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}
