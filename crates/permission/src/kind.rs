//! What sort of thing a tool does, as the agent states it.

use std::{fmt, path::Path, str::FromStr};

use serde::{Serialize, Serializer};

use crate::{error::SpellingError, scope::Scope};

/// The kind of a tool call (`kind` of a tool call, ACP v1 section 9 and v2 section 14), open to words that we do not know.
///
/// A kind is the agent's own word. Where the structured input says more, it wins: a call with a command counts as
/// [`Execute`](Self::Execute) and one with a diff also as [`Edit`](Self::Edit), whatever the kind says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Reads files or data.
    Read,
    /// Changes files.
    Edit,
    /// Removes files or data.
    Delete,
    /// Moves or renames files.
    Move,
    /// Searches for something.
    Search,
    /// Runs a command or code.
    Execute,
    /// Thinks, plans.
    Think,
    /// Gets something from outside.
    Fetch,
    /// Changes the session's mode, for example leaves planning.
    SwitchMode,
    /// The agent says that it is none of these, or says nothing.
    Other,
    /// A word that came after this crate was written. No rule but one over any kind covers it.
    Unknown(Box<str>),
}

const WORDS: [(&str, Kind); 10] = [
    ("read", Kind::Read),
    ("edit", Kind::Edit),
    ("delete", Kind::Delete),
    ("move", Kind::Move),
    ("search", Kind::Search),
    ("execute", Kind::Execute),
    ("think", Kind::Think),
    ("fetch", Kind::Fetch),
    ("switch_mode", Kind::SwitchMode),
    ("other", Kind::Other),
];

impl Kind {
    /// The kind of this wire word; a word that is not known is kept.
    #[must_use]
    pub fn of(word: &str) -> Self {
        Self::known(word).unwrap_or_else(|| Self::Unknown(word.into()))
    }

    /// The wire word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        if let Self::Unknown(word) = self {
            return word;
        }
        WORDS
            .iter()
            .find(|(_, kind)| kind == self)
            .map_or("other", |(word, _)| word)
    }

    /// The words a rule can be written with, in the order of the protocol.
    pub fn words() -> impl Iterator<Item = &'static str> {
        WORDS.iter().map(|(word, _)| *word)
    }

    /// This kind, within `dir` only: every path of the call lies in `dir` or below it.
    #[must_use]
    pub fn inside(self, dir: impl AsRef<Path>) -> Scope {
        Scope::from(self).inside(dir)
    }

    /// This kind, for paths covered by `glob` only.
    #[must_use]
    pub fn path(self, glob: &str) -> Scope {
        Scope::from(self).path(glob)
    }

    /// This kind, for commands that begin with the words of `prefix` only.
    #[must_use]
    pub fn command(self, prefix: &str) -> Scope {
        Scope::from(self).command(prefix)
    }

    /// This kind, where the title is matched by `glob`. See [`Scope::title`] for how little a title proves.
    #[must_use]
    pub fn title(self, glob: &str) -> Scope {
        Scope::from(self).title(glob)
    }

    pub(crate) fn known(word: &str) -> Option<Self> {
        WORDS
            .iter()
            .find(|(known, _)| *known == word)
            .map(|(_, kind)| kind.clone())
    }

    /// Kinds that already say that files are changed.
    pub(crate) fn writes(&self) -> bool {
        matches!(self, Self::Edit | Self::Delete | Self::Move)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = SpellingError;

    /// Reads a known word; unlike [`Kind::of`], which takes what a peer sends, this is for what a person writes.
    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::known(word).ok_or_else(|| SpellingError::UnknownWord { word: word.into() })
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
