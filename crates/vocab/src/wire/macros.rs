//! The macros that declare the words: ids, open enums, structs and tagged unions.
//!
//! One declaration gives the Rust type, its reader, its writer, its serde impls and its entry in
//! the table of types, so that none of them can say something else than the others.

mod flat;
mod id;
mod open_enum;
mod rule;
mod tagged;
mod wire_struct;

pub(crate) use self::{
    flat::{flat_body, flat_pattern, flat_tagged, flat_write},
    id::id,
    open_enum::open_enum,
    rule::rule,
    tagged::{fallback_write, no_tag, tagged, variant_type},
    wire_struct::{default_for, has_null, member, null_object, wire_struct},
};

/// `Serialize`, `Deserialize` and the table entry's name for a type that is `Wire` and `Body`.
macro_rules! serde_for {
    ($name:ident) => {
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::wire::deserialize(deserializer)
            }
        }
    };
}

/// A name that may not be there.
macro_rules! maybe {
    () => {
        None
    };
    ($name:ident) => {
        Some(stringify!($name))
    };
}

pub(crate) use {maybe, serde_for};
