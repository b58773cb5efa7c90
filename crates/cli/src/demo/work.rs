//! The ordinary turn: think, plan, read a file, ask to edit it, do what was decided, say so.

use std::time::Duration;

use acp_harness::{
    serve::{
        Accounting, Completed, FileChange, Outcome, Permission, PermissionRequest, Stop, Tool, Turn,
    },
    vocab::{
        PermissionOptionKind, PlanEntry, PlanEntryPriority as Priority, PlanEntryStatus as Status,
        ProtocolVersion, Raw, Usage, UsageUpdate,
    },
};

use super::{
    agent::Demo,
    options::{Effort, Mode},
    record::{Entry, Record},
};

/// Tokens that the context of the demo's model holds.
const CONTEXT: u64 = 32_000;
/// Between two words.
const PAUSE: Duration = Duration::from_millis(10);
/// Bytes of the user's words that go into the file.
const MAX_NOTE: usize = 60;

/// Does the ordinary turn.
pub(super) async fn work(demo: &Demo, turn: &Turn) -> Outcome {
    let id = turn.session().as_str();
    let text = turn.prompt().text();
    let Some(record) = demo.store.change(id, |record| {
        record.turns += 1;
        if record.title.is_none() {
            record.title = Some(first_words(&text));
        }
        record.remember(Entry::User(text.clone()));
        record.clone()
    }) else {
        return Err(Stop::Cancelled);
    };
    if record.turns == 1 {
        turn.updates().title(first_words(&text)).await?;
    }
    turn.model_call()?;
    think(demo, turn, record.settings.effort).await?;
    turn.plan(plan(Status::InProgress, Status::Pending)).await?;
    read(demo, turn, &record).await?;
    turn.plan(plan(Status::Completed, Status::InProgress))
        .await?;
    let edited = edit(demo, turn, &record, &text).await?;
    if edited == Edited::Done {
        turn.plan(plan(Status::Completed, Status::Completed))
            .await?;
        if turn.client().version() != ProtocolVersion::V1 {
            count(turn, record.turns).await?;
        }
    }
    let answer = say(turn, &record, edited).await?;
    demo.store
        .change(id, |record| record.remember(Entry::Agent(answer.clone())));
    finish(turn, &record, &text, answer).await
}

/// What became of the edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edited {
    Done,
    Rejected,
    Undecided,
    OnlyPlanned,
}

async fn think(demo: &Demo, turn: &Turn, effort: Effort) -> Result<(), Stop> {
    const THOUGHTS: [&str; 3] = [
        "The user wants something noted down. ",
        "The notes are in notes.md, so I read them first. ",
        "Editing a file needs permission unless the mode says otherwise. ",
    ];
    let count = match effort {
        Effort::Low => 1,
        Effort::Medium => 2,
        Effort::High => 3,
    };
    let mut all = String::new();
    for thought in THOUGHTS.into_iter().take(count) {
        pause(turn).await?;
        turn.think(thought).await?;
        all.push_str(thought);
    }
    demo.store.change(turn.session().as_str(), |record| {
        record.remember(Entry::Thought(all));
    });
    Ok(())
}

fn plan(first: Status, second: Status) -> Vec<PlanEntry> {
    vec![
        PlanEntry::new("Read notes.md", Priority::High, first),
        PlanEntry::new("Add the user's words to notes.md", Priority::Medium, second),
    ]
}

/// A model takes its time between two words, and a client has the time to cancel.
async fn pause(turn: &Turn) -> Result<(), Stop> {
    tokio::select! {
        () = turn.cancellation().cancelled() => Err(Stop::Cancelled),
        () = tokio::time::sleep(PAUSE) => Ok(()),
    }
}

/// The path that the file would have. Nothing is read or written there.
fn path(turn: &Turn) -> String {
    turn.cwd().join("notes.md").to_string_lossy().into_owned()
}

async fn read(demo: &Demo, turn: &Turn, record: &Record) -> Result<(), Stop> {
    let id = format!("read-{}", record.turns);
    let title = "Read notes.md";
    let mut tool = Tool::new(id.as_str())
        .title(title)
        .name("read")
        .read()
        .running()
        .location(path(turn));
    if let Ok(input) = Raw::encode(&serde_json::json!({ "path": path(turn) })) {
        tool = tool.input(input);
    }
    turn.tool(tool).await?;
    turn.tool(
        Tool::new(id.as_str())
            .completed()
            .text(record.notes.as_str()),
    )
    .await?;
    demo.store.change(turn.session().as_str(), |known| {
        known.remember(Entry::Tool {
            id,
            title: title.to_owned(),
            edit: false,
            done: true,
            text: record.notes.clone(),
        });
    });
    Ok(())
}

async fn edit(demo: &Demo, turn: &Turn, record: &Record, text: &str) -> Result<Edited, Stop> {
    if record.settings.mode == Mode::Plan {
        return Ok(Edited::OnlyPlanned);
    }
    let id = format!("edit-{}", record.turns);
    let title = "Edit notes.md";
    let new = format!("{}- {}\n", record.notes, note(text));
    let change = FileChange::modified(path(turn), record.notes.as_str(), new.as_str());
    let tool = Tool::new(id.as_str())
        .title(title)
        .name("edit")
        .edit()
        .pending()
        .diff(change.clone())
        .location(path(turn));
    turn.tool(tool.clone()).await?;
    let decided = if record.settings.mode == Mode::Auto {
        Edited::Done
    } else {
        let request = PermissionRequest::tool(tool)
            .description("Adds one line at the end of notes.md")
            .option("allow", "Allow", PermissionOptionKind::AllowOnce)
            .option("always", "Always allow", PermissionOptionKind::AllowAlways)
            .option("reject", "Reject", PermissionOptionKind::RejectOnce);
        match turn.request_permission(request).await? {
            Permission::Allowed { always, .. } => {
                if always {
                    always_from_now_on(demo, turn).await?;
                }
                Edited::Done
            }
            Permission::Rejected { .. } => Edited::Rejected,
            _ => Edited::Undecided,
        }
    };
    let done = decided == Edited::Done;
    let result = if done {
        turn.tool(Tool::new(id.as_str()).running()).await?;
        Tool::new(id.as_str()).completed().diff(change)
    } else {
        Tool::new(id.as_str()).failed().text("not permitted")
    };
    turn.tool(result).await?;
    demo.store.change(turn.session().as_str(), |record| {
        if done {
            record.notes = new;
        }
        record.remember(Entry::Tool {
            id,
            title: title.to_owned(),
            edit: true,
            done,
            text: if done {
                "1 line added".to_owned()
            } else {
                "not permitted".to_owned()
            },
        });
    });
    Ok(decided)
}

/// The user does not want to be asked again: that is what the mode is for.
async fn always_from_now_on(demo: &Demo, turn: &Turn) -> Result<(), Stop> {
    let options = demo.store.change(turn.session().as_str(), |record| {
        record.settings.mode = Mode::Auto;
        record.settings.options()
    });
    if let Some(options) = options {
        turn.updates().options(options).await?;
    }
    Ok(())
}

/// Version 2 shows terminals of the agent.
async fn count(turn: &Turn, number: u64) -> Result<(), Stop> {
    let id = format!("count-{number}");
    turn.tool(
        Tool::new(id.as_str())
            .title("Count the lines of notes.md")
            .name("shell")
            .execute()
            .running(),
    )
    .await?;
    let terminal = turn.updates().display(id.as_str());
    terminal
        .command("wc -l notes.md", turn.cwd().to_string_lossy())
        .await?;
    let lines = number + 3;
    terminal
        .output(format!("{lines} notes.md\n").as_bytes())
        .await?;
    terminal.exited(0).await?;
    turn.tool(Tool::new(id.as_str()).completed()).await?;
    Ok(())
}

async fn say(turn: &Turn, record: &Record, edited: Edited) -> Result<String, Stop> {
    let first = match edited {
        Edited::Done => "I added your words to notes.md.",
        Edited::Rejected => "You did not want notes.md edited, so I left it as it was.",
        Edited::Undecided => "Nobody decided about the edit, so I left notes.md as it was.",
        Edited::OnlyPlanned => "This is a plan; notes.md is as it was.",
    };
    let mut answer = String::from(first);
    if record.settings.model == "demo-large" {
        answer.push_str(" It is the only file I know. Ask me again and I add another line.");
    }
    match &record.instructions {
        Some(instructions) if instructions.alone => answer.clone_from(&instructions.text),
        Some(instructions) => {
            answer.push_str(" My instructions: ");
            answer.push_str(&instructions.text);
        }
        None => {}
    }
    for word in answer.split_inclusive(' ') {
        pause(turn).await?;
        turn.say(word).await?;
    }
    Ok(answer)
}

async fn finish(turn: &Turn, record: &Record, text: &str, answer: String) -> Outcome {
    let input = words(text) + words(&record.notes);
    let output = words(&answer);
    if record.settings.usage {
        let used = (record.turns * (input + output)).min(CONTEXT);
        turn.usage(UsageUpdate::new(used, CONTEXT)).await?;
    }
    turn.account(
        Accounting::new()
            .with("input_tokens", input)
            .with("output_tokens", output),
    );
    Ok(Completed::new()
        .output(answer)
        .usage(Usage::new(input + output, input, output)))
}

/// Tokens, as this model counts them.
fn words(text: &str) -> u64 {
    text.split_whitespace().count() as u64
}

/// The user's words as one line of the file.
fn note(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(&line, MAX_NOTE)
}

/// A title that the client chose, on one line and not too long.
pub(super) fn title(text: &str) -> String {
    cut(
        &text.split_whitespace().collect::<Vec<_>>().join(" "),
        MAX_NOTE,
    )
}

fn first_words(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().take(6).collect();
    cut(&words.join(" "), MAX_NOTE)
}

fn cut(text: &str, max: usize) -> String {
    let mut end = max.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default().to_owned()
}
