//! What the agents of a client heard and said, in order, and how the client ended.

use acp_harness::transport::Exit;
use serde_json::Value;

/// One happening at an agent.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Event {
    /// A line of the client: JSON, or text that is none.
    Heard(Result<Value, String>),
    /// What it said that matters here: `initialize`, `stop`.
    Said(String),
    /// The client closed its input.
    End,
}

/// A run of a client.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) events: Vec<Event>,
    /// How the client ended; `None` when it had to be killed.
    pub(super) exit: Option<Exit>,
    /// How many processes of its agents were left when it had ended, after a while.
    pub(super) left: usize,
    /// How many agents it started.
    pub(super) agents: usize,
}

impl Seen {
    /// Reads a report.
    pub(super) fn read(text: &str, exit: Option<Exit>, left: usize) -> Self {
        let mut seen = Self {
            events: Vec::new(),
            exit,
            left,
            agents: 0,
        };
        for line in text.lines() {
            let Ok(record) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            if record.get("started").is_some() {
                seen.agents += 1;
            } else if let Some(line) = record.get("heard").and_then(Value::as_str) {
                if !line.is_empty() {
                    let json = serde_json::from_str(line).map_err(|_| line.to_owned());
                    seen.events.push(Event::Heard(json));
                }
            } else if let Some(said) = record.get("said").and_then(Value::as_str) {
                seen.events.push(Event::Said(said.to_owned()));
            } else if record.get("end").is_some() {
                seen.events.push(Event::End);
            }
        }
        seen
    }

    /// Whether a line came at all.
    pub(super) fn has_heard(&self) -> bool {
        self.events
            .iter()
            .any(|event| matches!(event, Event::Heard(_)))
    }

    /// The messages of the client.
    pub(super) fn messages(&self) -> impl Iterator<Item = &Value> {
        self.events.iter().filter_map(|event| match event {
            Event::Heard(Ok(json)) => Some(json),
            _ => None,
        })
    }

    /// Its requests and notifications of this method.
    pub(super) fn calls(&self, method: &str) -> impl Iterator<Item = &Value> {
        self.messages()
            .filter(move |json| json.get("method").is_some_and(|name| name == method))
    }

    /// Its answers to requests of ours.
    pub(super) fn replies(&self) -> impl Iterator<Item = &Value> {
        self.messages().filter(|json| json.get("method").is_none())
    }

    /// Its answers to this request.
    pub(super) fn replies_to(&self, id: &Value) -> Vec<&Value> {
        self.replies()
            .filter(|json| json.get("id") == Some(id))
            .collect()
    }

    /// Whether the turn came to its end before the client left.
    pub(super) fn turn_ended(&self) -> bool {
        let stop = self
            .events
            .iter()
            .position(|event| *event == Event::Said(String::from("stop")));
        let end = self.events.iter().position(|event| *event == Event::End);
        stop.is_some_and(|stop| end.is_none_or(|end| stop < end))
    }

    /// The lines for a report.
    pub(super) fn evidence(&self) -> Vec<String> {
        let skip = self.events.len().saturating_sub(40);
        let lines = self.events.iter().skip(skip).map(|event| match event {
            Event::Heard(Ok(json)) => format!("→ {}", crate::safe::line(&json.to_string(), 400)),
            Event::Heard(Err(line)) => format!("? {}", crate::safe::line(line, 400)),
            Event::Said(what) => format!("← ({what})"),
            Event::End => String::from("→ (end of input)"),
        });
        lines.collect()
    }
}
