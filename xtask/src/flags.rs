//! The whole command line of `cargo xtask`, in one place.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

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
    /// Put the pinned agents through whole turns, with a scripted model behind them, and print
    /// what came of each (network to install them, node).
    Agents(AgentsOptions),
    /// The official texts that our modules answer to.
    #[command(subcommand)]
    Upstream(Upstream),
}

/// Options of `agents`.
#[derive(Debug, Args)]
pub(crate) struct AgentsOptions {
    /// Only this agent (may be given several times).
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Vec<String>,
    /// Only this scene, a column of the table (may be given several times).
    #[arg(long, value_name = "NAME")]
    pub(crate) scene: Vec<String>,
    /// Where the agents are, or get, installed [default: target/agents].
    #[arg(long, value_name = "DIR")]
    pub(crate) prefix: Option<PathBuf>,
    /// The program to drive them with [default: the one of this work tree, built first].
    #[arg(long, value_name = "FILE")]
    pub(crate) acp: Option<PathBuf>,
    /// Write the rows into `docs/agents.md`.
    #[arg(long)]
    pub(crate) write: bool,
    /// Write what was said into `fixtures/transcripts`, redacted, scene by scene.
    #[arg(long)]
    pub(crate) record: bool,
}

/// What to do with the official texts.
#[derive(Debug, Subcommand)]
pub(crate) enum Upstream {
    /// Recompute every hash from the pinned packages and check the map of modules.
    Verify,
    /// Write the lock file and the hashes of the map, at the versions given or pinned.
    Accept(AcceptOptions),
    /// Fetch another version and print what changed, module by module (network).
    Diff(DiffOptions),
}

/// Options of `upstream accept`.
#[derive(Debug, Args)]
pub(crate) struct AcceptOptions {
    /// Version of the schema crate; `interop/upstream` must pin the same.
    #[arg(long, value_name = "VERSION", default_value = "1.20.0")]
    pub(crate) schema_crate: String,
    /// Version of the npm package.
    #[arg(long, value_name = "VERSION", default_value = "2.4.0")]
    pub(crate) npm: String,
    /// Version of the official Rust SDK.
    #[arg(long, value_name = "VERSION", default_value = "5.2.0")]
    pub(crate) sdk: String,
}

/// Options of `upstream diff`.
#[derive(Debug, Args)]
pub(crate) struct DiffOptions {
    /// The version to compare with the pinned one.
    #[arg(long, value_name = "VERSION")]
    pub(crate) to: String,
    /// The package whose version that is.
    #[arg(long, value_enum, default_value = "crate")]
    pub(crate) package: Package,
    /// Compare with the pinned version of this package instead of the same one.
    #[arg(long, value_enum)]
    pub(crate) from: Option<Package>,
    /// Name definitions of which only the prose changed, too.
    #[arg(long)]
    pub(crate) prose: bool,
}

/// A package that carries the official schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Package {
    /// `agent-client-protocol-schema`, from crates.io.
    Crate,
    /// `@agentclientprotocol/sdk`, from npm.
    Npm,
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
