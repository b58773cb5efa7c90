//! What a request proves: what is known of it for certain, and what cannot be excluded.

use super::Request;
use crate::{
    Kind, McpTool,
    input::{Evidence, MAX_READINGS},
    place::Place,
};

impl Request {
    /// Whether there is structured input at hand: then a title proves nothing.
    #[must_use]
    pub fn is_structured(&self) -> bool {
        let facts = &self.facts;
        facts.present
            || facts.command.is_some()
            || facts.mcp.is_some()
            || !facts.paths.is_empty()
            || self.shows_diff
            || self.reaches_elsewhere
    }

    /// Every MCP tool that the request may be about: a name with several `__` in it can be cut in several places.
    pub(crate) fn possible_mcp(&self) -> Vec<McpTool> {
        let mut tools: Vec<McpTool> = self
            .tool_name()
            .map(McpTool::all_of_name)
            .unwrap_or_default();
        if let Some(mcp) = self.mcp().filter(|mcp| !tools.contains(mcp)) {
            tools.push(mcp.clone());
        }
        tools
    }

    /// The MCP tools that an allowing rule may go by, all of which it must cover; empty where it is not certain that one is called.
    /// The input of any other tool may hold members that are called `server` and `tool`: the model wrote them.
    pub(crate) fn stated_mcp(&self) -> Vec<McpTool> {
        let tools = match self.facts.mcp_evidence {
            Evidence::Stated => self.possible_mcp(),
            Evidence::WholeCall if self.tool_name.is_none() => self.possible_mcp(),
            Evidence::WholeCall | Evidence::Members => Vec::new(),
        };
        if tools.len() < MAX_READINGS {
            tools
        } else {
            Vec::new()
        }
    }

    /// Whether it works on Windows, as far as a directory or a path tells.
    pub(crate) fn is_on_windows(&self) -> bool {
        self.directory()
            .into_iter()
            .chain(self.command_directory())
            .chain(self.paths())
            .filter_map(|path| Place::of(path, None))
            .any(|place| place.is_windows())
    }

    /// What the call does by its structured input, beside or instead of the kind it states. An allowing rule must cover all of these.
    pub(crate) fn effective_kinds(&self) -> Vec<Kind> {
        let mut kinds = match self.command() {
            Some(_) => vec![Kind::Execute],
            None => vec![self.kind().clone()],
        };
        if self.shows_diff && !kinds.iter().any(Kind::writes) {
            kinds.push(if self.kind().writes() {
                self.kind().clone()
            } else {
                Kind::Edit
            });
        }
        kinds
    }

    /// Where each path lies; `None` for one that cannot be placed.
    pub(crate) fn places(&self) -> impl Iterator<Item = Option<Place>> {
        let elsewhere = self.reaches_elsewhere.then_some(None);
        self.paths()
            .map(|path| Place::of(path, self.directory()))
            .chain(elsewhere)
    }
}
