//! Messages between sessions.

use crate::{
    content::ContentBlock,
    id::{MessageId, SessionId},
    patch::Patch,
    wire::macros::wire_struct,
};

wire_struct! {
    /// A message between two sessions, as the transcript of one of them shows it.
    pub struct SessionMessage: US / US [patch_meta] {
        /// The message.
        required message_id: MessageId = "messageId": US / US,
        /// The session that sent it.
        patch sender_session_id: Patch<SessionId> = "senderSessionId": US / US,
        /// The session that it is for.
        patch recipient_session_id: Patch<SessionId> = "recipientSessionId": US / US,
        /// Its id in the session that sent it.
        patch sender_message_id: Patch<MessageId> = "senderMessageId": US / US,
        /// Its id in the session that it is for.
        patch recipient_message_id: Patch<MessageId> = "recipientMessageId": US / US,
        /// The content.
        patch_items content: Patch<Vec<ContentBlock>> = "content": US / US,
    }
    new(message_id: MessageId);
}

wire_struct! {
    /// One more block of such a message.
    pub struct SessionMessageChunk: US / US [meta] {
        /// The message.
        required message_id: MessageId = "messageId": US / US,
        /// The content.
        required content: ContentBlock = "content": US / US,
    }
    new(message_id: MessageId, content: ContentBlock);
}
