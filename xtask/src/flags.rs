//! The whole command line of `cargo xtask`, in one place.

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
