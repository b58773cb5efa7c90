//! MCP servers.

use crate::{
    mcp::{EnvVariable, HttpHeader, McpServerAcp},
    wire::macros::{tagged, wire_struct},
};

tagged! {
    /// An MCP server that the agent should connect to.
    pub enum McpServer("type"): S / N {
        /// Behind HTTP.
        Http(McpServerHttp) = "http": S / N,
        /// Behind server-sent events.
        Sse(McpServerSse) = "sse": S / N,
        /// Hosted by the client.
        Acp(McpServerAcp) = "acp": U / N,
    }
    /// A child process: a server without a type.
    fallback Stdio(McpServerStdio);
}

wire_struct! {
    /// A server that the agent starts as a child process.
    pub struct McpServerStdio: S / N [meta] {
        /// Its name, unique in the list.
        required name: Box<str> = "name": S / N,
        /// The program, absolute.
        required command: Box<str> = "command": S / N,
        /// Arguments.
        argument args: Vec<Box<str>> = "args": S / N,
        /// Environment variables that are added.
        argument env: Vec<EnvVariable> = "env": S / N,
    }
    new(name: Box<str>, command: Box<str>);
}

wire_struct! {
    /// A server behind HTTP.
    pub struct McpServerHttp: S / N [meta] {
        /// Its name, unique in the list.
        required name: Box<str> = "name": S / N,
        /// Where it is.
        required url: Box<str> = "url": S / N,
        /// Headers to send; they may be secret.
        argument headers: Vec<HttpHeader> = "headers": S / N,
    }
    new(name: Box<str>, url: Box<str>);
}

wire_struct! {
    /// A server behind server-sent events, which MCP has deprecated.
    pub struct McpServerSse: S / N [meta] {
        /// The name.
        required name: Box<str> = "name": S / N,
        /// Where it is.
        required url: Box<str> = "url": S / N,
        /// Headers to send; they may be secret.
        argument headers: Vec<HttpHeader> = "headers": S / N,
    }
    new(name: Box<str>, url: Box<str>);
}
