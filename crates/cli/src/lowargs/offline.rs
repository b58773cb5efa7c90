//! What is answered without an agent.

use std::path::PathBuf;

use clap::{Args, ValueHint};

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
