//! The first message of a connection.

use crate::{
    capability::Implementation, v1::agent_capability::AgentCapabilities, v1::auth::AuthMethod,
    v1::client_capability::ClientCapabilities, version::ProtocolVersion, wire::macros::wire_struct,
};

wire_struct! {
    /// Params of `initialize`, the first message of a connection.
    pub struct InitializeRequest: S / N [meta] {
        /// The highest version that the client speaks.
        required protocol_version: ProtocolVersion = "protocolVersion": S / N,
        /// What the client can do.
        fallback client_capabilities: ClientCapabilities = "clientCapabilities": S / N,
        /// Name and version of the client.
        lenient client_info: Option<Implementation> = "clientInfo": S / N,
    }
    new(protocol_version: ProtocolVersion);
}

wire_struct! {
    /// Result of `initialize`: the version that the connection speaks from now on, and what the
    /// agent can do.
    pub struct InitializeResponse: S / N [meta] {
        /// The version that the connection speaks.
        required protocol_version: ProtocolVersion = "protocolVersion": S / N,
        /// What the agent can do.
        fallback agent_capabilities: AgentCapabilities = "agentCapabilities": S / N,
        /// The ways to log in. When there are any, version 2 obliges the agent to log in and out.
        listed_entries auth_methods: Vec<AuthMethod> = "authMethods": S / N,
        /// Name and version of the agent.
        lenient agent_info: Option<Implementation> = "agentInfo": S / N,
    }
    new(protocol_version: ProtocolVersion);
}

/// Params of `proxy/initialize`: the same as those of `initialize`.
pub type InitializeProxyRequest = InitializeRequest;

/// Result of `proxy/initialize`: the same as that of `initialize`, with the version untouched.
pub type InitializeProxyResponse = InitializeResponse;
