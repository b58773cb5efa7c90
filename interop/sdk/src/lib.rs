//! An agent on the official Rust SDK, in both versions of the protocol, with every method that a client can call.
//!
//! Written from the specification for the tests of this package: what it does in a turn is said by the words of the
//! prompt (see [`script`]), so that a test reads as what happens.

mod book;
pub mod script;
pub mod v1;
pub mod v2;

use agent_client_protocol::{Agent, Client, ConnectTo};

/// The versions that an agent speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoken {
    /// Version 1 alone.
    V1,
    /// Version 2 alone.
    V2,
    /// Both, by the SDK's own router.
    Both,
}

/// Serves one client until it hangs up.
///
/// # Errors
/// The connection broke.
pub async fn serve(
    spoken: Spoken,
    client: impl ConnectTo<Agent>,
) -> Result<(), agent_client_protocol::Error> {
    match spoken {
        Spoken::V1 => v1::agent().connect_to(client).await,
        Spoken::V2 => v2::agent().connect_to(client).await,
        Spoken::Both => {
            let router = Agent
                .protocol_router()
                .with_v1(v1::agent())
                .with_v2(v2::agent());
            ConnectTo::<Client>::connect_to(router, client).await
        }
    }
}
