//! The whole command line of `cargo xtask`, in one place.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Project automation.
#[derive(Debug, Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    disable_version_flag = true
)]
pub(crate) struct Xtask {
    /// What to do.
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Run every gate, in order, and print what passed, what failed and how long each took.
    Ci(CiOptions),
    /// Check the house rules that no compiler checks.
    Tidy,
    /// Check the edges between our crates against the allow-list, and print it.
    Graph,
    /// Print how big the files are. It reports and never fails.
    Size,
    /// Recordings of real agents.
    #[command(subcommand)]
    Fixtures(Fixtures),
}

/// What to do with the recordings.
#[derive(Debug, Subcommand)]
pub(crate) enum Fixtures {
    /// Install the pinned agents from npm, run a handshake and a new session with each, and write
    /// what they said (network, node).
    Refresh(RefreshOptions),
    /// Check that what is committed is complete, well formed and redacted.
    Check,
}

/// Options of `fixtures refresh`.
#[derive(Debug, Args)]
pub(crate) struct RefreshOptions {
    /// Only this agent (may be given several times).
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Vec<String>,
    /// Where the agents are, or get, installed [default: target/agents].
    #[arg(long, value_name = "DIR")]
    pub(crate) prefix: Option<PathBuf>,
}

/// Options of `ci`.
#[derive(Debug, Args)]
pub(crate) struct CiOptions {
    /// Stop at the first gate that fails instead of running the others too.
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Run only gates whose name contains this text (may be given several times).
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Vec<String>,
    /// Print the gates and stop.
    #[arg(long)]
    pub(crate) list: bool,
}
