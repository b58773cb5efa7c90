//! The forms that an agent asks by.

use std::collections::BTreeMap;

use crate::wire::macros::{open_enum, tagged, wire_struct};

wire_struct! {
    /// A form: an object schema, one level deep. Version 2 wants `type` and `properties` to be
    /// there; they are always written.
    pub struct ElicitationSchema: S / S [meta] {
        /// Always `object`.
        fallback r#type: ElicitationSchemaType = "type": S / S,
        /// A short name to show.
        lenient title: Option<Box<str>> = "title": S / S,
        /// The fields by name.
        given properties: BTreeMap<Box<str>, ElicitationPropertySchema> = "properties": S / S,
        /// What must be given.
        optional required: Option<Vec<Box<str>>> = "required": S / S,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": S / S,
    }
    new();
}

open_enum! {
    /// The type of a form.
    pub enum ElicitationSchemaType: S / S {
        /// An object.
        Object = "object": S / S,
    }
}

tagged! {
    /// One field of a form.
    pub enum ElicitationPropertySchema("type"): S / S {
        /// Text, or one choice.
        String(StringPropertySchema) = "string": S / S,
        /// A number.
        Number(NumberPropertySchema) = "number": S / S,
        /// An integer.
        Integer(IntegerPropertySchema) = "integer": S / S,
        /// Yes or no.
        Boolean(BooleanPropertySchema) = "boolean": S / S,
        /// Any number of choices.
        Array(MultiSelectPropertySchema) = "array": S / S,
    }
}

wire_struct! {
    /// A field for text, or for one choice out of several.
    pub struct StringPropertySchema: S / S [meta] {
        /// A short name to show.
        lenient title: Option<Box<str>> = "title": S / S,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": S / S,
        /// The least number of characters.
        optional min_length: Option<u32> = "minLength": S / S,
        /// The most characters.
        optional max_length: Option<u32> = "maxLength": S / S,
        /// A regular expression to match. Gone from version 2.
        optional pattern: Option<Box<str>> = "pattern": S / SX,
        /// What it should look like.
        optional format: Option<StringFormat> = "format": S / S,
        /// What is chosen when nothing is.
        lenient default: Option<Box<str>> = "default": S / S,
        /// The values to choose from.
        optional values: Option<Vec<Box<str>>> = "enum": S / S,
        /// The values to choose from, with titles.
        optional one_of: Option<Vec<EnumOption>> = "oneOf": S / S,
    }
    new();
}

open_enum! {
    /// What a text should look like.
    pub enum StringFormat: S / S {
        /// An address of mail.
        Email = "email": S / S,
        /// A URI.
        Uri = "uri": S / S,
        /// A date.
        Date = "date": S / S,
        /// A date and time.
        DateTime = "date-time": S / S,
    }
}

wire_struct! {
    /// A field for a number.
    pub struct NumberPropertySchema: S / S [meta] {
        /// A short name to show.
        lenient title: Option<Box<str>> = "title": S / S,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": S / S,
        /// The least.
        optional minimum: Option<f64> = "minimum": S / S,
        /// The most.
        optional maximum: Option<f64> = "maximum": S / S,
        /// What is chosen when nothing is.
        lenient default: Option<f64> = "default": S / S,
    }
    new();
}

wire_struct! {
    /// A field for an integer.
    pub struct IntegerPropertySchema: S / S [meta] {
        /// A short name to show.
        lenient title: Option<Box<str>> = "title": S / S,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": S / S,
        /// The least.
        optional minimum: Option<i64> = "minimum": S / S,
        /// The most.
        optional maximum: Option<i64> = "maximum": S / S,
        /// What is chosen when nothing is.
        lenient default: Option<i64> = "default": S / S,
    }
    new();
}

wire_struct! {
    /// A field for yes or no.
    pub struct BooleanPropertySchema: S / S [meta] {
        /// A short name to show.
        lenient title: Option<Box<str>> = "title": S / S,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": S / S,
        /// What is chosen when nothing is.
        lenient default: Option<bool> = "default": S / S,
    }
    new();
}

wire_struct! {
    /// A field for any number of choices.
    pub struct MultiSelectPropertySchema: S / S [meta] {
        /// The choices.
        required items: MultiSelectItems = "items": S / S,
        /// A short name to show.
        lenient title: Option<Box<str>> = "title": S / S,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": S / S,
        /// The least number of choices.
        optional min_items: Option<u64> = "minItems": S / S,
        /// The most choices.
        optional max_items: Option<u64> = "maxItems": S / S,
        /// What is chosen when nothing is.
        items default: Option<Vec<Box<str>>> = "default": S / S,
    }
    new(items: MultiSelectItems);
}

tagged! {
    /// The choices of a field, with titles or without.
    pub enum MultiSelectItems("type"): S / S {
        /// Choices without titles.
        Untitled(StringMultiSelectItems) = "string": S / S,
    }
    /// Choices with titles.
    fallback Titled(TitledMultiSelectItems);
}

wire_struct! {
    /// Choices without titles.
    pub struct StringMultiSelectItems: S / S [meta] {
        /// The values.
        required values: Vec<Box<str>> = "enum": S / S,
    }
    new(values: Vec<Box<str>>);
}

wire_struct! {
    /// Choices with titles.
    pub struct TitledMultiSelectItems: S / S [meta] {
        /// The choices.
        required any_of: Vec<EnumOption> = "anyOf": S / S,
    }
    new(any_of: Vec<EnumOption>);
}

wire_struct! {
    /// A choice with a title.
    pub struct EnumOption: S / S [meta] {
        /// The value.
        required value: Box<str> = "const": S / S,
        /// A short name to show.
        required title: Box<str> = "title": S / S,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": S / S,
    }
    new(value: Box<str>, title: Box<str>);
}

/// The only type that a form has.
impl Default for ElicitationSchemaType {
    fn default() -> Self {
        Self::Object
    }
}
