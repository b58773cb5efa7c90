//! How every type of this crate is read: in one pass over raw JSON, with a path to every fault.

mod cursor;
mod escape;
mod leaf;
pub(crate) mod macros;
pub(crate) mod members;
pub(crate) mod rule;
pub(crate) mod union;

use std::{borrow::Cow, collections::BTreeMap, fmt};

use serde::{Deserialize, Deserializer, de::Error as _, ser::SerializeMap};
use serde_json::value::RawValue;

pub(crate) use self::cursor::Cursor;
pub(crate) use self::members::Members;
use crate::{describe, id::SessionId, patch::Patch, raw::Raw, shape::ShapeError};

/// A type that stands on the wire of the protocol.
///
/// Implemented by the types of this crate and by nothing else; the reader behind it is private.
/// Use it as a bound, with [`decode`](crate::decode) and [`decode_params`](crate::decode_params).
pub trait Wire: Sized {
    /// What the type is called in the schema.
    const TYPE: TypeRef;

    /// Reads one value and leaves the cursor behind it.
    ///
    /// # Errors
    ///
    /// The value is not of the type.
    #[doc(hidden)]
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError>;
}

/// A type as the schema names it; its `Display` is `ContentBlock[]`, `map<string,string>` and so
/// on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypeRef {
    /// A type with an entry of its own in [`TYPES`](crate::TYPES).
    Named(&'static str),
    /// A JSON scalar, `object`, or `any`.
    Scalar(&'static str),
    /// A list.
    List(&'static Self),
    /// An object with free keys.
    Map(&'static Self),
}

impl TypeRef {
    /// What a reader says it expected when the member is missing.
    #[cold]
    pub(crate) fn expectation(self) -> &'static str {
        match self {
            Self::List(_) => "an array",
            Self::Map(_) | Self::Scalar("object") => "an object",
            Self::Scalar("string") => "a string",
            Self::Scalar("boolean") => "a boolean",
            Self::Scalar("any") => "a value",
            Self::Scalar(_) => "a number",
            Self::Named(name) => describe::expectation(name),
        }
    }
}

impl fmt::Display for TypeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) | Self::Scalar(name) => f.write_str(name),
            Self::List(item) => write!(f, "{item}[]"),
            Self::Map(value) => write!(f, "map<string,{value}>"),
        }
    }
}

/// Decodes a value of the wire.
///
/// The same as `serde_json::from_str(raw.get())`, without a second look at the syntax: this is the
/// way for hot paths.
///
/// # Errors
///
/// The value has not the shape of `T`.
pub fn decode<T: Wire>(raw: &RawValue) -> Result<T, ShapeError> {
    T::read(&mut Cursor::new(raw))
}

/// Decodes the params of a message, or a result, where nothing at all may stand for `null`.
///
/// Types whose members are all optional and that the official implementation reads from `null`
/// decode from absent params too (v1 section 2); all others report what they miss.
///
/// # Errors
///
/// The value, or `null` in its place, has not the shape of `T`.
pub fn decode_params<T: Wire>(params: Option<&RawValue>) -> Result<T, ShapeError> {
    decode(params.unwrap_or(RawValue::NULL))
}

/// Decodes the params of `session/update` and leaves the id of the session in their text.
///
/// The same as decoding [`v1::SessionNotification`](crate::v1::SessionNotification) or
/// [`v2::UpdateSessionNotification`](crate::v2::UpdateSessionNotification), without `_meta` and
/// without a copy of the id: who looks a session up for each of a million updates keeps none.
///
/// # Errors
///
/// The params, or `null` in their place, have not that shape.
pub fn decode_update<U: Wire>(params: Option<&RawValue>) -> Result<(Cow<'_, str>, U), ShapeError> {
    let mut cursor = Cursor::new(params.unwrap_or(RawValue::NULL));
    let mut members = cursor.object()?;
    let (mut session, mut update) = (None, None);
    while let Some(name) = members.next()? {
        let cursor = members.cursor();
        match &*name {
            SESSION => session = Some(cursor.string().map_err(|error| error.inside(SESSION))?),
            UPDATE => update = Some(U::read(cursor).map_err(|error| error.inside(UPDATE))?),
            _ => cursor.skip(),
        }
    }
    Ok((
        session.ok_or_else(|| missing::<SessionId>(SESSION))?,
        update.ok_or_else(|| missing::<U>(UPDATE))?,
    ))
}

const SESSION: &str = "sessionId";
const UPDATE: &str = "update";

/// `Deserialize` for all types: take the text, then read it.
pub(crate) fn deserialize<'de, T: Wire, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    decode(&raw).map_err(D::Error::custom)
}

/// A type that is written as members of an object which others may share.
pub(crate) trait Body: Sized {
    /// The names of its own members.
    const OWN: &'static [&'static str] = &[];

    /// Reads the members up to the end of the object.
    fn read_members(members: Members<'_, '_>) -> Result<Self, ShapeError>;

    /// Writes the members into an object that is open.
    fn write_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

impl<T: Body> Body for Box<T> {
    const OWN: &'static [&'static str] = T::OWN;

    fn read_members(members: Members<'_, '_>) -> Result<Self, ShapeError> {
        T::read_members(members).map(Self::new)
    }

    fn write_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        T::write_members(self, map)
    }
}

/// A type whose members stand among those of the object that holds it.
pub(crate) trait Flat: Sized {
    /// What the type is called in the schema.
    const TYPE: TypeRef;
    /// The member that names the variant; empty when the members themselves tell.
    const TAG: &'static str;

    /// Reads its members from the whole object.
    fn read_flat(members: Members<'_, '_>) -> Result<Self, ShapeError>;

    /// Writes its members into the open object. `own` are the names that the holder writes itself.
    fn write_flat<M: SerializeMap>(&self, map: &mut M, own: &[&str]) -> Result<(), M::Error>;
}

impl<T: Wire> Wire for Box<T> {
    const TYPE: TypeRef = T::TYPE;

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        T::read(cursor).map(Self::new)
    }
}

impl<T: Wire> Wire for Option<T> {
    const TYPE: TypeRef = T::TYPE;

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        rule::optional(cursor)
    }
}

impl<T: Wire> Wire for Patch<T> {
    const TYPE: TypeRef = T::TYPE;

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        rule::optional(cursor).map(Self::from)
    }
}

/// A required member that is not there.
#[cold]
pub(crate) fn missing<T: Wire>(member: &'static str) -> ShapeError {
    ShapeError::missing(member, T::TYPE.expectation())
}

/// Keeps a member that is not known.
#[cold]
pub(crate) fn keep(more: &mut BTreeMap<Box<str>, Raw>, name: &str, text: &str) {
    // The text is a value: it was cut out of a well-formed one.
    if let Ok(raw) = Raw::from_text(text) {
        more.insert(name.into(), raw);
    }
}

/// Whether a value is the default of its type.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
