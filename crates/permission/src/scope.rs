//! What a rule is about.

use std::{fmt, path::Path};

use crate::{
    Kind, Request,
    command::{Command, CommandPrefix},
    glob::{PathGlob, is_match},
    input::McpTool,
    place::Place,
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

#[derive(Clone, Debug, PartialEq, Eq)]
enum PathCondition {
    Inside(Box<str>),
    Glob(PathGlob),
}

impl PathCondition {
    fn holds(&self, place: &Place, root: Option<&str>) -> bool {
        match self {
            Self::Inside(dir) => Place::of(dir, root).is_some_and(|dir| place.is_inside(&dir)),
            Self::Glob(glob) => glob.covers(place, root),
        }
    }
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
    /// Paths are compared after lexical normalisation; symbolic links are not followed.
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
    pub(crate) fn covers(&self, request: &Request, root: Option<&str>, titles: bool) -> bool {
        let root = root.or_else(|| request.directory());
        let read = titles && !request.is_structured();
        let kinds = request.effective_kinds();
        if !self.kinds.is_empty() && !kinds.iter().all(|kind| self.kinds.contains(kind)) {
            return false;
        }
        if !self.paths.is_empty() {
            // Where a command is run, the paths that came along do not say what it does.
            let unsaid = request.command().is_some() && self.command.is_none();
            let mut places = request.places().peekable();
            if unsaid || places.peek().is_none() {
                return false;
            }
            let all = places.all(|place| {
                place.is_some_and(|place| {
                    self.paths
                        .iter()
                        .all(|condition| condition.holds(&place, root))
                })
            });
            if !all {
                return false;
            }
        }
        if let Some(prefix) = &self.command {
            let titled = (read && *request.kind() == Kind::Execute)
                .then(|| Command::line(request.call_title()));
            if !request
                .command()
                .or(titled.as_ref())
                .is_some_and(|command| prefix.covers(command))
            {
                return false;
            }
        }
        if let Some((server, tool)) = &self.mcp {
            let titled = read
                .then(|| McpTool::of_title(request.call_title()))
                .flatten();
            if !request
                .mcp()
                .or(titled.as_ref())
                .is_some_and(|mcp| is_tool(mcp, server, tool))
            {
                return false;
            }
        }
        self.title
            .as_deref()
            .is_none_or(|glob| !request.is_structured() && is_match(glob, request.title()))
    }

    /// Whether something about `request` touches this scope.
    pub(crate) fn touches(&self, request: &Request, root: Option<&str>) -> bool {
        let root = root.or_else(|| request.directory());
        let mut kinds = request.effective_kinds();
        kinds.push(request.kind().clone());
        if !self.kinds.is_empty() && !kinds.iter().any(|kind| self.kinds.contains(kind)) {
            return false;
        }
        if !self.paths.is_empty() && !self.touches_a_path(request, root) {
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
                .mcp()
                .or(titled.as_ref())
                .is_some_and(|mcp| is_tool(mcp, server, tool))
            {
                return false;
            }
        }
        self.title.as_deref().is_none_or(|glob| {
            is_match(glob, request.title()) || is_match(glob, request.call_title())
        })
    }

    /// Whether a path of the request lies where this is about, or a word of its command does. One that cannot be placed cannot be shown to lie elsewhere.
    fn touches_a_path(&self, request: &Request, root: Option<&str>) -> bool {
        let holds = |place: &Place| {
            self.paths
                .iter()
                .all(|condition| condition.holds(place, root))
        };
        if request
            .places()
            .any(|place| place.is_none_or(|place| holds(&place)))
        {
            return true;
        }
        let directory = request.command_directory().or_else(|| request.directory());
        let words = request.command().map(Command::words).unwrap_or_default();
        words
            .iter()
            .filter_map(|word| Place::of(word, directory))
            .any(|place| holds(&place))
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
            let text = match condition {
                PathCondition::Inside(dir) => dir,
                PathCondition::Glob(glob) => glob.text(),
            };
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
