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
    /// Talk with an agent, line by line
    Chat(Box<Chat>),
    /// List, close and manage the sessions that an agent has stored
    Sessions(Sessions),
    /// Show or set what a session offers to choose from: model, effort, mode and more
    Options(Options),
    /// Show, log in and log out
    Auth(Auth),
    /// List the agents that can be named with -a
    Agents(Agents),
    /// Send one request of any method and print its result
    Call(Call),
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
    /// Test whether an agent keeps the rules of the protocol
    Check(Box<Check>),
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
    /// Speak this protocol version: 1, 2 or auto
    #[arg(long, value_name = "N", default_value = "auto")]
    pub(crate) protocol: String,
    /// The agent by its name in `acp agents`, instead of its command
    #[arg(short, long = "agent", value_name = "NAME", conflicts_with = "agent")]
    pub(crate) alias: Option<String>,
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
    #[command(flatten)]
    pub(crate) decide: Decide,
    /// End with 0 also when something was not permitted
    #[arg(long)]
    pub(crate) denied_ok: bool,
    /// Send this prompt, too, once the turn before it is completed (more than once)
    ///
    /// All are turns of one session, and `@FILE` and `-` mean the same. The first that is not completed is the last; the result is
    /// of the last turn, and counts the permissions of all.
    #[arg(long, value_name = "PROMPT")]
    pub(crate) then: Vec<String>,
    /// Send an image with the prompt (more than once)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) image: Vec<PathBuf>,
    /// Write the answer into a file instead of stdout
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) start: Start,
    #[command(flatten)]
    pub(crate) choose: Choose,
    #[command(flatten)]
    pub(crate) reopen: Reopen,
    #[command(flatten)]
    pub(crate) tools: Tools,
    #[command(flatten)]
    pub(crate) services: Services,
}

const RUN_EXAMPLES: &str = "\
Kinds: read edit delete move search execute think fetch switch_mode other all

Exit: 0 done, 1 error, 2 usage, 3 timeout, 4 no such session, 5 denied, 6 login needed, 7 agent died, 8 protocol, 9 refused, 10 limit reached, 130 interrupted

Examples:
  acp run \"tidy the notes\" --allow read,edit
  git diff | acp run - --deny edit,execute -a codex --effort high
  acp run @prompt.md --json --idle-timeout 90s -- opencode acp";

/// What decides about permissions beside the flags, and where it is written down.
#[derive(Debug, Default, Args)]
pub(crate) struct Decide {
    /// Decide by the rules of this file where --allow and --deny say nothing
    ///
    /// TOML, or JSON by its name: `version = 1`, `otherwise = "cancel|deny|ask|allow"`, and `[[rules]]`, each with one of `allow`,
    /// `deny` and `ask`, the first match first. At most 64 KiB.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) rules: Option<PathBuf>,
    /// Append every decision to this file as a JSON line (it may hold secrets)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) audit: Option<PathBuf>,
}

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
}

/// A stored session instead of a new one.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Stored sessions")]
pub(crate) struct Reopen {
    /// Load this session; its history is not printed
    #[arg(long, value_name = "SESSION", conflicts_with = "resume")]
    pub(crate) load: Option<String>,
    /// Resume this session, without a replay of its history
    #[arg(long, value_name = "SESSION")]
    pub(crate) resume: Option<String>,
}

/// Servers of tools that the agent is given.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Tools")]
pub(crate) struct Tools {
    /// Give the agent the MCP servers of this file; `ACP_TOOLS` names one, too
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
    #[arg(long, requires = "fs")]
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

/// Prompts and commands come from the terminal, or line by line from stdin.
///
/// Commands: /model /effort /mode /set /options /allow /deny /cancel /history /help /quit
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp chat -a gemini\n  acp chat --effort high --allow read -- claude-agent-acp"
)]
pub(crate) struct Chat {
    /// Allow once what is of these kinds
    #[arg(long, value_name = "KINDS")]
    pub(crate) allow: Vec<String>,
    /// Reject what is of these kinds; wins over --allow
    #[arg(long, value_name = "KINDS")]
    pub(crate) deny: Vec<String>,
    #[command(flatten)]
    pub(crate) decide: Decide,
    #[command(flatten)]
    pub(crate) start: Start,
    #[command(flatten)]
    pub(crate) choose: Choose,
    #[command(flatten)]
    pub(crate) reopen: Reopen,
    #[command(flatten)]
    pub(crate) tools: Tools,
    #[command(flatten)]
    pub(crate) services: Services,
}

/// Works on what the agent has stored; nothing is opened but by `show`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp sessions list -a claude\n  acp sessions delete 5f3c -- opencode acp\n  acp sessions title 5f3c \"Fix the tests\" -a codex"
)]
pub(crate) struct Sessions {
    /// What to do
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) act: SessionsAct,
    /// The session
    #[arg(value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// Its new title
    #[arg(value_name = "TITLE")]
    pub(crate) title: Option<String>,
    /// List those of every directory
    #[arg(long)]
    pub(crate) all: bool,
    /// List archived ones as well
    #[arg(long)]
    pub(crate) archived: bool,
    /// List at most this many
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) most: usize,
    #[command(flatten)]
    pub(crate) start: Start,
}

/// What is done with stored sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SessionsAct {
    /// List them
    List,
    /// Load one and print its conversation
    Show,
    /// Say whether it is open or only stored
    Status,
    /// Cancel its work and free what it holds
    Close,
    /// Take it off the list
    Delete,
    /// Hide it from the list
    Archive,
    /// Show it there again
    Unarchive,
    /// Give it a title
    Title,
    /// Make a copy that goes its own way
    Fork,
}

/// A new session is opened and asked; `set` shows what is in force afterwards.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp options list -a claude\n  acp options set model=opus effort=high -a claude"
)]
pub(crate) struct Options {
    /// What to do
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) act: OptionsAct,
    /// `model`, `effort`, `mode` or the id of an option, and its value
    #[arg(value_name = "ID=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) start: Start,
    #[command(flatten)]
    pub(crate) reopen: Reopen,
}

/// What is done with options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OptionsAct {
    /// Show them
    List,
    /// Set them
    Set,
}

/// Who is logged in is the agent's affair; this asks it.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  acp auth list -a codex\n  acp auth login api-key -a codex\n  acp auth status -a claude"
)]
pub(crate) struct Auth {
    /// What to do
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) act: AuthAct,
    /// The method, as `list` spells it
    #[arg(value_name = "METHOD")]
    pub(crate) method: Option<String>,
    #[command(flatten)]
    pub(crate) start: Start,
}

/// What is done about logins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuthAct {
    /// List the ways to log in
    List,
    /// Log in
    Login,
    /// Log out
    Logout,
    /// Say who is logged in
    Status,
}

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
