//! Agreements, refusals and gates, as tables.

mod agreement;
mod call;
mod negotiation;
mod offer;
mod refusal;
mod responder;

use acp_handshake::{Declaration, Offer};
use acp_vocab::{Implementation, ProtocolVersion};
use serde_json::value::RawValue;

fn offer(versions: &[u16]) -> Offer {
    let versions = versions.iter().map(|number| ProtocolVersion(*number));
    Offer::new(versions, Implementation::new("host", "1.0")).expect("known versions")
}

fn declaring(versions: &[u16], declaration: Declaration) -> Offer {
    offer(versions).declare(declaration)
}

fn raw(text: &str) -> Box<RawValue> {
    serde_json::from_str(text).expect("a test's JSON")
}

/// The recorded `initialize` result of a real agent.
fn recorded(name: &str) -> Box<RawValue> {
    let path = format!(
        "{}/tests/it/results/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    raw(std::fs::read_to_string(path)
        .expect("a recorded result")
        .trim())
}
