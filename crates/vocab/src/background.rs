//! What goes on beside the work of a turn.

use crate::{
    id::{SessionId, TerminalId, ToolCallId},
    wire::macros::{tagged, wire_struct},
};

tagged! {
    /// Something that goes on after the turn. An item that is not known is still something
    /// running.
    pub enum BackgroundWork("type"): N / S {
        /// A terminal.
        Terminal(BackgroundTerminal) = "terminal": N / S,
        /// A tool call.
        ToolCall(BackgroundToolCall) = "tool_call": N / S,
        /// A child session.
        Subagent(BackgroundSubagent) = "subagent": N / US,
    }
}

wire_struct! {
    /// A terminal that is still running.
    pub struct BackgroundTerminal: N / S [meta] {
        /// The terminal.
        required terminal_id: TerminalId = "terminalId": N / S,
    }
    new(terminal_id: TerminalId);
}

wire_struct! {
    /// A tool call that is still running.
    pub struct BackgroundToolCall: N / S [meta] {
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId": N / S,
    }
    new(tool_call_id: ToolCallId);
}

wire_struct! {
    /// A child session that is still running.
    pub struct BackgroundSubagent: N / US [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": N / US,
    }
    new(session_id: SessionId);
}
