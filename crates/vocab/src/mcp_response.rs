//! The answer of an inner MCP request.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;

use crate::{
    describe::{Described, FieldInfo, Shape, TypeInfo},
    raw::{Meta, Raw},
    shape::{Found, ShapeError},
    stability::{Presence, label},
    wire::macros::serde_for,
    wire::rule::{self, Rule},
    wire::{Cursor, TypeRef, Wire},
};

/// Result of `mcp/message`: the inner result or the inner error.
///
/// With both written the result counts. An error of the outer message is for routing trouble only.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MessageMcpResponse {
    /// It answered.
    Result {
        /// The inner result, any JSON, `null` included.
        result: Raw,
        /// Free-form extension data of the answer around it; kept and passed on.
        meta: Option<Meta>,
    },
    /// It failed.
    Error {
        /// The inner error.
        error: McpError,
        /// Free-form extension data of the answer around it; kept and passed on.
        meta: Option<Meta>,
    },
}

impl From<Raw> for MessageMcpResponse {
    fn from(result: Raw) -> Self {
        Self::Result { result, meta: None }
    }
}

impl From<McpError> for MessageMcpResponse {
    fn from(error: McpError) -> Self {
        Self::Error { error, meta: None }
    }
}

impl Wire for MessageMcpResponse {
    const TYPE: TypeRef = TypeRef::Named("MessageMcpResponse");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        let mut members = cursor.object()?;
        let (mut result, mut error, mut meta) = (None, None, None);
        while let Some(name) = members.next()? {
            let cursor = members.cursor();
            match &*name {
                "result" => result = Some(Raw::read(cursor)?),
                "error" => error = Some(cursor.value_text()),
                "_meta" => meta = rule::attempt(cursor),
                _ => cursor.skip(),
            }
        }
        if let Some(result) = result {
            return Ok(Self::Result { result, meta });
        }
        let error = error.ok_or_else(|| ShapeError::missing("result", "a value"))?;
        let raw =
            Raw::from_text(error).map_err(|_| ShapeError::expected("an object", Found::NotJson))?;
        McpError::read(&mut Cursor::new(&raw))
            .map(|error| Self::Error { error, meta })
            .map_err(|fault| fault.inside("error"))
    }
}

impl serde::Serialize for MessageMcpResponse {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let (Self::Result { meta, .. } | Self::Error { meta, .. }) = self;
        match self {
            Self::Result { result, .. } => map.serialize_entry("result", result)?,
            Self::Error { error, .. } => map.serialize_entry("error", error)?,
        }
        if let Some(meta) = meta {
            map.serialize_entry("_meta", meta)?;
        }
        map.end()
    }
}

serde_for!(MessageMcpResponse);

impl Described for MessageMcpResponse {
    const INFO: TypeInfo = TypeInfo {
        name: "MessageMcpResponse",
        recode: Some(crate::describe::recode::<Self>),
        doc: "Result of `mcp/message`: the inner result or the inner error.",
        presence: Presence::new(label::U, label::U),
        shape: Shape::Choice(&[TypeRef::Scalar("object"), McpError::TYPE]),
    };
}

/// An inner MCP error. It belongs to another protocol, so members beyond the known three are kept.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct McpError {
    /// The code.
    pub code: i32,
    /// The words of the inner peer.
    pub message: Box<str>,
    /// Anything more; `null` is a value here.
    pub data: Option<Raw>,
    /// Members that are none of the above.
    pub more: BTreeMap<Box<str>, Raw>,
}

impl McpError {
    /// An error with neither data nor more.
    pub fn new(code: i32, message: impl Into<Box<str>>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
            more: BTreeMap::new(),
        }
    }
}

impl Wire for McpError {
    const TYPE: TypeRef = TypeRef::Named("McpError");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        let mut members = cursor.object()?;
        let (mut code, mut message, mut data) = (None, None, None);
        let mut more = BTreeMap::new();
        while let Some(name) = members.next()? {
            let cursor = members.cursor();
            match &*name {
                "code" => code = Some(i32::read(cursor).map_err(|fault| fault.inside("code"))?),
                "message" => {
                    let text = <Box<str>>::read(cursor);
                    message = Some(text.map_err(|fault| fault.inside("message"))?);
                }
                "data" => data = Some(Raw::read(cursor)?),
                other => {
                    more.insert(other.into(), Raw::read(cursor)?);
                }
            }
        }
        Ok(Self {
            code: code.ok_or_else(|| ShapeError::missing("code", "an integer"))?,
            message: message.ok_or_else(|| ShapeError::missing("message", "a string"))?,
            data,
            more,
        })
    }
}

impl serde::Serialize for McpError {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", &self.code)?;
        map.serialize_entry("message", &self.message)?;
        if let Some(data) = &self.data {
            map.serialize_entry("data", data)?;
        }
        for (name, value) in &self.more {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

serde_for!(McpError);

impl Described for McpError {
    const INFO: TypeInfo = TypeInfo {
        name: "McpError",
        recode: Some(crate::describe::recode::<Self>),
        doc: "An inner MCP error.",
        presence: Presence::new(label::U, label::U),
        shape: Shape::Struct {
            null: false,
            fields: &[
                FieldInfo {
                    name: "code",
                    doc: "The code.",
                    ty: i32::TYPE,
                    rule: Rule::Required,
                    presence: Presence::new(label::U, label::U),
                },
                FieldInfo {
                    name: "message",
                    doc: "The words of the inner peer.",
                    ty: TypeRef::Scalar("string"),
                    rule: Rule::Required,
                    presence: Presence::new(label::U, label::U),
                },
                FieldInfo {
                    name: "data",
                    doc: "Anything more.",
                    ty: Raw::TYPE,
                    rule: Rule::Verbatim,
                    presence: Presence::new(label::U, label::U),
                },
            ],
        },
    };
}
