//! Command lines that are not understood, or ask for help: said in the way that the verb says everything else.

use std::ffi::OsString;

use clap::{CommandFactory as _, error::ErrorKind};

use crate::{
    envelope::Envelope,
    exit::Exit,
    hiargs::Misuse,
    lowargs::{Format, Low},
    misused,
    moment::{Failure, Outcome},
    output::Answer,
    record::Recorder,
    safe,
    view::Document,
};

/// Verbs whose only exits are 0 and 1, with a JSON envelope on stderr.
const ENVELOPED: [&str; 3] = ["status", "initialize-request", "negotiate"];
/// Verbs that write records when they are asked to.
const RECORDED: [&str; 8] = [
    "run", "probe", "doctor", "chat", "sessions", "options", "auth", "call",
];

/// Says that what was set beforehand cannot be used.
pub(crate) fn refuse(args: &[OsString], misuse: &Misuse) -> Exit {
    let exit = misused(misuse);
    let ours = ours(args);
    if verb(&ours).is_some_and(|verb| RECORDED.contains(&verb.as_str()))
        && let Some(form) = form(&ours)
    {
        record(form, misuse.message.clone(), misuse.hint.clone());
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
    if verb.is_some_and(|verb| RECORDED.contains(&verb))
        && let Some(form) = form(&ours)
    {
        record(form, line, None);
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

/// The form with a last record, where one was typed.
fn form(ours: &[&OsString]) -> Option<Format> {
    let mut words = ours.iter().map(|word| word.to_string_lossy());
    let mut form = None;
    while let Some(word) = words.next() {
        let format = match word.split_once('=') {
            _ if word == "--json" => Some("jsonl".into()),
            _ if word == "--format" => words.next(),
            Some(("--format", format)) => Some(format.to_owned().into()),
            _ => None,
        };
        form = match format.as_deref() {
            Some("json") => Some(Format::Json),
            Some("jsonl") => Some(Format::Jsonl),
            _ => form,
        };
    }
    form
}

/// Even such a run ends with a result record.
fn record(form: Format, message: String, hint: Option<String>) {
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
    let Ok(out) = Answer::new(None) else { return };
    // With stdout gone there is nobody left to tell.
    drop(match form {
        Format::Json => Document::new(out).finish(None, &outcome),
        _ => Recorder::new(out).finish(None, &outcome),
    });
}
