//! Terminals that the agent runs and the client shows.

use std::num::NonZeroU16;

use crate::{
    exit_status::TerminalExitStatus,
    id::{SessionId, TerminalId},
    patch::Patch,
    text::AbsolutePath,
    wire::macros::wire_struct,
};

wire_struct! {
    /// What is known of a display terminal: absent keeps, `null` clears, a value replaces.
    pub struct TerminalUpdate: N / S [patch_meta] {
        /// The terminal.
        required terminal_id: TerminalId = "terminalId": N / S,
        /// The command.
        patch command: Patch<Box<str>> = "command": N / S,
        /// The working directory, absolute.
        patch cwd: Patch<AbsolutePath> = "cwd": N / S,
        /// What it printed.
        patch output: Patch<TerminalOutput> = "output": N / S,
        /// How it ended, once it has.
        patch exit_status: Patch<TerminalExitStatus> = "exitStatus": N / S,
        /// Its size in cells.
        patch size: Patch<TerminalSize> = "size": N / S,
        /// What can be done.
        patch capabilities: Patch<TerminalCapabilities> = "capabilities": N / S,
    }
    new(terminal_id: TerminalId);
}

wire_struct! {
    /// All bytes that a terminal shows; they replace what is known.
    pub struct TerminalOutput: N / S [meta] {
        /// The bytes, as base64.
        required data: Box<str> = "data": N / S,
    }
    new(data: Box<str>);
}

wire_struct! {
    /// More bytes of a terminal. Decode every chunk by itself and append; it may split a
    /// character.
    pub struct TerminalOutputChunk: N / S [meta] {
        /// The terminal.
        required terminal_id: TerminalId = "terminalId": N / S,
        /// The bytes, as base64.
        required data: Box<str> = "data": N / S,
    }
    new(terminal_id: TerminalId, data: Box<str>);
}

wire_struct! {
    /// The size of a terminal in cells.
    pub struct TerminalSize: N / S [meta] {
        /// Columns, at least 1.
        required cols: NonZeroU16 = "cols": N / S,
        /// Rows, at least 1.
        required rows: NonZeroU16 = "rows": N / S,
    }
    new(cols: NonZeroU16, rows: NonZeroU16);
}

wire_struct! {
    /// What a client may do to a terminal now.
    pub struct TerminalCapabilities: N / S [meta more] {
        /// Cancelling.
        lenient cancel: Option<TerminalCancelCapabilities> = "cancel": N / S,
    }
    new();
}

wire_struct! {
    /// The terminal can be cancelled.
    pub struct TerminalCancelCapabilities: N / S [meta more] {
    }
    new();
}

wire_struct! {
    /// Params of `terminal/cancel`, which asks to stop a terminal.
    pub struct CancelTerminalRequest: N / S [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": N / S,
        /// The terminal.
        required terminal_id: TerminalId = "terminalId": N / S,
    }
    new(session_id: SessionId, terminal_id: TerminalId);
}

wire_struct! {
    /// Result of `terminal/cancel`.
    pub struct CancelTerminalResponse: N / S [meta null] {
    }
    new();
}
