//! What is set beforehand.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

/// Flags win over the environment (`ACP_` and the name of the flag), that over `./.acp.toml`, that over the user's config file.
///
/// A file of a directory says nothing until it is trusted, and nothing any more once it or a file that it names has changed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Config {
    /// What to do
    #[arg(value_enum, value_name = "WHAT", default_value_t = ConfigAct::Show)]
    pub(crate) act: ConfigAct,
    /// The file, or its directory [default: here]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) path: Option<PathBuf>,
    /// Say where each value comes from
    #[arg(long)]
    pub(crate) origin: bool,
    /// Show the values of variables, too: they may be secret
    #[arg(long)]
    pub(crate) secrets: bool,
    /// What holds for this agent
    #[arg(short = 'a', long = "agent", value_name = "NAME")]
    pub(crate) agent_name: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  acp config show --origin
  acp config trust
  ACP_MODEL=opus acp config show -a claude";

/// What is done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConfigAct {
    /// Show what is in force
    Show,
    /// List what can be set, and how
    Keys,
    /// Show where the files are
    Path,
    /// Believe a file of a directory, as it is now
    Trust,
    /// Believe it no longer
    Untrust,
}
