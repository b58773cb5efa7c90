//! Rules in a file. The file is read by whoever has files; here is its shape, for TOML, JSON or anything else that serde reads.

use serde::Deserialize;

use crate::{Decision, Effect, Rules, error::SpellingError, spelling};

/// A file of rules, in the order in which they are tried.
///
/// ```toml
/// version = 1
/// otherwise = "cancel"            # cancel (the default), deny, ask, allow
///
/// [[rules]]
/// deny = ["execute:rm", "path:**/.git"]
/// [[rules]]
/// allow = ["read", "edit:src/**", "execute:cargo test"]
/// [[rules]]
/// ask = "execute"
/// ```
///
/// # Examples
/// ```
/// use acp_permission::{Rules, RulesFile};
///
/// let file: RulesFile = serde_json::from_str(r#"{"version":1,"rules":[{"allow":["read","edit:src/**"]}]}"#)?;
/// let rules = Rules::try_from(file)?;
/// assert_eq!(rules.iter().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RulesFile {
    /// The layout: 1.
    pub version: u32,
    /// What is decided where no rule matches: `cancel` (also when it is missing), `deny`, `ask` or `allow`.
    #[serde(default)]
    pub otherwise: Option<Box<str>>,
    /// The directory below which relative patterns lie; without it, each session's own.
    #[serde(default)]
    pub root: Option<Box<str>>,
    /// Whether a title may stand for structured input that is missing; see [`Rules::trusting_titles`].
    #[serde(default)]
    pub trust_titles: bool,
    /// The rules, first match first.
    #[serde(default)]
    pub rules: Vec<RuleEntry>,
}

/// One entry of a file: exactly one of its members is set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RuleEntry {
    /// Scopes that are allowed.
    #[serde(default)]
    pub allow: Option<Spelled>,
    /// Scopes that are refused.
    #[serde(default)]
    pub deny: Option<Spelled>,
    /// Scopes that are asked.
    #[serde(default)]
    pub ask: Option<Spelled>,
}

/// One scope or several, written as for the flags.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "a rule such as \"execute:git *\", or a list of them"
)]
#[non_exhaustive]
pub enum Spelled {
    /// One text; commas separate scopes.
    One(String),
    /// Several texts, each one scope: commas need no backslash.
    Many(Vec<String>),
}

impl Spelled {
    /// How many rules it is: a text may hold several, with commas between them.
    ///
    /// # Examples
    /// ```
    /// use acp_permission::Spelled;
    ///
    /// assert_eq!(Spelled::One("read,edit".to_owned()).rules(), 2);
    /// assert_eq!(Spelled::Many(vec!["edit:a, b".to_owned()]).rules(), 1);
    /// ```
    #[must_use]
    pub fn rules(&self) -> usize {
        match self {
            Self::One(list) => spelling::split(list).len(),
            Self::Many(scopes) => scopes.len(),
        }
    }
}

impl TryFrom<RulesFile> for Rules {
    type Error = SpellingError;

    /// Reads the file's rules; an error names the entry, counted from 1.
    fn try_from(file: RulesFile) -> Result<Self, Self::Error> {
        if file.version != 1 {
            return Err(SpellingError::UnknownVersion {
                version: file.version,
            });
        }
        let mut rules = Self::new().otherwise(otherwise(file.otherwise.as_deref())?);
        if let Some(root) = file.root.as_deref() {
            rules = rules.rooted(root);
        }
        if file.trust_titles {
            rules = rules.trusting_titles();
        }
        for (at, entry) in file.rules.iter().enumerate() {
            rules = entry.add_to(rules, at + 1)?;
        }
        Ok(rules)
    }
}

impl RuleEntry {
    fn add_to(&self, rules: Rules, number: usize) -> Result<Rules, SpellingError> {
        let members = [
            (Effect::Allow, &self.allow),
            (Effect::Deny, &self.deny),
            (Effect::Ask, &self.ask),
        ];
        let mut set = members
            .iter()
            .filter_map(|(effect, spelled)| Some((*effect, spelled.as_ref()?)));
        let found = set.clone().count();
        let (Some((effect, spelled)), 1) = (set.next(), found) else {
            return Err(SpellingError::OneEffectEach { number, found });
        };
        let added = match spelled {
            Spelled::One(list) => rules.with_spelled(effect, list),
            Spelled::Many(scopes) => scopes.iter().try_fold(rules, |rules, scope| {
                Ok(rules.with(effect, scope.parse::<crate::Scope>()?))
            }),
        };
        added.map_err(|source| SpellingError::InRule {
            number,
            source: Box::new(source),
        })
    }
}

fn otherwise(word: Option<&str>) -> Result<Decision, SpellingError> {
    match word.unwrap_or("cancel") {
        "cancel" => Ok(Decision::Cancel),
        "deny" => Ok(Decision::Deny),
        "ask" => Ok(Decision::Ask),
        "allow" => Ok(Decision::AllowOnce),
        word => Err(SpellingError::UnknownDecision { word: word.into() }),
    }
}
