//! What was typed, and nothing about what it means: that is `hiargs`.

mod agents;
mod check;
mod config;
mod offline;
mod rules;
mod session;
mod start;
mod stored;
mod turn;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

pub(crate) use self::{
    agents::{Agents, AgentsAct, Call, Doctor, Probe},
    check::{Check, DemoAgent, DemoTools, Mock},
    config::{Config, ConfigAct},
    offline::{Completions, Describe, InitializeRequest, Man, Negotiate},
    rules::{Rules, RulesAct, RulesTry},
    session::{Access, Choose, Reopen, Services, Tools},
    start::Start,
    stored::{Auth, AuthAct, Options, OptionsAct, Sessions, SessionsAct},
    turn::{Chat, Format, Run},
};

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
    /// Read no config file, neither the user's nor this directory's
    #[arg(long, global = true)]
    pub(crate) no_config: bool,
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
    /// Find out why an agent does not start, or not well
    Doctor(Doctor),
    /// Talk with an agent, line by line
    Chat(Box<Chat>),
    /// List, close and manage the sessions that an agent has stored
    Sessions(Sessions),
    /// Show or set what a session offers to choose from: model, effort, mode and more
    Options(Options),
    /// Show, log in and log out
    Auth(Auth),
    /// List, check, add and remove the agents that can be named with -a
    Agents(Agents),
    /// Show what is set beforehand, and trust the file of a directory
    Config(Config),
    /// Send one request of any method and print its result
    Call(Call),
    /// Check rules about permissions, and try them on recorded conversations
    Rules(Rules),
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
    /// Be the built-in demo tool server (MCP), on stdin and stdout
    DemoTools(DemoTools),
    /// Test whether an agent keeps the rules of the protocol
    Check(Box<Check>),
    /// Be an agent that misbehaves, to test clients with
    Mock(Mock),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Write the man pages into a directory
    Man(Man),
}

impl Verb {
    /// Whether it has a use for what was said beforehand.
    pub(crate) fn wants_config(&mut self) -> bool {
        matches!(self, Self::Agents(_)) || self.start().is_some()
    }

    /// How it starts an agent, if it does.
    pub(crate) fn start(&mut self) -> Option<&mut Start> {
        match self {
            Self::Run(low) => Some(&mut low.start),
            Self::Probe(low) => Some(&mut low.start),
            Self::Doctor(low) => Some(&mut low.start),
            Self::Chat(low) => Some(&mut low.start),
            Self::Sessions(low) => Some(&mut low.start),
            Self::Options(low) => Some(&mut low.start),
            Self::Auth(low) => Some(&mut low.start),
            Self::Call(low) => Some(&mut low.start),
            _ => None,
        }
    }

    /// What it rejects, if it decides about permissions.
    pub(crate) fn denied(&mut self) -> Option<&mut Vec<String>> {
        match self {
            Self::Run(low) => Some(&mut low.deny),
            Self::Chat(low) => Some(&mut low.deny),
            _ => None,
        }
    }
}
