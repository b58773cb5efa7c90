//! What the envelope of a message carries: ids, error codes, error objects.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;

use crate::{
    describe::{Described, FieldInfo, Shape, TypeInfo},
    raw::Raw,
    shape::{Found, ShapeError},
    stability::{Presence, label},
    wire::{self, Cursor, TypeRef, Wire, rule::Rule},
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

/// The code of an error: any 32-bit integer; codes that have no name here keep their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a code is its number and nothing more"
)]
pub struct ErrorCode(pub i32);

impl ErrorCode {
    /// The line was no JSON.
    pub const PARSE_ERROR: Self = Self(-32700);
    /// The JSON was no message, or came at the wrong time.
    pub const INVALID_REQUEST: Self = Self(-32600);
    /// The receiver does not have the method, or did not advertise it.
    pub const METHOD_NOT_FOUND: Self = Self(-32601);
    /// The params do not decode or name something unknown.
    pub const INVALID_PARAMS: Self = Self(-32602);
    /// The receiver failed.
    pub const INTERNAL_ERROR: Self = Self(-32603);
    /// The request was withdrawn, by `$/cancel_request` or by the callee.
    pub const REQUEST_CANCELLED: Self = Self(-32800);
    /// The user must log in first; then the request may be repeated.
    pub const AUTH_REQUIRED: Self = Self(-32000);
    /// The session, file or terminal is not there.
    pub const RESOURCE_NOT_FOUND: Self = Self(-32002);
    /// No version that the agent speaks is at or below the one asked for (v2 section 5.2).
    pub const UNSUPPORTED_VERSION: Self = Self(-32022);

    /// Every named code with the name the protocol gives it.
    pub const NAMED: &'static [(Self, &'static str)] = &[
        (Self::PARSE_ERROR, "Parse error"),
        (Self::INVALID_REQUEST, "Invalid request"),
        (Self::METHOD_NOT_FOUND, "Method not found"),
        (Self::INVALID_PARAMS, "Invalid params"),
        (Self::INTERNAL_ERROR, "Internal error"),
        (Self::REQUEST_CANCELLED, "Request cancelled"),
        (Self::AUTH_REQUIRED, "Authentication required"),
        (Self::RESOURCE_NOT_FOUND, "Resource not found"),
        (Self::UNSUPPORTED_VERSION, "Unsupported protocol version"),
    ];

    /// What the protocol calls the code; `None` for others.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        Self::NAMED
            .iter()
            .find(|(code, _)| *code == self)
            .map(|(_, name)| *name)
    }
}

/// The number, and the name when there is one: `-32601 (Method not found)`.
impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{} ({name})", self.0),
            None => write!(f, "{}", self.0),
        }
    }
}

impl From<i32> for ErrorCode {
    fn from(number: i32) -> Self {
        Self(number)
    }
}

impl Wire for ErrorCode {
    const TYPE: TypeRef = TypeRef::Named("ErrorCode");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        i32::read(cursor).map(Self)
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i32(self.0)
    }
}

impl<'de> Deserialize<'de> for ErrorCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        wire::deserialize(deserializer)
    }
}

impl Described for ErrorCode {
    const INFO: TypeInfo = TypeInfo {
        name: "ErrorCode",
        recode: Some(crate::describe::recode::<Self>),
        doc: "The code of an error: any 32-bit integer.",
        presence: Presence::new(label::S, label::S),
        shape: Shape::Alias(TypeRef::Scalar("i32")),
    };
}

/// What a peer answers when it says no.
///
/// It is a value of the protocol and no failure of ours. `Display` shows the code only: the
/// message is the peer's text, and whoever wants to show it takes it from the field.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ErrorObject {
    /// What kind of no.
    pub code: ErrorCode,
    /// The peer's words.
    pub message: Box<str>,
    /// Anything more; `null` on the wire is absent.
    pub data: Option<Box<RawValue>>,
}

impl ErrorObject {
    /// An error without data.
    pub fn new(code: impl Into<ErrorCode>, message: impl Into<Box<str>>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            data: None,
        }
    }

    /// An error with the name of its code as message, or `"Error"` for a code without one.
    #[must_use]
    pub fn of(code: ErrorCode) -> Self {
        Self::new(code, code.name().unwrap_or("Error"))
    }

    /// The same error with data.
    #[must_use]
    pub fn with_data(mut self, data: Box<RawValue>) -> Self {
        self.data = Some(data);
        self
    }
}

impl PartialEq for ErrorObject {
    fn eq(&self, other: &Self) -> bool {
        let text = |error: &Self| error.data.as_ref().map(|data| data.get().to_owned());
        self.code == other.code && self.message == other.message && text(self) == text(other)
    }
}

impl fmt::Display for ErrorObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the peer answered error {}", self.code)
    }
}

impl std::error::Error for ErrorObject {}

impl Wire for ErrorObject {
    const TYPE: TypeRef = TypeRef::Named("Error");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        let mut members = cursor.object()?;
        let (mut code, mut message, mut data) = (None, None, None);
        while let Some(name) = members.next()? {
            let cursor = members.cursor();
            match &*name {
                "code" => {
                    code = Some(ErrorCode::read(cursor).map_err(|error| error.inside("code"))?);
                }
                "message" => {
                    message = Some(
                        Wire::read(cursor).map_err(|error: ShapeError| error.inside("message"))?,
                    );
                }
                "data" => {
                    data = wire::rule::optional::<Raw>(cursor)?.map(Raw::into_inner);
                }
                _ => cursor.skip(),
            }
        }
        Ok(Self {
            code: code.ok_or_else(|| ShapeError::missing("code", "an integer"))?,
            message: message.ok_or_else(|| ShapeError::missing("message", "a string"))?,
            data,
        })
    }
}

impl Serialize for ErrorObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", &self.code)?;
        map.serialize_entry("message", &self.message)?;
        if let Some(data) = &self.data {
            map.serialize_entry("data", data)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for ErrorObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        wire::deserialize(deserializer)
    }
}

impl Described for ErrorObject {
    const INFO: TypeInfo = TypeInfo {
        name: "Error",
        recode: Some(crate::describe::recode::<Self>),
        doc: "What a peer answers when it says no.",
        presence: Presence::new(label::S, label::S),
        shape: Shape::Struct {
            null: false,
            fields: &[
                FieldInfo {
                    name: "code",
                    doc: "What kind of no.",
                    ty: ErrorCode::TYPE,
                    rule: Rule::Required,
                    presence: Presence::new(label::S, label::S),
                },
                FieldInfo {
                    name: "message",
                    doc: "The peer's words.",
                    ty: TypeRef::Scalar("string"),
                    rule: Rule::Required,
                    presence: Presence::new(label::S, label::S),
                },
                FieldInfo {
                    name: "data",
                    doc: "Anything more.",
                    ty: TypeRef::Scalar("any"),
                    rule: Rule::Optional,
                    presence: Presence::new(label::S, label::S),
                },
            ],
        },
    };
}
