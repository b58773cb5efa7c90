//! What the structured input of a tool call says: the command, the paths, the MCP tool.
//!
//! Every agent names its members differently (`file_path`, `filepath`, `fileName`, ...). The names read here are those that real agents send;
//! what is not recognised is simply no evidence, and no evidence never helps an allowing rule.

use serde_json::value::RawValue;

use crate::{command::Command, members::Members};

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

    /// Every way to read such a name: `mcp__a__b__c` is tool `b__c` of server `a`, or tool `c` of server `a__b`.
    pub(crate) fn all_of_name(name: &str) -> Vec<Self> {
        let Some(rest) = name.strip_prefix("mcp__") else {
            return Vec::new();
        };
        rest.char_indices()
            .filter_map(|(at, _)| {
                let (server, tool) = rest.split_at(at);
                let tool = tool.strip_prefix("__")?;
                (!server.is_empty() && !tool.is_empty()).then(|| Self::new(server, tool))
            })
            .take(MAX_READINGS)
            .collect()
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

const CWD: [&str; 3] = ["cwd", "workdir", "workingdirectory"];
const SERVER: [&str; 3] = ["server", "servername", "mcpserver"];
const TOOL: [&str; 3] = ["tool", "toolname", "mcptool"];
/// What else belongs to the call of an MCP tool.
const CALL: [&str; 6] = ["arguments", "args", "input", "params", "callid", "id"];

/// Most ways in which a name is read; one with as many is not certain to be any of them.
pub(crate) const MAX_READINGS: usize = 16;

/// How it is known that an MCP tool is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// Some members of the input are called so; any tool may have such.
    #[default]
    Members,
    /// The input is the call of an MCP tool and nothing else.
    WholeCall,
    /// The tool's programmatic name says so, or the host does.
    Stated,
}

/// What one raw input says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) command: Option<Command>,
    pub(crate) cwd: Option<Box<str>>,
    pub(crate) paths: Vec<Box<str>>,
    pub(crate) mcp: Option<McpTool>,
    pub(crate) mcp_evidence: Evidence,
    /// There is an input with something in it, recognised or not.
    pub(crate) present: bool,
    /// It names a path in a way that cannot be read.
    pub(crate) elsewhere: bool,
}

impl Facts {
    /// Reads `input`; one that is no object says nothing but that it is there.
    pub(crate) fn of(input: &RawValue) -> Self {
        let Some(members) = Members::of(input) else {
            let present = !matches!(input.get(), "null" | "\"\"" | "[]");
            return Self {
                present,
                ..Self::default()
            };
        };
        let mcp = members.word(&SERVER).zip(members.word(&TOOL));
        let (paths, elsewhere) = members.paths();
        Self {
            command: members.command(),
            cwd: members.word(&CWD).map(Into::into),
            paths,
            mcp: mcp.map(|(server, tool)| McpTool::new(&server, &tool)),
            mcp_evidence: if members.are_all_of(&[&SERVER, &TOOL, &CALL]) {
                Evidence::WholeCall
            } else {
                Evidence::Members
            },
            present: !members.is_empty(),
            elsewhere,
        }
    }
}

#[cfg(test)]
mod tests;
