//! A host: what it answers, and what it writes down of a turn.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use acp_harness::handshake::{Ability, Declaration};
use acp_harness::vocab::{
    ContentBlock, ElicitationContentValue, ErrorCode, ErrorObject, Patch, StateUpdate,
    TerminalExitStatus, v1,
};
use acp_harness::{Event, Handler, Handling, PlanContent, Question, Turn, TurnOutcome, permission};

/// What a person at the host would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Person {
    /// Allows, and fills in what is asked.
    Agrees,
    /// Rejects, and declines.
    Refuses,
    /// Goes away from every question.
    Leaves,
    /// Cancels the turn at the first question, or as soon as this is said.
    Cancels(&'static str),
}

/// What was seen of a turn.
#[derive(Debug)]
pub struct Seen {
    /// One line for each event that both versions have, in order.
    pub lines: Vec<String>,
    /// The states of version 2, in order.
    pub states: Vec<&'static str>,
    pub outcome: TurnOutcome,
}

impl Seen {
    pub fn texts(&self) -> Vec<&str> {
        self.lines
            .iter()
            .filter_map(|line| line.strip_prefix("text "))
            .collect()
    }
}

/// Reads a turn to its end.
pub async fn watch(mut turn: Turn, person: Person) -> Seen {
    let (mut lines, mut states) = (Vec::new(), Vec::new());
    loop {
        let event = match turn.next().await {
            Ok(Some(event)) => event,
            Ok(None) => break,
            // A turn without a report: the outcome says it too.
            Err(_) if turn.outcome().is_some() => break,
            Err(error) => panic!("{error}"),
        };
        if let Event::State(state) = &event {
            states.push(match **state {
                StateUpdate::Running(_) => "running",
                StateUpdate::Idle(_) => "idle",
                StateUpdate::RequiresAction(_) => "requires action",
                _ => "unknown",
            });
            continue;
        }
        let line = line(&event);
        if let (Person::Cancels(at), Some(text)) = (person, line.strip_prefix("text "))
            && at == text
        {
            turn.cancel();
        }
        lines.extend((!line.is_empty()).then_some(line));
        match (event, person) {
            (Event::Permission(ask), Person::Agrees) => {
                drop(ask.decide(&permission::AllowOnce).unwrap())
            }
            (Event::Permission(ask), Person::Refuses) => {
                drop(ask.decide(&permission::Deny).unwrap())
            }
            (Event::Permission(ask), Person::Leaves) => drop(ask.cancel().unwrap()),
            (Event::Elicitation(ask), Person::Agrees) => ask.accept(Some(&filled_in())).unwrap(),
            (Event::Elicitation(ask), Person::Refuses) => ask.decline().unwrap(),
            (Event::Elicitation(ask), Person::Leaves) => ask.cancel().unwrap(),
            (Event::Permission(_) | Event::Elicitation(_), Person::Cancels(_)) => turn.cancel(),
            _ => {}
        }
    }
    let outcome = turn.finish().await.unwrap();
    Seen {
        lines,
        states,
        outcome,
    }
}

fn filled_in() -> BTreeMap<Box<str>, ElicitationContentValue> {
    BTreeMap::from([
        ("age".into(), ElicitationContentValue::Integer(41)),
        ("name".into(), ElicitationContentValue::String("Ada".into())),
        ("sure".into(), ElicitationContentValue::Boolean(true)),
    ])
}

/// An event as a line. Nothing for what one version alone says.
pub fn line(event: &Event) -> String {
    match event {
        Event::Text(chunk) => format!("text {chunk}"),
        Event::Thought(chunk) => format!("thought {chunk}"),
        Event::User(chunk) => format!("user {chunk}"),
        Event::Message(message) => {
            let said = match &message.content {
                Patch::Value(blocks) => blocks.iter().map(block).collect::<Vec<_>>().join(""),
                _ => String::new(),
            };
            match message.speaker {
                acp_harness::Speaker::User => format!("user {said}"),
                acp_harness::Speaker::Thought => format!("thought {said}"),
                _ => format!("text {said}"),
            }
        }
        Event::Tool(tool) => format!("tool {} {}", tool.title, tool.status),
        Event::Plan(plan) => match &plan.content {
            PlanContent::Steps(steps) => format!("plan {}", steps.len()),
            other => format!("plan {other:?}"),
        },
        Event::Commands(commands) => format!("commands {}", commands.len()),
        Event::Mode(mode) => format!("mode {mode}"),
        Event::Options(options) => format!("options {}", options.len()),
        Event::Info(info) => format!("title {:?}", info.title),
        Event::Usage(usage) => format!("usage {}/{}", usage.used, usage.size),
        Event::Terminal(terminal) => format!("terminal {}", terminal.terminal_id),
        Event::TerminalOutput(chunk) => format!("output {}", chunk.data),
        Event::ReplayComplete => "replay complete".to_owned(),
        Event::Permission(ask) => format!(
            "permission {} of {}",
            ask.asked().title,
            ask.options().len()
        ),
        Event::Elicitation(_) => "elicitation".to_owned(),
        Event::Notification(note) => format!("notification {}", note.method),
        Event::Settled(_) => String::new(),
        other => format!("unexpected {}", other.name()),
    }
}

fn block(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.to_string(),
        other => format!("[{}]", other.tag()),
    }
}

/// Files and terminals, which are kept nowhere but here.
#[derive(Debug)]
pub struct Desk {
    files: Mutex<BTreeMap<Box<str>, Box<str>>>,
    /// What each terminal printed, until it is released.
    terminals: Mutex<BTreeMap<Box<str>, String>>,
}

impl Default for Desk {
    fn default() -> Self {
        let notes = ("/notes".into(), "one\ntwo\nthree\n".into());
        Self {
            files: Mutex::new(BTreeMap::from([notes])),
            terminals: Mutex::default(),
        }
    }
}

impl Handler for Desk {
    fn declares(&self) -> Declaration {
        Declaration::none()
            .with(Ability::ReadTextFile)
            .with(Ability::WriteTextFile)
            .with(Ability::Terminal)
    }

    fn handle(self: Arc<Self>, question: Question) -> Handling {
        Box::pin(async move {
            let missing = || ErrorObject::of(ErrorCode::RESOURCE_NOT_FOUND);
            match question.method() {
                "fs/read_text_file" => {
                    let request: v1::ReadTextFileRequest = question.params()?;
                    let files = self.files.lock().unwrap();
                    let text = files.get(&request.path).ok_or_else(missing)?;
                    let skip = request.line.unwrap_or(1).saturating_sub(1) as usize;
                    let take = request.limit.map_or(usize::MAX, |limit| limit as usize);
                    let lines: String = text.split_inclusive('\n').skip(skip).take(take).collect();
                    question.result(&v1::ReadTextFileResponse::new(lines))
                }
                "fs/write_text_file" => {
                    let request: v1::WriteTextFileRequest = question.params()?;
                    self.files
                        .lock()
                        .unwrap()
                        .insert(request.path, request.content);
                    question.result(&v1::WriteTextFileResponse::new())
                }
                "terminal/create" => {
                    let request: v1::CreateTerminalRequest = question.params()?;
                    let printed = format!("{}\n", request.args.join(" "));
                    self.terminals.lock().unwrap().insert("t1".into(), printed);
                    question.result(&v1::CreateTerminalResponse::new("t1"))
                }
                method => {
                    let request: v1::TerminalOutputRequest = question.params()?;
                    let mut terminals = self.terminals.lock().unwrap();
                    let printed = terminals
                        .get(request.terminal_id.as_str())
                        .ok_or_else(missing)?
                        .clone();
                    let mut exit = TerminalExitStatus::new();
                    exit.exit_code = Some(0);
                    match method {
                        "terminal/output" => {
                            let mut output = v1::TerminalOutputResponse::new(printed, false);
                            output.exit_status = Some(exit);
                            question.result(&output)
                        }
                        "terminal/wait_for_exit" => question.result(&exit),
                        "terminal/release" => {
                            terminals.remove(request.terminal_id.as_str());
                            question.result(&v1::ReleaseTerminalResponse::new())
                        }
                        _ => question.result(&v1::KillTerminalResponse::new()),
                    }
                }
            }
        })
    }
}
