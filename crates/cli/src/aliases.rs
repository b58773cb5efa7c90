//! The agents that can be named instead of spelled out: built in, and those of the config files.

use std::{collections::BTreeMap, ffi::OsString};

use crate::{
    config::{Config, file::Entry, origin::Origin},
    hiargs::Misuse,
    nearest, safe,
};

/// A well-known agent.
struct Known {
    name: &'static str,
    title: &'static str,
    command: &'static [&'static str],
    install: &'static str,
}

const KNOWN: &[Known] = &[
    Known {
        name: "auggie",
        title: "Auggie",
        command: &["auggie", "--acp"],
        install: "npm install -g @augmentcode/auggie",
    },
    Known {
        name: "claude",
        title: "Claude Agent",
        command: &["claude-agent-acp"],
        install: "npm install -g @agentclientprotocol/claude-agent-acp",
    },
    Known {
        name: "cline",
        title: "Cline",
        command: &["cline", "--acp"],
        install: "npm install -g cline",
    },
    Known {
        name: "codex",
        title: "Codex",
        command: &["codex-acp"],
        install: "npm install -g @agentclientprotocol/codex-acp",
    },
    Known {
        name: "copilot",
        title: "GitHub Copilot",
        command: &["copilot", "--acp"],
        install: "npm install -g @github/copilot",
    },
    Known {
        name: "cursor",
        title: "Cursor",
        command: &["cursor-agent", "acp"],
        install: "see cursor.com/cli",
    },
    Known {
        name: "gemini",
        title: "Gemini CLI",
        command: &["gemini", "--acp"],
        install: "npm install -g @google/gemini-cli",
    },
    Known {
        name: "goose",
        title: "Goose",
        command: &["goose", "acp"],
        install: "see block.github.io/goose",
    },
    Known {
        name: "hermes",
        title: "Hermes",
        command: &["hermes", "acp"],
        install: "see hermes-agent.nousresearch.com",
    },
    Known {
        name: "kilo",
        title: "Kilo Code",
        command: &["kilo", "acp"],
        install: "npm install -g @kilocode/cli",
    },
    Known {
        name: "kimi",
        title: "Kimi CLI",
        command: &["kimi", "acp"],
        install: "uv tool install kimi-cli",
    },
    Known {
        name: "opencode",
        title: "OpenCode",
        command: &["opencode", "acp"],
        install: "npm install -g opencode-ai",
    },
    Known {
        name: "pi",
        title: "pi",
        command: &["pi-acp"],
        install: "npm install -g pi-acp",
    },
    Known {
        name: "qwen",
        title: "Qwen Code",
        command: &["qwen", "--acp"],
        install: "npm install -g @qwen-code/qwen-code",
    },
    Known {
        name: "vibe",
        title: "Mistral Vibe",
        command: &["vibe-acp"],
        install: "uv tool install mistral-vibe",
    },
];

/// How the agent is installed whose program this is, if it is a well-known one.
pub(crate) fn install(program: &str) -> Option<&'static str> {
    let known = KNOWN
        .iter()
        .find(|known| known.command.first() == Some(&program))?;
    Some(known.install)
}

/// An agent that can be named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alias {
    pub(crate) name: String,
    pub(crate) title: String,
    /// The program and its arguments; never empty.
    pub(crate) command: Vec<String>,
    /// Variables that are set for it. They may be secret.
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) install: Option<String>,
    /// Which file says its command; none for those that are built in.
    pub(crate) origin: Option<Origin>,
}

impl Alias {
    fn known(known: &Known) -> Self {
        Self {
            name: known.name.to_owned(),
            title: known.title.to_owned(),
            command: known.command.iter().map(ToString::to_string).collect(),
            env: BTreeMap::new(),
            install: Some(known.install.to_owned()),
            origin: None,
        }
    }

    /// The same with what a file says about it; an agent that nobody knows needs a command there.
    fn told(before: Option<Self>, name: &str, entry: &Entry) -> Result<Self, Misuse> {
        let mut alias = match (&entry.command, before) {
            (Some(command), _) => Self {
                name: name.to_owned(),
                title: name.to_owned(),
                command: command.clone(),
                env: BTreeMap::new(),
                install: None,
                origin: Some(entry.origin.clone()),
            },
            (None, Some(before)) => before,
            (None, None) => {
                let (origin, name) = (&entry.origin, safe::line(name, 80));
                return Err(
                    Misuse::new(format!("{origin}: agents.{name} has no command"))
                        .hint("`command = [\"program\", \"argument\"]` says what is started"),
                );
            }
        };
        alias.env.extend(entry.env.clone());
        if entry.install.is_some() {
            alias.install.clone_from(&entry.install);
        }
        Ok(alias)
    }

    /// The command as words.
    pub(crate) fn argv(&self) -> Vec<OsString> {
        self.command.iter().map(OsString::from).collect()
    }
}

/// All of them, by name; what a file says wins, and of two files the higher one.
pub(crate) fn all(config: &Config) -> Result<Vec<Alias>, Misuse> {
    let mut all: BTreeMap<&str, Alias> = KNOWN
        .iter()
        .map(|known| (known.name, Alias::known(known)))
        .collect();
    for (name, entries) in config.agents() {
        for entry in entries {
            let alias = Alias::told(all.remove(name), name, entry)?;
            all.insert(name, alias);
        }
    }
    Ok(all.into_values().collect())
}

/// The one of this name.
pub(crate) fn find(config: &Config, name: &str) -> Result<Alias, Misuse> {
    let all = all(config)?;
    if let Some(alias) = all.iter().find(|alias| alias.name == name) {
        return Ok(alias.clone());
    }
    let near = nearest::nearest(name, all.iter().map(|alias| alias.name.as_str())).join(", ");
    let misuse = Misuse::new(format!("no agent is called {}", safe::line(name, 80)));
    Err(misuse.hint(if near.is_empty() {
        String::from("`acp agents` lists them; another one goes after `--`, word by word")
    } else {
        format!("did you mean {near}? `acp agents` lists them")
    }))
}

#[cfg(test)]
mod tests {
    use super::KNOWN;

    #[test]
    fn names_are_in_order() {
        assert!(KNOWN.is_sorted_by(|left, right| left.name < right.name));
    }
}
