//! Be an agent: serve the Agent Client Protocol with back-pressure, exact outcomes and honest cancellation.
#![doc = include_str!("../README.md")]

mod ability;
mod agent;
mod base64;
mod bell;
mod client;
mod command;
mod commands;
mod config;
mod connection;
mod diff;
mod display;
mod error;
mod extension;
mod host;
mod login;
mod mcp;
mod opening;
mod options;
mod outbox;
mod outcome;
mod permission;
mod pump;
pub mod refusal;
mod report;
mod said;
mod server;
mod session;
mod shared;
mod stdio;
mod stray;
mod terminal;
mod timeline;
mod tool;
mod tracefile;
mod turn;
mod updates;
mod workspace;

pub use crate::{
    ability::{
        ArchiveSession, Archived, Auth, AuthStatus, CloseSession, DeleteSession, ForkSession,
        ListRequest, ListSessions, LoadSession, Options, OptionsRequest, ProviderSetup, Providers,
        SessionPage, SessionStatus, SetTitle, SetupOptions,
    },
    agent::Agent,
    client::Client,
    commands::SlashCommand,
    config::{Coalesce, Config, Conversations, SecondPrompt},
    diff::FileChange,
    display::Display,
    error::{AskError, ServeError, Unsent},
    extension::{Accounting, Extension, REVISION, TraceContext},
    login::{LoginKind, LoginMethod},
    mcp::{McpCall, McpPolicy, McpServer},
    opening::{
        ForkSession as ForkRequest, LoadSession as LoadRequest, NewSession, Opened, Replay, Setup,
    },
    options::{OptionValue, SessionOption},
    outcome::{Completed, Failure, FailureClass, Limit, Outcome, Outcomes, Stop},
    permission::{Permission, PermissionRequest},
    report::{Ended, Report},
    said::Said,
    server::Server,
    stray::Stdout,
    terminal::Terminal,
    tool::{Tool, ToolContent},
    turn::{Prompt, Turn},
    updates::Updates,
    workspace::Workspaces,
};
