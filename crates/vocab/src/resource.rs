//! Things that content points to, or brings along.

use crate::{
    content::Annotations,
    describe::{Described, Shape, TypeInfo},
    shape::ShapeError,
    stability::{Presence, label},
    text::MediaType,
    wire::macros::{open_enum, serde_for, wire_struct},
    wire::{Cursor, TypeRef, Wire, union},
};

wire_struct! {
    /// A pointer to something that the receiver can read by itself. Every agent takes it in
    /// prompts. A size below zero, which version 1 could write, is read as absent.
    pub struct ResourceLink: S / S [meta] {
        /// The name.
        required name: Box<str> = "name": S / S,
        /// Where it is.
        required uri: Box<str> = "uri": S / S,
        /// Hints for display.
        lenient annotations: Option<Box<Annotations>> = "annotations": S / S,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": S / S,
        /// The media type.
        lenient mime_type: Option<Box<str>> = "mimeType": S / S,
        /// Its size in bytes.
        lenient size: Option<u64> = "size": S / S,
        /// A short name to show.
        lenient title: Option<Box<str>> = "title": S / S,
        /// Pictures to show beside it.
        items icons: Option<Vec<Icon>> = "icons": N / S,
    }
    new(name: Box<str>, uri: Box<str>);
}

wire_struct! {
    /// A picture to show beside a link (version 2).
    pub struct Icon: N / S [meta] {
        /// Where the picture is: `https:` or `data:`.
        required src: Box<str> = "src": N / S,
        /// The media type.
        lenient mime_type: Option<MediaType> = "mimeType": N / S,
        /// Sizes that it is good for: `48x48`, or `any`.
        items sizes: Option<Vec<Box<str>>> = "sizes": N / S,
        /// The background that it is made for.
        lenient theme: Option<IconTheme> = "theme": N / S,
    }
    new(src: Box<str>);
}

open_enum! {
    /// The background that an icon is made for.
    pub enum IconTheme: N / S {
        /// A light one.
        Light = "light": N / S,
        /// A dark one.
        Dark = "dark": N / S,
    }
}

wire_struct! {
    /// A resource with its contents inside the message.
    pub struct EmbeddedResource: S / S [meta] {
        /// The resource.
        required resource: EmbeddedResourceResource = "resource": S / S,
        /// Hints for display.
        lenient annotations: Option<Box<Annotations>> = "annotations": S / S,
    }
    new(resource: EmbeddedResourceResource);
}

wire_struct! {
    /// A text resource.
    pub struct TextResourceContents: S / S [meta] {
        /// The text.
        required text: Box<str> = "text": S / S,
        /// Where it is.
        required uri: Box<str> = "uri": S / S,
        /// The media type.
        lenient mime_type: Option<Box<str>> = "mimeType": S / S,
    }
    new(text: Box<str>, uri: Box<str>);
}

wire_struct! {
    /// A binary resource, as base64.
    pub struct BlobResourceContents: S / S [meta] {
        /// The bytes, as base64.
        required blob: Box<str> = "blob": S / S,
        /// Where it is.
        required uri: Box<str> = "uri": S / S,
        /// The media type.
        lenient mime_type: Option<Box<str>> = "mimeType": S / S,
    }
    new(blob: Box<str>, uri: Box<str>);
}

/// The contents of an embedded resource: text, or bytes.
///
/// They are told apart by what they have: with `text` and `blob` it is text.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EmbeddedResourceResource {
    /// Text.
    Text(TextResourceContents),
    /// Bytes.
    Blob(BlobResourceContents),
}

impl From<TextResourceContents> for EmbeddedResourceResource {
    fn from(contents: TextResourceContents) -> Self {
        Self::Text(contents)
    }
}

impl From<BlobResourceContents> for EmbeddedResourceResource {
    fn from(contents: BlobResourceContents) -> Self {
        Self::Blob(contents)
    }
}

impl Wire for EmbeddedResourceResource {
    const TYPE: TypeRef = TypeRef::Named("EmbeddedResourceResource");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        let start = cursor.clone();
        let text = match TextResourceContents::read(cursor) {
            Ok(contents) => return Ok(Self::Text(contents)),
            Err(error) => error,
        };
        *cursor = start.clone();
        match BlobResourceContents::read(cursor) {
            Ok(contents) => Ok(Self::Blob(contents)),
            Err(blob) if union::has_member(start, "blob") => Err(blob),
            Err(_) => Err(text),
        }
    }
}

impl serde::Serialize for EmbeddedResourceResource {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(contents) => contents.serialize(serializer),
            Self::Blob(contents) => contents.serialize(serializer),
        }
    }
}

serde_for!(EmbeddedResourceResource);

impl Described for EmbeddedResourceResource {
    const INFO: TypeInfo = TypeInfo {
        name: "EmbeddedResourceResource",
        recode: Some(crate::describe::recode::<Self>),
        doc: "The contents of an embedded resource: text, or bytes.",
        presence: Presence::new(label::S, label::S),
        shape: Shape::Choice(&[TextResourceContents::TYPE, BlobResourceContents::TYPE]),
    };
}
