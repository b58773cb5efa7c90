//! What the structured input of a tool call says: the command, the paths, the MCP tool.
//!
//! Every agent names its members differently (`file_path`, `filepath`, `fileName`, ...). The names read here are those that real agents send;
//! what is not recognised is simply no evidence, and no evidence never helps an allowing rule.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::command::Command;

/// A tool of an MCP server.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct McpTool {
    /// The server's name, as the host declared it.
    pub server: Box<str>,
    /// The tool's own name.
    pub tool: Box<str>,
}

impl McpTool {
    /// The tool `tool` of `server`.
    #[must_use]
    pub fn new(server: &str, tool: &str) -> Self {
        Self {
            server: server.into(),
            tool: tool.into(),
        }
    }

    /// From a programmatic name like `mcp__server__tool`.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let (server, tool) = name.strip_prefix("mcp__")?.split_once("__")?;
        (!server.is_empty() && !tool.is_empty()).then(|| Self::new(server, tool))
    }

    /// From a title like `lab_echo (lab MCP Server)`. Display text: only a denial may use it.
    pub(crate) fn of_title(title: &str) -> Option<Self> {
        let (tool, rest) = title.split_once(" (")?;
        let server = rest.strip_suffix(" MCP Server)")?;
        let bare = tool
            .strip_prefix(server)
            .and_then(|tool| tool.strip_prefix('_'));
        Some(Self::new(server, bare.unwrap_or(tool)))
    }
}

/// What one raw input says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) command: Option<Command>,
    pub(crate) cwd: Option<Box<str>>,
    pub(crate) paths: Vec<Box<str>>,
    pub(crate) mcp: Option<McpTool>,
    /// There is an input with something in it, recognised or not.
    pub(crate) present: bool,
}

const COMMAND: [&str; 6] = [
    "command",
    "cmd",
    "commandLine",
    "command_line",
    "shell_command",
    "commands",
];
const PATHS: [&str; 30] = [
    "path",
    "paths",
    "file",
    "files",
    "file_path",
    "filePath",
    "filepath",
    "file_paths",
    "filePaths",
    "fileName",
    "file_name",
    "filename",
    "absolute_path",
    "absolutePath",
    "abs_path",
    "target_file",
    "targetFile",
    "target_path",
    "notebook_path",
    "old_path",
    "oldPath",
    "new_path",
    "newPath",
    "source",
    "destination",
    "directory",
    "dir",
    "dir_path",
    "relative_path",
    "relativePath",
];
/// Objects whose member names are paths.
const CHANGES: [&str; 3] = ["changes", "file_changes", "fileChanges"];
const CWD: [&str; 4] = ["cwd", "workdir", "working_directory", "workingDirectory"];
const SERVER: [&str; 5] = [
    "server",
    "serverName",
    "server_name",
    "mcpServer",
    "mcp_server",
];
const TOOL: [&str; 5] = ["tool", "toolName", "tool_name", "mcpTool", "mcp_tool"];

impl Facts {
    /// Reads `input`; one that is no object says nothing but that it is there.
    pub(crate) fn of(input: &RawValue) -> Self {
        let text = input.get();
        let Ok(members) = serde_json::from_str::<BTreeMap<String, &RawValue>>(text) else {
            let present = !matches!(text, "null" | "\"\"" | "[]");
            return Self {
                present,
                ..Self::default()
            };
        };
        let members = Members(members);
        let mcp = members.word(&SERVER).zip(members.word(&TOOL));
        Self {
            command: members.command(),
            cwd: members.word(&CWD).map(Into::into),
            paths: members.paths(),
            mcp: mcp.map(|(server, tool)| McpTool::new(&server, &tool)),
            present: !members.0.is_empty(),
        }
    }
}

/// One text or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Many(Vec<String>),
}

struct Members<'a>(BTreeMap<String, &'a RawValue>);

impl Members<'_> {
    fn read<'de, T: Deserialize<'de>>(&'de self, name: &str) -> Option<T> {
        serde_json::from_str(self.0.get(name)?.get()).ok()
    }

    fn word(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.read::<String>(name))
    }

    /// The command. One of a shape that we cannot read is still a command: its JSON stands for it, and no prefix covers that.
    fn command(&self) -> Option<Command> {
        let name = *COMMAND.iter().find(|name| {
            self.0
                .get(**name)
                .is_some_and(|value| value.get() != "null")
        })?;
        let args: Vec<String> = self.read("args").unwrap_or_default();
        match self.read(name) {
            Some(Words::One(verb)) if self.is_editor_verb(&verb) => None,
            Some(Words::One(line)) if args.is_empty() => Some(Command::line(&line)),
            Some(Words::One(program)) => {
                let words: Vec<String> = std::iter::once(program).chain(args).collect();
                Some(Command::argv(&words))
            }
            Some(Words::Many(lines)) if name == "commands" => {
                Some(Command::line(&lines.join("\n")))
            }
            Some(Words::Many(words)) => Some(Command::argv(&words)),
            None => self.0.get(name).map(|value| Command::line(value.get())),
        }
    }

    /// Editor tools name their action `command` as well: `{"command":"view","path":...}`.
    fn is_editor_verb(&self, verb: &str) -> bool {
        matches!(
            verb,
            "view" | "create" | "str_replace" | "insert" | "undo_edit"
        ) && self.0.contains_key("path")
    }

    fn paths(&self) -> Vec<Box<str>> {
        let named = PATHS
            .iter()
            .filter_map(|name| self.read(name))
            .flat_map(|words| match words {
                Words::One(path) => vec![path],
                Words::Many(paths) => paths,
            });
        let changed = CHANGES
            .iter()
            .filter_map(|name| self.read::<BTreeMap<String, &RawValue>>(name));
        named
            .chain(changed.flat_map(BTreeMap::into_keys))
            .map(Into::into)
            .collect()
    }
}

#[cfg(test)]
mod tests;
