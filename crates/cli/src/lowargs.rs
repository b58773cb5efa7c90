//! What was typed, and nothing about what it means: that is `hiargs`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum, ValueHint};

/// Talk to coding agents over the Agent Client Protocol.
///
/// The answer goes to stdout, everything else to stderr. An agent is started from what stands after `--`, word by word: no shell
/// reads it. Without an agent the built-in demo agent answers.
#[derive(Debug, Parser)]
#[command(
    name = "acp",
    version,
    propagate_version = false,
    subcommand_required = true,
    arg_required_else_help = true
)]
#[command(after_help = EXAMPLES, disable_help_flag = true, disable_help_subcommand = true)]
pub(crate) struct Low {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  acp run \"say hello\" --allow edit                     the demo agent, no key and no network
  acp run \"fix the failing test\" -- claude-agent-acp   a real agent
  acp probe -- gemini --acp                            what an agent offers";

/// Flags that every verb takes, before or after it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Global {
    /// JSON on stdout: one document, or lines that end with a `result` record
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to use colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub(crate) color: When,
    /// Say nothing on stderr but errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Say more: the phases; twice: the lines on the wire, too
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub(crate) verbose: u8,
    /// Leave out times and durations, so that two runs print the same
    #[arg(long, global = true)]
    pub(crate) no_timestamps: bool,
    /// Print what is needed most
    #[arg(short, long, global = true, action = ArgAction::HelpShort)]
    help: Option<bool>,
    /// Print everything
    #[arg(long, global = true, action = ArgAction::HelpLong)]
    help_all: Option<bool>,
}

/// When something is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless `NO_COLOR` is set; always with `CLICOLOR_FORCE`
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Send a prompt to an agent and print its answer
    Run(Box<Run>),
    /// Start an agent once and show what it offers
    Probe(Probe),
    /// Show what this program speaks and declares
    Status,
    /// Print the `initialize` request that this program sends
    InitializeRequest(InitializeRequest),
    /// Check an `initialize` result and show what it agrees on
    Negotiate(Negotiate),
    /// Show what a method or a type of the protocol is, offline
    Describe(Describe),
    /// Be the built-in demo agent, on stdin and stdout
    DemoAgent(DemoAgent),
    /// Be an agent that misbehaves, to test clients with
    Mock(Mock),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Write the man pages into a directory
    Man(Man),
}

/// How an agent is started.
#[derive(Debug, Args)]
pub(crate) struct Start {
    /// Working directory of the agent and of the session [default: here]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) cwd: Option<PathBuf>,
    /// Set a variable in the agent's environment (more than once)
    #[arg(long = "env", value_name = "NAME=VALUE")]
    pub(crate) env: Vec<OsString>,
    /// Log in with this method of the agent before the session
    #[arg(long, value_name = "METHOD")]
    pub(crate) auth: Option<String>,
    /// End it when nothing came for this long, `90s`, `5m` or `none` [default: 10m, start-up 2m]
    #[arg(long, value_name = "TIME")]
    pub(crate) idle_timeout: Option<String>,
    /// End it after this long whatever comes [default: 1h, start-up 10m]
    #[arg(long, value_name = "TIME")]
    pub(crate) timeout: Option<String>,
    /// Write every line of the wire into a file (it may hold secrets)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) record: Option<PathBuf>,
    /// The agent and its arguments, word by word; the demo agent when there is none
    #[arg(last = true, value_name = "AGENT", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) agent: Vec<OsString>,
}

/// Sends a prompt to an agent. The answer is on stdout; tools, permissions and the outcome are on stderr.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct Run {
    /// The prompt; `@FILE` reads a file, `-` reads stdin
    #[arg(value_name = "PROMPT")]
    pub(crate) prompt: String,
    /// Allow once what is of these kinds, `read,edit` or `all`
    ///
    /// A kind can be narrowed: `edit:src/**`, `execute:git *`, `mcp:docs/*`. The option is chosen by its kind, never one that
    /// allows for always.
    #[arg(long, value_name = "KINDS")]
    pub(crate) allow: Vec<String>,
    /// Reject what is of these kinds; wins over --allow
    #[arg(long, value_name = "KINDS")]
    pub(crate) deny: Vec<String>,
    /// Ask on the terminal about everything else
    #[arg(long)]
    pub(crate) ask: bool,
    /// End with 0 also when something was not permitted
    #[arg(long)]
    pub(crate) denied_ok: bool,
    /// Put the session into this mode first (an id that the agent listed)
    #[arg(long, value_name = "ID")]
    pub(crate) mode: Option<String>,
    /// Write the answer into a file instead of stdout
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) start: Start,
}

const RUN_EXAMPLES: &str = "\
Kinds: read edit delete move search execute think fetch switch_mode other all

Exit: 0 done, 1 error, 2 usage, 3 timeout, 5 denied, 6 login needed, 7 agent died, 8 protocol, 9 refused, 10 limit reached, 130 interrupted

Examples:
  acp run \"tidy the notes\" --allow read,edit
  git diff | acp run - --deny edit,execute -- codex-acp
  acp run @prompt.md --json --idle-timeout 90s -- opencode acp";

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

/// The line as it goes out, with the declaration of `acp run`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp initialize-request\n  acp initialize-request --protocol 2"
)]
pub(crate) struct InitializeRequest {
    /// For this protocol version alone [default: what `acp run` offers]
    #[arg(long, value_name = "N")]
    pub(crate) protocol: Option<String>,
}

/// Refuses rather than guesses: exit 1 and one JSON line on stderr.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp negotiate --result '{\"protocolVersion\":1}'\n  acp negotiate --protocol 2 --result - < response.json"
)]
pub(crate) struct Negotiate {
    /// The result, or the whole response; `-` reads stdin
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub(crate) result: Option<String>,
    /// As if this version had been offered [default: what `acp run` offers]
    #[arg(long, value_name = "N")]
    pub(crate) protocol: Option<String>,
}

/// Direction, kind, stability, what must have been advertised, and every member; all of it from the program itself.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp describe\n  acp describe session/prompt --protocol 2\n  acp describe ToolCallUpdate --json"
)]
pub(crate) struct Describe {
    /// A method, or a type by its name in the schema; everything is listed when there is none
    #[arg(value_name = "METHOD|TYPE")]
    pub(crate) what: Option<String>,
    /// In this protocol version alone
    #[arg(long, value_name = "N")]
    pub(crate) protocol: Option<String>,
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

/// Prints the script; where to put it is the shell's affair.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp completions zsh > ~/.zfunc/_acp\n  source <(acp completions bash)"
)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Writes `acp.1` and a page for each verb.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  acp man ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The directory; made when it is missing
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) dir: PathBuf,
}
