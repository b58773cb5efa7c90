//! What a session is given before its first prompt.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

/// What is put in force before the first prompt, in the agent's own spelling or near it.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Choosing")]
pub(crate) struct Choose {
    /// Use this model
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Think this hard: off, low, medium, high, xhigh, or a word of the agent's
    #[arg(long, value_name = "LEVEL")]
    pub(crate) effort: Option<String>,
    /// Put the session into this mode
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<String>,
    /// Set an option of the session (more than once)
    #[arg(long = "set", value_name = "ID=VALUE")]
    pub(crate) set: Vec<String>,
    /// Go on without what of these the session does not offer or honour, and say so
    #[arg(long)]
    pub(crate) best_effort: bool,
}

/// A stored session instead of a new one.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Stored sessions")]
pub(crate) struct Reopen {
    /// Load this session; its history is not printed
    #[arg(long, value_name = "SESSION", group = "stored")]
    pub(crate) load: Option<String>,
    /// Resume this session, without a replay of its history
    #[arg(long, value_name = "SESSION", group = "stored")]
    pub(crate) resume: Option<String>,
    /// Reopen it the other way when it cannot be in this one, else open a new one, and say so
    #[arg(long, requires = "stored")]
    pub(crate) resume_or_new: bool,
}

/// Servers of tools that the agent is given.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Tools")]
pub(crate) struct Tools {
    /// Give the agent the MCP servers of this file
    ///
    /// `{"mcpServers": {"name": {"command", "args", "env"}}}`, or a list of such servers with a `name`. Commands are absolute
    /// paths. At most 64 KiB and 8 servers.
    #[arg(long, alias = "mcp-config", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) tools: Option<PathBuf>,
}

/// What the agent may ask of this program; nothing by itself. Agents have tools of their own and use these instead.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Served to the agent")]
pub(crate) struct Services {
    /// Read, or read and write, text files below the working directory for the agent
    ///
    /// Nothing outside is touched, whatever links lead there.
    #[arg(long, value_enum, value_name = "ACCESS")]
    pub(crate) fs: Option<Access>,
    /// Read a file that is not there as an empty one: some agents write new ones only then
    #[arg(long)]
    pub(crate) missing_as_empty: bool,
    /// Run any command for the agent, and end it with the session
    #[arg(long)]
    pub(crate) terminal: bool,
    /// Answer the agent's questions: `ask` on the terminal, `decline`, or from the JSON object in FILE
    #[arg(long, value_name = "ask|decline|FILE", value_hint = ValueHint::FilePath)]
    pub(crate) elicit: Option<String>,
}

/// What may be done to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Access {
    /// Read
    Ro,
    /// Read and write
    Rw,
}
