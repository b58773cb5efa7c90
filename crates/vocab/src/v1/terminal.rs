//! Commands that the client runs.

use crate::{
    exit_status::TerminalExitStatus,
    id::{SessionId, TerminalId},
    mcp::EnvVariable,
    wire::macros::wire_struct,
};

wire_struct! {
    /// Params of `terminal/create`, which runs a command.
    pub struct CreateTerminalRequest: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// The program.
        required command: Box<str> = "command": S / N,
        /// Arguments.
        quiet_argument args: Vec<Box<str>> = "args": S / N,
        /// Environment variables that are added.
        quiet_argument env: Vec<EnvVariable> = "env": S / N,
        /// The working directory, absolute.
        optional cwd: Option<Box<str>> = "cwd": S / N,
        /// Keep the last so many bytes, cut at a character.
        optional output_byte_limit: Option<u64> = "outputByteLimit": S / N,
    }
    new(session_id: SessionId, command: Box<str>);
}

wire_struct! {
    /// Result of `terminal/create`.
    pub struct CreateTerminalResponse: S / N [meta] {
        /// The terminal.
        required terminal_id: TerminalId = "terminalId": S / N,
    }
    new(terminal_id: TerminalId);
}

wire_struct! {
    /// Params of `terminal/output`, which asks what a command has printed.
    pub struct TerminalOutputRequest: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// The terminal.
        required terminal_id: TerminalId = "terminalId": S / N,
    }
    new(session_id: SessionId, terminal_id: TerminalId);
}

wire_struct! {
    /// Result of `terminal/output`.
    pub struct TerminalOutputResponse: S / N [meta] {
        /// What it printed.
        required output: Box<str> = "output": S / N,
        /// Whether older output was dropped.
        required truncated: bool = "truncated": S / N,
        /// How it ended, once it has.
        lenient exit_status: Option<TerminalExitStatus> = "exitStatus": S / N,
    }
    new(output: Box<str>, truncated: bool);
}

wire_struct! {
    /// Params of `terminal/wait_for_exit`, which waits until a command ends.
    pub struct WaitForTerminalExitRequest: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// The terminal.
        required terminal_id: TerminalId = "terminalId": S / N,
    }
    new(session_id: SessionId, terminal_id: TerminalId);
}

wire_struct! {
    /// Result of `terminal/wait_for_exit`.
    pub struct WaitForTerminalExitResponse: S / N [meta null] {
        /// The exit code; absent after a signal.
        lenient exit_code: Option<i64> = "exitCode": S / N,
        /// The signal that ended it.
        lenient signal: Option<Box<str>> = "signal": S / N,
    }
    new();
}

wire_struct! {
    /// Params of `terminal/kill`, which ends a command and keeps its terminal.
    pub struct KillTerminalRequest: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// The terminal.
        required terminal_id: TerminalId = "terminalId": S / N,
    }
    new(session_id: SessionId, terminal_id: TerminalId);
}

wire_struct! {
    /// Result of `terminal/kill`.
    pub struct KillTerminalResponse: S / N [meta null] {
    }
    new();
}

wire_struct! {
    /// Params of `terminal/release`, which gives a terminal back.
    pub struct ReleaseTerminalRequest: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// The terminal.
        required terminal_id: TerminalId = "terminalId": S / N,
    }
    new(session_id: SessionId, terminal_id: TerminalId);
}

wire_struct! {
    /// Result of `terminal/release`.
    pub struct ReleaseTerminalResponse: S / N [meta null] {
    }
    new();
}
