//! Asking before something is done.

use crate::{
    id::SessionId, permission::PermissionOption, v1::tool_call::ToolCallUpdate,
    wire::macros::wire_struct,
};

wire_struct! {
    /// Params of `session/request_permission`, which asks the user before something is done.
    pub struct RequestPermissionRequest: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// The tool call; apply it as an update before you ask.
        required tool_call: ToolCallUpdate = "toolCall": S / N,
        /// The choices.
        required options: Vec<PermissionOption> = "options": S / N,
    }
    new(session_id: SessionId, tool_call: ToolCallUpdate, options: Vec<PermissionOption>);
}
