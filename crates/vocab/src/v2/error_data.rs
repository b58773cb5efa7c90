//! What two error codes carry.

use crate::{id::SessionId, version::ProtocolVersion, wire::macros::wire_struct};

wire_struct! {
    /// `data` of the error -32002: which session is not there.
    pub struct SessionNotFoundErrorData: N / S [meta] {
        /// The session that is not there.
        required session_id: SessionId = "sessionId": N / S,
    }
    new(session_id: SessionId);
}

wire_struct! {
    /// `data` of the error -32022: what was asked for and what there is.
    pub struct UnsupportedProtocolVersionErrorData: N / S [meta] {
        /// The version that was asked for.
        required requested: ProtocolVersion = "requested": N / S,
        /// The versions that there are.
        required supported: Vec<ProtocolVersion> = "supported": N / S,
    }
    new(requested: ProtocolVersion, supported: Vec<ProtocolVersion>);
}
