//! What a question belongs to, and what an answer may be.

use serde::ser::SerializeMap;

use crate::{
    describe::{Described, Shape, TypeInfo},
    elicitation::{ElicitationRequestScope, ElicitationSessionScope},
    raw::Raw,
    shape::{Found, ShapeError},
    stability::{Presence, label},
    wire::macros::serde_for,
    wire::{Body, Cursor, Flat, Members, TypeRef, Wire},
};

/// What a question belongs to.
///
/// Version 1 lets the session count when both are written; version 2 forbids both. This reader
/// follows version 1 for both, and writes only one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ElicitationScope {
    /// A session, perhaps one of its tool calls.
    Session(ElicitationSessionScope),
    /// A request of the client that is still open.
    Request(ElicitationRequestScope),
}

impl From<ElicitationSessionScope> for ElicitationScope {
    fn from(scope: ElicitationSessionScope) -> Self {
        Self::Session(scope)
    }
}

impl From<ElicitationRequestScope> for ElicitationScope {
    fn from(scope: ElicitationRequestScope) -> Self {
        Self::Request(scope)
    }
}

impl Flat for ElicitationScope {
    const TYPE: TypeRef = TypeRef::Named("ElicitationScope");
    const TAG: &'static str = "";

    fn read_flat(members: Members<'_, '_>) -> Result<Self, ShapeError> {
        let mut second = members.fork();
        let session = match ElicitationSessionScope::read_members(members) {
            Ok(scope) => return Ok(Self::Session(scope)),
            Err(error) => error,
        };
        ElicitationRequestScope::read_members(second.members())
            .map(Self::Request)
            .map_err(|request| {
                if request.found() == Found::Nothing {
                    session
                } else {
                    request
                }
            })
    }

    fn write_flat<M: SerializeMap>(&self, map: &mut M, _own: &[&str]) -> Result<(), M::Error> {
        match self {
            Self::Session(scope) => scope.write_members(map),
            Self::Request(scope) => scope.write_members(map),
        }
    }
}

impl Described for ElicitationScope {
    const INFO: TypeInfo = TypeInfo {
        name: "ElicitationScope",
        recode: None,
        doc: "What a question belongs to.",
        presence: Presence::new(label::S, label::S),
        shape: Shape::Choice(&[ElicitationSessionScope::TYPE, ElicitationRequestScope::TYPE]),
    };
}

/// What a user put into one field.
///
/// Version 1 knows the first five kinds; version 2 allows any JSON.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ElicitationContentValue {
    /// Text, or the value of a choice.
    String(Box<str>),
    /// An integer.
    Integer(i64),
    /// Any other number.
    Number(f64),
    /// Yes or no.
    Boolean(bool),
    /// The values of some choices.
    StringArray(Vec<Box<str>>),
    /// Anything else.
    Other(Raw),
}

impl Wire for ElicitationContentValue {
    const TYPE: TypeRef = TypeRef::Named("ElicitationContentValue");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        let start = cursor.clone();
        let found = cursor.found();
        let read = if found == Found::String {
            Wire::read(cursor).map(Self::String)
        } else if found == Found::Boolean {
            Wire::read(cursor).map(Self::Boolean)
        } else if found == Found::Array {
            Wire::read(cursor).map(Self::StringArray)
        } else {
            Wire::read(cursor).map(Self::Integer).or_else(|_| {
                *cursor = start.clone();
                Wire::read(cursor).map(Self::Number)
            })
        };
        read.or_else(|_| {
            *cursor = start;
            Raw::read(cursor).map(Self::Other)
        })
    }
}

impl serde::Serialize for ElicitationContentValue {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::String(text) => serializer.serialize_str(text),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Boolean(value) => serializer.serialize_bool(*value),
            Self::StringArray(values) => values.serialize(serializer),
            Self::Other(raw) => raw.serialize(serializer),
        }
    }
}

serde_for!(ElicitationContentValue);

impl Described for ElicitationContentValue {
    const INFO: TypeInfo = TypeInfo {
        name: "ElicitationContentValue",
        recode: Some(crate::describe::recode::<Self>),
        doc: "What a user put into one field.",
        presence: Presence::new(label::S, label::S),
        shape: Shape::Choice(&[
            TypeRef::Scalar("string"),
            i64::TYPE,
            f64::TYPE,
            bool::TYPE,
            TypeRef::List(&TypeRef::Scalar("string")),
            Raw::TYPE,
        ]),
    };
}
