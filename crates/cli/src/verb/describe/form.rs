//! What a type looks like: its members, values or variants.

use acp_harness::vocab::{FieldInfo, ProtocolVersion, Shape, TYPES};
use serde::Serialize;

use super::{
    document::{TypeDocument, prose},
    settled::{InVersion, versions},
};

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

impl Form {
    pub(super) fn new(shape: Shape, version: Option<ProtocolVersion>) -> Self {
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
