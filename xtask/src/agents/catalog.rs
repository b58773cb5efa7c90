//! The agents we know: pinned packages, and what makes each of them ask before it acts.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::setup::{self, Setup};

/// A port where nothing listens (discard).
const NOWHERE: &str = "http://127.0.0.1:9";

/// One agent, at one version.
#[derive(Debug)]
pub(crate) struct Agent {
    /// Folder name among the fixtures.
    pub(crate) name: &'static str,
    /// Package on npm.
    pub(crate) package: &'static str,
    /// The pinned version.
    pub(crate) version: &'static str,
    /// Name of the program that the package installs.
    pub(crate) program: &'static str,
    /// Its arguments.
    pub(crate) arguments: &'static [&'static str],
    /// Options of `acp run` with which it asks before it runs a command.
    pub(crate) asks_with: &'static [&'static str],
    setup: fn(&str) -> Setup,
}

/// Every agent, in order of name.
pub(crate) const ALL: &[Agent] = &[
    Agent {
        name: "claude",
        package: "@agentclientprotocol/claude-agent-acp",
        version: "0.101.0",
        program: "claude-agent-acp",
        arguments: &[],
        asks_with: &["--mode", "default"],
        setup: setup::claude,
    },
    Agent {
        name: "codex",
        package: "@agentclientprotocol/codex-acp",
        version: "2.6.0",
        program: "codex-acp",
        arguments: &[],
        asks_with: &["--auth", "api-key", "--mode", "read-only"],
        setup: setup::codex,
    },
    Agent {
        name: "copilot",
        package: "@github/copilot",
        version: "1.0.102",
        program: "copilot",
        arguments: &["--acp"],
        asks_with: &[],
        setup: setup::copilot,
    },
    Agent {
        name: "gemini",
        package: "@google/gemini-cli",
        version: "0.61.0",
        program: "gemini",
        arguments: &["--acp"],
        asks_with: &[],
        setup: setup::gemini,
    },
    Agent {
        name: "opencode",
        package: "opencode-ai",
        version: "1.18.33",
        program: "opencode",
        arguments: &["acp"],
        asks_with: &[],
        setup: setup::opencode,
    },
    Agent {
        name: "qwen",
        package: "@qwen-code/qwen-code",
        version: "0.15.10",
        program: "qwen",
        arguments: &["--acp"],
        asks_with: &[],
        setup: setup::qwen,
    },
    Agent {
        name: "zedclaude",
        package: "@zed-industries/claude-code-acp",
        version: "0.16.2",
        program: "claude-code-acp",
        arguments: &[],
        asks_with: &["--mode", "default"],
        setup: setup::claude,
    },
    Agent {
        name: "zedcodex",
        package: "@zed-industries/codex-acp",
        version: "0.16.0",
        program: "codex-acp",
        arguments: &[],
        asks_with: &["--auth", "openai-api-key", "--mode", "read-only"],
        setup: setup::codex,
    },
];

impl Agent {
    /// Writes the agent's own configuration below `home` and returns the environment it runs with.
    /// Its model stands at the address `model`, or nowhere.
    pub(crate) fn configure(
        &self,
        home: &Path,
        model: Option<&str>,
    ) -> Result<Vec<(&'static str, String)>> {
        let (files, mut environment) = (self.setup)(model.unwrap_or(NOWHERE));
        for (path, text) in files {
            let path = home.join(path);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(path, text)?;
        }
        for name in [
            "NO_COLOR",
            "DISABLE_TELEMETRY",
            "DO_NOT_TRACK",
            "DISABLE_AUTOUPDATER",
        ] {
            environment.push((name, "1".to_owned()));
        }
        environment.push(("HOME", home.display().to_string()));
        environment.push(("LANG", "C.UTF-8".to_owned()));
        environment.push(("PATH", std::env::var("PATH").unwrap_or_default()));
        Ok(environment)
    }
}
