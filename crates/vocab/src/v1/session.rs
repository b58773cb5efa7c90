//! Setting sessions up.

use crate::{
    id::{CursorId, SessionId},
    legacy::SessionModelState,
    system_prompt::SystemPrompt,
    v1::config_option::SessionConfigOption,
    v1::config_value::InitialSessionConfigOption,
    v1::mcp::McpServer,
    v1::mode::SessionModeState,
    wire::macros::wire_struct,
};

wire_struct! {
    /// Params of `session/new`, which starts a session.
    pub struct NewSessionRequest: S / N [meta] {
        /// The working directory, absolute.
        required cwd: Box<str> = "cwd": S / N,
        /// MCP servers to connect to; the full list each time.
        argument mcp_servers: Vec<McpServer> = "mcpServers": S / N,
        /// More roots, absolute; the full list each time.
        quiet_argument additional_directories: Vec<Box<str>> = "additionalDirectories": S / N,
        /// Instructions of the host; only where the agent can take them.
        optional system_prompt: Option<SystemPrompt> = "systemPrompt": US / N,
        /// Values to start with, applied in order.
        quiet_argument config_options: Vec<InitialSessionConfigOption> = "configOptions": CU / N,
    }
    new(cwd: Box<str>);
}

wire_struct! {
    /// Result of `session/new`.
    pub struct NewSessionResponse: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// The modes of the session; ignore them when there are options.
        lenient modes: Option<SessionModeState> = "modes": S / N,
        /// The options that can be set, all of them, in the agent's order.
        items config_options: Option<Vec<SessionConfigOption>> = "configOptions": S / N,
        /// The models, as agents listed them before there were options.
        lenient models: Option<SessionModelState> = "models": L / N,
    }
    new(session_id: SessionId);
}

wire_struct! {
    /// Params of `session/load`, which opens a stored session and replays it.
    pub struct LoadSessionRequest: S / N [meta] {
        /// MCP servers to connect to; the full list each time.
        argument mcp_servers: Vec<McpServer> = "mcpServers": S / N,
        /// The working directory, absolute.
        required cwd: Box<str> = "cwd": S / N,
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// More roots, absolute; the full list each time.
        quiet_argument additional_directories: Vec<Box<str>> = "additionalDirectories": S / N,
        /// Instructions of the host; only where the agent can take them.
        optional system_prompt: Option<SystemPrompt> = "systemPrompt": US / N,
        /// Values to start with, applied in order.
        quiet_argument config_options: Vec<InitialSessionConfigOption> = "configOptions": CU / N,
    }
    new(cwd: Box<str>, session_id: SessionId);
}

wire_struct! {
    /// Result of `session/load`.
    pub struct LoadSessionResponse: S / N [meta null] {
        /// The modes of the session; ignore them when there are options.
        lenient modes: Option<SessionModeState> = "modes": S / N,
        /// The options that can be set, all of them, in the agent's order.
        items config_options: Option<Vec<SessionConfigOption>> = "configOptions": S / N,
        /// The models, as agents listed them before there were options.
        lenient models: Option<SessionModelState> = "models": L / N,
    }
    new();
}

wire_struct! {
    /// Params of `session/resume`, which opens a stored session.
    pub struct ResumeSessionRequest: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// The working directory, absolute.
        required cwd: Box<str> = "cwd": S / N,
        /// More roots, absolute; the full list each time.
        quiet_argument additional_directories: Vec<Box<str>> = "additionalDirectories": S / N,
        /// MCP servers to connect to; the full list each time.
        quiet_argument mcp_servers: Vec<McpServer> = "mcpServers": S / N,
        /// Instructions of the host; only where the agent can take them.
        optional system_prompt: Option<SystemPrompt> = "systemPrompt": US / N,
        /// Values to start with, applied in order.
        quiet_argument config_options: Vec<InitialSessionConfigOption> = "configOptions": CU / N,
    }
    new(session_id: SessionId, cwd: Box<str>);
}

wire_struct! {
    /// Result of `session/resume`.
    pub struct ResumeSessionResponse: S / N [meta null] {
        /// The modes of the session; ignore them when there are options.
        lenient modes: Option<SessionModeState> = "modes": S / N,
        /// The options that can be set, all of them, in the agent's order.
        items config_options: Option<Vec<SessionConfigOption>> = "configOptions": S / N,
        /// The models, as agents listed them before there were options.
        lenient models: Option<SessionModelState> = "models": L / N,
    }
    new();
}

wire_struct! {
    /// Params of `session/fork`, which starts a session from a copy of another.
    pub struct ForkSessionRequest: U / N [meta] {
        /// The session to copy.
        required session_id: SessionId = "sessionId": U / N,
        /// The working directory, absolute.
        required cwd: Box<str> = "cwd": U / N,
        /// More roots, absolute; the full list each time.
        quiet_argument additional_directories: Vec<Box<str>> = "additionalDirectories": U / N,
        /// MCP servers to connect to; the full list each time.
        quiet_argument mcp_servers: Vec<McpServer> = "mcpServers": U / N,
        /// Instructions of the host; only where the agent can take them.
        optional system_prompt: Option<SystemPrompt> = "systemPrompt": U / N,
        /// Copy only what is before this cursor.
        optional cursor_id: Option<CursorId> = "cursorId": CU / N,
        /// Values to start with, applied in order.
        quiet_argument config_options: Vec<InitialSessionConfigOption> = "configOptions": CU / N,
    }
    new(session_id: SessionId, cwd: Box<str>);
}

wire_struct! {
    /// Result of `session/fork`.
    pub struct ForkSessionResponse: U / N [meta] {
        /// The new session.
        required session_id: SessionId = "sessionId": U / N,
        /// The modes of the session; ignore them when there are options.
        lenient modes: Option<SessionModeState> = "modes": U / N,
        /// The options that can be set, all of them, in the agent's order.
        items config_options: Option<Vec<SessionConfigOption>> = "configOptions": U / N,
        /// The models, as agents listed them before there were options.
        lenient models: Option<SessionModelState> = "models": L / N,
    }
    new(session_id: SessionId);
}
