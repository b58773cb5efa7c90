//! Rules about permissions, without an agent.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

/// Looks at rules before they decide: whether a file can be read and every rule of it is reached, and what it would have decided.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp rules check rules.toml\n  acp run \"fix the tests\" --ask --record run.acp.jsonl -a claude\n  acp rules try run.acp.jsonl --rules rules.toml --expect"
)]
pub(crate) struct Rules {
    #[command(subcommand)]
    pub(crate) act: RulesAct,
}

/// What is done with rules.
#[derive(Debug, Subcommand)]
pub(crate) enum RulesAct {
    /// Read a file of rules, list them, and name those that come too late
    ///
    /// Ends with 0 where nothing was found, 1 where something was, 2 where there is no such file.
    #[command(
        after_help = "Examples:\n  acp rules check rules.toml\n  acp rules check rules.json --json"
    )]
    Check(RulesCheck),
    /// Show what rules would have decided over recorded conversations
    ///
    /// Nothing is started and nothing is sent. A recording is what `acp run --record` writes, or JSON-RPC messages line by line.
    #[command(
        after_help = "Examples:\n  acp rules try run.acp.jsonl --rules rules.toml\n  acp rules try *.acp.jsonl --allow read,edit:src/** --deny execute:rm --expect"
    )]
    Try(RulesTry),
}

#[derive(Debug, Args)]
pub(crate) struct RulesCheck {
    /// The file, TOML, or JSON by its name
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct RulesTry {
    /// The recordings; `-` reads stdin
    #[arg(required = true, value_name = "RECORDING", value_hint = ValueHint::FilePath)]
    pub(crate) recordings: Vec<PathBuf>,
    /// Decide by the rules of this file where --allow and --deny say nothing
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) rules: Option<PathBuf>,
    /// Allow once what is of these kinds
    #[arg(long, value_name = "KINDS")]
    pub(crate) allow: Vec<String>,
    /// Reject what is of these kinds; wins over --allow
    #[arg(long, value_name = "KINDS")]
    pub(crate) deny: Vec<String>,
    /// End with 1 where the agent would have been allowed more or less than it was
    #[arg(long)]
    pub(crate) expect: bool,
    /// The directory of sessions whose own is not in the recording
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) cwd: Option<PathBuf>,
}
