//! Command lines that are not understood, or ask for help: said in the way that the verb says everything else.

use std::ffi::OsString;

use clap::{CommandFactory as _, error::ErrorKind};

use crate::{
    envelope::Envelope,
    exit::Exit,
    hiargs::Misuse,
    lowargs::Low,
    misused,
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

/// Says that what was set beforehand cannot be used.
pub(crate) fn refuse(args: &[OsString], misuse: &Misuse) -> Exit {
    let exit = misused(misuse);
    let ours = ours(args);
    if verb(&ours).is_some_and(|verb| RECORDED.contains(&verb.as_str())) && is_json(&ours) {
        record(misuse.message.clone(), misuse.hint.clone());
    }
    exit
}

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
    let ours = ours(args);
    let verb = verb(&ours);
    let verb = verb.as_deref();
    if verb.is_some_and(|verb| ENVELOPED.contains(&verb)) {
        return Envelope::new("acp-usage", line).print();
    }
    // With stderr gone there is nobody left to tell.
    drop(error.print());
    if verb.is_some_and(|verb| RECORDED.contains(&verb)) && is_json(&ours) {
        record(line, None);
    }
    Exit::Usage
}

/// The words that are not the agent's: what stands before `--`.
fn ours(args: &[OsString]) -> Vec<&OsString> {
    let ours = args.iter().skip(1);
    ours.take_while(|word| *word != "--").collect()
}

/// The verb among them, as far as it can be told.
fn verb(ours: &[&OsString]) -> Option<String> {
    let program = Low::command();
    ours.iter().find_map(|word| {
        let mut verbs = program.get_subcommands().map(clap::Command::get_name);
        verbs.find(|name| *word == name).map(ToOwned::to_owned)
    })
}

fn is_json(ours: &[&OsString]) -> bool {
    ours.iter().any(|word| *word == "--json")
}

/// Even such a run ends with a result record.
fn record(message: String, hint: Option<String>) {
    let outcome = Outcome {
        outcome: "usage",
        exit: Exit::Usage.code(),
        phase: "usage",
        error: Some(Box::new(Failure {
            message,
            hint,
            ..Failure::default()
        })),
        ..Outcome::default()
    };
    let out = Answer::new(None).map(Recorder::new);
    drop(out.and_then(|mut out| out.finish(None, &outcome)));
}
