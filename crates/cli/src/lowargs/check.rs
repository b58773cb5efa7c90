//! Tests of agents and clients, and agents to test with.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, ValueHint};

/// Each rule is tested with a process of its own. What needs a key that the agent does not have is skipped, with the reason.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct Check {
    /// Test a client instead: the command after `--` takes its agent where it says `{agent}`
    #[arg(long)]
    pub(crate) client: bool,
    /// The versions to test: `1`, `2` or `both`
    #[arg(long, value_name = "N", value_parser = ["1", "2", "both"], default_value = "both")]
    pub(crate) protocol: String,
    /// Only rules whose id holds this, or is like it with `*` (more than once)
    #[arg(short = 'k', long, value_name = "PATTERN")]
    pub(crate) only: Vec<String>,
    /// List the rules
    #[arg(long)]
    pub(crate) list: bool,
    /// The prompt for turns [default: one that needs no tool]
    #[arg(long, value_name = "TEXT")]
    pub(crate) prompt: Option<String>,
    /// A prompt that takes long enough to be cancelled [default: counting slowly]
    #[arg(long, value_name = "TEXT")]
    pub(crate) cancel_prompt: Option<String>,
    /// Log in with this method of the agent first
    #[arg(long, value_name = "METHOD")]
    pub(crate) auth_method: Option<String>,
    /// Test logging out, too, which may last
    #[arg(long)]
    pub(crate) allow_logout: bool,
    /// How long an agent may take to answer initialize
    #[arg(long, value_name = "TIME", default_value = "60s")]
    pub(crate) startup_timeout: String,
    /// How long it may take to answer anything else
    #[arg(long, value_name = "TIME", default_value = "30s")]
    pub(crate) timeout: String,
    /// How long all of it may take; rules that are not reached are skipped, and nothing is conformant
    #[arg(long, value_name = "TIME", default_value = "30m")]
    pub(crate) max_time: String,
    /// Working directory of the agent and its sessions [default: here]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) agent_cwd: Option<PathBuf>,
    /// Set a variable in the agent's environment (more than once)
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) agent_env: Vec<OsString>,
    /// Write a report as JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) report_json: Option<PathBuf>,
    /// Write a report for test runners
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) junit: Option<PathBuf>,
    /// Write a report for code scanners
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) sarif: Option<PathBuf>,
    /// The agent and its arguments, word by word
    #[arg(last = true, value_name = "AGENT", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) agent: Vec<OsString>,
}

const CHECK_EXAMPLES: &str = "\
Exit: 0 conformant, 1 not, 2 usage

Examples:
  acp check -- my-agent --acp
  acp check --protocol 1 -k CANCEL -k RACE -- my-agent
  acp check --junit check.xml --sarif check.sarif -- my-agent
  acp check --client -- my-client --agent {agent:line} --prompt hello";

/// Speaks on stdin and stdout, as an agent does. Modes are joined with commas; without one the agent is a proper one.
#[derive(Debug, Args)]
#[command(after_help = MOCK_EXAMPLES)]
pub(crate) struct Mock {
    /// The modes, `noise-before,string-ids` (more than once)
    #[arg(long, value_name = "MODES")]
    pub(crate) mode: Vec<String>,
    /// A file with a mode of your own, in TOML
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) script: Option<PathBuf>,
    /// Speak this protocol version alone [default: the highest that is asked for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) protocol: Option<u8>,
    /// List the modes
    #[arg(long)]
    pub(crate) list: bool,
    /// Append what it hears to a file, as JSON lines
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,
}

const MOCK_EXAMPLES: &str = "\
Examples:
  acp mock --list
  acp run hello -- acp mock --mode dies-in-prompt
  acp run hello --idle-timeout 5s -- acp mock --mode noise-before,bytewise,silent-session
  my-client --agent 'acp mock --script misbehaves.toml --protocol 2'";

/// Has one tool, which gives back the text that it is given. For agents, it is a server of `--tools`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  echo '{\"mcpServers\":{\"demo\":{\"command\":\"/usr/bin/acp\",\"args\":[\"demo-tools\"]}}}' > tools.json\n  acp run \"echo hello with the demo tool\" --tools tools.json -a codex"
)]
pub(crate) struct DemoTools {
    /// Append what is asked of it to a file, as JSON lines
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,
}

/// Thinks, plans, reads, asks for permission to edit and says what it did; no key, no network, and no file of yours is touched.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp probe -- acp demo-agent\n  acp demo-agent --state ~/.cache/acp-demo"
)]
pub(crate) struct DemoAgent {
    /// Keep the sessions in this directory [default: in memory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) state: Option<PathBuf>,
    /// Open sessions only for clients that have logged in
    #[arg(long)]
    pub(crate) login: bool,
}
