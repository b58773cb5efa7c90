//! What is known about a word, as data: `--json` prints it, the text is made of it.

use acp_harness::vocab::{
    ALIASES, FieldInfo, Method, MethodKind, MethodSpec, Presence, ProtocolVersion, Receiver, Shape,
    Stability, TYPES, TypeInfo,
};
use serde::Serialize;

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

/// How settled a word is: a short label, and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Settled {
    pub(super) label: &'static str,
    pub(super) meaning: &'static str,
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

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct InVersion {
    pub(super) protocol_version: u16,
    pub(super) stability: Settled,
}

/// What it looks like.
#[derive(Debug, Serialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub(super) enum Form {
    /// An object.
    Object {
        members: Vec<Member>,
        /// Whether no params at all are read as the empty object.
        null_is_empty: bool,
    },
    /// An object whose variant is named by a tag.
    Union {
        tag: &'static str,
        variants: Vec<Word>,
        /// The type that is read when there is no tag.
        #[serde(skip_serializing_if = "Option::is_none")]
        untagged: Option<&'static str>,
    },
    /// One of several strings; others are kept.
    Enum { values: Vec<Word> },
    /// Another name.
    Alias {
        #[serde(rename = "type")]
        of: String,
        /// What that looks like, where it has an entry of its own.
        #[serde(rename = "is", skip_serializing_if = "Option::is_none")]
        target: Option<Box<TypeDocument>>,
    },
    /// One of several types.
    Choice { types: Vec<String> },
    /// Nothing is known of it.
    Opaque,
}

/// A member of an object.
#[derive(Debug, Serialize)]
pub(super) struct Member {
    pub(super) name: &'static str,
    #[serde(rename = "type")]
    pub(super) ty: String,
    pub(super) required: bool,
    /// What comes of it when it is missing, `null`, or of another type.
    pub(super) missing: String,
    pub(super) null: String,
    pub(super) ill_typed: String,
    pub(super) doc: String,
    pub(super) versions: Vec<InVersion>,
}

/// A value of an enum or a variant of a union.
#[derive(Debug, Serialize)]
pub(super) struct Word {
    pub(super) value: &'static str,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) body: Option<&'static str>,
    pub(super) doc: String,
    pub(super) versions: Vec<InVersion>,
}

/// Everything that can be described.
#[derive(Debug, Serialize)]
pub(super) struct List {
    pub(super) methods: Vec<Row>,
    pub(super) types: Vec<TypeRow>,
}

#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) method: &'static str,
    pub(super) direction: &'static str,
    pub(super) kind: &'static str,
    pub(super) versions: Vec<InVersion>,
}

#[derive(Debug, Serialize)]
pub(super) struct TypeRow {
    pub(super) name: &'static str,
    pub(super) versions: Vec<InVersion>,
    pub(super) doc: String,
}

impl List {
    pub(super) fn new(version: Option<ProtocolVersion>) -> Self {
        let asked = |other: ProtocolVersion| version.is_none_or(|version| version == other);
        let mut methods: Vec<Row> = Vec::new();
        for spec in Method::ALL
            .iter()
            .flat_map(|method| method.specs())
            .filter(|spec| asked(spec.version))
        {
            let (method, direction, kind) = (
                spec.method.name(),
                direction(spec.receiver),
                kind(spec.kind),
            );
            let here = InVersion::new(spec.version, spec.stability);
            match methods
                .iter_mut()
                .find(|row| (row.method, row.direction, row.kind) == (method, direction, kind))
            {
                Some(row) => row.versions.push(here),
                None => methods.push(Row {
                    method,
                    direction,
                    kind,
                    versions: vec![here],
                }),
            }
        }
        // A name stands once for each shape that it has.
        let types = TYPES
            .iter()
            .chain(ALIASES)
            .map(|info| TypeRow {
                name: info.name,
                versions: versions(info.presence, version),
                doc: prose(info.doc),
            })
            .filter(|row| !row.versions.is_empty())
            .collect();
        Self { methods, types }
    }
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

impl Form {
    fn new(shape: Shape, version: Option<ProtocolVersion>) -> Self {
        let word = |value, body, doc, presence| Word {
            value,
            body,
            doc: prose(doc),
            versions: versions(presence, version),
        };
        match shape {
            Shape::Struct { fields, null, .. } => {
                let mut members = Vec::new();
                collect(fields, version, &mut members);
                Self::Object {
                    members,
                    null_is_empty: null,
                }
            }
            Shape::Union {
                tag,
                variants,
                untagged,
                ..
            } => Self::Union {
                tag,
                variants: variants
                    .iter()
                    .map(|variant| word(variant.tag, variant.body, variant.doc, variant.presence))
                    .filter(|word| !word.versions.is_empty())
                    .collect(),
                untagged,
            },
            Shape::Enum(values) => Self::Enum {
                values: values
                    .iter()
                    .map(|value| word(value.value, None, value.doc, value.presence))
                    .filter(|word| !word.versions.is_empty())
                    .collect(),
            },
            Shape::Alias(of) => {
                let of = of.to_string();
                // No alias stands for another alias, so this has an end.
                let target = TYPES
                    .iter()
                    .find(|info| info.name == of && !versions(info.presence, version).is_empty())
                    .map(|info| Box::new(TypeDocument::new(info, version)));
                Self::Alias { of, target }
            }
            Shape::Choice(types) => Self::Choice {
                types: types.iter().map(ToString::to_string).collect(),
            },
            _ => Self::Opaque,
        }
    }
}

/// The members of an object; those of another type that stand among them are named where they stand.
fn collect(
    fields: &'static [FieldInfo],
    version: Option<ProtocolVersion>,
    members: &mut Vec<Member>,
) {
    for field in fields {
        let versions = versions(field.presence, version);
        if versions.is_empty() {
            continue;
        }
        let inner = if field.name.is_empty() {
            TYPES
                .iter()
                .find(|info| field.ty.to_string() == info.name)
                .map(|info| info.shape)
        } else {
            None
        };
        if let Some(Shape::Struct { fields, .. }) = inner {
            collect(fields, version, members);
            continue;
        }
        let word = |reading| format!("{reading:?}").to_lowercase();
        members.push(Member {
            name: field.name,
            ty: field.ty.to_string(),
            required: field.rule.is_required(),
            missing: word(field.rule.missing()),
            null: word(field.rule.null()),
            ill_typed: word(field.rule.ill_typed()),
            doc: prose(field.doc),
            versions,
        });
    }
}

impl InVersion {
    fn new(version: ProtocolVersion, stability: Stability) -> Self {
        Self {
            protocol_version: version.0,
            stability: Settled::of(stability),
        }
    }
}

fn versions(presence: Presence, version: Option<ProtocolVersion>) -> Vec<InVersion> {
    [ProtocolVersion::V1, ProtocolVersion::V2]
        .into_iter()
        .filter(|other| version.is_none_or(|version| version == *other))
        .filter_map(|other| Some(InVersion::new(other, presence.within(other)?)))
        .collect()
}

impl Settled {
    fn of(stability: Stability) -> Self {
        let meaning = match stability {
            Stability::Stable => "stable",
            Stability::Unstable => "a draft",
            Stability::Stabilized => "stable in the newer schema, a draft in the older",
            Stability::StableInCrate => "stable, in the newer schema only",
            Stability::UnstableInCrate => "a draft, in the newer schema only",
            Stability::StableDropped => "was stable, dropped by the newer schema",
            Stability::UnstableDropped => "was a draft, dropped by the newer schema",
            Stability::Legacy => "in no schema, and still spoken",
            _ => "of unknown standing",
        };
        Self {
            label: stability.label(),
            meaning,
        }
    }

    /// Whether there is nothing to say about it.
    pub(super) fn is_plain(self) -> bool {
        self.label == Stability::Stable.label()
    }
}

fn direction(receiver: Receiver) -> &'static str {
    match receiver {
        Receiver::Agent => "client to agent",
        Receiver::Client => "agent to client",
        Receiver::Either => "either way",
        Receiver::Chain => "in a proxy chain",
        _ => "elsewhere",
    }
}

fn kind(kind: MethodKind) -> &'static str {
    match kind {
        MethodKind::Request => "request",
        MethodKind::Notification => "notification",
    }
}

/// A comment of the declarations as running text: one line, without links.
fn prose(doc: &str) -> String {
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
