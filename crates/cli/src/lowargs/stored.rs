//! What an agent keeps: sessions, options, logins.

use clap::{Args, ValueEnum};

use super::{Reopen, Start};

/// Works on what the agent has stored; nothing is opened but by `show`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp sessions list -a claude\n  acp sessions delete 5f3c -- opencode acp\n  acp sessions title 5f3c \"Fix the tests\" -a codex"
)]
pub(crate) struct Sessions {
    /// What to do
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) act: SessionsAct,
    /// The session
    #[arg(value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// Its new title
    #[arg(value_name = "TITLE")]
    pub(crate) title: Option<String>,
    /// List those of every directory
    #[arg(long)]
    pub(crate) all: bool,
    /// List archived ones as well
    #[arg(long)]
    pub(crate) archived: bool,
    /// List at most this many
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) most: usize,
    #[command(flatten)]
    pub(crate) start: Start,
}

/// What is done with stored sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SessionsAct {
    /// List them
    List,
    /// Load one and print its conversation
    Show,
    /// Say whether it is open or only stored
    Status,
    /// Cancel its work and free what it holds
    Close,
    /// Take it off the list
    Delete,
    /// Hide it from the list
    Archive,
    /// Show it there again
    Unarchive,
    /// Give it a title
    Title,
    /// Make a copy that goes its own way
    Fork,
}

/// A new session is opened and asked; `set` shows what is in force afterwards.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp options list -a claude\n  acp options set model=opus effort=high -a claude"
)]
pub(crate) struct Options {
    /// What to do
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) act: OptionsAct,
    /// `model`, `effort`, `mode` or the id of an option, and its value
    #[arg(value_name = "ID=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) start: Start,
    #[command(flatten)]
    pub(crate) reopen: Reopen,
}

/// What is done with options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OptionsAct {
    /// Show them
    List,
    /// Set them
    Set,
}

/// Who is logged in is the agent's affair; this asks it.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp auth list -a codex\n  acp auth login api-key -a codex\n  acp auth status -a claude"
)]
pub(crate) struct Auth {
    /// What to do
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) act: AuthAct,
    /// The method, as `list` spells it
    #[arg(value_name = "METHOD")]
    pub(crate) method: Option<String>,
    #[command(flatten)]
    pub(crate) start: Start,
}

/// What is done about logins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuthAct {
    /// List the ways to log in
    List,
    /// Log in
    Login,
    /// Log out
    Logout,
    /// Say who is logged in
    Status,
}
