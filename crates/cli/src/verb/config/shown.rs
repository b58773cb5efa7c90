//! What is in force, as TOML that could stand in a file, or as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    aliases,
    config::{
        Config, Effective,
        file::File,
        origin::{Layer, Origin},
        table::Value,
    },
    hiargs::Misuse,
    safe,
};

/// What stands for the value of a variable that is not shown.
const HIDDEN: &str = "…";

/// What is in force.
#[derive(Debug, Serialize)]
pub(crate) struct Shown {
    settings: BTreeMap<&'static str, Setting>,
    agents: BTreeMap<String, Agent>,
}

#[derive(Debug, Serialize)]
struct Setting {
    value: Value,
    from: Vec<From>,
}

#[derive(Debug, Serialize)]
struct From {
    layer: Layer,
    place: String,
}

/// An agent that a file says something about.
#[derive(Debug, Serialize)]
struct Agent {
    /// What is started, where a file says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<Vec<String>>,
    env: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    install: Option<String>,
    /// What holds when it is the one that is started.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    settings: BTreeMap<&'static str, Setting>,
    from: Vec<From>,
}

impl From {
    fn new(origin: &Origin) -> Self {
        Self {
            layer: origin.layer(),
            place: origin.to_string(),
        }
    }
}

impl Shown {
    /// What is in force when this agent is started; the values of variables only when they are asked for.
    pub(crate) fn new(config: &Config, agent: Option<&str>, secrets: bool) -> Result<Self, Misuse> {
        let settings = by_key(config.effective(agent));
        let told = config.agents();
        let agents = aliases::all(config)?
            .into_iter()
            .filter_map(|alias| {
                let entries = told.get(alias.name.as_str())?;
                let from = entries.iter().map(|entry| From::new(&entry.origin));
                let mut env = alias.env;
                if !secrets {
                    for value in env.values_mut() {
                        HIDDEN.clone_into(value);
                    }
                }
                let agent = Agent {
                    install: alias.install.filter(|_| alias.origin.is_some()),
                    command: alias.origin.map(|_| alias.command),
                    env,
                    settings: by_key(config.said_of(&alias.name)),
                    from: from.collect(),
                };
                Some((alias.name, agent))
            })
            .collect();
        Ok(Self { settings, agents })
    }

    /// As TOML, with the origins as comments.
    pub(crate) fn text(&self, origins: bool) -> String {
        let comment = |from: &[From]| {
            if !origins {
                return String::new();
            }
            let places: Vec<&str> = from.iter().map(|from| from.place.as_str()).collect();
            format!("  # {}", places.join(", "))
        };
        let mut out = String::new();
        if self.settings.is_empty() && self.agents.is_empty() {
            out.push_str("# nothing is set; `acp config keys` lists what can be\n");
        }
        for (key, setting) in &self.settings {
            let value = written(&setting.value);
            out.push_str(&format!("{key} = {value}{}\n", comment(&setting.from)));
        }
        for (name, agent) in &self.agents {
            let name = key_of(name);
            out.push_str(&format!("\n[agents.{name}]{}\n", comment(&agent.from)));
            if let Some(command) = &agent.command {
                let command = written(&Value::List(command.clone()));
                out.push_str(&format!("command = {command}\n"));
            }
            if let Some(install) = &agent.install {
                out.push_str(&format!("install = {}\n", text(install)));
            }
            if !agent.env.is_empty() {
                let pairs: Vec<String> = agent
                    .env
                    .iter()
                    .map(|(name, value)| format!("{} = {}", key_of(name), text(value)))
                    .collect();
                out.push_str(&format!("env = {{ {} }}\n", pairs.join(", ")));
            }
            for (key, setting) in &agent.settings {
                let value = written(&setting.value);
                out.push_str(&format!("{key} = {value}{}\n", comment(&setting.from)));
            }
        }
        out
    }
}

fn by_key(all: Vec<Effective<'_>>) -> BTreeMap<&'static str, Setting> {
    all.into_iter()
        .map(|effective| {
            let from = effective.origins.into_iter().map(From::new).collect();
            let value = effective.value;
            (effective.setting.key, Setting { value, from })
        })
        .collect()
}

/// What a file says, line by line, for somebody who is about to believe it. Variables are named and not shown.
pub(crate) fn lines(file: &File) -> Vec<String> {
    let mut lines: Vec<String> = file
        .settings
        .iter()
        .map(|given| format!("{} = {}", given.setting.key, written(&given.value)))
        .collect();
    for (name, entry) in &file.agents {
        let name = key_of(name);
        if let Some(command) = &entry.command {
            let command = written(&Value::List(command.clone()));
            lines.push(format!("agents.{name}.command = {command}"));
        }
        if let Some(install) = &entry.install {
            lines.push(format!("agents.{name}.install = {}", text(install)));
        }
        for variable in entry.env.keys() {
            lines.push(format!("agents.{name}.env.{} = {HIDDEN}", key_of(variable)));
        }
        for given in &entry.settings {
            let value = written(&given.value);
            lines.push(format!("agents.{name}.{} = {value}", given.setting.key));
        }
    }
    lines
}

fn written(value: &Value) -> String {
    match value {
        Value::Switch(on) => on.to_string(),
        Value::Text(word) => text(word),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| text(item)).collect();
            format!("[{}]", items.join(", "))
        }
    }
}

fn text(text: &str) -> String {
    harmless(text).unwrap_or_else(|| toml_edit::Value::from(text).to_string())
}

fn key_of(key: &str) -> String {
    harmless(key).unwrap_or_else(|| toml_edit::Key::new(key).to_string())
}

/// As a string of TOML in which nothing is left that a terminal acts on. `None` where TOML's own escapes do: those are for the
/// control characters of ASCII alone.
fn harmless(text: &str) -> Option<String> {
    let acts = |c: char| !c.is_ascii() && safe::acts(c);
    if !text.contains(acts) {
        return None;
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if safe::acts(c) => out.push_str(&format!("\\U{:08x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    Some(out)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{key_of, lines, text};
    use crate::{
        config::{file::File, origin::Layer},
        safe,
    };

    #[test]
    fn nothing_is_believed_unseen() {
        let said = [
            "deny = [\"edit\"]",
            "agents.a.command = [\"a\"]",
            "agents.a.install = \"get a\"",
            "agents.a.env.KEY = \"v\"",
            "agents.a.model = \"m\"",
        ];
        let file = File::parse(
            Path::new("/p/.acp.toml"),
            said.join("\n").as_bytes(),
            Layer::Project,
        );
        let shown = lines(&file.unwrap_or_else(|misuse| panic!("{}", misuse.message)));
        // All but the value of a variable.
        let said = said.map(|line| line.replace("\"v\"", "…"));
        assert_eq!(shown, said);
    }

    #[track_caller]
    fn check(word: &str) {
        for written in [text(word), key_of(word)] {
            assert!(
                !written.contains(|c| safe::acts(c) && c != '\n'),
                "{written:?}"
            );
        }
        let file = format!("{} = {}", key_of(word), text(word));
        let read: toml::Table = file.parse().expect("it is TOML");
        let pair = read.into_iter().next();
        assert_eq!(pair, Some((word.to_owned(), word.into())), "{file}");
    }

    #[test]
    fn what_is_shown_moves_no_terminal_and_reads_back_as_it_was() {
        for word in [
            "plain",
            "two words",
            "\u{1b}[2J\r\u{7f}",
            "\u{9b}2J",
            "a\\b\"c\nd\u{202e}",
            "\u{9b}\u{1b}\u{e0041}",
            "it's\u{2028}",
        ] {
            check(word);
        }
    }
}
