//! What the user says.

use crate::{
    content::ContentBlock,
    describe::{Described, Shape, TypeInfo},
    id::{MessageId, SessionId},
    shape::{Found, ShapeError},
    stability::{Presence, label},
    wire::macros::{serde_for, wire_struct},
    wire::{Cursor, TypeRef, Wire},
};

wire_struct! {
    /// Params of `session/prompt`: the user says something.
    pub struct PromptRequest: N / S [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": N / S,
        /// What the user says.
        required prompt: Vec<ContentBlock> = "prompt": N / S,
        /// The same on every try of one submission, so that it is inserted once.
        optional idempotency_key: Option<IdempotencyKey> = "idempotencyKey": N / CS,
    }
    new(session_id: SessionId, prompt: Vec<ContentBlock>);
}

wire_struct! {
    /// Result of `session/prompt`: the message is in the conversation. It says nothing about the
    /// work that follows.
    pub struct PromptResponse: N / S [meta] {
        /// The id that the message got.
        required message_id: MessageId = "messageId": N / S,
    }
    new(message_id: MessageId);
}

/// What makes a prompt the same prompt when it is sent again: 1 to 255 characters (v2 section 6.6).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyKey(Box<str>);

impl IdempotencyKey {
    /// Takes a key of 1 to 255 characters; `None` for any other.
    pub fn new(key: impl Into<Box<str>>) -> Option<Self> {
        let key = key.into();
        (1..=255)
            .contains(&key.chars().count())
            .then_some(Self(key))
    }

    /// The key.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Wire for IdempotencyKey {
    const TYPE: TypeRef = TypeRef::Named("IdempotencyKey");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        let key = <Box<str>>::read(cursor)?;
        Self::new(key)
            .ok_or_else(|| ShapeError::expected("a string of 1 to 255 characters", Found::String))
    }
}

impl serde::Serialize for IdempotencyKey {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

serde_for!(IdempotencyKey);

impl Described for IdempotencyKey {
    const INFO: TypeInfo = TypeInfo {
        name: "IdempotencyKey",
        recode: Some(crate::describe::recode::<Self>),
        doc: "What makes a prompt the same prompt when it is sent again: 1 to 255 characters.",
        presence: Presence::new(label::N, label::CS),
        shape: Shape::Alias(TypeRef::Scalar("string")),
    };
}
