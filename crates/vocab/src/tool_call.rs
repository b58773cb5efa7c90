//! What both versions say about tool calls in the same way.

use std::num::NonZeroU32;

use crate::{
    content::ContentBlock,
    id::{SessionId, TerminalId},
    wire::macros::{open_enum, wire_struct},
};

open_enum! {
    /// What sort of thing a tool does: an icon for the user, never a permission.
    pub enum ToolKind: S / S {
        /// Reads files or data.
        Read = "read": S / S,
        /// Changes files.
        Edit = "edit": S / S,
        /// Deletes files or data.
        Delete = "delete": S / S,
        /// Moves or renames files.
        Move = "move": S / S,
        /// Searches.
        Search = "search": S / S,
        /// Runs commands or code.
        Execute = "execute": S / S,
        /// Thinks or plans.
        Think = "think": S / S,
        /// Gets something from outside.
        Fetch = "fetch": S / S,
        /// Changes the mode of the session.
        SwitchMode = "switch_mode": S / S,
        /// Anything else.
        General = "other": S / S,
    }
}

open_enum! {
    /// How far a tool call is. Read a value that is not known as progress of some kind.
    pub enum ToolCallStatus: S / S {
        /// It has not begun, or waits for approval.
        Pending = "pending": S / S,
        /// It is going on.
        InProgress = "in_progress": S / S,
        /// It is done.
        Completed = "completed": S / S,
        /// It did not work out.
        Failed = "failed": S / S,
        /// It is held up.
        Paused = "paused": N / S,
        /// It was cancelled.
        Cancelled = "cancelled": N / S,
    }
}

wire_struct! {
    /// A place in a file that a tool call is about, so that an editor can follow along.
    pub struct ToolCallLocation: S / S [meta] {
        /// The path, absolute.
        required path: Box<str> = "path": S / S,
        /// The line, counted from 1.
        lenient line: Option<NonZeroU32> = "line": S / S,
    }
    new(path: Box<str>);
}

wire_struct! {
    /// Ordinary content as the output of a tool call.
    pub struct Content: S / S [meta] {
        /// The content.
        required content: ContentBlock = "content": S / S,
    }
    new(content: ContentBlock);
}

wire_struct! {
    /// A terminal as the output of a tool call: a pointer only, whose text comes another way.
    pub struct Terminal: S / S [meta] {
        /// The terminal.
        required terminal_id: TerminalId = "terminalId": S / S,
    }
    new(terminal_id: TerminalId);
}

wire_struct! {
    /// A pointer to another session, for display; it grants nothing.
    pub struct SessionReference: CS / CS [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": CS / CS,
    }
    new(session_id: SessionId);
}

/// A tool of no declared kind is a tool of the general kind.
impl Default for ToolKind {
    fn default() -> Self {
        Self::General
    }
}

/// A tool call of no declared status has not begun.
impl Default for ToolCallStatus {
    fn default() -> Self {
        Self::Pending
    }
}
