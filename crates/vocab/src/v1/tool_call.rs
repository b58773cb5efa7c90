//! Tool calls.

use crate::{
    id::ToolCallId,
    raw::Raw,
    tool_call::{Content, SessionReference, Terminal, ToolCallLocation, ToolCallStatus, ToolKind},
    wire::macros::{tagged, wire_struct},
};

wire_struct! {
    /// A tool call begins.
    pub struct ToolCall: S / N [meta] {
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId": S / N,
        /// A short name to show.
        required title: Box<str> = "title": S / N,
        /// The tool's name in programs.
        lenient name: Option<Box<str>> = "name": S / N,
        /// What sort it is.
        quiet kind: ToolKind = "kind": S / N,
        /// How far it is.
        quiet status: ToolCallStatus = "status": S / N,
        /// What came out so far.
        quiet_entries content: Vec<ToolCallContent> = "content": S / N,
        /// Places in files that it is about.
        quiet_entries locations: Vec<ToolCallLocation> = "locations": S / N,
        /// The tool's own input, any JSON.
        lenient raw_input: Option<Raw> = "rawInput": S / N,
        /// The tool's own output, any JSON.
        lenient raw_output: Option<Raw> = "rawOutput": S / N,
    }
    new(tool_call_id: ToolCallId, title: Box<str>);
}

wire_struct! {
    /// A tool call changes; absent and `null` both keep what is known.
    pub struct ToolCallUpdate: S / N [meta] {
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId": S / N,
        /// What sort it is.
        lenient kind: Option<ToolKind> = "kind": S / N,
        /// How far it is.
        lenient status: Option<ToolCallStatus> = "status": S / N,
        /// A short name to show.
        lenient title: Option<Box<str>> = "title": S / N,
        /// The tool's name in programs.
        lenient name: Option<Box<str>> = "name": S / N,
        /// What came out so far; it replaces the whole list.
        items content: Option<Vec<ToolCallContent>> = "content": S / N,
        /// Places in files that it is about; they replace the whole list.
        items locations: Option<Vec<ToolCallLocation>> = "locations": S / N,
        /// The tool's own input, any JSON.
        lenient raw_input: Option<Raw> = "rawInput": S / N,
        /// The tool's own output, any JSON.
        lenient raw_output: Option<Raw> = "rawOutput": S / N,
    }
    new(tool_call_id: ToolCallId);
}

tagged! {
    /// One piece of output of a tool call.
    pub enum ToolCallContent("type"): S / N {
        /// Ordinary content.
        Content(Content) = "content": S / N,
        /// A change of files.
        Diff(Diff) = "diff": S / N,
        /// A terminal.
        Terminal(Terminal) = "terminal": S / N,
        /// Another session.
        Session(SessionReference) = "session": CS / N,
    }
}

wire_struct! {
    /// A change of files, as the output of a tool call.
    pub struct Diff: S / N [meta] {
        /// The file, absolute.
        required path: Box<str> = "path": S / N,
        /// The text after.
        required new_text: Box<str> = "newText": S / N,
        /// The text before; absent for a new file.
        lenient old_text: Option<Box<str>> = "oldText": S / N,
    }
    new(path: Box<str>, new_text: Box<str>);
}
