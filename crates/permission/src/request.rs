//! What an agent asks for, in the shape that a decision needs.

mod evidence;

use acp_vocab::{PermissionOption, SessionId, ToolCallId};
use serde_json::value::RawValue;

use crate::{
    Kind,
    command::Command,
    input::{Evidence, Facts, McpTool},
};

/// A permission request, the same for v1 (ACP v1 section 7.2) and v2 (ACP v2 section 10).
///
/// It keeps two sorts of things apart. *Display text* (title, description, option names) is what a person is shown; the agent writes it freely.
/// *Structured input* (command, paths, MCP tool, raw input) is what the tool is called with, and is what rules look at.
///
/// # Examples
/// ```
/// use acp_permission::{Command, Kind, Request};
///
/// let request = Request::new("session-1", vec![]).titled("List files").of_kind(Kind::Execute).with_command(Command::line("ls"));
/// assert_eq!(request.command().unwrap().text(), "ls");
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    session: SessionId,
    tool_call: Option<ToolCallId>,
    title: Box<str>,
    description: Option<Box<str>>,
    call_title: Option<Box<str>>,
    tool_name: Option<Box<str>>,
    kind: Option<Kind>,
    options: Vec<PermissionOption>,
    directory: Option<Box<str>>,
    raw_input: Option<Box<RawValue>>,
    facts: Facts,
    shows_diff: bool,
    reaches_elsewhere: bool,
}

impl Request {
    /// A request in `session` that offers `options` and of which nothing else is known yet.
    #[must_use]
    pub fn new(session: impl Into<SessionId>, options: Vec<PermissionOption>) -> Self {
        Self {
            session: session.into(),
            tool_call: None,
            title: Box::default(),
            description: None,
            call_title: None,
            tool_name: None,
            kind: None,
            options,
            directory: None,
            raw_input: None,
            facts: Facts::default(),
            shows_diff: false,
            reaches_elsewhere: false,
        }
    }

    /// Sets the title, which is display text.
    #[must_use]
    pub fn titled(mut self, title: &str) -> Self {
        self.title = title.into();
        self
    }

    /// Sets the description, which is display text.
    #[must_use]
    pub fn described(mut self, description: &str) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets what the tool call is called, which is display text too. In v1 it is the request's title as well.
    #[must_use]
    pub fn calling(mut self, title: &str) -> Self {
        self.call_title = Some(title.into());
        self
    }

    /// Sets the tool call that the request is about.
    #[must_use]
    pub fn for_tool_call(mut self, id: impl Into<ToolCallId>) -> Self {
        self.tool_call = Some(id.into());
        self
    }

    /// Sets the kind that the agent states.
    #[must_use]
    pub fn of_kind(mut self, kind: Kind) -> Self {
        self.kind = Some(kind);
        self
    }

    /// Sets the tool's programmatic name; one like `mcp__server__tool` also names the MCP tool.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.tool_name = Some(name.into());
        if let Some(mcp) = McpTool::of_name(name) {
            self.facts.mcp = Some(mcp);
            self.facts.mcp_evidence = Evidence::Stated;
        }
        self
    }

    /// Sets the raw input and reads from it what can be recognised.
    #[must_use]
    pub fn with_input(mut self, input: &RawValue) -> Self {
        let facts = Facts::of(input);
        self.facts.command = facts.command.or(self.facts.command);
        self.facts.cwd = facts.cwd.or(self.facts.cwd);
        if self.facts.mcp.is_none() {
            self.facts.mcp = facts.mcp;
            self.facts.mcp_evidence = facts.mcp_evidence;
        }
        self.facts.present |= facts.present;
        self.reaches_elsewhere |= facts.elsewhere;
        for path in &facts.paths {
            self.add_path(path);
        }
        self.raw_input = Some(input.to_owned());
        self
    }

    /// Sets the command that would be run.
    #[must_use]
    pub fn with_command(mut self, command: Command) -> Self {
        self.facts.command = Some(command);
        self
    }

    /// Sets the directory in which the command would be run.
    #[must_use]
    pub fn run_in(mut self, directory: &str) -> Self {
        self.facts.cwd = Some(directory.into());
        self
    }

    /// Adds a path that the tool call touches.
    #[must_use]
    pub fn with_path(mut self, path: &str) -> Self {
        self.add_path(path);
        self
    }

    /// Says that the call shows a change of files, whatever kind it states.
    #[must_use]
    pub fn with_diff(mut self) -> Self {
        self.shows_diff = true;
        self
    }

    /// Says that the call touches something whose path is not known: then no path condition of an allowing rule holds.
    #[must_use]
    pub fn reaching_elsewhere(mut self) -> Self {
        self.reaches_elsewhere = true;
        self
    }

    /// Sets the MCP tool that would be called.
    #[must_use]
    pub fn with_mcp(mut self, tool: McpTool) -> Self {
        self.facts.mcp = Some(tool);
        self.facts.mcp_evidence = Evidence::Stated;
        self
    }

    /// Says that there is structured input that cannot be read here: then a title proves nothing.
    #[must_use]
    pub(crate) fn with_unread_input(mut self) -> Self {
        self.facts.present = true;
        self
    }

    /// Sets the session's working directory, an absolute path, below which relative paths lie. The host knows it; the request does not say it.
    #[must_use]
    pub fn in_directory(mut self, directory: &str) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// The session that asks.
    #[must_use]
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// The tool call that the request is about, where it names one.
    #[must_use]
    pub fn tool_call(&self) -> Option<&ToolCallId> {
        self.tool_call.as_ref()
    }

    /// Display text: what the agent calls this request, else its tool call. Empty when it says nothing.
    #[must_use]
    pub fn title(&self) -> &str {
        if self.title.is_empty() {
            self.call_title()
        } else {
            &self.title
        }
    }

    /// Display text: what the agent calls the tool call, else the request. In v2 these are two texts.
    #[must_use]
    pub fn call_title(&self) -> &str {
        self.call_title.as_deref().unwrap_or(&self.title)
    }

    /// Display text: more about it (v2).
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The tool's programmatic name, where the agent gives one.
    #[must_use]
    pub fn tool_name(&self) -> Option<&str> {
        self.tool_name.as_deref()
    }

    /// The kind that the agent states; [`Kind::Other`] when it states none.
    #[must_use]
    pub fn kind(&self) -> &Kind {
        self.kind.as_ref().unwrap_or(&Kind::Other)
    }

    /// What is offered, in the agent's order.
    #[must_use]
    pub fn options(&self) -> &[PermissionOption] {
        &self.options
    }

    /// The session's working directory, if the host told.
    #[must_use]
    pub fn directory(&self) -> Option<&str> {
        self.directory.as_deref()
    }

    /// What the tool is called with, as the agent sent it.
    #[must_use]
    pub fn raw_input(&self) -> Option<&RawValue> {
        self.raw_input.as_deref()
    }

    /// The command that would be run, from structured input only.
    #[must_use]
    pub fn command(&self) -> Option<&Command> {
        self.facts.command.as_ref()
    }

    /// The directory in which the command would be run, from structured input only.
    #[must_use]
    pub fn command_directory(&self) -> Option<&str> {
        self.facts.cwd.as_deref()
    }

    /// Every path that the call names, in its locations, its input and its diffs, as written.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.facts.paths.iter().map(AsRef::as_ref)
    }

    /// The MCP tool that would be called, from structured input only.
    #[must_use]
    pub fn mcp(&self) -> Option<&McpTool> {
        self.facts.mcp.as_ref()
    }

    pub(crate) fn add_path(&mut self, path: &str) {
        if !self.facts.paths.iter().any(|known| **known == *path) {
            self.facts.paths.push(path.into());
        }
    }
}
