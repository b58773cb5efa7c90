//! What an agent can do.

use crate::{
    capability::{AgentAuthCapabilities, ProvidersCapabilities},
    session_capability::{
        SessionAdditionalDirectoriesCapabilities, SessionArchiveCapabilities,
        SessionDeleteCapabilities, SessionForkCapabilities, SessionOptionsCapabilities,
        SessionStatusCapabilities, SessionSystemPromptCapabilities, SessionTitleCapabilities,
    },
    wire::macros::wire_struct,
};

wire_struct! {
    /// What an agent can do.
    pub struct AgentCapabilities: S / N [meta more] {
        /// Whether `session/load` is handled.
        fallback load_session: bool = "loadSession": S / N,
        /// What a prompt may hold.
        fallback prompt_capabilities: PromptCapabilities = "promptCapabilities": S / N,
        /// MCP transports beside stdio.
        fallback mcp_capabilities: McpCapabilities = "mcpCapabilities": S / N,
        /// What can be done with sessions.
        fallback session_capabilities: SessionCapabilities = "sessionCapabilities": S / N,
        /// Login.
        fallback auth: AgentAuthCapabilities = "auth": S / N,
        /// Providers of models.
        lenient providers: Option<ProvidersCapabilities> = "providers": U / N,
    }
    new();
}

wire_struct! {
    /// What a prompt may hold beside text and links.
    pub struct PromptCapabilities: S / N [meta more] {
        /// Images.
        fallback image: bool = "image": S / N,
        /// Sound.
        fallback audio: bool = "audio": S / N,
        /// Resources with their contents.
        fallback embedded_context: bool = "embeddedContext": S / N,
    }
    new();
}

wire_struct! {
    /// The MCP transports that the agent can use.
    pub struct McpCapabilities: S / N [meta more] {
        /// HTTP.
        fallback http: bool = "http": S / N,
        /// Server-sent events.
        fallback sse: bool = "sse": S / N,
        /// Servers that the client hosts.
        fallback acp: bool = "acp": U / N,
    }
    new();
}

wire_struct! {
    /// What an agent can do with sessions beyond the baseline.
    pub struct SessionCapabilities: S / N [meta more] {
        /// `session/list`.
        lenient list: Option<SessionListCapabilities> = "list": S / N,
        /// `session/delete`.
        lenient delete: Option<SessionDeleteCapabilities> = "delete": S / N,
        /// More roots than one.
        lenient additional_directories: Option<SessionAdditionalDirectoriesCapabilities> = "additionalDirectories": S / N,
        /// Instructions of the host.
        lenient system_prompt: Option<SessionSystemPromptCapabilities> = "systemPrompt": US / N,
        /// `session/fork`, or forking at this place.
        lenient fork: Option<SessionForkCapabilities> = "fork": U / N,
        /// Archiving.
        lenient archive: Option<SessionArchiveCapabilities> = "archive": U / N,
        /// `session/status`.
        lenient status: Option<SessionStatusCapabilities> = "status": U / N,
        /// `session/set_title`.
        lenient title: Option<SessionTitleCapabilities> = "title": U / N,
        /// `session/resume`.
        lenient resume: Option<SessionResumeCapabilities> = "resume": S / N,
        /// `session/close`.
        lenient close: Option<SessionCloseCapabilities> = "close": S / N,
        /// `session/options` and values at set-up.
        lenient options: Option<SessionOptionsCapabilities> = "options": CU / N,
    }
    new();
}

wire_struct! {
    /// The agent handles `session/list`.
    pub struct SessionListCapabilities: S / N [meta more] {
    }
    new();
}

wire_struct! {
    /// The agent handles `session/resume`.
    pub struct SessionResumeCapabilities: S / N [meta more] {
    }
    new();
}

wire_struct! {
    /// The agent handles `session/close`.
    pub struct SessionCloseCapabilities: S / N [meta more] {
    }
    new();
}
