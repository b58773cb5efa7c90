//! The settings: one row for each flag that may also stand in a file or in the environment.
//!
//! The key is the flag's name, and the variable is made from it, so there is nothing that could part. Flags that make no sense as a
//! standing wish, such as a prompt, have no row.

use std::path::Path;

use crate::duration;

/// A flag that may be given beforehand.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    /// Its key in a file, and the long name of its flag.
    pub(crate) key: &'static str,
    pub(crate) kind: Kind,
    /// What it is for, in a few words.
    pub(crate) help: &'static str,
}

/// What a setting holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word or a sentence.
    Word,
    /// One of these.
    Choice(&'static [&'static str]),
    /// On or off.
    Switch,
    /// A length of time.
    Time,
    /// Several texts; the highest layer that has some replaces the others.
    List,
    /// Several texts; every layer adds its own, so that no layer takes back what another one forbade.
    Sum,
    /// A file that is read.
    Reads,
    /// A file that is written.
    Writes,
    /// One of these, or a file that is read.
    ChoiceOrReads(&'static [&'static str]),
}

/// What was given.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub(crate) enum Value {
    Switch(bool),
    Text(String),
    List(Vec<String>),
}

const fn setting(key: &'static str, kind: Kind, help: &'static str) -> Setting {
    Setting { key, kind, help }
}

/// All of them, in the order in which they are shown.
pub(crate) const SETTINGS: &[Setting] = &[
    setting("agent", Kind::Word, "The agent, by its name"),
    setting(
        "protocol",
        Kind::Choice(&["auto", "1", "2"]),
        "The protocol version",
    ),
    setting(
        "auth",
        Kind::Word,
        "The method to log in with before the session",
    ),
    setting("model", Kind::Word, "The model of the session"),
    setting("effort", Kind::Word, "How hard it thinks"),
    setting("mode", Kind::Word, "The mode of the session"),
    setting(
        "set",
        Kind::List,
        "Other options of the session, `ID=VALUE`",
    ),
    setting(
        "best-effort",
        Kind::Switch,
        "Whether it goes on without what is wished and cannot be had",
    ),
    setting("allow", Kind::List, "What is allowed once"),
    setting("deny", Kind::Sum, "What is rejected; all layers add up"),
    setting(
        "ask",
        Kind::Switch,
        "Whether a person is asked about everything else",
    ),
    setting(
        "denied-ok",
        Kind::Switch,
        "Whether the exit is 0 also when something was not permitted",
    ),
    setting("rules", Kind::Reads, "The file of rules about permissions"),
    setting(
        "audit",
        Kind::Writes,
        "Where every decision is written down",
    ),
    setting("idle-timeout", Kind::Time, "How long nothing may come"),
    setting("timeout", Kind::Time, "How long it may take altogether"),
    setting(
        "tools",
        Kind::Reads,
        "The MCP servers that the agent is given",
    ),
    setting(
        "fs",
        Kind::Choice(&["ro", "rw"]),
        "Which access to files the agent is served",
    ),
    setting(
        "missing-as-empty",
        Kind::Switch,
        "Whether a file that is not there reads as an empty one",
    ),
    setting(
        "terminal",
        Kind::Switch,
        "Whether commands are run for the agent",
    ),
    setting(
        "elicit",
        Kind::ChoiceOrReads(&["ask", "decline"]),
        "Who answers the agent's questions",
    ),
    setting("record", Kind::Writes, "Where the wire is written"),
    setting(
        "format",
        Kind::Choice(&["text", "md", "json", "jsonl", "wire"]),
        "The form of the answer of `acp run`",
    ),
    setting(
        "color",
        Kind::Choice(&["auto", "always", "never"]),
        "When colours are used",
    ),
];

/// Those that say something about this program and not about an agent: an entry of `[agents]` has none of them.
const NOT_OF_AN_AGENT: &[&str] = &["agent", "format", "color"];

/// The one with this key.
pub(crate) fn find(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}

impl Setting {
    /// The variable that gives it.
    pub(crate) fn env(&self) -> String {
        format!("ACP_{}", self.key.replace('-', "_").to_ascii_uppercase())
    }

    /// Whether an entry of `[agents]` may have it.
    pub(crate) fn is_of_an_agent(&self) -> bool {
        !NOT_OF_AN_AGENT.contains(&self.key)
    }

    /// Whether this word can stand for it; a list is asked about each of its items.
    pub(crate) fn takes(&self, word: &str) -> bool {
        match self.kind {
            Kind::Choice(words) => words.contains(&word),
            Kind::Time => duration::parse(word).is_some(),
            Kind::Switch => switch(word).is_some(),
            Kind::Word
            | Kind::List
            | Kind::Sum
            | Kind::Reads
            | Kind::Writes
            | Kind::ChoiceOrReads(_) => !word.is_empty(),
        }
    }

    /// The file that it names for reading.
    pub(crate) fn reads<'a>(&self, value: &'a Value) -> Option<&'a Path> {
        match (self.kind, value) {
            (Kind::Reads, Value::Text(path)) => Some(Path::new(path)),
            (Kind::ChoiceOrReads(words), Value::Text(path)) if !words.contains(&path.as_str()) => {
                Some(Path::new(path))
            }
            _ => None,
        }
    }

    /// Whether this word names a file.
    pub(crate) fn is_path(&self, word: &str) -> bool {
        match self.kind {
            Kind::Reads | Kind::Writes => true,
            Kind::ChoiceOrReads(words) => !words.contains(&word),
            _ => false,
        }
    }

    /// What it takes, for people.
    pub(crate) fn expects(&self) -> String {
        match self.kind {
            Kind::Word => String::from("a text"),
            Kind::Switch => String::from("true or false"),
            Kind::Time => String::from("a length of time like 90s, 5m or none"),
            Kind::List | Kind::Sum => String::from("a list of texts"),
            Kind::Reads | Kind::Writes => String::from("a file"),
            Kind::Choice(words) => words.join(", "),
            Kind::ChoiceOrReads(words) => format!("{} or a file", words.join(", ")),
        }
    }
}

/// On or off, as people write it in the environment.
pub(crate) fn switch(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Some(true),
        "0" | "false" | "no" | "off" => Some(false),
        _ => None,
    }
}
