//! A turn: what the user says and how it ends.

use crate::{
    content::ContentBlock, id::SessionId, stop_reason::StopReason, usage::Usage,
    wire::macros::wire_struct,
};

wire_struct! {
    /// Params of `session/prompt`: the user says something.
    pub struct PromptRequest: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// What the user says.
        required prompt: Vec<ContentBlock> = "prompt": S / N,
    }
    new(session_id: SessionId, prompt: Vec<ContentBlock>);
}

wire_struct! {
    /// Result of `session/prompt`: the turn has ended.
    pub struct PromptResponse: S / N [meta] {
        /// Why it ended.
        required stop_reason: StopReason = "stopReason": S / N,
        /// Tokens that were used.
        lenient usage: Option<Usage> = "usage": U / N,
    }
    new(stop_reason: StopReason);
}
