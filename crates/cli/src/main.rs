//! The program `acp`: run, probe and diagnose coding agents over the Agent Client Protocol.
//!
//! `lowargs` is what was typed, `output` and the verbs say what it means, `exit` is the number at the end.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the libraries' enums may grow; what the program does not tell apart has one treatment"
)]

mod aliases;
mod ask;
mod audit;
mod base64;
mod behind;
mod check;
mod choose;
mod config;
mod demo;
mod demo_tools;
mod dialog;
mod doctor;
mod duration;
mod envelope;
mod exit;
mod failure;
mod filed;
mod follow;
mod hiargs;
mod image;
mod launcher;
mod links;
mod login;
mod lowargs;
mod misunderstood;
mod mock;
mod moment;
mod nearest;
mod offer;
mod opening;
mod output;
mod place;
mod program;
mod record;
mod render;
mod safe;
mod services;
mod setup;
mod signal;
mod spoken;
mod stage;
mod standing;
mod start;
mod talk;
mod tally;
mod transcript;
mod translate;
mod turned;
mod upstream;
mod verb;
mod view;
mod wire;

use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
    process::ExitCode,
    rc::Rc,
};

use crate::{
    config::{
        Config,
        onto::{self, Mistake},
    },
    exit::Exit,
    hiargs::Misuse,
    lowargs::{Low, Verb},
    output::{Style, Verbosity},
};

fn main() -> ExitCode {
    let args: Vec<OsString> = env::args_os().collect();
    let exit = match onto::read(&args) {
        Ok((low, config)) => dispatch(low, config),
        Err(Mistake::Words(error)) => misunderstood::say(&args, &error),
        Err(Mistake::Layers(misuse)) => misunderstood::refuse(&args, &misuse),
    };
    ExitCode::from(exit.code())
}

fn dispatch(mut low: Low, config: Config) -> Exit {
    let style = Style::new(&low.global);
    if style.verbosity >= Verbosity::Normal {
        for notice in &config.notices {
            // With stderr gone there is nobody left to tell.
            drop(writeln!(io::stderr(), "  · {notice}"));
        }
    }
    let config = Rc::new(config);
    if let Some(start) = low.verb.start() {
        start.config = Rc::clone(&config);
    }
    match low.verb {
        Verb::Status => verb::status::status(&style),
        Verb::InitializeRequest(args) => verb::initialize_request::initialize_request(&args),
        Verb::Negotiate(args) => verb::negotiate::negotiate(&args, &style),
        Verb::Completions(args) => files(verb::completions::completions(&args)),
        Verb::Man(args) => files(verb::man::man(&args)),
        Verb::Run(args) => verb::run::run(&args, &style),
        Verb::Chat(args) => verb::chat::chat(&args, &style),
        Verb::Sessions(args) => verb::sessions::sessions(&args, &style),
        Verb::Options(args) => verb::options::options(&args, &style),
        Verb::Auth(args) => verb::auth::auth(&args, &style),
        Verb::Agents(args) => verb::agents::agents(&args, &config, &style),
        Verb::Doctor(args) => verb::agents::doctor(&args.start, &style),
        Verb::Config(args) => verb::config::config(&args, low.global.no_config, &style),
        Verb::Call(args) => verb::call::call(&args, &style),
        Verb::Rules(args) => verb::rules::rules(&args, &style),
        Verb::Probe(args) => verb::probe::probe(&args, &style),
        Verb::Describe(args) => verb::describe::describe(&args, &style),
        Verb::Check(args) => verb::check::check(&args, &style),
        Verb::Mock(args) => files(verb::mock::mock(&args, style.json)),
        Verb::DemoAgent(args) => demo::demo_agent(&args),
        Verb::DemoTools(args) => files(demo_tools::demo_tools(&args)),
    }
}

/// Says why a command line cannot be done as it stands.
fn misused(misuse: &Misuse) -> Exit {
    let mut stderr = io::stderr().lock();
    // With stderr gone there is nobody left to tell.
    drop(writeln!(stderr, "acp: {}", misuse.message));
    if let Some(hint) = &misuse.hint {
        drop(writeln!(stderr, "  {hint}"));
    }
    Exit::Usage
}

/// The end of a verb that writes files or a script.
fn files(written: io::Result<Exit>) -> Exit {
    match written {
        Ok(exit) => exit,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::PipeClosed,
        Err(error) => {
            drop(writeln!(io::stderr(), "acp: {error}"));
            Exit::Usage
        }
    }
}
