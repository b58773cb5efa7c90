//! Ways to log in.

use crate::{
    auth::{AuthenticateRequest, AuthenticateResponse, LogoutRequest, LogoutResponse},
    id::AuthMethodId,
    mcp::EnvVariable,
    wire::macros::{tagged, wire_struct},
};

tagged! {
    /// A way to log in.
    pub enum AuthMethod("type"): N / S {
        /// The user logs in in a terminal.
        Terminal(AuthMethodTerminal) = "terminal": N / S,
        /// The agent logs in by itself.
        Agent(AuthMethodAgent) = "agent": N / S,
    }
}

wire_struct! {
    /// The agent runs the login when it is asked to.
    pub struct AuthMethodAgent: N / S [meta] {
        /// The way to log in.
        required method_id: AuthMethodId = "methodId": N / S,
        /// The name.
        required name: Box<str> = "name": N / S,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": N / S,
    }
    new(method_id: AuthMethodId, name: Box<str>);
}

wire_struct! {
    /// The client runs the agent's own program in a real terminal and connects anew when it ends
    /// with 0. It is never passed to the login method.
    pub struct AuthMethodTerminal: N / S [meta] {
        /// The way to log in.
        required method_id: AuthMethodId = "methodId": N / S,
        /// The name.
        required name: Box<str> = "name": N / S,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": N / S,
        /// Arguments to add to the agent's own.
        quiet_argument args: Vec<Box<str>> = "args": N / S,
        /// Environment variables to set over the agent's own.
        quiet_argument env: Vec<EnvVariable> = "env": N / S,
    }
    new(method_id: AuthMethodId, name: Box<str>);
}

/// Params of `auth/login`: the shape of version 1's `authenticate`.
pub type LoginAuthRequest = AuthenticateRequest;

/// Result of `auth/login`.
pub type LoginAuthResponse = AuthenticateResponse;

/// Params of `auth/logout`: the shape of version 1's `logout`.
pub type LogoutAuthRequest = LogoutRequest;

/// Result of `auth/logout`.
pub type LogoutAuthResponse = LogoutResponse;
