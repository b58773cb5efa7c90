//! The agents that can be named instead of spelled out: built in, and those of the config file.

use std::ffi::OsString;

use crate::{
    config::{AgentEntry, Config},
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

/// An agent that can be named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alias {
    pub(crate) name: String,
    pub(crate) title: String,
    /// The program and its arguments; never empty.
    pub(crate) command: Vec<String>,
    pub(crate) env: Vec<(String, String)>,
    pub(crate) install: Option<String>,
    /// Whether the config file says it.
    pub(crate) configured: bool,
}

impl Alias {
    fn known(known: &Known) -> Self {
        Self {
            name: known.name.to_owned(),
            title: known.title.to_owned(),
            command: known.command.iter().map(ToString::to_string).collect(),
            env: Vec::new(),
            install: Some(known.install.to_owned()),
            configured: false,
        }
    }

    fn configured(name: &str, entry: &AgentEntry) -> Self {
        Self {
            name: name.to_owned(),
            title: name.to_owned(),
            command: entry.command.clone(),
            env: entry
                .env
                .iter()
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
            install: entry.install.clone(),
            configured: true,
        }
    }

    /// The command as words.
    pub(crate) fn argv(&self) -> Vec<OsString> {
        self.command.iter().map(OsString::from).collect()
    }
}

/// All of them, by name; those of the config file win.
pub(crate) fn all(config: &Config) -> Vec<Alias> {
    let mut all: Vec<Alias> = KNOWN
        .iter()
        .filter(|known| !config.agents.contains_key(known.name))
        .map(Alias::known)
        .chain(
            config
                .agents
                .iter()
                .map(|(name, entry)| Alias::configured(name, entry)),
        )
        .collect();
    all.sort_by(|left, right| left.name.cmp(&right.name));
    all
}

/// The one of this name.
pub(crate) fn find(name: &str) -> Result<Alias, Misuse> {
    let all = all(&Config::load()?);
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
    use super::{KNOWN, all};
    use crate::config::Config;

    #[test]
    fn names_are_in_order_and_the_config_file_wins() {
        assert!(KNOWN.is_sorted_by(|left, right| left.name < right.name));
        let config: Config = toml::from_str(
            "[agents.codex]\ncommand = [\"/opt/codex\"]\n[agents.zed]\ncommand = [\"zed\"]\n",
        )
        .expect("it is fine");
        let all = all(&config);
        let codex: Vec<_> = all.iter().filter(|alias| alias.name == "codex").collect();
        assert_eq!(codex.len(), 1);
        assert_eq!(
            codex.first().map(|alias| alias.command.as_slice()),
            Some(&["/opt/codex".to_owned()][..])
        );
        assert_eq!(all.len(), KNOWN.len() + 1);
        assert!(all.is_sorted_by(|left, right| left.name < right.name));
    }
}
