//! MCP servers, and MCP inside of ACP: what both versions say in the same way.

use std::collections::BTreeMap;

use crate::{
    id::{McpRequestId, McpServerAcpId},
    raw::Raw,
    wire::macros::wire_struct,
};

wire_struct! {
    /// A server that the client itself hosts; its messages travel in `mcp/message`.
    pub struct McpServerAcp: U / U [meta] {
        /// The name.
        required name: Box<str> = "name": U / U,
        /// The server.
        required server_id: McpServerAcpId = "serverId": U / U,
    }
    new(name: Box<str>, server_id: McpServerAcpId);
}

wire_struct! {
    /// An environment variable.
    pub struct EnvVariable: S / S [meta] {
        /// The name.
        required name: Box<str> = "name": S / S,
        /// Its value.
        required value: Box<str> = "value": S / S,
    }
    new(name: Box<str>, value: Box<str>);
}

wire_struct! {
    /// An HTTP header. Its value may be a secret.
    pub struct HttpHeader: S / S [meta] {
        /// The name.
        required name: Box<str> = "name": S / S,
        /// Its value.
        required value: Box<str> = "value": S / S,
    }
    new(name: Box<str>, value: Box<str>);
}

wire_struct! {
    /// One request of the inner MCP conversation.
    pub struct MessageMcpRequest: U / U [meta] {
        /// The server.
        required server_id: McpServerAcpId = "serverId": U / U,
        /// The inner request.
        required request_id: McpRequestId = "requestId": U / U,
        /// The inner method.
        required method: Box<str> = "method": U / U,
        /// The inner params.
        optional params: Option<BTreeMap<Box<str>, Raw>> = "params": U / U,
    }
    new(server_id: McpServerAcpId, request_id: McpRequestId, method: Box<str>);
}

wire_struct! {
    /// One notification of the inner MCP conversation, tied to a request that is running.
    pub struct MessageMcpNotification: U / U [meta] {
        /// The server.
        required server_id: McpServerAcpId = "serverId": U / U,
        /// The inner request that it belongs to.
        required request_id: McpRequestId = "requestId": U / U,
        /// The inner method.
        required method: Box<str> = "method": U / U,
        /// The inner params.
        optional params: Option<BTreeMap<Box<str>, Raw>> = "params": U / U,
    }
    new(server_id: McpServerAcpId, request_id: McpRequestId, method: Box<str>);
}
