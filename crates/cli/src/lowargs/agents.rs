//! Which agents there are, and what one offers.

use clap::{Args, ValueEnum};

use super::Start;

/// Built in, and those of the config file, which win. No agent is started but by `which`, to ask for its version.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp agents\n  acp agents which claude\n\nThe config file, $XDG_CONFIG_HOME/acp/config.toml:\n  [agents.mine]\n  command = [\"my-agent\", \"--acp\"]\n  env = { MY_KEY_FILE = \"/home/me/key\" }"
)]
pub(crate) struct Agents {
    /// What to do
    #[arg(value_enum, value_name = "WHAT", default_value_t = AgentsAct::List)]
    pub(crate) act: AgentsAct,
    /// The agent
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// What is asked about agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AgentsAct {
    /// List them
    List,
    /// Show where one is, its version, or how to install it
    Which,
}

/// Starts an agent, agrees on a version, opens a session, asks nothing and ends it.
#[derive(Debug, Args)]
#[command(after_help = PROBE_EXAMPLES)]
pub(crate) struct Probe {
    #[command(flatten)]
    pub(crate) start: Start,
}

const PROBE_EXAMPLES: &str = "\
Examples:
  acp probe -- gemini --acp
  acp probe --json -- opencode acp
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
