//! Setting sessions up.

use crate::{
    id::{CursorId, SessionId},
    session::CancelNotification,
    system_prompt::SystemPrompt,
    text::AbsolutePath,
    v2::command::AvailableCommand,
    v2::config_option::SessionConfigOption,
    v2::config_value::InitialSessionConfigOption,
    v2::mcp::McpServer,
    v2::replay::ReplayFrom,
    wire::macros::wire_struct,
};

wire_struct! {
    /// Params of `session/new`, which starts a session.
    pub struct NewSessionRequest: N / S [meta] {
        /// The working directory, absolute.
        required cwd: AbsolutePath = "cwd": N / S,
        /// More roots, absolute; the full list each time.
        quiet_argument additional_directories: Vec<AbsolutePath> = "additionalDirectories": N / S,
        /// MCP servers to connect to; the full list each time.
        quiet_argument mcp_servers: Vec<McpServer> = "mcpServers": N / S,
        /// Instructions of the host; only where the agent can take them.
        optional system_prompt: Option<SystemPrompt> = "systemPrompt": N / US,
        /// Values to start with, applied in order.
        quiet_argument config_options: Vec<InitialSessionConfigOption> = "configOptions": N / CU,
    }
    new(cwd: AbsolutePath);
}

wire_struct! {
    /// Result of `session/new`.
    pub struct NewSessionResponse: N / S [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": N / S,
        /// The options that can be set, all of them, in the agent's order.
        quiet_entries config_options: Vec<SessionConfigOption> = "configOptions": N / S,
        /// The commands, all of them.
        quiet_entries available_commands: Vec<AvailableCommand> = "availableCommands": N / S,
    }
    new(session_id: SessionId);
}

wire_struct! {
    /// Params of `session/resume`, which opens a stored session.
    pub struct ResumeSessionRequest: N / S [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": N / S,
        /// The working directory, absolute.
        required cwd: AbsolutePath = "cwd": N / S,
        /// More roots, absolute; the full list each time.
        quiet_argument additional_directories: Vec<AbsolutePath> = "additionalDirectories": N / S,
        /// MCP servers to connect to; the full list each time.
        quiet_argument mcp_servers: Vec<McpServer> = "mcpServers": N / S,
        /// Where to replay from; absent for no replay.
        optional replay_from: Option<ReplayFrom> = "replayFrom": N / S,
        /// Instructions of the host; only where the agent can take them.
        optional system_prompt: Option<SystemPrompt> = "systemPrompt": N / US,
        /// Values to start with, applied in order.
        quiet_argument config_options: Vec<InitialSessionConfigOption> = "configOptions": N / CU,
    }
    new(session_id: SessionId, cwd: AbsolutePath);
}

wire_struct! {
    /// Result of `session/resume`.
    pub struct ResumeSessionResponse: N / S [meta null] {
        /// The options that can be set, all of them, in the agent's order.
        quiet_entries config_options: Vec<SessionConfigOption> = "configOptions": N / S,
        /// The commands, all of them.
        quiet_entries available_commands: Vec<AvailableCommand> = "availableCommands": N / S,
    }
    new();
}

wire_struct! {
    /// Params of `session/fork`, which starts a session from a copy of another.
    pub struct ForkSessionRequest: N / U [meta] {
        /// The session to copy.
        required session_id: SessionId = "sessionId": N / U,
        /// The working directory, absolute.
        required cwd: AbsolutePath = "cwd": N / U,
        /// More roots, absolute; the full list each time.
        quiet_argument additional_directories: Vec<AbsolutePath> = "additionalDirectories": N / U,
        /// MCP servers to connect to; the full list each time.
        quiet_argument mcp_servers: Vec<McpServer> = "mcpServers": N / U,
        /// Instructions of the host; only where the agent can take them.
        optional system_prompt: Option<SystemPrompt> = "systemPrompt": N / U,
        /// Copy only what is before this cursor.
        optional cursor_id: Option<CursorId> = "cursorId": N / CU,
        /// Values to start with, applied in order.
        quiet_argument config_options: Vec<InitialSessionConfigOption> = "configOptions": N / CU,
    }
    new(session_id: SessionId, cwd: AbsolutePath);
}

wire_struct! {
    /// Result of `session/fork`.
    pub struct ForkSessionResponse: N / U [meta] {
        /// The new session.
        required session_id: SessionId = "sessionId": N / U,
        /// The options that can be set, all of them, in the agent's order.
        quiet_entries config_options: Vec<SessionConfigOption> = "configOptions": N / U,
        /// The commands, all of them.
        quiet_entries available_commands: Vec<AvailableCommand> = "availableCommands": N / U,
    }
    new(session_id: SessionId);
}

/// Params of `session/cancel`: the shape of version 1's notification of another name.
pub type CancelSessionNotification = CancelNotification;
