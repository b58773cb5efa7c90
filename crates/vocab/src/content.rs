//! What prompts, messages and results are made of.

use crate::{
    resource::{EmbeddedResource, ResourceLink},
    wire::macros::{open_enum, tagged, wire_struct},
};

tagged! {
    /// One piece of content: what prompts, messages, tool results and summaries are made of.
    pub enum ContentBlock("type"): S / S {
        /// Text.
        Text(TextContent) = "text": S / S,
        /// An image.
        Image(ImageContent boxed) = "image": S / S,
        /// Sound.
        Audio(AudioContent boxed) = "audio": S / S,
        /// A pointer to a resource.
        ResourceLink(ResourceLink boxed) = "resource_link": S / S,
        /// A resource with its contents.
        Resource(EmbeddedResource boxed) = "resource": S / S,
        /// A skill.
        Skill(SkillReference) = "skill": N / CU,
    }
}

wire_struct! {
    /// Text, possibly Markdown.
    pub struct TextContent: S / S [meta] {
        /// The text, possibly Markdown.
        required text: Box<str> = "text": S / S,
        /// Hints for display.
        lenient annotations: Option<Box<Annotations>> = "annotations": S / S,
    }
    new(text: Box<str>);
}

wire_struct! {
    /// An image, as base64.
    pub struct ImageContent: S / S [meta] {
        /// The bytes, as base64.
        required data: Box<str> = "data": S / S,
        /// The media type.
        required mime_type: Box<str> = "mimeType": S / S,
        /// Hints for display.
        lenient annotations: Option<Box<Annotations>> = "annotations": S / S,
        /// Where it is.
        lenient uri: Option<Box<str>> = "uri": S / S,
    }
    new(data: Box<str>, mime_type: Box<str>);
}

wire_struct! {
    /// Sound, as base64.
    pub struct AudioContent: S / S [meta] {
        /// The bytes, as base64.
        required data: Box<str> = "data": S / S,
        /// The media type.
        required mime_type: Box<str> = "mimeType": S / S,
        /// Hints for display.
        lenient annotations: Option<Box<Annotations>> = "annotations": S / S,
    }
    new(data: Box<str>, mime_type: Box<str>);
}

wire_struct! {
    /// The user invokes a skill by name (version 2).
    pub struct SkillReference: N / CU [meta] {
        /// The skill.
        required name: Box<str> = "name": N / CU,
    }
    new(name: Box<str>);
}

wire_struct! {
    /// Hints for whoever shows or ranks a piece of content, as MCP has them.
    pub struct Annotations: S / S [meta] {
        /// Who it is for.
        items audience: Option<Vec<Role>> = "audience": S / S,
        /// When it last changed, ISO 8601.
        lenient last_modified: Option<Box<str>> = "lastModified": S / S,
        /// How much it matters.
        lenient priority: Option<f64> = "priority": S / S,
    }
    new();
}

open_enum! {
    /// Who a piece of content is for.
    pub enum Role: S / S {
        /// The model.
        Assistant = "assistant": S / S,
        /// The user.
        User = "user": S / S,
    }
}

impl ContentBlock {
    /// A block of text.
    pub fn text(text: impl Into<Box<str>>) -> Self {
        Self::Text(TextContent::new(text))
    }

    /// The text, when the block is text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(content) => Some(&content.text),
            Self::Image(_)
            | Self::Audio(_)
            | Self::ResourceLink(_)
            | Self::Resource(_)
            | Self::Skill(_)
            | Self::Unknown { .. } => None,
        }
    }
}
