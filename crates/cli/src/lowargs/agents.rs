//! Which agents there are, and what one offers.

use std::ffi::OsString;

use clap::{Args, ValueEnum, ValueHint};

use super::Start;

/// Built in, and those of the config files, which win.
///
/// `list` and `which` start no agent, but `which` asks for its version. `doctor` looks at its program, what fetches it and its
/// variables, starts it, agrees on a version and lets it go; without a name it looks at all that are here and starts none.
#[derive(Debug, Args)]
#[command(after_help = AGENTS_EXAMPLES)]
pub(crate) struct Agents {
    /// What to do
    #[arg(value_enum, value_name = "WHAT", default_value_t = AgentsAct::List)]
    pub(crate) act: AgentsAct,
    /// The agent
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Set a variable in its environment (more than once); for add and doctor
    #[arg(long = "env", value_name = "NAME=VALUE")]
    pub(crate) env: Vec<OsString>,
    /// How to install it; for add
    #[arg(long, value_name = "TEXT")]
    pub(crate) install: Option<String>,
    /// Replace the command of an agent that was added before; for add
    #[arg(long)]
    pub(crate) replace: bool,
    /// How long the start may take [default: 2m]; for doctor
    #[arg(long, value_name = "TIME")]
    pub(crate) timeout: Option<String>,
    /// The command, word by word; for add and doctor
    #[arg(last = true, value_name = "AGENT", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) argv: Vec<OsString>,
}

const AGENTS_EXAMPLES: &str = "\
Examples:
  acp agents
  acp agents add mine --env MY_KEY_FILE=/home/me/key -- my-agent --acp
  acp agents doctor mine
  acp agents doctor -- npx -y @google/gemini-cli --acp

The config file, $XDG_CONFIG_HOME/acp/config.toml:
  [agents.mine]
  command = [\"my-agent\", \"--acp\"]
  env = { MY_KEY_FILE = \"/home/me/key\" }";

/// What is done about agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AgentsAct {
    /// List them
    List,
    /// Show where one is, its version, or how to install it
    Which,
    /// Find out why one does not start, or not well
    Doctor,
    /// Give a command a name, in the user's config file
    Add,
    /// Take the name back
    Remove,
}

/// Looks at its program, what fetches it and its variables, starts it, agrees on a version and lets it go.
///
/// Without a name it looks at all agents that are here and starts none. `acp probe` opens a session, too.
#[derive(Debug, Args)]
#[command(
    mut_arg("agent", |agent| agent.help("The agent and its arguments, word by word; all agents that are here when there is none")),
    after_help = "Examples:\n  acp doctor\n  acp doctor -a claude\n  acp doctor -- npx -y @google/gemini-cli --acp"
)]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) start: Start,
}

/// Starts an agent, agrees on a version, opens a session, asks nothing and ends it.
#[derive(Debug, Args)]
#[command(after_help = PROBE_EXAMPLES)]
pub(crate) struct Probe {
    /// Give the agent a tool server (MCP) of our own, and prove that it connects to it
    ///
    /// The exit is 1 when it does not within 15 seconds of opening the session.
    #[arg(long)]
    pub(crate) mcp: bool,
    #[command(flatten)]
    pub(crate) start: Start,
}

const PROBE_EXAMPLES: &str = "\
Examples:
  acp probe -- gemini --acp
  acp probe --json -- opencode acp
  acp probe --mcp -a codex
  acp probe --auth api-key -- codex-acp";

/// The request goes out after a proper `initialize`, if the agent advertised what it needs.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp call session/list '{}' -a opencode\n  acp call _vendor/thing - -- my-agent < params.json"
)]
pub(crate) struct Call {
    /// The method
    #[arg(value_name = "METHOD")]
    pub(crate) method: String,
    /// Its params; `-` reads stdin
    #[arg(value_name = "JSON", default_value = "{}")]
    pub(crate) params: String,
    /// Send it whatever the agent advertised
    #[arg(long)]
    pub(crate) unchecked: bool,
    #[command(flatten)]
    pub(crate) start: Start,
}
