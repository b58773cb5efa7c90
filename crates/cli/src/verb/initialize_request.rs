//! `acp initialize-request`: the line that goes out first, byte for byte.

use std::io::Write as _;

use acp_harness::{
    codec::encode,
    vocab::{Method, RequestId},
};

use crate::{envelope::Envelope, exit::Exit, lowargs::InitializeRequest, offer};

/// The id of the first request of a connection.
const FIRST_ID: RequestId = RequestId::Number(0);

/// Prints the line, or says that there is none for this version.
pub(crate) fn initialize_request(args: &InitializeRequest) -> Exit {
    match line(args) {
        Ok(line) => match std::io::stdout().lock().write_all(&line) {
            Ok(()) => Exit::Ok,
            Err(_) => Exit::Failed,
        },
        Err(envelope) => envelope.print(),
    }
}

fn line(args: &InitializeRequest) -> Result<Vec<u8>, Envelope> {
    let version = offer::version(args.protocol.as_deref())?;
    let offer =
        offer::offer(version).map_err(|error| Envelope::new(error.code(), error.to_string()))?;
    let params = offer
        .params()
        .map_err(|error| Envelope::new("acp-internal", error.to_string()))?;
    let mut line = Vec::new();
    encode::request(&mut line, &FIRST_ID, Method::INITIALIZE.name(), &params)
        .map_err(|error| Envelope::new("acp-internal", error.to_string()))?;
    Ok(line)
}
