//! MCP servers.

use crate::{
    mcp::{EnvVariable, HttpHeader, McpServerAcp},
    text::AbsolutePath,
    wire::macros::{tagged, wire_struct},
};

tagged! {
    /// An MCP server that the agent should connect to.
    pub enum McpServer("type"): N / S {
        /// Behind HTTP.
        Http(McpServerHttp) = "http": N / S,
        /// A child process.
        Stdio(McpServerStdio) = "stdio": N / S,
        /// Hosted by the client.
        Acp(McpServerAcp) = "acp": N / U,
    }
}

wire_struct! {
    /// A server that the agent starts as a child process.
    pub struct McpServerStdio: N / S [meta] {
        /// Its name, unique in the list.
        required name: Box<str> = "name": N / S,
        /// The program, absolute.
        required command: AbsolutePath = "command": N / S,
        /// Arguments.
        quiet_argument args: Vec<Box<str>> = "args": N / S,
        /// Environment variables that are added.
        quiet_argument env: Vec<EnvVariable> = "env": N / S,
    }
    new(name: Box<str>, command: AbsolutePath);
}

wire_struct! {
    /// A server behind HTTP.
    pub struct McpServerHttp: N / S [meta] {
        /// Its name, unique in the list.
        required name: Box<str> = "name": N / S,
        /// Where it is.
        required url: Box<str> = "url": N / S,
        /// Headers to send; they may be secret.
        quiet_argument headers: Vec<HttpHeader> = "headers": N / S,
    }
    new(name: Box<str>, url: Box<str>);
}
