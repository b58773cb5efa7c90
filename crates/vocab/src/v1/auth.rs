//! Ways to log in.

use std::collections::BTreeMap;

use crate::{
    id::AuthMethodId,
    wire::decode,
    wire::macros::{tagged, wire_struct},
};

tagged! {
    /// A way to log in.
    pub enum AuthMethod("type"): S / N {
        /// The user logs in in a terminal.
        Terminal(AuthMethodTerminal) = "terminal": S / N,
    }
    /// The agent logs in by itself: a method without a type.
    fallback Agent(AuthMethodAgent);
}

wire_struct! {
    /// The agent runs the login when it is asked to.
    pub struct AuthMethodAgent: S / N [meta] {
        /// The id.
        required id: AuthMethodId = "id": S / N,
        /// The name.
        required name: Box<str> = "name": S / N,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": S / N,
    }
    new(id: AuthMethodId, name: Box<str>);
}

wire_struct! {
    /// The client runs the agent's own program in a real terminal and connects anew when it ends
    /// with 0. It is never passed to the login method.
    pub struct AuthMethodTerminal: S / N [meta] {
        /// The id.
        required id: AuthMethodId = "id": S / N,
        /// The name.
        required name: Box<str> = "name": S / N,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": S / N,
        /// Arguments to add to the agent's own.
        quiet_argument args: Vec<Box<str>> = "args": S / N,
        /// Environment variables to set over the agent's own.
        quiet_argument env: BTreeMap<Box<str>, Box<str>> = "env": S / N,
    }
    new(id: AuthMethodId, name: Box<str>);
}

impl AuthMethod {
    /// The method as one that the agent runs by itself. To a reader that does not know its type a
    /// method is one of these (v1 section 5.2), as long as it has an id and a name. `None` for a
    /// login in a terminal.
    #[must_use]
    pub fn as_agent(&self) -> Option<AuthMethodAgent> {
        match self {
            Self::Agent(method) => Some(method.clone()),
            Self::Terminal(_) => None,
            Self::Unknown { raw, .. } => decode(raw).ok(),
        }
    }
}
