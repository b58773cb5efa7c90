//! The ways to log in, as a person is told about them: what each needs, and what to type next.
//!
//! Variables are told by their names and whether they are set; nothing here looks at a value.

use std::{env, ffi::OsStr};

use acp_harness::handshake::{AuthCommand, AuthKind, AuthMethod};
use serde::Serialize;

use crate::{
    hiargs::{Agent, Started},
    safe,
    start::{spelled, word},
};

/// One way to log in.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Login {
    pub(crate) id: String,
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// Whether it is run in a terminal of its own, by the agent's own command.
    pub(crate) terminal: bool,
    /// What it reads from the environment.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variables: Vec<Variable>,
    /// Where to get what it needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<String>,
    /// The command that it is, or that the agent tells about.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    /// What to type.
    pub(crate) next: String,
}

/// A variable of the agent's environment.
#[derive(Debug, Clone, Serialize)]
struct Variable {
    name: String,
    optional: bool,
    /// Whether the agent finds something in it.
    is_set: bool,
}

impl Login {
    /// A method of the agent that was started like this; `tail` names the agent as it is typed.
    pub(crate) fn of(method: &AuthMethod, started: &Started, tail: &str) -> Self {
        let variables = method.variables().into_iter().map(|variable| Variable {
            is_set: is_set(&variable.name, started),
            name: variable.name.into(),
            optional: variable.optional,
        });
        let own = method
            .command()
            .map(|command| ran(&command, &started.agent));
        let told = || {
            method
                .told_command()
                .map(|command| ran(&command, &started.agent))
        };
        Self {
            id: method.id.to_string(),
            name: method.name.to_string(),
            description: method.description.as_deref().map(ToOwned::to_owned),
            terminal: method.kind == AuthKind::Terminal,
            variables: variables.collect(),
            link: method.link().map(Into::into),
            command: own.or_else(told),
            next: format!("acp auth login {}{tail}", word(&method.id)),
        }
    }

    /// The variables that it needs and that are not set.
    fn missing(&self) -> impl Iterator<Item = &str> {
        self.variables
            .iter()
            .filter(|variable| !variable.optional && !variable.is_set)
            .map(|variable| variable.name.as_str())
    }

    /// What a person reads in the list: a line, and what there is to know below it.
    fn lines(&self) -> Vec<String> {
        let how = if self.terminal {
            "  (in a terminal, by its own command)"
        } else {
            ""
        };
        let head = format!(
            "{:<20}  {}{how}",
            safe::line(&self.id, 60),
            safe::line(&self.name, 100)
        );
        let variables = self.variables.iter().map(|variable| {
            let state = match (variable.is_set, variable.optional) {
                (true, _) => "set",
                (false, true) => "optional, not set",
                (false, false) => "not set",
            };
            format!("needs {} ({state})", safe::line(&variable.name, 80))
        });
        let link = self
            .link
            .as_ref()
            .map(|link| format!("get it at {}", safe::line(link, 200)));
        let command = self.command.as_ref().map(|command| {
            let verb = if self.terminal { "runs" } else { "or by hand" };
            format!("{verb}: {command}")
        });
        let below = variables.chain(link).chain(command);
        std::iter::once(head)
            .chain(below.map(|line| format!("  {line}")))
            .collect()
    }

    /// Which variables have to be set for it, and where their values are found; `None` when none is missing.
    pub(crate) fn missing_hint(&self) -> Option<String> {
        let missing: Vec<String> = self.missing().map(|name| safe::line(name, 80)).collect();
        if missing.is_empty() {
            return None;
        }
        let mut hint = format!("set {}", missing.join(", "));
        if let Some(link) = &self.link {
            hint.push_str(&format!("; get it at {}", safe::line(link, 200)));
        }
        Some(hint)
    }

    /// Which variables it reads that are set, perhaps to something that is not valid any more.
    fn check_hint(&self) -> Option<String> {
        let set = self.variables.iter().filter(|variable| variable.is_set);
        let names: Vec<String> = set.map(|variable| safe::line(&variable.name, 80)).collect();
        if names.is_empty() {
            return None;
        }
        let mut hint = format!("check {} (set)", names.join(", "));
        if let Some(link) = &self.link {
            hint.push_str(&format!("; get it at {}", safe::line(link, 200)));
        }
        Some(hint)
    }

    /// What to do about it, in one line of a hint.
    fn advice(&self) -> String {
        let about_variables = self.missing_hint().or_else(|| self.check_hint());
        let mut parts: Vec<String> = about_variables.into_iter().collect();
        parts.push(self.next.clone());
        if !self.terminal {
            // Some agents keep a login for as long as they run.
            parts.push(format!("or add --auth {}", word(&self.id)));
        }
        if let Some(command) = self.command.as_ref().filter(|_| !self.terminal) {
            parts.push(format!("or by hand: {command}"));
        }
        parts.join("; ")
    }
}

/// What `acp auth list` prints.
pub(crate) fn list(logins: &[Login]) -> String {
    if logins.is_empty() {
        return String::from("it lists no way to log in; that does not prove that nobody has to\n");
    }
    let lines: Vec<String> = logins.iter().flat_map(Login::lines).collect();
    lines.join("\n") + "\n"
}

/// What a person who has to log in is told to do; `tail` names the agent as it is typed.
pub(crate) fn hint(logins: &[Login], tail: &str) -> String {
    match logins {
        [] => format!(
            "log in with the agent's own command; `acp auth list{tail}` asks for the ways that need a terminal"
        ),
        [only] => format!("log in: {}", only.advice()),
        many => {
            let lines: Vec<String> = many.iter().map(Login::advice).collect();
            format!("log in by one of:\n{}", lines.join("\n"))
        }
    }
}

/// Whether the agent finds something in this variable: `--env` and the config file win over what we have ourselves.
fn is_set(name: &str, started: &Started) -> bool {
    let name = OsStr::new(name);
    match started.env.iter().rev().find(|(known, _)| known == name) {
        Some((_, value)) => !value.is_empty(),
        // A name that no environment can hold is not asked for.
        None => {
            !name.is_empty()
                && !name
                    .as_encoded_bytes()
                    .iter()
                    .any(|byte| matches!(byte, b'=' | 0))
                && env::var_os(name).is_some_and(|value| !value.is_empty())
        }
    }
}

/// A command as a person would read it: variables, program, arguments.
pub(crate) fn ran(command: &AuthCommand, agent: &Agent) -> String {
    let variables = command
        .env
        .iter()
        .map(|(name, value)| format!("{}={}", safe::line(name, 80), word(value)));
    let program = match &command.program {
        Some(program) => word(program),
        None => spelled(agent),
    };
    let arguments = command.args.iter().map(|argument| word(argument));
    let words: Vec<String> = variables.chain([program]).chain(arguments).collect();
    words.join(" ")
}
