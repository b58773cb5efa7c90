//! Shapes that only version 1 has, or that version 2 changed.
//!
//! What both versions have in one shape stands at the root of the crate.

mod agent_capability;
mod auth;
mod client_capability;
mod command;
mod compaction;
mod config_option;
mod config_value;
mod fs;
mod initialize;
mod mcp;
mod mode;
mod permission;
mod plan;
mod prompt;
mod session;
mod session_list;
mod terminal;
mod tool_call;
mod update;

pub use self::{
    agent_capability::{
        AgentCapabilities, McpCapabilities, PromptCapabilities, SessionCapabilities,
        SessionCloseCapabilities, SessionListCapabilities, SessionResumeCapabilities,
    },
    auth::{AuthMethod, AuthMethodAgent, AuthMethodTerminal},
    client_capability::{
        AuthCapabilities, BooleanConfigOptionCapabilities, ClientCapabilities,
        ClientSessionCapabilities, CompactionCapabilities, FileSystemCapabilities,
        NoticeCapabilities, PlanCapabilities, SessionConfigOptionsCapabilities,
        SessionCursorsCapabilities, SubagentCapabilities,
    },
    command::{
        AvailableCommand, AvailableCommandInput, AvailableCommandsUpdate, UnstructuredCommandInput,
    },
    compaction::CompactionUpdate,
    config_option::{
        ConfigOptionUpdate, SessionConfigKind, SessionConfigOption, SessionConfigSelect,
        SessionConfigSelectGroup, SessionConfigSelectOptions,
    },
    config_value::{
        InitialSessionConfigOption, SessionConfigOptionValue, SetSessionConfigOptionRequest,
        SetSessionConfigOptionResponse,
    },
    fs::{ReadTextFileRequest, ReadTextFileResponse, WriteTextFileRequest, WriteTextFileResponse},
    initialize::{
        InitializeProxyRequest, InitializeProxyResponse, InitializeRequest, InitializeResponse,
    },
    mcp::{McpServer, McpServerHttp, McpServerSse, McpServerStdio},
    mode::{
        CurrentModeUpdate, SessionMode, SessionModeState, SetSessionModeRequest,
        SetSessionModeResponse,
    },
    permission::RequestPermissionRequest,
    plan::{Plan, PlanItems, PlanUpdate, PlanUpdateContent},
    prompt::{PromptRequest, PromptResponse},
    session::{
        ForkSessionRequest, ForkSessionResponse, LoadSessionRequest, LoadSessionResponse,
        NewSessionRequest, NewSessionResponse, ResumeSessionRequest, ResumeSessionResponse,
    },
    session_list::{ListSessionsResponse, SessionInfo, SessionOptionsResponse},
    terminal::{
        CreateTerminalRequest, CreateTerminalResponse, KillTerminalRequest, KillTerminalResponse,
        ReleaseTerminalRequest, ReleaseTerminalResponse, TerminalOutputRequest,
        TerminalOutputResponse, WaitForTerminalExitRequest, WaitForTerminalExitResponse,
    },
    tool_call::{Diff, ToolCall, ToolCallContent, ToolCallUpdate},
    update::{ContentChunk, SessionNotification, SessionUpdate},
};
