//! The config file: `$ACP_CONFIG`, else `acp/config.toml` below `$XDG_CONFIG_HOME` or `~/.config`.
//!
//! It names agents, so it says what is started: what it does not know is refused and never skipped.

use std::{
    collections::BTreeMap,
    env, fs, io,
    io::Read as _,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use crate::{hiargs::Misuse, safe};

/// How much of it is read.
const MAX_BYTES: u64 = 256 << 10;

/// What it says.
#[derive(Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    /// Agents by the name that `-a` takes.
    #[serde(default)]
    pub(crate) agents: BTreeMap<String, AgentEntry>,
}

/// How an agent is started.
#[derive(Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct AgentEntry {
    /// The program and its arguments.
    pub(crate) command: Vec<String>,
    /// Variables that are set for it.
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    /// How to install it.
    #[serde(default)]
    pub(crate) install: Option<String>,
}

impl Config {
    /// Reads it; where there is none, everything has its default.
    pub(crate) fn load() -> Result<Self, Misuse> {
        let Some((path, is_named)) = path() else {
            return Ok(Self::default());
        };
        match read(&path) {
            Ok(text) => Self::parse(&text).map_err(|message| unusable(&path, &message)),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !is_named => {
                Ok(Self::default())
            }
            Err(error) => Err(unusable(&path, &error.to_string())),
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let config: Self = toml::from_str(text).map_err(|error| {
            let at = error.span().map(|span| {
                text.get(..span.start)
                    .unwrap_or_default()
                    .matches('\n')
                    .count()
                    + 1
            });
            match at {
                Some(line) => format!("line {line}: {}", error.message()),
                None => error.message().to_owned(),
            }
        })?;
        for (name, agent) in &config.agents {
            if agent
                .command
                .first()
                .is_none_or(|program| program.is_empty())
            {
                return Err(format!("agents.{name}: command is empty"));
            }
            if name.is_empty() || name.starts_with('-') {
                return Err(String::from(
                    "the name of an agent is empty or begins with `-`",
                ));
            }
        }
        Ok(config)
    }
}

/// Where it is, and whether somebody named that place.
pub(crate) fn path() -> Option<(PathBuf, bool)> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(path) = set("ACP_CONFIG") {
        return Some((PathBuf::from(path), true));
    }
    let base = set("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .filter(|base| base.is_absolute())
        .or_else(|| Some(PathBuf::from(set("HOME")?).join(".config")))?;
    Some((base.join("acp").join("config.toml"), false))
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    fs::File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            "more than 256 KiB",
        ));
    }
    Ok(text)
}

fn unusable(path: &Path, why: &str) -> Misuse {
    Misuse::new(format!(
        "the config file {} cannot be used: {}",
        safe::line(&path.to_string_lossy(), 200),
        safe::line(why, 300)
    ))
}

#[cfg(test)]
mod tests {
    use super::Config;

    #[track_caller]
    fn refused(text: &str, why: &str) {
        let message = Config::parse(text).expect_err(text);
        assert!(message.contains(why), "{message}");
    }

    #[test]
    fn agents_are_read_and_mistakes_are_named_with_their_line() {
        let config = Config::parse(
            "[agents.mine]\ncommand = [\"my-agent\", \"--acp\"]\nenv = { KEY = \"v\" }\n",
        )
        .expect("it is fine");
        let mine = config.agents.get("mine").expect("it is there");
        assert_eq!(mine.command, ["my-agent", "--acp"]);
        assert_eq!(mine.env.get("KEY").map(String::as_str), Some("v"));
        assert_eq!(
            Config::parse("").expect("nothing is fine"),
            Config::default()
        );
        refused(
            "[agents.mine]\ncommand = [\"a\"]\nshell = true\n",
            "line 3: unknown field",
        );
        refused("[agent.mine]\ncommand = [\"a\"]\n", "unknown field");
        refused("[agents.mine]\ncommand = \"a b\"\n", "line 2: invalid type");
        refused(
            "[agents.mine]\ncommand = []\n",
            "agents.mine: command is empty",
        );
        refused("[agents.-x]\ncommand = [\"a\"]\n", "begins with `-`");
        refused("x = [", "line 1");
    }
}
