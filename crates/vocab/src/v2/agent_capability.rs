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
    pub struct AgentCapabilities: N / S [meta more] {
        /// Sessions.
        lenient session: Option<SessionCapabilities> = "session": N / S,
        /// Login.
        lenient auth: Option<AgentAuthCapabilities> = "auth": N / S,
        /// Providers of models.
        lenient providers: Option<ProvidersCapabilities> = "providers": N / U,
    }
    new();
}

wire_struct! {
    /// That an agent has sessions at all, and what it can do with them. Even when empty it
    /// promises `session/new`, `list`, `resume`, `close`, `prompt`, `cancel` and `update`.
    pub struct SessionCapabilities: N / S [meta more] {
        /// What a prompt may hold.
        lenient prompt: Option<PromptCapabilities> = "prompt": N / S,
        /// MCP transports.
        lenient mcp: Option<McpCapabilities> = "mcp": N / S,
        /// `session/delete`.
        lenient delete: Option<SessionDeleteCapabilities> = "delete": N / S,
        /// More roots than one.
        lenient additional_directories: Option<SessionAdditionalDirectoriesCapabilities> = "additionalDirectories": N / S,
        /// Instructions of the host.
        lenient system_prompt: Option<SessionSystemPromptCapabilities> = "systemPrompt": N / US,
        /// `session/fork`, or forking at this place.
        lenient fork: Option<SessionForkCapabilities> = "fork": N / U,
        /// Archiving.
        lenient archive: Option<SessionArchiveCapabilities> = "archive": N / U,
        /// `session/status`.
        lenient status: Option<SessionStatusCapabilities> = "status": N / U,
        /// `session/set_title`.
        lenient title: Option<SessionTitleCapabilities> = "title": N / U,
        /// `session/options` and values at set-up.
        lenient options: Option<SessionOptionsCapabilities> = "options": N / CU,
    }
    new();
}

wire_struct! {
    /// What a prompt may hold beside text and links.
    pub struct PromptCapabilities: N / S [meta more] {
        /// Images.
        lenient image: Option<PromptImageCapabilities> = "image": N / S,
        /// Sound.
        lenient audio: Option<PromptAudioCapabilities> = "audio": N / S,
        /// Resources with their contents.
        lenient embedded_context: Option<PromptEmbeddedContextCapabilities> = "embeddedContext": N / S,
        /// Skills.
        lenient skill: Option<PromptSkillCapabilities> = "skill": N / CU,
    }
    new();
}

wire_struct! {
    /// Prompts may hold images.
    pub struct PromptImageCapabilities: N / S [meta more] {
    }
    new();
}

wire_struct! {
    /// Prompts may hold sound.
    pub struct PromptAudioCapabilities: N / S [meta more] {
    }
    new();
}

wire_struct! {
    /// Prompts may hold resources.
    pub struct PromptEmbeddedContextCapabilities: N / S [meta more] {
    }
    new();
}

wire_struct! {
    /// A prompt may begin with a skill.
    pub struct PromptSkillCapabilities: N / CU [meta more] {
        /// Skills anywhere in the prompt.
        lenient inline: Option<PromptSkillInlineCapabilities> = "inline": N / CU,
    }
    new();
}

wire_struct! {
    /// A prompt may hold any number of skills.
    pub struct PromptSkillInlineCapabilities: N / CU [meta more] {
    }
    new();
}

wire_struct! {
    /// The MCP transports that the agent can use.
    pub struct McpCapabilities: N / S [meta more] {
        /// Child processes.
        lenient stdio: Option<McpStdioCapabilities> = "stdio": N / S,
        /// HTTP.
        lenient http: Option<McpHttpCapabilities> = "http": N / S,
        /// Servers that the client hosts.
        lenient acp: Option<McpAcpCapabilities> = "acp": N / U,
    }
    new();
}

wire_struct! {
    /// The agent starts MCP servers as child processes.
    pub struct McpStdioCapabilities: N / S [meta more] {
    }
    new();
}

wire_struct! {
    /// The agent uses MCP servers behind HTTP.
    pub struct McpHttpCapabilities: N / S [meta more] {
    }
    new();
}

wire_struct! {
    /// The agent uses MCP servers that the client hosts.
    pub struct McpAcpCapabilities: N / U [meta more] {
    }
    new();
}
