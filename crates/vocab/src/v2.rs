//! Shapes that only version 2 has, or that it changed.
//!
//! What both versions have in one shape stands at the root of the crate. Several definitions of
//! version 2 have only a new name for an old shape; they are aliases here.

mod agent_capability;
mod auth;
mod client_capability;
mod command;
mod compaction;
mod config_option;
mod config_value;
mod diff;
mod error_data;
mod initialize;
mod mcp;
mod message;
mod permission;
mod plan;
mod prompt;
mod replay;
mod session;
mod session_list;
mod terminal;
mod tool_call;
mod update;

pub use self::{
    agent_capability::{
        AgentCapabilities, McpAcpCapabilities, McpCapabilities, McpHttpCapabilities,
        McpStdioCapabilities, PromptAudioCapabilities, PromptCapabilities,
        PromptEmbeddedContextCapabilities, PromptImageCapabilities, PromptSkillCapabilities,
        PromptSkillInlineCapabilities, SessionCapabilities,
    },
    auth::{
        AuthMethod, AuthMethodAgent, AuthMethodTerminal, LoginAuthRequest, LoginAuthResponse,
        LogoutAuthRequest, LogoutAuthResponse,
    },
    client_capability::{
        ClientAuthCapabilities, ClientCapabilities, ClientSessionCapabilities,
        CommandsCapabilities, CommandsSkillCapabilities, TerminalAuthCapabilities,
    },
    command::{
        AvailableCommand, AvailableCommandInput, AvailableCommandsUpdate, Command, Skill,
        TextCommandInput,
    },
    compaction::CompactionUpdate,
    config_option::{
        ConfigOptionUpdate, SessionConfigKind, SessionConfigOption, SessionConfigSelect,
        SessionConfigSelectGroup, SessionConfigSelectOptions,
    },
    config_value::{
        InitialSessionConfigOption, SessionConfigBooleanValue, SessionConfigIdValue,
        SessionConfigOptionValue, SetSessionConfigOptionRequest, SetSessionConfigOptionResponse,
    },
    diff::{
        Diff, DiffChange, DiffFileType, DiffOperation, DiffPatch, DiffPatchFormat, DiffPathChange,
        DiffPathPairChange,
    },
    error_data::{SessionNotFoundErrorData, UnsupportedProtocolVersionErrorData},
    initialize::{
        InitializeProxyRequest, InitializeProxyResponse, InitializeRequest, InitializeResponse,
    },
    mcp::{McpServer, McpServerHttp, McpServerStdio},
    message::{AgentMessage, AgentThought, ContentChunk, UserMessage},
    permission::{
        CommandPermissionSubject, RequestPermissionRequest, RequestPermissionSubject,
        ToolCallPermissionSubject,
    },
    plan::{PlanItems, PlanUpdate, PlanUpdateContent},
    prompt::{IdempotencyKey, PromptRequest, PromptResponse},
    replay::{ReplayComplete, ReplayFrom, ReplayFromStart},
    session::{
        CancelSessionNotification, ForkSessionRequest, ForkSessionResponse, NewSessionRequest,
        NewSessionResponse, ResumeSessionRequest, ResumeSessionResponse,
    },
    session_list::{ListSessionsResponse, SessionInfo, SessionOptionsResponse},
    terminal::{
        CancelTerminalRequest, CancelTerminalResponse, TerminalCancelCapabilities,
        TerminalCapabilities, TerminalOutput, TerminalOutputChunk, TerminalSize, TerminalUpdate,
    },
    tool_call::{
        CancelToolCallRequest, CancelToolCallResponse, ToolCallCancelCapabilities,
        ToolCallCapabilities, ToolCallContent, ToolCallContentChunk, ToolCallUpdate,
    },
    update::{SessionUpdate, UpdateSessionNotification},
};
