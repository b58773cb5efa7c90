//! What a peer answers when it says no.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;

use crate::{
    describe::{Described, FieldInfo, Shape, TypeInfo},
    raw::Raw,
    shape::ShapeError,
    stability::{Presence, label},
    wire::{self, Cursor, TypeRef, Wire, rule::Rule},
};

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
        self.code == other.code
            && self.message == other.message
            && self.data.as_deref().map(RawValue::get) == other.data.as_deref().map(RawValue::get)
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
