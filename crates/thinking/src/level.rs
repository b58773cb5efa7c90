//! The portable words for how hard to think. They match an agent's words and are never sent.

use std::fmt;

/// How hard an agent should think, in words that mean the same on any agent.
///
/// Levels are for matching only: what is sent is always one of the agent's own values.
/// Values beyond these (`max`, `ultra`, `minimal`, ...) are reached by their own spelling.
///
/// # Examples
/// ```
/// use acp_thinking::Level;
///
/// assert_eq!(Level::of("Extra-High"), Some(Level::XHigh));
/// assert_eq!(Level::of("max"), None); // an agent's own value, not a level
/// assert!(Level::Low < Level::High);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// No thinking.
    Off,
    /// A little.
    Low,
    /// The usual.
    Medium,
    /// Much.
    High,
    /// More than `high`.
    XHigh,
}

impl Level {
    /// All levels, from none to most.
    pub const ALL: [Self; 5] = [Self::Off, Self::Low, Self::Medium, Self::High, Self::XHigh];

    /// The level that a word means, after [`normalised`] comparison. `None` for a word that is not one of the levels; there is no nearest one.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        match normalised(word).as_str() {
            "off" | "none" | "disabled" | "nothinking" => Some(Self::Off),
            "low" => Some(Self::Low),
            "medium" | "med" => Some(Self::Medium),
            "high" => Some(Self::High),
            "xhigh" | "extrahigh" | "veryhigh" => Some(Self::XHigh),
            _ => None,
        }
    }

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::XHigh => "xhigh",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word for comparing: lower case, without spaces, `-`, `_` and `.`. So `Accept edits`, `accept-edits` and `acceptEdits` are one word.
#[must_use]
pub fn normalised(word: &str) -> String {
    word.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_' | '.'))
        .flat_map(char::to_lowercase)
        .collect()
}
