//! What a proper agent keeps and answers: the agreement, the sessions, their history and options.

mod admission;
mod answer;
mod sessions;

use serde_json::Value;

use super::{player::Here, script::Script, shape::Version};

/// Options and the values that they take.
const OPTIONS: [(&str, [&str; 2]); 3] = [
    ("mode", ["code", "ask"]),
    ("model", ["small", "large"]),
    ("effort", ["low", "high"]),
];

/// What is answered, and what is told before.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) updates: Vec<String>,
    pub(crate) outcome: Result<String, String>,
}

/// A session that it keeps.
#[derive(Debug)]
struct Session {
    id: String,
    cwd: String,
    is_open: bool,
    is_archived: bool,
    title: Option<String>,
    /// Prompts and answers.
    history: Vec<(String, String)>,
    /// The current values of the options.
    values: [&'static str; 3],
}

/// The state of a proper agent.
#[derive(Debug)]
pub(crate) struct Desk {
    agreed: Option<Version>,
    /// Whether another request came after `initialize`.
    in_use: bool,
    versions: Vec<Version>,
    capabilities: [Value; 2],
    auth_methods: [Value; 2],
    sessions: Vec<Session>,
    opened: usize,
}

impl Desk {
    pub(crate) fn new(script: &Script) -> Self {
        let json = |text: &Option<String>, default: fn(Version) -> &'static str| {
            [Version::One, Version::Two].map(|version| {
                let text = text.as_deref().unwrap_or_else(|| default(version));
                serde_json::from_str(text).unwrap_or_default()
            })
        };
        Self {
            agreed: None,
            in_use: false,
            versions: match script.protocol {
                Some(1) => vec![Version::One],
                Some(2) => vec![Version::Two],
                _ => vec![Version::One, Version::Two],
            },
            capabilities: json(&script.capabilities, Version::capabilities),
            auth_methods: json(&script.auth_methods, Version::auth_methods),
            sessions: Vec::new(),
            opened: 0,
        }
    }

    /// The version that is spoken, or will be.
    pub(crate) fn version(&self) -> Version {
        self.agreed
            .or_else(|| self.versions.first().copied())
            .unwrap_or(Version::One)
    }

    /// The id that the next new session will have.
    pub(crate) fn next_session(&self) -> String {
        format!("s{}", self.opened + 1)
    }

    /// A prompt came.
    pub(crate) fn asked(&mut self, session: &str, prompt: &str) {
        if let Some(session) = self.session(session) {
            session.history.push((prompt.to_owned(), String::new()));
        }
    }

    /// A piece of its answer went out.
    pub(crate) fn said(&mut self, session: &str, said: &str) {
        if let Some((_, answer)) = self.session(session).and_then(|it| it.history.last_mut()) {
            answer.push_str(said);
        }
    }

    fn session(&mut self, id: &str) -> Option<&mut Session> {
        self.sessions.iter_mut().find(|session| session.id == id)
    }

    fn index(&self) -> usize {
        usize::from(self.version() == Version::Two)
    }

    /// Whether the capability at this path is declared.
    fn offers(&self, path: &str) -> bool {
        if path == "authMethods" {
            let methods = self.auth_methods.get(self.index());
            return methods
                .and_then(Value::as_array)
                .is_some_and(|all| !all.is_empty());
        }
        let mut value = self.capabilities.get(self.index());
        for name in path.split('.').filter(|name| !name.is_empty()) {
            value = value.and_then(|value| value.get(name));
        }
        value.is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
    }

    /// An `initialize` was answered with a result.
    pub(crate) fn agree(&mut self, here: &Here) {
        let requested = here.params.get("protocolVersion").and_then(Value::as_u64);
        self.agreed = self
            .choose(requested.unwrap_or(u64::MAX))
            .or_else(|| self.versions.first().copied());
    }

    fn choose(&self, requested: u64) -> Option<Version> {
        let mut fitting = self
            .versions
            .iter()
            .filter(|version| u64::from(version.number()) <= requested);
        fitting.next_back().copied()
    }
}
