//! What the crate knows about its own types, as data.
//!
//! The declarations of the types fill these tables, so they cannot differ from what is read and
//! written. `acp describe` prints them and the tests walk them.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    catalog::{ALIASES, TYPES},
    raw::Raw,
    shape::{Found, ShapeError},
    stability::Presence,
    version::ProtocolVersion,
    wire::{self, TypeRef, Wire, rule::Rule},
};

/// One type of the protocol.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TypeInfo {
    /// Its name in the schema. A name that v1 and v2 use for two shapes has two entries.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// In which versions it is there.
    pub presence: Presence,
    /// What it looks like.
    pub shape: Shape,
    /// Decodes a value and writes it back; `None` for a type that is part of another.
    pub(crate) recode: Option<Recode>,
}

/// Decodes a value and writes it back.
type Recode = fn(&RawValue) -> Result<Raw, ShapeError>;

impl TypeInfo {
    /// The entry of a name in one version.
    #[must_use]
    pub fn find(name: &str, version: ProtocolVersion) -> Option<&'static Self> {
        TYPES
            .iter()
            .chain(ALIASES)
            .copied()
            .find(|info| info.name == name && info.presence.within(version).is_some())
    }

    /// Decodes a value and writes it back: what is left is what this crate understood.
    ///
    /// `None` for a type that stands only among the members of another.
    ///
    /// # Errors
    ///
    /// The value has not the shape of the type.
    #[must_use]
    pub fn recode(&self, value: &RawValue) -> Option<Result<Raw, ShapeError>> {
        self.recode.map(|recode| recode(value))
    }
}

/// [`TypeInfo::recode`] of one type.
pub(crate) fn recode<T: Wire + Serialize>(value: &RawValue) -> Result<Raw, ShapeError> {
    let value: T = wire::decode(value)?;
    Raw::encode(&value).map_err(|_| ShapeError::expected("a JSON value", Found::NotJson))
}

/// What a type looks like on the wire.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// An object with known members.
    Struct {
        /// The members.
        fields: &'static [FieldInfo],
        /// Whether `null` and absent params are read as the empty object.
        null: bool,
    },
    /// An object whose variant is named by a tag.
    Union {
        /// The member that holds the tag.
        tag: &'static str,
        /// The variants.
        variants: &'static [VariantInfo],
        /// The type that is read when there is no tag.
        untagged: Option<&'static str>,
    },
    /// One of several strings; others are kept.
    Enum(&'static [ValueInfo]),
    /// Another name for a type.
    Alias(TypeRef),
    /// One of several types, told apart by what they look like.
    Choice(&'static [TypeRef]),
}

/// One member of an object.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FieldInfo {
    /// Its name on the wire; empty for members of another type that stand among its own.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// Its type.
    pub ty: TypeRef,
    /// What may stand in its place.
    pub rule: Rule,
    /// In which versions it is there.
    pub presence: Presence,
}

/// One variant of a union.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct VariantInfo {
    /// The tag that names it.
    pub tag: &'static str,
    /// The type of its other members, when it has any.
    pub body: Option<&'static str>,
    /// What it is for.
    pub doc: &'static str,
    /// In which versions it is there.
    pub presence: Presence,
}

/// One value of an enum.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ValueInfo {
    /// The string.
    pub value: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// In which versions it is there.
    pub presence: Presence,
}

/// A type with an entry in [`TYPES`].
pub(crate) trait Described {
    const INFO: TypeInfo;
}

impl Shape {
    /// What JSON a value of the type is, as a noun phrase.
    fn expectation(self) -> &'static str {
        match self {
            Self::Struct { .. } | Self::Union { .. } => "an object",
            Self::Enum(_) | Self::Alias(TypeRef::Scalar("string")) => "a string",
            Self::Alias(_) | Self::Choice(_) => "a value",
        }
    }
}

/// What JSON a value of the named type is.
pub(crate) fn expectation(name: &str) -> &'static str {
    TYPES
        .iter()
        .find(|info| info.name == name)
        .map_or("a value", |info| info.shape.expectation())
}
