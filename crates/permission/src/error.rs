//! What can go wrong here: how a rule is written, and how a pending decision is answered.

use thiserror::Error;

use crate::{pending::Ended, pick::Note};

/// A rule, as a person wrote it, cannot be read. The word at fault is the caller's own, so it is named.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpellingError {
    /// There is nothing between two commas, or nothing at all.
    #[error("a rule is missing: write for example `read` or `execute:git *`")]
    Empty,
    /// The first word of a rule is none that we know.
    #[error("`{word}` is no kind of tool; known are {}, mcp, path, title and any", crate::Kind::words().collect::<Vec<_>>().join(", "))]
    UnknownWord {
        /// The word as written.
        word: Box<str>,
    },
    /// A pattern stands behind a word that takes none.
    #[error("`{word}` takes no pattern, but `{pattern}` was given")]
    PatternNotTaken {
        /// The word before the colon.
        word: Box<str>,
        /// What stands behind it.
        pattern: Box<str>,
    },
    /// A word needs a pattern behind a colon.
    #[error("`{word}` needs a pattern: `{word}:...`")]
    PatternMissing {
        /// The word without its pattern.
        word: Box<str>,
    },
    /// A path pattern starts with what only a shell or a program would expand.
    #[error("`{pattern}` is not expanded here: write the path out")]
    NotExpanded {
        /// The pattern as written.
        pattern: Box<str>,
    },
    /// A command pattern holds more than one command, or something that a shell would expand.
    #[error("`{pattern}` is not one plain command: write the words it begins with")]
    NotOneCommand {
        /// The pattern as written.
        pattern: Box<str>,
    },
    /// The word behind `otherwise` is no decision for what no rule covers.
    #[error("`{word}` is no decision; known are cancel, deny, ask and allow")]
    UnknownDecision {
        /// The word as written.
        word: Box<str>,
    },
    /// An entry of a rules file holds none or several of `allow`, `deny`, `ask`.
    #[error("rule {number} must hold exactly one of allow, deny and ask; it holds {found}")]
    OneEffectEach {
        /// Which entry, counted from 1.
        number: usize,
        /// How many it holds.
        found: usize,
    },
    /// An entry of a rules file cannot be read.
    #[error("rule {number}: {source}")]
    InRule {
        /// Which entry, counted from 1.
        number: usize,
        /// What is wrong with it.
        source: Box<Self>,
    },
    /// A rules file of a layout that this version does not know.
    #[error("rules of version {version} are not known here; this program reads version 1")]
    UnknownVersion {
        /// The version that the file states.
        version: u32,
    },
}

/// A pending decision could not be answered. Nothing was sent for it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// The decision came too late: the request has been answered already.
    #[error("too late: the request was {}", ended.map_or("ended long ago".to_owned(), |ended| format!("{ended} already")))]
    TooLate {
        /// How it ended; `None` when that is too long ago to be known.
        ended: Option<Ended>,
    },
    /// No request was ever listed under this number.
    #[error("no permission request {id} is known")]
    Unknown {
        /// The number that was given.
        id: u64,
    },
    /// The decision cannot be carried out as asked; the request is still pending.
    #[error("the request is still pending: {0}")]
    NotHonoured(Note),
    /// `Ask` and `Defer` decide nothing; the request is still pending.
    #[error("the request is still pending: this decides nothing")]
    NoDecision,
}
