//! The methods of the protocol, as data.

mod capability;
pub(crate) mod table;

use std::fmt;

pub use self::{
    capability::CAPABILITY_METHODS,
    table::{AGENT_METHODS, CLIENT_METHODS, PROTOCOL_METHODS},
};
use crate::{legacy::LEGACY_METHODS, stability::Stability, version::ProtocolVersion};

/// A method name that the protocol knows.
///
/// A name that it does not know is no `Method`; it stays a string, is answered `-32601` when it
/// is a request, and ignored when it is a notification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Method(&'static str);

macro_rules! names {
    ($($(#[doc = $doc:literal])* $method:ident = $name:literal,)*) => {
        impl Method {
            $(
                #[doc = concat!("`", $name, "`")]
                $(#[doc = $doc])*
                pub const $method: Self = Self($name);
            )*

            /// Every known method, those that only old agents use included.
            pub const ALL: &'static [Self] = &[$(Self::$method),*];

            /// The method of that name.
            #[must_use]
            pub fn find(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$method),)*
                    _ => None,
                }
            }
        }
    };
}

names! {
    INITIALIZE = "initialize",
    AUTH_STATUS = "auth/status",
    AUTH_STATUS_UPDATE = "auth/status_update",
    AUTHENTICATE = "authenticate",
    LOGOUT = "logout",
    SESSION_NEW = "session/new",
    SESSION_LOAD = "session/load",
    SESSION_LIST = "session/list",
    SESSION_DELETE = "session/delete",
    SESSION_RESUME = "session/resume",
    SESSION_CLOSE = "session/close",
    SESSION_SET_MODE = "session/set_mode",
    SESSION_SET_CONFIG_OPTION = "session/set_config_option",
    SESSION_PROMPT = "session/prompt",
    SESSION_CANCEL = "session/cancel",
    SESSION_FORK = "session/fork",
    SESSION_ARCHIVE = "session/archive",
    SESSION_UNARCHIVE = "session/unarchive",
    SESSION_STATUS = "session/status",
    SESSION_SET_TITLE = "session/set_title",
    SESSION_OPTIONS = "session/options",
    SESSION_REQUEST_PERMISSION = "session/request_permission",
    SESSION_UPDATE = "session/update",
    FS_WRITE_TEXT_FILE = "fs/write_text_file",
    FS_READ_TEXT_FILE = "fs/read_text_file",
    TERMINAL_CREATE = "terminal/create",
    TERMINAL_OUTPUT = "terminal/output",
    TERMINAL_RELEASE = "terminal/release",
    TERMINAL_WAIT_FOR_EXIT = "terminal/wait_for_exit",
    TERMINAL_KILL = "terminal/kill",
    ELICITATION_CREATE = "elicitation/create",
    ELICITATION_COMPLETE = "elicitation/complete",
    PROVIDERS_LIST = "providers/list",
    PROVIDERS_SET = "providers/set",
    PROVIDERS_DISABLE = "providers/disable",
    MCP_MESSAGE = "mcp/message",
    PROXY_INITIALIZE = "proxy/initialize",
    PROXY_SUCCESSOR = "proxy/successor",
    CANCEL_REQUEST = "$/cancel_request",
    AUTH_LOGIN = "auth/login",
    AUTH_LOGOUT = "auth/logout",
    TOOL_CALL_CANCEL = "tool_call/cancel",
    TERMINAL_CANCEL = "terminal/cancel",
    /// , in no schema any more: picks a model of `models` (see [`crate::legacy`]).
    SESSION_SET_MODEL = "session/set_model",
    /// , in no schema: tells who is logged in (see [`crate::legacy`]).
    LEGACY_AUTH_STATUS_UPDATE = "_auth/status_update",
}

impl Method {
    /// The name as it stands on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0
    }

    /// Its rows of the tables: one for each version and receiver.
    pub fn specs(self) -> impl Iterator<Item = &'static MethodSpec> {
        METHOD_TABLES
            .iter()
            .flat_map(|table| table.iter())
            .filter(move |spec| spec.method == self)
    }

    /// What `receiver` is sent under this name in `version`.
    #[must_use]
    pub fn spec(self, version: ProtocolVersion, receiver: Receiver) -> Option<&'static MethodSpec> {
        self.specs()
            .find(|spec| spec.version == version && spec.receiver == receiver)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Method({})", self.0)
    }
}

/// All tables, in the order in which they are listed to people.
pub(crate) const METHOD_TABLES: &[&[MethodSpec]] = &[
    AGENT_METHODS,
    CLIENT_METHODS,
    PROTOCOL_METHODS,
    LEGACY_METHODS,
];

/// One method of one version, as one receiver sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MethodSpec {
    /// Its name.
    pub method: Method,
    /// The version that this row is about.
    pub version: ProtocolVersion,
    /// Who is sent it.
    pub receiver: Receiver,
    /// Whether it is answered.
    pub kind: MethodKind,
    /// How settled it is.
    pub stability: Stability,
    /// What must have been advertised before it may be sent.
    pub gate: Gate,
    /// The type of its params.
    pub params: &'static str,
    /// The type of its result; `None` for a notification.
    pub result: Option<&'static str>,
}

/// Who is sent a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Receiver {
    /// The agent; the client sends it.
    Agent,
    /// The client; the agent sends it.
    Client,
    /// Whichever side did not send it.
    Either,
    /// A component of a proxy chain, or the conductor that runs the chain.
    Chain,
}

/// Whether a method is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "JSON-RPC has these two")]
pub enum MethodKind {
    /// It has an id and is answered exactly once.
    Request,
    /// It has no id and is never answered.
    Notification,
}

/// One of the two ends of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a connection has two ends")]
pub enum Side {
    /// The end that runs the model.
    Agent,
    /// The end that the user sits at.
    Client,
}

/// What must have been said before a method may be sent.
///
/// Paths start at the root of the `initialize` params (client) or result (agent).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gate {
    /// Nothing: every peer of that version has it.
    Baseline,
    /// Nothing, and the peer may ignore it.
    Courtesy,
    /// The side advertised at least one of these capabilities.
    Capability(Side, &'static [&'static str]),
    /// The agent listed at least one authentication method.
    AuthMethods,
    /// The result that made the session had this member.
    SessionState(&'static str),
    /// The tool call or terminal itself offers it, under this path.
    Entity(&'static str),
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Baseline => f.write_str("none"),
            Self::Courtesy => f.write_str("none (may be ignored)"),
            Self::Capability(Side::Agent, paths) => write!(f, "agent: {}", paths.join(" or ")),
            Self::Capability(Side::Client, paths) => write!(f, "client: {}", paths.join(" or ")),
            Self::AuthMethods => f.write_str("agent: a non-empty authMethods"),
            Self::SessionState(member) => write!(f, "the session came with {member}"),
            Self::Entity(path) => write!(f, "per entity: {path}"),
        }
    }
}

/// How a capability says yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Form {
    /// A boolean; `false` is no.
    Flag,
    /// An object, even an empty one; absent and `null` are no.
    Marker,
    /// An object that only holds other capabilities.
    Group,
}

/// One capability and what it opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CapabilityMethods {
    /// The side that advertises it.
    pub side: Side,
    /// The version that this row is about.
    pub version: ProtocolVersion,
    /// Its path from the root of the `initialize` params (client) or result (agent).
    pub path: &'static str,
    /// How it says yes.
    pub form: Form,
    /// How settled it is.
    pub stability: Stability,
    /// The methods that it opens, in both directions.
    pub methods: &'static [Method],
    /// The kinds of `session/update` that it opens.
    pub updates: &'static [&'static str],
}
