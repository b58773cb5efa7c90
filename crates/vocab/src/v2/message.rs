//! Messages: whole, and block by block.

use crate::{content::ContentBlock, id::MessageId, patch::Patch, wire::macros::wire_struct};

wire_struct! {
    /// One block of a message that is still being written.
    pub struct ContentChunk: N / S [meta] {
        /// The message.
        required message_id: MessageId = "messageId": N / S,
        /// The content.
        required content: ContentBlock = "content": N / S,
    }
    new(message_id: MessageId, content: ContentBlock);
}

wire_struct! {
    /// A whole message of the user.
    pub struct UserMessage: N / S [patch_meta] {
        /// The message.
        required message_id: MessageId = "messageId": N / S,
        /// The content.
        patch_items content: Patch<Vec<ContentBlock>> = "content": N / S,
    }
    new(message_id: MessageId);
}

wire_struct! {
    /// A whole message of the agent.
    pub struct AgentMessage: N / S [patch_meta] {
        /// The message.
        required message_id: MessageId = "messageId": N / S,
        /// The content.
        patch_items content: Patch<Vec<ContentBlock>> = "content": N / S,
    }
    new(message_id: MessageId);
}

wire_struct! {
    /// A whole thought of the agent.
    pub struct AgentThought: N / S [patch_meta] {
        /// The message.
        required message_id: MessageId = "messageId": N / S,
        /// The content.
        patch_items content: Patch<Vec<ContentBlock>> = "content": N / S,
    }
    new(message_id: MessageId);
}
