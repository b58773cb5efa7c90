//! Setting config options.

use serde::ser::SerializeMap;

use crate::{
    describe::{Described, Shape, TypeInfo},
    id::{SessionConfigId, SessionConfigValueId, SessionId},
    raw::Raw,
    shape::{Found, ShapeError},
    stability::{Presence, label},
    v1::config_option::SessionConfigOption,
    wire::macros::wire_struct,
    wire::{Flat, Members, TypeRef, Wire, union},
};

wire_struct! {
    /// Params of `session/set_config_option`: one option gets a value.
    pub struct SetSessionConfigOptionRequest: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// The option.
        required config_id: SessionConfigId = "configId": S / N,
        /// The value.
        flattened value: SessionConfigOptionValue = "type": S / N,
    }
    new(session_id: SessionId, config_id: SessionConfigId, value: SessionConfigOptionValue);
}

wire_struct! {
    /// Result of `session/set_config_option`.
    pub struct SetSessionConfigOptionResponse: S / N [meta] {
        /// The options that can be set, all of them, in the agent's order.
        entries config_options: Vec<SessionConfigOption> = "configOptions": S / N,
    }
    new(config_options: Vec<SessionConfigOption>);
}

wire_struct! {
    /// A value for an option of a session that is being set up.
    pub struct InitialSessionConfigOption: CU / N [meta] {
        /// The option.
        required config_id: SessionConfigId = "configId": CU / N,
        /// The value.
        flattened value: SessionConfigOptionValue = "type": CU / N,
    }
    new(config_id: SessionConfigId, value: SessionConfigOptionValue);
}

/// A value for an option.
///
/// On the wire a boolean has `"type":"boolean"` beside it and the id of a value has no type. A
/// string is the id of a value whatever type stands beside it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SessionConfigOptionValue {
    /// One of the listed values.
    Id(SessionConfigValueId),
    /// On or off.
    Boolean(bool),
    /// A value of a type that this crate does not know.
    Unknown {
        /// The type.
        tag: Box<str>,
        /// All members of the object, as they came.
        raw: Raw,
    },
}

impl From<SessionConfigValueId> for SessionConfigOptionValue {
    fn from(id: SessionConfigValueId) -> Self {
        Self::Id(id)
    }
}

impl From<&str> for SessionConfigOptionValue {
    fn from(id: &str) -> Self {
        Self::Id(id.into())
    }
}

impl From<bool> for SessionConfigOptionValue {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

impl Flat for SessionConfigOptionValue {
    const TYPE: TypeRef = TypeRef::Named("SessionConfigOptionValue");
    const TAG: &'static str = "type";

    fn read_flat(members: Members<'_, '_>) -> Result<Self, ShapeError> {
        let mut fork = members.fork();
        let tag = union::find(fork.members().cursor().clone(), Self::TAG)?;
        let mut members = members;
        while let Some(name) = members.next()? {
            if name != "value" {
                members.cursor().skip();
                continue;
            }
            let cursor = members.cursor();
            return match (cursor.found(), tag.as_deref()) {
                (Found::String, _) => Wire::read(cursor).map(Self::Id),
                (Found::Boolean, Ok("boolean")) => Wire::read(cursor).map(Self::Boolean),
                (_, Ok(tag)) if tag != "boolean" => {
                    let tag = tag.into();
                    union::collect(fork.members()).map(|raw| Self::Unknown { tag, raw })
                }
                (found, _) => Err(ShapeError::expected("a string", found).inside("value")),
            };
        }
        Err(ShapeError::missing("value", "a string"))
    }

    fn write_flat<M: SerializeMap>(&self, map: &mut M, own: &[&str]) -> Result<(), M::Error> {
        match self {
            Self::Id(id) => map.serialize_entry("value", id),
            Self::Boolean(value) => {
                map.serialize_entry("type", "boolean")?;
                map.serialize_entry("value", value)
            }
            Self::Unknown { raw, .. } => union::write_collected(raw, map, own, Self::TAG),
        }
    }
}

impl Described for SessionConfigOptionValue {
    const INFO: TypeInfo = TypeInfo {
        name: "SessionConfigOptionValue",
        recode: None,
        doc: "A value for an option.",
        presence: Presence::new(label::S, label::N),
        shape: Shape::Choice(&[SessionConfigValueId::TYPE, bool::TYPE]),
    };
}
