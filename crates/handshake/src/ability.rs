//! What the client can do for the agent, and how that is declared.
//!
//! A declaration is made from abilities, and an ability is there when its handler is: nothing registered, nothing declared.
//! The program that forgets a handler cannot promise it by accident (acp v1 and v2, section "initialize").

use acp_vocab::{CapabilityMethods, Form, Method, ProtocolVersion};
use serde::{Serialize, ser::SerializeMap};

use crate::catalog;

/// Something the client can do when the agent asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Ability {
    /// Answers `fs/read_text_file` (v1).
    ReadTextFile,
    /// Answers `fs/write_text_file` (v1).
    WriteTextFile,
    /// Answers all five `terminal/*` requests (v1).
    Terminal,
    /// Answers `elicitation/create` in form mode.
    ElicitationForm,
    /// Answers `elicitation/create` in URL mode and takes `elicitation/complete`.
    ElicitationUrl,
    /// Can run an agent's own login command in a terminal.
    TerminalAuth,
    /// Shows config options that are boolean (v1; implied by v2).
    BooleanConfigOptions,
    /// Shows notices (v1; implied by v2).
    Notices,
    /// Shows compaction updates (v1; implied by v2).
    Compaction,
    /// Shows plans in the newer form (v1; implied by v2).
    Plan,
    /// Follows the sessions of subagents (v1; implied by v2).
    Subagents,
}

impl Ability {
    /// Every ability, in the order in which declarations are written.
    pub const ALL: &'static [Self] = &[
        Self::ReadTextFile,
        Self::WriteTextFile,
        Self::Terminal,
        Self::BooleanConfigOptions,
        Self::Notices,
        Self::Compaction,
        Self::Plan,
        Self::Subagents,
        Self::TerminalAuth,
        Self::ElicitationForm,
        Self::ElicitationUrl,
    ];

    /// The requests and notifications that a client with this ability must handle.
    #[must_use]
    pub fn methods(self) -> &'static [Method] {
        self.row(ProtocolVersion::V1)
            .or_else(|| self.row(ProtocolVersion::V2))
            .map_or(&[], |row| row.methods)
    }

    /// Where the flag stands below `clientCapabilities` (v1) or `capabilities` (v2); `None` where the version has no such flag.
    #[must_use]
    pub fn path(self, version: ProtocolVersion) -> Option<&'static str> {
        self.row(version).map(|row| catalog::below(row.path))
    }

    /// Whether only v1 can be told about it: the reason to repeat `initialize` with v1 members after a merged offer.
    ///
    /// [`Ability::BooleanConfigOptions`] is not one of them: agents that rebuild v1 members from a v2 offer assume it.
    #[must_use]
    pub fn is_v1_only(self) -> bool {
        self.row(ProtocolVersion::V2).is_none() && self != Self::BooleanConfigOptions
    }

    /// Its row in the table of capabilities: path, form, and the methods that it opens.
    fn row(self, version: ProtocolVersion) -> Option<&'static CapabilityMethods> {
        let path = match self {
            Self::ReadTextFile => "fs.readTextFile",
            Self::WriteTextFile => "fs.writeTextFile",
            Self::Terminal => "terminal",
            Self::BooleanConfigOptions => "session.configOptions.boolean",
            Self::Notices => "session.notices",
            Self::Compaction => "session.compaction",
            Self::Plan => "plan",
            Self::Subagents => "subagents",
            Self::TerminalAuth => "auth.terminal",
            Self::ElicitationForm => "elicitation.form",
            Self::ElicitationUrl => "elicitation.url",
        };
        catalog::client_row(version, path)
    }
}

/// What a client declares: the set of its abilities, and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Declaration {
    bits: u16,
}

impl Declaration {
    /// Declares nothing; also the default.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The same with one more ability.
    #[must_use]
    pub fn with(self, ability: Ability) -> Self {
        Self {
            bits: self.bits | 1 << ability as u16,
        }
    }

    /// Whether the ability is declared.
    #[must_use]
    pub fn has(self, ability: Ability) -> bool {
        self.bits & (1 << ability as u16) != 0
    }

    /// The declared abilities.
    pub fn iter(self) -> impl Iterator<Item = Ability> {
        Ability::ALL
            .iter()
            .copied()
            .filter(move |ability| self.has(*ability))
    }

    /// The methods that the declaration obliges the client to handle, in order and once each.
    #[must_use]
    pub fn methods(self) -> Vec<Method> {
        let mut methods: Vec<Method> = Vec::new();
        for method in self
            .iter()
            .flat_map(|ability| ability.methods().iter().copied())
        {
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
        methods
    }

    /// Whether it holds an ability that only v1 can be told about.
    #[must_use]
    pub fn has_v1_only(self) -> bool {
        self.iter().any(Ability::is_v1_only)
    }

    /// The capabilities object of a version, ready to be serialized.
    ///
    /// The three flags that v1 knows as plain booleans are always written, as `false` when there is no handler; everything else
    /// is written only when it is there.
    #[must_use]
    pub fn capabilities(self, version: ProtocolVersion) -> impl Serialize + use<> {
        Written {
            declaration: self,
            version,
            prefix: "",
        }
    }
}

impl FromIterator<Ability> for Declaration {
    fn from_iter<I: IntoIterator<Item = Ability>>(abilities: I) -> Self {
        abilities.into_iter().fold(Self::none(), Self::with)
    }
}

/// One level of the capabilities object: the flags whose path starts with `prefix`.
struct Written {
    declaration: Declaration,
    version: ProtocolVersion,
    prefix: &'static str,
}

impl Written {
    /// The flags to write below this level: path, rest of the path, form, value.
    fn flags(&self) -> impl Iterator<Item = (&'static str, &'static str, Form, bool)> {
        Ability::ALL.iter().filter_map(|ability| {
            let row = ability.row(self.version)?;
            let path = catalog::below(row.path);
            let set = self.declaration.has(*ability);
            // A v1 agent may read `fs` and `terminal` without defaults, so that these are always there.
            let always = matches!(
                ability,
                Ability::ReadTextFile | Ability::WriteTextFile | Ability::Terminal
            );
            let rest = path.strip_prefix(self.prefix)?;
            (set || always).then_some((path, rest, row.form, set))
        })
    }
}

impl Serialize for Written {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut last_group = "";
        for (path, rest, form, set) in self.flags() {
            match rest.split_once('.') {
                None if form == Form::Flag => map.serialize_entry(rest, &set)?,
                None => map.serialize_entry(rest, &Empty {})?,
                Some((group, _)) if group == last_group => {}
                Some((group, tail)) => {
                    last_group = group;
                    let prefix = path.strip_suffix(tail).unwrap_or(path);
                    map.serialize_entry(
                        group,
                        &Self {
                            declaration: self.declaration,
                            version: self.version,
                            prefix,
                        },
                    )?;
                }
            }
        }
        map.end()
    }
}

/// A marker: `{}`.
#[derive(Serialize)]
struct Empty {}
