//! Tool calls.

use crate::{
    id::{SessionId, ToolCallId},
    patch::Patch,
    raw::Raw,
    tool_call::{Content, SessionReference, Terminal, ToolCallLocation, ToolCallStatus, ToolKind},
    v2::diff::Diff,
    wire::macros::{tagged, wire_struct},
};

wire_struct! {
    /// A tool call begins or changes: absent keeps, `null` clears or resets, a value replaces.
    pub struct ToolCallUpdate: N / S [patch_meta] {
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId": N / S,
        /// The tool's name in programs.
        patch name: Patch<Box<str>> = "name": N / S,
        /// A short name to show.
        patch title: Patch<Box<str>> = "title": N / S,
        /// What sort it is.
        patch kind: Patch<ToolKind> = "kind": N / S,
        /// How far it is.
        patch status: Patch<ToolCallStatus> = "status": N / S,
        /// What came out so far; it replaces the whole list.
        patch_items content: Patch<Vec<ToolCallContent>> = "content": N / S,
        /// Places in files that it is about; they replace the whole list.
        patch_items locations: Patch<Vec<ToolCallLocation>> = "locations": N / S,
        /// The tool's own input, any JSON.
        patch raw_input: Patch<Raw> = "rawInput": N / S,
        /// The tool's own output, any JSON.
        patch raw_output: Patch<Raw> = "rawOutput": N / S,
        /// What can be done.
        patch capabilities: Patch<ToolCallCapabilities> = "capabilities": N / S,
    }
    new(tool_call_id: ToolCallId);
}

wire_struct! {
    /// What a client may do to a tool call now.
    pub struct ToolCallCapabilities: N / S [meta more] {
        /// Cancelling.
        lenient cancel: Option<ToolCallCancelCapabilities> = "cancel": N / S,
    }
    new();
}

wire_struct! {
    /// The tool call can be cancelled.
    pub struct ToolCallCancelCapabilities: N / S [meta more] {
    }
    new();
}

wire_struct! {
    /// One more piece of output of a tool call.
    pub struct ToolCallContentChunk: N / S [meta] {
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId": N / S,
        /// The content.
        required content: ToolCallContent = "content": N / S,
    }
    new(tool_call_id: ToolCallId, content: ToolCallContent);
}

tagged! {
    /// One piece of output of a tool call.
    pub enum ToolCallContent("type"): N / S {
        /// Ordinary content.
        Content(Content) = "content": N / S,
        /// A change of files.
        Diff(Diff) = "diff": N / S,
        /// A terminal.
        Terminal(Terminal) = "terminal": N / S,
        /// Another session.
        Session(SessionReference) = "session": N / CS,
    }
}

wire_struct! {
    /// Params of `tool_call/cancel`, which asks to stop a tool call.
    pub struct CancelToolCallRequest: N / S [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": N / S,
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId": N / S,
    }
    new(session_id: SessionId, tool_call_id: ToolCallId);
}

wire_struct! {
    /// Result of `tool_call/cancel`.
    pub struct CancelToolCallResponse: N / S [meta null] {
    }
    new();
}
