//! The number that `initialize` settles.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    describe::{Described, Shape, TypeInfo},
    shape::ShapeError,
    stability::{Presence, label},
    wire::{self, Cursor, TypeRef, Wire},
};

/// A protocol version as it stands on the wire: an integer from 0 to 65535.
///
/// A string, a float or a larger number is not a version and does not decode (v1 section 5.1,
/// v2 section 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a version is its number and nothing more"
)]
pub struct ProtocolVersion(pub u16);

impl ProtocolVersion {
    /// Version 1: a turn ends with the response to `session/prompt`.
    pub const V1: Self = Self(1);
    /// Version 2: a turn ends with an `idle` state.
    pub const V2: Self = Self(2);
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl From<u16> for ProtocolVersion {
    fn from(number: u16) -> Self {
        Self(number)
    }
}

impl Wire for ProtocolVersion {
    const TYPE: TypeRef = TypeRef::Named("ProtocolVersion");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        u16::read(cursor).map(Self)
    }
}

impl Serialize for ProtocolVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.0)
    }
}

impl<'de> Deserialize<'de> for ProtocolVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        wire::deserialize(deserializer)
    }
}

impl Described for ProtocolVersion {
    const INFO: TypeInfo = TypeInfo {
        name: "ProtocolVersion",
        recode: Some(crate::describe::recode::<Self>),
        doc: "The number that `initialize` settles.",
        presence: Presence::new(label::S, label::S),
        shape: Shape::Alias(TypeRef::Scalar("u16")),
    };
}
