//! JSON that is carried and not looked into.

use std::{fmt, ops::Deref};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::{
    shape::{Found, ShapeError},
    wire::{self, Cursor, TypeRef, Wire},
};

/// One JSON value, kept as the text it came in.
///
/// It is a [`RawValue`] that can be cloned and compared (by text, so `1` and `1.0` differ, as do
/// two spellings of one object). Tool input and output, unknown variants and `_meta` are of this
/// kind: whatever their depth, they cost one copy and are written back byte for byte.
#[derive(Clone)]
pub struct Raw(Box<RawValue>);

impl Raw {
    /// Keeps a JSON text.
    ///
    /// # Errors
    ///
    /// The text is not one JSON value.
    pub fn from_text(text: impl Into<String>) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text.into()).map(Self)
    }

    /// Encodes any value.
    ///
    /// # Errors
    ///
    /// The value cannot be written as JSON (a map with keys that are not strings).
    pub fn encode(value: &(impl Serialize + ?Sized)) -> Result<Self, serde_json::Error> {
        serde_json::value::to_raw_value(value).map(Self)
    }

    /// The value `null`.
    #[must_use]
    pub fn null() -> Self {
        Self(RawValue::NULL.to_owned())
    }

    /// The box inside.
    #[must_use]
    pub fn into_inner(self) -> Box<RawValue> {
        self.0
    }

    /// Copies the value that the cursor stands on.
    pub(crate) fn copy(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        let found = cursor.found();
        let text = cursor.value_text();
        serde_json::from_str::<&RawValue>(text)
            .map(|raw| Self(raw.to_owned()))
            .map_err(|_| ShapeError::expected("a JSON value", found))
    }
}

impl Deref for Raw {
    type Target = RawValue;

    fn deref(&self) -> &RawValue {
        &self.0
    }
}

impl PartialEq for Raw {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

impl Eq for Raw {}

impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Raw({})", self.0.get())
    }
}

impl From<Box<RawValue>> for Raw {
    fn from(value: Box<RawValue>) -> Self {
        Self(value)
    }
}

impl From<&RawValue> for Raw {
    fn from(value: &RawValue) -> Self {
        Self(value.to_owned())
    }
}

impl From<Raw> for Box<RawValue> {
    fn from(value: Raw) -> Self {
        value.0
    }
}

impl Wire for Raw {
    const TYPE: TypeRef = TypeRef::Scalar("any");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        Self::copy(cursor)
    }
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self)
    }
}

/// The free-form `_meta` member: a JSON object, kept as its text (v1 section 3).
///
/// Anything but an object is no `_meta`; the types of this crate then read it as absent. Keys that
/// you do not know have no meaning for you and are passed on.
// Nearly every type has one and hardly any value does, so an absent one takes as little room as
// can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta(Box<Raw>);

impl Meta {
    /// Takes a value that is a JSON object.
    ///
    /// # Errors
    ///
    /// The value is not an object.
    pub fn new(value: impl Into<Raw>) -> Result<Self, ShapeError> {
        let raw = value.into();
        Cursor::new(&raw).want(Found::Object, "an object")?;
        Ok(Self(Box::new(raw)))
    }

    /// The text of one member, or `None` when the object has no such key.
    #[must_use]
    pub fn member(&self, key: &str) -> Option<&RawValue> {
        let mut cursor = Cursor::new(&self.0);
        let mut members = cursor.object().ok()?;
        let mut last = None;
        while let Some(name) = members.next().ok()? {
            let text = members.cursor().value_text();
            if name == key {
                last = Some(text);
            }
        }
        serde_json::from_str(last?).ok()
    }

    /// The whole object.
    #[must_use]
    pub fn as_raw(&self) -> &RawValue {
        &self.0
    }

    /// The whole object, by value.
    #[must_use]
    pub fn into_raw(self) -> Raw {
        *self.0
    }
}

impl Wire for Meta {
    const TYPE: TypeRef = TypeRef::Scalar("object");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        cursor.want(Found::Object, "an object")?;
        Raw::copy(cursor).map(|raw| Self(Box::new(raw)))
    }
}

impl Serialize for Meta {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Meta {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        wire::deserialize(deserializer)
    }
}
