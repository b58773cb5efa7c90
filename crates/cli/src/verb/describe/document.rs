//! What is known about a word, as data: `--json` prints it, the text is made of it.

use acp_harness::vocab::{MethodKind, MethodSpec, ProtocolVersion, Receiver, TypeInfo};
use serde::Serialize;

use super::{
    form::Form,
    settled::{InVersion, Settled, versions},
};

/// A method in one version, in one direction.
#[derive(Debug, Serialize)]
pub(super) struct MethodDocument {
    pub(super) method: &'static str,
    pub(super) protocol_version: u16,
    pub(super) direction: &'static str,
    pub(super) kind: &'static str,
    pub(super) stability: Settled,
    /// What must have been advertised before it may be sent.
    pub(super) gate: String,
    pub(super) params: TypeDocument,
    pub(super) result: Option<TypeDocument>,
}

/// A type.
#[derive(Debug, Serialize)]
pub(super) struct TypeDocument {
    pub(super) name: &'static str,
    pub(super) doc: String,
    /// The versions that have it, with its stability in each.
    pub(super) versions: Vec<InVersion>,
    #[serde(flatten)]
    pub(super) form: Form,
}

impl MethodDocument {
    pub(super) fn new(spec: &MethodSpec) -> Self {
        let found = |name: &'static str| {
            TypeInfo::find(name, spec.version).map_or_else(
                || TypeDocument::opaque(name),
                |info| TypeDocument::new(info, Some(spec.version)),
            )
        };
        Self {
            method: spec.method.name(),
            protocol_version: spec.version.0,
            direction: direction(spec.receiver),
            kind: kind(spec.kind),
            stability: Settled::of(spec.stability),
            gate: spec.gate.to_string(),
            params: found(spec.params),
            result: spec.result.map(found),
        }
    }
}

impl TypeDocument {
    /// A type as it is in one version, or in all that have it.
    pub(super) fn new(info: &TypeInfo, version: Option<ProtocolVersion>) -> Self {
        Self {
            name: info.name,
            doc: prose(info.doc),
            versions: versions(info.presence, version),
            form: Form::new(info.shape, version),
        }
    }

    fn opaque(name: &'static str) -> Self {
        Self {
            name,
            doc: String::new(),
            versions: Vec::new(),
            form: Form::Opaque,
        }
    }
}

pub(super) fn direction(receiver: Receiver) -> &'static str {
    match receiver {
        Receiver::Agent => "client to agent",
        Receiver::Client => "agent to client",
        Receiver::Either => "either way",
        Receiver::Chain => "in a proxy chain",
        _ => "elsewhere",
    }
}

pub(super) fn kind(kind: MethodKind) -> &'static str {
    match kind {
        MethodKind::Request => "request",
        MethodKind::Notification => "notification",
    }
}

/// A comment of the declarations as running text: one line, without links.
pub(super) fn prose(doc: &str) -> String {
    let mut words = String::with_capacity(doc.len());
    for word in doc.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    // `[`Name`](path)` and `[`Name`]` are links of the manual.
    let mut text = String::with_capacity(words.len());
    let mut rest = words.as_str();
    while let Some((before, after)) = rest.split_once("[`") {
        text.push_str(before);
        let Some((name, behind)) = after.split_once("`]") else {
            text.push_str("[`");
            rest = after;
            continue;
        };
        text.push('`');
        text.push_str(name.rsplit("::").next().unwrap_or(name));
        text.push('`');
        rest = match behind
            .strip_prefix('(')
            .and_then(|path| path.split_once(')'))
        {
            Some((_, behind)) => behind,
            None => behind,
        };
    }
    text.push_str(rest);
    text
}
