//! The id that ties an answer to its request.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    describe::{Described, Shape, TypeInfo},
    shape::{Found, ShapeError},
    stability::{Presence, label},
    wire::{self, Cursor, TypeRef, Wire},
};

/// The id of a request, kept as it came: an answer must carry the same JSON (v1 section 2).
///
/// Both versions allow signed 64-bit integers and strings. `null` is a valid id in v1 and never
/// sent by us. Integers beyond `i64` break the rule and are still kept, so that a reply with one
/// finds its request. Fractions, booleans, arrays and objects are no ids.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "JSON-RPC allows no other kinds of id"
)]
pub enum RequestId {
    /// An integer that fits in 64 signed bits.
    Number(i64),
    /// An integer from 2^63 to 2^64-1: outside the protocol, tolerated.
    Unsigned(u64),
    /// A string; `"1"` and `1` are two ids.
    String(Arc<str>),
    /// `null`: the sender could not or would not name the request.
    Null,
}

/// Strings are quoted, so that `92` and `"92"` differ in a log.
impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => fmt::Display::fmt(number, f),
            Self::Unsigned(number) => fmt::Display::fmt(number, f),
            Self::String(text) => fmt::Debug::fmt(&**text, f),
            Self::Null => f.write_str("null"),
        }
    }
}

impl From<i64> for RequestId {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<i32> for RequestId {
    fn from(number: i32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for RequestId {
    fn from(number: u64) -> Self {
        i64::try_from(number).map_or(Self::Unsigned(number), Self::Number)
    }
}

impl From<&str> for RequestId {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl From<String> for RequestId {
    fn from(text: String) -> Self {
        Self::String(text.into())
    }
}

impl Wire for RequestId {
    const TYPE: TypeRef = TypeRef::Named("RequestId");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        const EXPECTED: &str = "an integer, a string or null";
        if cursor.null() {
            return Ok(Self::Null);
        }
        if cursor.found() == Found::String {
            return cursor.string().map(|text| Self::String(text.into()));
        }
        cursor.want(Found::Number, EXPECTED)?;
        let token = cursor.scalar();
        let number = token.parse().map(Self::Number);
        number
            .or_else(|_| token.parse().map(Self::Unsigned))
            .map_err(|_| ShapeError::expected(EXPECTED, Found::Number))
    }
}

impl Serialize for RequestId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_i64(*number),
            Self::Unsigned(number) => serializer.serialize_u64(*number),
            Self::String(text) => serializer.serialize_str(text),
            Self::Null => serializer.serialize_unit(),
        }
    }
}

impl<'de> Deserialize<'de> for RequestId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        wire::deserialize(deserializer)
    }
}

impl Described for RequestId {
    const INFO: TypeInfo = TypeInfo {
        name: "RequestId",
        recode: Some(crate::describe::recode::<Self>),
        doc: "The id of a request, kept as it came.",
        presence: Presence::new(label::S, label::S),
        shape: Shape::Choice(&[
            TypeRef::Scalar("null"),
            TypeRef::Scalar("i64"),
            TypeRef::Scalar("string"),
        ]),
    };
}
