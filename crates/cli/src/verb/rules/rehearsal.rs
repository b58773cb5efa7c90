//! `acp rules try`: what rules would have decided over recorded conversations.

use std::{
    fs::File,
    io::{self, BufReader},
    path::Path,
};

use acp_harness::{
    permission::{Decision, DryRow, DryRun, Record, RecordedAnswer},
    vocab::PermissionOptionKind,
};
use serde::Serialize;

use super::Stop;
use crate::{
    filed::Filed,
    hiargs::{self, Misuse},
    lowargs::RulesTry,
    safe,
    standing::{BY_FILE, Standing},
    transcript,
};

/// What would have been decided.
#[derive(Debug, Default, Serialize)]
pub(super) struct Rehearsal {
    recordings: Vec<Recording>,
    requests: usize,
    allowed: usize,
    denied: usize,
    cancelled: usize,
    /// Left to a person.
    asked: usize,
    /// Where the agent would have been allowed what it was not, or the other way round.
    pub(super) differing: usize,
}

#[derive(Debug, Serialize)]
struct Recording {
    recording: String,
    /// Lines that were no messages.
    strange_lines: usize,
    requests: Vec<Row>,
}

/// One request of the recording.
#[derive(Debug, Serialize)]
struct Row {
    #[serde(flatten)]
    record: Record,
    /// The line of the rule in its file.
    line: Option<usize>,
    /// What was answered when it was recorded: the kind of an option, `cancelled`, `failed` or `unanswered`.
    recorded: String,
    /// Whether the agent was allowed then what it would be allowed now; null where a person would be asked, or nothing was answered.
    same: Option<bool>,
}

/// Tries rules on recordings.
pub(super) fn rehearse(args: &RulesTry) -> Result<Rehearsal, Stop> {
    if args.rules.is_none() && args.allow.is_empty() && args.deny.is_empty() {
        let misuse = Misuse::new("there is no rule to try");
        return Err(misuse
            .hint("give --rules FILE, --allow KINDS or --deny KINDS")
            .into());
    }
    let file = args.rules.as_deref().map(Filed::read).transpose()?;
    let typed = hiargs::rules(&args.allow, &args.deny)?;
    let otherwise = file.as_ref().and_then(|file| file.otherwise.clone());
    let standing = Standing::new(typed, file.clone(), otherwise.unwrap_or(Decision::Cancel));
    let mut rehearsal = Rehearsal::default();
    for path in &args.recordings {
        let mut run = DryRun::new(&standing);
        if let Some(directory) = &args.cwd {
            let directory = std::path::absolute(directory)?;
            run = run.in_directory(&directory.to_string_lossy());
        }
        let read = play(path, &mut run)?;
        let rows = run.finish().into_iter().map(|row| {
            let rule = standing.rule_of_file(&row.request);
            let line = rule.and_then(|rule| file.as_ref()?.line(rule));
            rehearsal.count(&row);
            Row {
                line,
                recorded: recorded(&row.recorded),
                same: same(&row),
                record: row.record(),
            }
        });
        let requests = rows.collect();
        rehearsal.recordings.push(Recording {
            recording: safe::line(&path.to_string_lossy(), 300),
            strange_lines: read.strange,
            requests,
        });
    }
    Ok(rehearsal)
}

/// Plays a recording to its end.
fn play(path: &Path, run: &mut DryRun<'_>) -> Result<transcript::Read, Stop> {
    let name = safe::line(&path.to_string_lossy(), 200);
    let take = |side, line: &str| run.line(side, line);
    let read = if path == Path::new("-") {
        transcript::read(io::stdin().lock(), take)
    } else {
        File::open(path).and_then(|file| transcript::read(BufReader::new(file), take))
    };
    let read = read.map_err(|error| Misuse::new(format!("{name} cannot be read: {error}")))?;
    if read.messages == 0 {
        let misuse = Misuse::new(format!("{name} is no recording: there is no message in it"));
        return Err(misuse.hint("`acp run --record FILE` writes one").into());
    }
    Ok(read)
}

impl Rehearsal {
    fn count(&mut self, row: &DryRow) {
        self.requests += 1;
        let count = if row.verdict.decision.is_open() {
            &mut self.asked
        } else if row.answer.approves() {
            &mut self.allowed
        } else if row.answer.option_id().is_some() {
            &mut self.denied
        } else {
            &mut self.cancelled
        };
        *count += 1;
        self.differing += usize::from(same(row) == Some(false));
    }
}

fn was_allowed(answer: &RecordedAnswer) -> bool {
    matches!(
        answer,
        RecordedAnswer::Selected(Some(
            PermissionOptionKind::AllowOnce | PermissionOptionKind::AllowAlways
        ))
    )
}

fn same(row: &DryRow) -> Option<bool> {
    let compares = row.recorded != RecordedAnswer::Missing && !row.verdict.decision.is_open();
    compares.then(|| row.answer.approves() == was_allowed(&row.recorded))
}

fn recorded(answer: &RecordedAnswer) -> String {
    let word = match answer {
        RecordedAnswer::Selected(Some(kind)) => return safe::line(kind.as_str(), 40),
        RecordedAnswer::Selected(None) => "an option that was not offered",
        RecordedAnswer::Cancelled => "cancelled",
        RecordedAnswer::Missing => "unanswered",
        _ => "failed",
    };
    word.to_owned()
}

/// For people.
pub(super) fn text(rehearsal: &Rehearsal) -> String {
    let mut out = String::new();
    for recording in &rehearsal.recordings {
        out.push_str(&format!("{}\n", recording.recording));
        if recording.strange_lines > 0 {
            out.push_str(&format!(
                "  ({} lines were no messages)\n",
                recording.strange_lines
            ));
        }
        if recording.requests.is_empty() {
            out.push_str("  no permission was asked for\n");
        }
        for row in &recording.requests {
            out.push_str(&line(row));
        }
    }
    let Rehearsal {
        requests,
        allowed,
        denied,
        cancelled,
        asked,
        differing,
        ..
    } = rehearsal;
    let noun = if *requests == 1 {
        "request"
    } else {
        "requests"
    };
    out.push_str(&format!(
        "{requests} {noun}: {allowed} allowed, {denied} denied, {cancelled} cancelled, {asked} asked; {differing} otherwise than recorded\n"
    ));
    out
}

fn line(row: &Row) -> String {
    let record = &row.record;
    let mark = match row.same {
        Some(true) => '=',
        Some(false) => '≠',
        None => '?',
    };
    let mut out = format!(
        "  {mark} {}  {}\n",
        safe::line(record.kind.as_str(), 40),
        safe::line(&record.title, 120)
    );
    if let Some(command) = &record.command {
        out.push_str(&format!("      runs   {}\n", safe::line(command, 300)));
    }
    for path in record.paths.iter().take(8) {
        out.push_str(&format!("      path   {}\n", safe::line(path, 300)));
    }
    if let Some(mcp) = &record.mcp {
        out.push_str(&format!("      tool   {}\n", safe::line(mcp, 120)));
    }
    let answer = match (&record.option_kind, record.decision == Decision::Ask) {
        (_, true) => String::from("asked"),
        (Some(kind), _) => safe::line(kind.as_str(), 40),
        (None, _) => String::from("cancelled"),
    };
    let file = match row.line {
        Some(line) => format!("{BY_FILE}, line {line}, "),
        None if *record.by == *BY_FILE => format!("{BY_FILE}, "),
        None => String::new(),
    };
    out.push_str(&format!(
        "      {answer} ({file}{}); it was {}\n",
        safe::line(&record.why, 200),
        row.recorded
    ));
    out
}
