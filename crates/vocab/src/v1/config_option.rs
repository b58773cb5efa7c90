//! Config options.

use crate::{
    config_option::{SessionConfigBoolean, SessionConfigOptionCategory, SessionConfigSelectOption},
    describe::{Described, Shape, TypeInfo},
    id::{SessionConfigGroupId, SessionConfigId, SessionConfigValueId},
    shape::ShapeError,
    stability::{Presence, label},
    wire::macros::{flat_tagged, serde_for, wire_struct},
    wire::{Cursor, TypeRef, Wire, union},
};

wire_struct! {
    /// Something about the session that can be set: its model, its mode, its effort. Real agents
    /// write its id as `id` or as `configId`; both are read, and the version's own is written.
    pub struct SessionConfigOption: S / N [meta] {
        /// The id.
        required id: SessionConfigId = "id" | "configId": S / N,
        /// The name. Some agents leave it out; then it is empty, and the id is all there is to show.
        expected name: Box<str> = "name": S / N,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": S / N,
        /// What it is about, for placing it.
        lenient category: Option<SessionConfigOptionCategory> = "category": S / N,
        /// The kind of option, with its values.
        flattened kind: SessionConfigKind = "type": S / N,
    }
    new(id: SessionConfigId, name: Box<str>, kind: SessionConfigKind);
}

flat_tagged! {
    /// What values an option takes. An option of a kind that is not known is left alone.
    pub enum SessionConfigKind("type"): S / N {
        /// A list of values.
        Select(SessionConfigSelect) = "select": S / N,
        /// Yes or no.
        Boolean(SessionConfigBoolean) = "boolean": S / N,
    }
}

wire_struct! {
    /// An option with a list of values.
    pub struct SessionConfigSelect: S / N [] {
        /// The value now.
        required current_value: SessionConfigValueId = "currentValue": S / N,
        /// The choices.
        required options: SessionConfigSelectOptions = "options": S / N,
    }
    new(current_value: SessionConfigValueId, options: SessionConfigSelectOptions);
}

wire_struct! {
    /// Values of an option under one heading.
    pub struct SessionConfigSelectGroup: S / N [meta] {
        /// The group.
        required group: SessionConfigGroupId = "group" | "groupId": S / N,
        /// The name.
        required name: Box<str> = "name": S / N,
        /// The choices.
        entries options: Vec<SessionConfigSelectOption> = "options": S / N,
    }
    new(group: SessionConfigGroupId, name: Box<str>, options: Vec<SessionConfigSelectOption>);
}

wire_struct! {
    /// The options of the session now, all of them.
    pub struct ConfigOptionUpdate: S / N [meta] {
        /// The options that can be set, all of them, in the agent's order.
        entries config_options: Vec<SessionConfigOption> = "configOptions": S / N,
    }
    new(config_options: Vec<SessionConfigOption>);
}

/// The values of an option: a list, or groups of values, never both.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SessionConfigSelectOptions {
    /// A list.
    Ungrouped(Vec<SessionConfigSelectOption>),
    /// Groups.
    Grouped(Vec<SessionConfigSelectGroup>),
}

impl From<Vec<SessionConfigSelectOption>> for SessionConfigSelectOptions {
    fn from(options: Vec<SessionConfigSelectOption>) -> Self {
        Self::Ungrouped(options)
    }
}

impl From<Vec<SessionConfigSelectGroup>> for SessionConfigSelectOptions {
    fn from(groups: Vec<SessionConfigSelectGroup>) -> Self {
        Self::Grouped(groups)
    }
}

impl Wire for SessionConfigSelectOptions {
    const TYPE: TypeRef = TypeRef::Named("SessionConfigSelectOptions");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        if union::first_item_has(cursor.clone(), "options") {
            Wire::read(cursor).map(Self::Grouped)
        } else {
            Wire::read(cursor).map(Self::Ungrouped)
        }
    }
}

impl serde::Serialize for SessionConfigSelectOptions {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Ungrouped(options) => options.serialize(serializer),
            Self::Grouped(groups) => groups.serialize(serializer),
        }
    }
}

serde_for!(SessionConfigSelectOptions);

impl Described for SessionConfigSelectOptions {
    const INFO: TypeInfo = TypeInfo {
        name: "SessionConfigSelectOptions",
        recode: Some(crate::describe::recode::<Self>),
        doc: "The values of an option: a list, or groups of values, never both.",
        presence: Presence::new(label::S, label::N),
        shape: Shape::Choice(&[
            TypeRef::List(&SessionConfigSelectOption::TYPE),
            TypeRef::List(&SessionConfigSelectGroup::TYPE),
        ]),
    };
}
