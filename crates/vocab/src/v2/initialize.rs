//! The first message of a connection.

use crate::{
    capability::Implementation, v2::agent_capability::AgentCapabilities, v2::auth::AuthMethod,
    v2::client_capability::ClientCapabilities, version::ProtocolVersion, wire::macros::wire_struct,
};

wire_struct! {
    /// Params of `initialize`, the first message of a connection.
    pub struct InitializeRequest: N / S [meta] {
        /// The highest version that the client speaks.
        required protocol_version: ProtocolVersion = "protocolVersion": N / S,
        /// Name and version of this side.
        required info: Implementation = "info": N / S,
        /// What can be done.
        fallback capabilities: ClientCapabilities = "capabilities": N / S,
    }
    new(protocol_version: ProtocolVersion, info: Implementation);
}

wire_struct! {
    /// Result of `initialize`: the version that the connection speaks from now on, and what the
    /// agent can do.
    pub struct InitializeResponse: N / S [meta] {
        /// The version that the connection speaks.
        required protocol_version: ProtocolVersion = "protocolVersion": N / S,
        /// Name and version of this side.
        required info: Implementation = "info": N / S,
        /// What can be done.
        fallback capabilities: AgentCapabilities = "capabilities": N / S,
        /// The ways to log in. When there are any, version 2 obliges the agent to log in and out.
        quiet_entries auth_methods: Vec<AuthMethod> = "authMethods": N / S,
    }
    new(protocol_version: ProtocolVersion, info: Implementation);
}

/// Params of `proxy/initialize`: the same as those of `initialize`.
pub type InitializeProxyRequest = InitializeRequest;

/// Result of `proxy/initialize`: the same as that of `initialize`, with the version untouched.
pub type InitializeProxyResponse = InitializeResponse;
