//! What both versions say about config options in the same way.

use crate::{
    id::SessionConfigValueId,
    wire::macros::{open_enum, wire_struct},
};

wire_struct! {
    /// An option that is on or off.
    pub struct SessionConfigBoolean: S / S [] {
        /// The value now.
        required current_value: bool = "currentValue": S / S,
    }
    new(current_value: bool);
}

wire_struct! {
    /// One value of an option.
    pub struct SessionConfigSelectOption: S / S [meta] {
        /// The value.
        required value: SessionConfigValueId = "value": S / S,
        /// The name.
        required name: Box<str> = "name": S / S,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": S / S,
    }
    new(value: SessionConfigValueId, name: Box<str>);
}

open_enum! {
    /// What an option is about: where a client shows it, and nothing more.
    pub enum SessionConfigOptionCategory: S / S {
        /// The mode.
        Mode = "mode": S / S,
        /// The model.
        Model = "model": S / S,
        /// Something about the model.
        ModelConfig = "model_config": S / S,
        /// How much the model thinks.
        ThoughtLevel = "thought_level": S / S,
        /// How fast the model answers.
        Speed = "speed": CU / CU,
    }
}
