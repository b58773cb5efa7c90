//! Why a wish cannot be met.

use std::fmt;

use thiserror::Error;

use crate::Axis;

/// A wish that an agent cannot meet as it stands. Nothing was sent.
///
/// The texts quote the wish and ids that the agent advertised, with control characters escaped and long ones cut.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChooseError {
    /// The agent offers nothing of this sort in this session.
    #[error("this session offers no {axis} to choose")]
    NotOffered {
        /// What was to be chosen.
        axis: Axis,
    },
    /// No option has this id.
    #[error("no option {}{}", Quoted(wish), Suggestion(nearest, offered))]
    UnknownOption {
        /// The id that was asked for.
        wish: Box<str>,
        /// The nearest ids that there are, at most three.
        nearest: Vec<Box<str>>,
        /// All ids that there are.
        offered: Vec<Box<str>>,
    },
    /// The value is not one of those that are offered.
    #[error("{what} has no value {}{}", Quoted(wish), Suggestion(nearest, offered))]
    UnknownValue {
        /// The axis, or the id of the option.
        what: Box<str>,
        /// The value that was asked for.
        wish: Box<str>,
        /// The nearest values that there are, at most three.
        nearest: Vec<Box<str>>,
        /// All values that there are.
        offered: Vec<Box<str>>,
    },
    /// Several offered values could be meant.
    #[error(
        "{what} {} could be any of {}; write one of them",
        Quoted(wish),
        List(candidates)
    )]
    Ambiguous {
        /// The axis, or the id of the option.
        what: Box<str>,
        /// The value that was asked for.
        wish: Box<str>,
        /// Those that could be meant.
        candidates: Vec<Box<str>>,
    },
    /// Two wishes set the same thing to different values.
    #[error("{first} and {second} are set by the same thing, and cannot be different")]
    Conflict {
        /// The wish that is in force.
        first: Box<str>,
        /// The wish that would undo it.
        second: Box<str>,
    },
    /// The option is of a type that is not known here, so it cannot be set.
    #[error("option {} is of a type that cannot be set here", Quoted(id))]
    UnknownType {
        /// The option's id.
        id: Box<str>,
    },
}

impl ChooseError {
    /// The nearest spellings that are offered, at most three.
    #[must_use]
    pub fn nearest(&self) -> &[Box<str>] {
        match self {
            Self::UnknownOption { nearest, .. } | Self::UnknownValue { nearest, .. } => nearest,
            Self::Ambiguous { candidates, .. } => candidates,
            Self::NotOffered { .. } | Self::Conflict { .. } | Self::UnknownType { .. } => &[],
        }
    }

    /// Every spelling that is offered.
    #[must_use]
    pub fn offered(&self) -> &[Box<str>] {
        match self {
            Self::UnknownOption { offered, .. } | Self::UnknownValue { offered, .. } => offered,
            Self::Ambiguous { candidates, .. } => candidates,
            Self::NotOffered { .. } | Self::Conflict { .. } | Self::UnknownType { .. } => &[],
        }
    }
}

/// Most spellings that a message lists.
const MAX_LISTED: usize = 12;
/// Most characters of a spelling in a message.
const MAX_SHOWN: usize = 80;

/// An id in quotes, safe to show.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut: String = self.0.chars().take(MAX_SHOWN).collect();
        let more = if cut.len() < self.0.len() { "…" } else { "" };
        write!(f, "`{}{more}`", cut.escape_debug())
    }
}

struct List<'a>(&'a [Box<str>]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, item) in self.0.iter().take(MAX_LISTED).enumerate() {
            write!(f, "{}{}", if at == 0 { "" } else { ", " }, Quoted(item))?;
        }
        match self.0.len().saturating_sub(MAX_LISTED) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// What there is instead: the nearest where something is near, else the list.
struct Suggestion<'a>(&'a [Box<str>], &'a [Box<str>]);

impl fmt::Display for Suggestion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            ([], []) => f.write_str("; nothing is offered"),
            ([], offered) => write!(f, "; offered are {}", List(offered)),
            (nearest, offered) if nearest.len() == offered.len() => {
                write!(f, "; offered are {}", List(offered))
            }
            (nearest, offered) => write!(f, "; nearest of {} are {}", offered.len(), List(nearest)),
        }
    }
}
