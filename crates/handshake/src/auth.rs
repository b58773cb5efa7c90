//! The ways to log in that an agent lists, the same for both versions.
//!
//! v1 names a method by `id` and may leave out its type; v2 says `methodId` and always gives one. Items that cannot be read are
//! left out one by one, as a login screen can do without them.

use acp_vocab::ProtocolVersion;
use serde_json::value::RawValue;

use crate::{capabilities::member, diagnostic::Diagnostic, kind::JsonKind};

/// How many auth methods are kept.
pub(crate) const MAX_METHODS: usize = 64;

/// How a login happens.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuthKind {
    /// The agent handles it: one request, which may take as long as a person needs in a browser.
    Agent,
    /// A command of the agent is run in a terminal; never requested.
    Terminal,
    /// A type that v2 may add later: not offered to a person.
    Other(Box<str>),
}

/// One way to log in.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AuthMethod {
    /// What `authenticate` (v1) or `auth/login` (v2) names.
    pub id: Box<str>,
    /// A short label; the id where the agent sent none.
    pub name: Box<str>,
    /// A longer text.
    pub description: Option<Box<str>>,
    /// How it happens.
    pub kind: AuthKind,
    /// The item as it was sent, with what a version or an extension adds.
    pub raw: Box<RawValue>,
}

impl AuthMethod {
    fn read(version: ProtocolVersion, item: &RawValue) -> Option<Self> {
        let own = if version == ProtocolVersion::V1 {
            ["id", "methodId"]
        } else {
            ["methodId", "id"]
        };
        let id = own.iter().find_map(|name| text(item, name))?;
        let kind = match text(item, "type").as_deref() {
            Some("terminal") => AuthKind::Terminal,
            // v1: a type that the receiver does not know means a method that the agent handles.
            Some(other) if other != "agent" && version != ProtocolVersion::V1 => {
                AuthKind::Other(other.into())
            }
            Some(_) | None => AuthKind::Agent,
        };
        let name = text(item, "name").unwrap_or_else(|| id.clone());
        Some(Self {
            id,
            name,
            description: text(item, "description"),
            kind,
            raw: item.to_owned(),
        })
    }
}

/// Reads the list; what cannot be read is left out and noted.
pub(crate) fn read(
    version: ProtocolVersion,
    list: Option<&RawValue>,
    notes: &mut Vec<Diagnostic>,
) -> Vec<AuthMethod> {
    let Some(list) = list else { return Vec::new() };
    let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(list.get()) else {
        if JsonKind::of(list) != JsonKind::Null {
            notes.push(Diagnostic::IllTyped {
                member: "authMethods",
                got: JsonKind::of(list),
            });
        }
        return Vec::new();
    };
    if items.len() > MAX_METHODS {
        notes.push(Diagnostic::TooManyAuthMethods { count: items.len() });
    }
    let mut methods = Vec::new();
    for (index, item) in items.into_iter().take(MAX_METHODS).enumerate() {
        match AuthMethod::read(version, item) {
            Some(method) => methods.push(method),
            None => notes.push(Diagnostic::DroppedAuthMethod { index }),
        }
    }
    methods
}

fn text(object: &RawValue, name: &str) -> Option<Box<str>> {
    member(object, name).and_then(|value| serde_json::from_str(value.get()).ok())
}
