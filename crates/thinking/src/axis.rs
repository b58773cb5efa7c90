//! The three things that hosts want to choose on any agent.

use std::{fmt, str::FromStr};

/// What is chosen. Agents name and place these differently; [`Options`](crate::Options) finds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Axis {
    /// Which model answers.
    Model,
    /// How hard it thinks.
    Effort,
    /// In which mode the session runs.
    Mode,
}

impl Axis {
    /// In the order in which they are to be chosen: another model may offer other efforts.
    pub const ALL: [Self; 3] = [Self::Model, Self::Effort, Self::Mode];

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Effort => "effort",
            Self::Mode => "mode",
        }
    }

    /// The category by which an option says that it is this (ACP v1 section 7.5).
    pub(crate) fn category(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Effort => "thought_level",
            Self::Mode => "mode",
        }
    }

    /// Ids that agents give this when they state no category, strongest first.
    pub(crate) fn ids(self) -> &'static [&'static str] {
        match self {
            Self::Model => &["model"],
            Self::Effort => &["effort", "reasoning_effort", "thought_level", "thinking"],
            Self::Mode => &["mode"],
        }
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Axis {
    type Err = UnknownAxis;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|axis| axis.as_str() == word)
            .ok_or(UnknownAxis)
    }
}

/// The word names none of model, effort and mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is none of model, effort and mode")]
#[non_exhaustive]
pub struct UnknownAxis;
