//! What a rule comes to.

use serde::Serialize;

/// How much weighs on a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Tier {
    /// Every agent has to keep it.
    Mandatory,
    /// An agent that declares the capability has to keep it.
    Capability,
    /// Good agents keep it; breaking it costs no conformance.
    Advisory,
    /// An observation: how it does something that the protocol leaves open.
    Informational,
}

impl Tier {
    /// Its name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mandatory => "MANDATORY",
            Self::Capability => "CAPABILITY",
            Self::Advisory => "ADVISORY",
            Self::Informational => "INFORMATIONAL",
        }
    }

    /// Whether breaking it makes an agent not conformant.
    pub(crate) fn binds(self) -> bool {
        matches!(self, Self::Mandatory | Self::Capability)
    }
}

/// How the test of a rule ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Status {
    Pass,
    Fail,
    /// It could not be tested here: no key, no flag, no such system.
    Skipped,
    /// The agent does not have what it is about.
    NotTested,
}

impl Status {
    /// Its name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
            Self::Skipped => "SKIPPED",
            Self::NotTested => "NOT_TESTED",
        }
    }
}

/// Why a test ends before its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The agent breaks the rule.
    Fail(String),
    /// It cannot be tested here.
    Skip(String),
    /// The agent does not have it.
    NotTested(String),
}

impl Stop {
    pub(crate) fn fail(why: impl Into<String>) -> Self {
        Self::Fail(why.into())
    }

    /// The same, seen from a rule that is not about what failed.
    pub(crate) fn elsewhere(self, rule: &str) -> Self {
        match self {
            Self::Fail(why) => Self::Skip(format!("{why} (see {rule})")),
            other => other,
        }
    }
}

/// What a test comes to: a note about what was seen, or why it ended.
pub(crate) type Verdict = Result<Option<String>, Stop>;

/// Fails unless it holds.
pub(crate) fn ensure(holds: bool, why: impl Into<String>) -> Result<(), Stop> {
    if holds {
        Ok(())
    } else {
        Err(Stop::Fail(why.into()))
    }
}
