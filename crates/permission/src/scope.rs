//! What a rule is about.

use std::{fmt, path::Path};

use crate::{
    Kind, Request,
    command::Command,
    glob::{PathGlob, includes, is_match},
    input::McpTool,
    prefix::CommandPrefix,
    reach::{Ground, PathCondition},
};

/// What a rule is about: any of some kinds, and each of the other conditions that are set.
///
/// Allowing and refusing read the same scope with opposite care. To **allow**, everything that is known must lie within the scope:
/// every path, every command of a line, every kind that the input implies; display text counts only where there is no structured input.
/// To **deny** or to **ask**, it is enough that something touches the scope: one path, one command (also behind `sudo` or `sh -c`), a title.
///
/// # Examples
/// ```
/// use acp_permission::{Kind, Rules, Scope};
///
/// let rules = Rules::new()
///     .deny(Scope::any().path("**/.git"))
///     .allow(Kind::Edit.inside("/work"))
///     .allow(Scope::mcp("docs", "*"));
/// assert_eq!(rules.iter().count(), 3);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    kinds: Vec<Kind>,
    paths: Vec<PathCondition>,
    command: Option<CommandPrefix>,
    mcp: Option<(Box<str>, Box<str>)>,
    title: Option<Box<str>>,
}

impl From<Kind> for Scope {
    fn from(kind: Kind) -> Self {
        Self {
            kinds: vec![kind],
            ..Self::default()
        }
    }
}

impl Scope {
    /// Everything.
    #[must_use]
    pub fn any() -> Self {
        Self::default()
    }

    /// Any of these kinds.
    #[must_use]
    pub fn kinds(kinds: impl IntoIterator<Item = Kind>) -> Self {
        Self {
            kinds: kinds.into_iter().collect(),
            ..Self::default()
        }
    }

    /// The MCP tools that both globs match, such as `("docs", "*")`. Only structured input says which tool it is.
    #[must_use]
    pub fn mcp(server: &str, tool: &str) -> Self {
        Self {
            mcp: Some((server.into(), tool.into())),
            ..Self::default()
        }
    }

    /// Only in `dir` or below it. A relative `dir` lies below the rules' root.
    ///
    /// Paths are compared after lexical normalisation; symbolic links are followed where the [rules](crate::Rules::following) can.
    #[must_use]
    pub fn inside(mut self, dir: impl AsRef<Path>) -> Self {
        self.paths
            .push(PathCondition::Inside(dir.as_ref().to_string_lossy().into()));
        self
    }

    /// Only paths covered by `glob`: `*` and `?` within a name, `**` over names. A relative glob lies below the rules' root.
    /// A glob whose last name is plain also covers what lies below it.
    #[must_use]
    pub fn path(mut self, glob: &str) -> Self {
        self.paths.push(PathCondition::Glob(PathGlob::new(glob)));
        self
    }

    /// Only commands that begin with the words of `prefix`; each word may hold `*` and `?`.
    #[must_use]
    pub fn command(mut self, prefix: &str) -> Self {
        self.command = Some(CommandPrefix::new(prefix));
        self
    }

    /// Only where `glob` matches the whole title. A title is display text that the agent writes freely:
    /// an allowing rule looks at it only where the request has no structured input at all.
    #[must_use]
    pub fn title(mut self, glob: &str) -> Self {
        self.title = Some(glob.into());
        self
    }

    /// Whether all that is known of `request` lies within this scope. `titles`: where structured input is missing, a title may stand for it.
    pub(crate) fn covers(&self, request: &Request, ground: Ground<'_>, titles: bool) -> bool {
        let read = titles && !request.is_structured();
        let kinds = request.effective_kinds();
        if !self.kinds.is_empty() && !kinds.iter().all(|kind| self.kinds.contains(kind)) {
            return false;
        }
        if !self.paths.is_empty() {
            // Where a command is run, the paths that came along do not say what it does.
            let unsaid = request.command().is_some() && self.command.is_none();
            if unsaid || !ground.covers(&self.paths, request) {
                return false;
            }
        }
        if let Some(prefix) = &self.command {
            let titled = (read && *request.kind() == Kind::Execute)
                .then(|| Command::line(request.call_title()));
            if !request
                .command()
                .or(titled.as_ref())
                .is_some_and(|command| prefix.covers(command, request.is_on_windows()))
            {
                return false;
            }
        }
        if let Some((server, tool)) = &self.mcp {
            let titled = read
                .then(|| McpTool::of_title(request.call_title()))
                .flatten();
            // In every way in which it can be read.
            let mut stated = request.stated_mcp().into_iter().chain(titled).peekable();
            if stated.peek().is_none() || !stated.all(|mcp| is_tool(&mcp, server, tool)) {
                return false;
            }
        }
        self.title
            .as_deref()
            .is_none_or(|glob| !request.is_structured() && is_match(glob, request.title()))
    }

    /// Whether whatever lies within `other` lies within this scope, as far as their words tell.
    pub(crate) fn includes(&self, other: &Self, root: Option<&str>) -> bool {
        let kinds = self.kinds.is_empty()
            || (!other.kinds.is_empty()
                && other.kinds.iter().all(|kind| self.kinds.contains(kind)));
        let paths = self.paths.iter().all(|wider| {
            let mut narrower = other.paths.iter();
            narrower.any(|condition| wider.includes(condition, root))
        });
        let command = self.command.as_ref().is_none_or(|wider| {
            let narrower = other.command.as_ref();
            narrower.is_some_and(|narrower| wider.includes(narrower))
        });
        let mcp = self.mcp.as_ref().is_none_or(|(server, tool)| {
            other
                .mcp
                .as_ref()
                .is_some_and(|(narrow_server, narrow_tool)| {
                    includes(server, narrow_server) && includes(tool, narrow_tool)
                })
        });
        let title = self.title.as_ref().is_none_or(|wider| {
            let narrower = other.title.as_ref();
            narrower.is_some_and(|narrower| includes(wider, narrower))
        });
        kinds && paths && command && mcp && title
    }

    /// Whether something about `request` touches this scope.
    pub(crate) fn touches(&self, request: &Request, ground: Ground<'_>) -> bool {
        let mut kinds = request.effective_kinds();
        kinds.push(request.kind().clone());
        if !self.kinds.is_empty() && !kinds.iter().any(|kind| self.kinds.contains(kind)) {
            return false;
        }
        if !self.paths.is_empty() && !ground.touches(&self.paths, request) {
            return false;
        }
        if let Some(prefix) = &self.command {
            let titled =
                (*request.kind() == Kind::Execute).then(|| Command::line(request.call_title()));
            if !request
                .command()
                .or(titled.as_ref())
                .is_some_and(|command| prefix.touches(command))
            {
                return false;
            }
        }
        if let Some((server, tool)) = &self.mcp {
            let titled = McpTool::of_title(request.call_title());
            if !request
                .possible_mcp()
                .into_iter()
                .chain(titled)
                .any(|mcp| is_tool(&mcp, server, tool))
            {
                return false;
            }
        }
        self.title.as_deref().is_none_or(|glob| {
            is_match(glob, request.title()) || is_match(glob, request.call_title())
        })
    }
}

fn is_tool(mcp: &McpTool, server: &str, tool: &str) -> bool {
    is_match(server, &mcp.server) && is_match(tool, &mcp.tool)
}

/// As a person would write it for `--allow`; conditions that have no spelling there are joined with ` + `.
impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<&str> = self.kinds.iter().map(Kind::as_str).collect();
        let mut parts = Vec::new();
        if !kinds.is_empty() {
            parts.push(kinds.join("|"));
        }
        if let Some(prefix) = &self.command {
            let word = parts.pop().unwrap_or_else(|| "execute".to_owned());
            parts.push(format!("{word}:{}", prefix.text()));
        }
        for condition in &self.paths {
            let text = condition.text();
            let word = if parts.len() == 1 && self.command.is_none() && self.paths.len() == 1 {
                parts.pop()
            } else {
                None
            };
            parts.push(format!("{}:{text}", word.as_deref().unwrap_or("path")));
        }
        if let Some((server, tool)) = &self.mcp {
            parts.push(format!("mcp:{server}/{tool}"));
        }
        if let Some(title) = &self.title {
            parts.push(format!("title:{title}"));
        }
        if parts.is_empty() {
            parts.push("any".to_owned());
        }
        f.write_str(&parts.join(" + "))
    }
}
