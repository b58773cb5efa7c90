//! Command lines that are not understood, or ask for help: said in the way that the verb says everything else.

use std::ffi::OsString;

use clap::{CommandFactory as _, error::ErrorKind};

use crate::{
    envelope::Envelope,
    exit::Exit,
    lowargs::Low,
    moment::{Failure, Outcome},
    output::Answer,
    record::Recorder,
    safe,
};

/// Verbs whose only exits are 0 and 1, with a JSON envelope on stderr.
const ENVELOPED: [&str; 3] = ["status", "initialize-request", "negotiate"];
/// Verbs that write records when they are asked to.
const RECORDED: [&str; 7] = [
    "run", "probe", "chat", "sessions", "options", "auth", "call",
];

/// Says it, and gives the number for the shell.
pub(crate) fn say(args: &[OsString], error: &clap::Error) -> Exit {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        return if error.print().is_ok() {
            Exit::Ok
        } else {
            Exit::PipeClosed
        };
    }
    let text = error.to_string();
    let line = safe::line(
        text.lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches("error: "),
        300,
    );
    // What stands after `--` is the agent's.
    let ours: Vec<&OsString> = args
        .iter()
        .skip(1)
        .take_while(|word| *word != "--")
        .collect();
    let program = Low::command();
    let verb = ours.iter().find_map(|word| {
        program
            .get_subcommands()
            .map(clap::Command::get_name)
            .find(|name| *word == name)
    });
    if verb.is_some_and(|verb| ENVELOPED.contains(&verb)) {
        return Envelope::new("acp-usage", line).print();
    }
    // With stderr gone there is nobody left to tell.
    drop(error.print());
    if verb.is_some_and(|verb| RECORDED.contains(&verb))
        && ours.iter().any(|word| *word == "--json")
    {
        record(line);
    }
    Exit::Usage
}

/// Even such a run ends with a result record.
fn record(message: String) {
    let outcome = Outcome {
        outcome: "usage",
        exit: Exit::Usage.code(),
        phase: "usage",
        error: Some(Box::new(Failure {
            message,
            ..Failure::default()
        })),
        ..Outcome::default()
    };
    let out = Answer::new(None).map(Recorder::new);
    drop(out.and_then(|mut out| out.finish(None, &outcome)));
}
