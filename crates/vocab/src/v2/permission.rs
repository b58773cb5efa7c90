//! Asking before something is done.

use crate::{
    id::{SessionId, TerminalId, ToolCallId},
    permission::PermissionOption,
    text::AbsolutePath,
    v2::tool_call::ToolCallUpdate,
    wire::macros::{tagged, wire_struct},
};

wire_struct! {
    /// Params of `session/request_permission`, which asks the user before something is done.
    pub struct RequestPermissionRequest: N / S [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": N / S,
        /// What to ask; it does not change the title of the tool call.
        required title: Box<str> = "title": N / S,
        /// The choices.
        required options: Vec<PermissionOption> = "options": N / S,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": N / S,
        /// What it is about; absent for nothing in particular.
        optional subject: Option<RequestPermissionSubject> = "subject": N / S,
    }
    new(session_id: SessionId, title: Box<str>, options: Vec<PermissionOption>);
}

tagged! {
    /// What a permission request is about.
    pub enum RequestPermissionSubject("type"): N / S {
        /// A tool call.
        ToolCall(ToolCallPermissionSubject) = "tool_call": N / S,
        /// A command.
        Command(CommandPermissionSubject) = "command": N / S,
    }
}

wire_struct! {
    /// A tool call that needs permission. Apply it as an update before you ask.
    pub struct ToolCallPermissionSubject: N / S [meta] {
        /// The tool call, as a patch.
        required tool_call: Box<ToolCallUpdate> = "toolCall": N / S,
    }
    new(tool_call: Box<ToolCallUpdate>);
}

wire_struct! {
    /// A command that the agent wants to run itself.
    pub struct CommandPermissionSubject: N / S [meta] {
        /// The command.
        required command: Box<str> = "command": N / S,
        /// The working directory, absolute.
        required cwd: AbsolutePath = "cwd": N / S,
        /// The tool call.
        lenient tool_call_id: Option<ToolCallId> = "toolCallId": N / S,
        /// The terminal.
        lenient terminal_id: Option<TerminalId> = "terminalId": N / S,
    }
    new(command: Box<str>, cwd: AbsolutePath);
}
