//! Rules: the first one that matches decides.

use std::path::Path;

use crate::{
    Decision, Policy, Request, Scope, Verdict, error::SpellingError, links::Links, reach::Ground,
    spelling,
};

/// What a rule does with what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// Allow it once.
    Allow,
    /// Refuse it.
    Deny,
    /// Ask a person.
    Ask,
}

impl Effect {
    /// The word for it in flags, files and records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Ask => "ask",
        }
    }

    fn decision(self) -> Decision {
        match self {
            Self::Allow => Decision::AllowOnce,
            Self::Deny => Decision::Deny,
            Self::Ask => Decision::Ask,
        }
    }
}

/// An ordered list of rules. The first that matches decides; where none does, [`Decision::Cancel`] or what [`otherwise`](Self::otherwise) says.
///
/// [`Scope`] says what it takes to match: an allowing rule must cover everything that is known of the request, the others need only be touched.
///
/// # Examples
/// ```
/// use acp_permission::{Command, Decision, Kind, Policy, Request, Rules};
///
/// let rules = Rules::new()
///     .allow(Kind::Read)
///     .allow(Kind::Edit.inside("/work"))
///     .deny(Kind::Execute.command("rm"))
///     .otherwise(Decision::Cancel);
///
/// let edit = Request::new("s", vec![]).of_kind(Kind::Edit).with_path("/work/../etc/passwd");
/// assert_eq!(rules.decide(&edit).decision, Decision::Cancel);
/// let run = Request::new("s", vec![]).of_kind(Kind::Execute).with_command(Command::line("cd /tmp && sudo rm -rf x"));
/// assert_eq!(rules.decide(&run).decision, Decision::Deny);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    rules: Vec<(Effect, Scope)>,
    otherwise: Decision,
    root: Option<Box<str>>,
    titles: bool,
    links: Option<Links>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            rules: Vec::new(),
            otherwise: Decision::Cancel,
            root: None,
            titles: false,
            links: None,
        }
    }
}

impl Rules {
    /// No rules: everything is cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// From what was given for `--deny`, `--ask` and `--allow`, in that order, so that an exception wins over what it is an exception from.
    ///
    /// Each text is a list as [`Rules::with_spelled`] reads it.
    ///
    /// # Errors
    /// The first list that cannot be read.
    pub fn from_flags<S: AsRef<str>>(
        deny: &[S],
        ask: &[S],
        allow: &[S],
    ) -> Result<Self, SpellingError> {
        let lists = [
            (Effect::Deny, deny),
            (Effect::Ask, ask),
            (Effect::Allow, allow),
        ];
        let mut rules = Self::new();
        for (effect, list) in lists
            .into_iter()
            .flat_map(|(effect, lists)| lists.iter().map(move |list| (effect, list)))
        {
            rules = rules.with_spelled(effect, list.as_ref())?;
        }
        Ok(rules)
    }

    /// Adds a rule that allows once.
    #[must_use]
    pub fn allow(self, scope: impl Into<Scope>) -> Self {
        self.with(Effect::Allow, scope)
    }

    /// Adds a rule that refuses.
    #[must_use]
    pub fn deny(self, scope: impl Into<Scope>) -> Self {
        self.with(Effect::Deny, scope)
    }

    /// Adds a rule that leaves it to a person.
    #[must_use]
    pub fn ask(self, scope: impl Into<Scope>) -> Self {
        self.with(Effect::Ask, scope)
    }

    /// Adds a rule of any effect.
    #[must_use]
    pub fn with(mut self, effect: Effect, scope: impl Into<Scope>) -> Self {
        self.rules.push((effect, scope.into()));
        self
    }

    /// Adds rules as a person writes them: `read,edit`, `execute:git *`, `edit:src/**`, `mcp:docs/*`, `path:**/.git`, `title:Read *`, `any`.
    ///
    /// A comma separates rules; one that belongs to a pattern is written `\,`.
    ///
    /// # Errors
    /// The word or the pattern that cannot be read.
    pub fn with_spelled(mut self, effect: Effect, list: &str) -> Result<Self, SpellingError> {
        for scope in spelling::read_list(list)? {
            self.rules.push((effect, scope));
        }
        Ok(self)
    }

    /// What is decided where no rule matches.
    #[must_use]
    pub fn otherwise(mut self, decision: Decision) -> Self {
        self.otherwise = decision;
        self
    }

    /// The absolute directory below which relative patterns lie. Without it they lie below each session's own directory.
    #[must_use]
    pub fn rooted(mut self, root: impl AsRef<Path>) -> Self {
        self.root = Some(root.as_ref().to_string_lossy().into());
        self
    }

    /// Lets a title stand for the command or the MCP tool where a request has no structured input at all.
    /// Some agents (Gemini) send nothing else; a title is what the agent chose to show, so this trusts its wording.
    #[must_use]
    pub fn trusting_titles(mut self) -> Self {
        self.titles = true;
        self
    }

    /// Follows symbolic links: `follow` says where an absolute path leads, `None` where that cannot be told.
    ///
    /// A path is then allowed only if both its letters and the place it leads to are, and it is refused if either is. The path is handed over
    /// as written, `..` included. Without this a link within an allowed directory may lead out of it, for this crate asks no file system.
    /// Between the decision and the deed a link may still be changed: rules are a guard, not a sandbox.
    #[must_use]
    pub fn following(
        mut self,
        follow: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.links = Some(Links::new(follow));
        self
    }

    /// The rules in order.
    pub fn iter(&self) -> impl Iterator<Item = (Effect, &Scope)> {
        self.rules.iter().map(|(effect, scope)| (*effect, scope))
    }

    /// The first rule that matches, counted from 1.
    #[must_use]
    pub fn matching(&self, request: &Request) -> Option<(usize, Effect, &Scope)> {
        let ground = self.ground();
        let matches = |(effect, scope): &(Effect, &Scope)| match effect {
            Effect::Allow => scope.covers(request, ground, self.titles),
            Effect::Deny | Effect::Ask => scope.touches(request, ground),
        };
        let (at, (effect, scope)) = self.iter().enumerate().find(|(_, rule)| matches(rule))?;
        Some((at + 1, effect, scope))
    }
}

impl Rules {
    pub(crate) fn root(&self) -> Option<&str> {
        self.root.as_deref()
    }

    fn ground(&self) -> Ground<'_> {
        Ground {
            root: self.root.as_deref(),
            links: self.links.as_ref(),
        }
    }

    /// Why nothing matched. An allowing rule that is touched and does not cover everything is worth naming: often a line does more than its first command.
    fn why_not(&self, request: &Request) -> String {
        let ground = self.ground();
        let nearly = self.iter().enumerate().find(|(_, (effect, scope))| {
            *effect == Effect::Allow && scope.touches(request, ground)
        });
        match nearly {
            Some((at, (effect, scope))) => {
                format!(
                    "no rule matches; rule {}: {} {scope} does not cover all of it",
                    at + 1,
                    effect.as_str()
                )
            }
            None => "no rule matches".to_owned(),
        }
    }
}

impl Policy for Rules {
    fn decide(&self, request: &Request) -> Verdict {
        match self.matching(request) {
            Some((number, effect, scope)) => Verdict::new(
                effect.decision(),
                "rules",
                format!("rule {number}: {} {scope}", effect.as_str()),
            ),
            None => Verdict::new(self.otherwise.clone(), "rules", self.why_not(request)),
        }
    }
}
