//! Prompts, and what decides about the permissions on the way.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::{Choose, Reopen, Services, Start, Tools};

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
    /// The form of the answer [default: text]
    #[arg(long, value_enum, value_name = "FORM", conflicts_with = "json")]
    pub(crate) format: Option<Format>,
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

/// In which form an answer is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// What the agent says
    Text,
    /// A page of Markdown: the prompt, what was thought and done, and the answer
    Md,
    /// One JSON document at the end, with the answer and the result
    Json,
    /// A JSON record for everything that happens, the result last; `--json` is short for it
    Jsonl,
    /// The lines of the wire, as `--record` writes them (they may hold secrets)
    Wire,
}

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
