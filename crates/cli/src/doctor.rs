//! What is looked at when an agent does not start, or not well: each finding with what to do about it.

pub(crate) mod looked;
pub(crate) mod started;

use serde::Serialize;

use crate::safe;

/// How a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Weight {
    /// As it should be.
    Good,
    /// It works, and may not always.
    Warning,
    /// It cannot work.
    Bad,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// What was looked at, in a word.
    pub(crate) about: &'static str,
    pub(crate) weight: Weight,
    /// What is so.
    pub(crate) is: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<String>,
}

/// What was found about one agent.
#[derive(Debug, Serialize)]
pub(crate) struct Findings {
    pub(crate) agent: String,
    pub(crate) command: Vec<String>,
    pub(crate) findings: Vec<Finding>,
}

impl Finding {
    /// As it should be.
    pub(crate) fn good(about: &'static str, is: impl Into<String>) -> Self {
        Self {
            about,
            weight: Weight::Good,
            is: is.into(),
            next: None,
        }
    }

    /// It works, and may not always.
    pub(crate) fn warning(
        about: &'static str,
        is: impl Into<String>,
        next: impl Into<String>,
    ) -> Self {
        Self {
            about,
            weight: Weight::Warning,
            is: is.into(),
            next: Some(next.into()),
        }
    }

    /// It cannot work.
    pub(crate) fn bad(about: &'static str, is: impl Into<String>, next: Option<String>) -> Self {
        Self {
            about,
            weight: Weight::Bad,
            is: is.into(),
            next,
        }
    }
}

impl Findings {
    /// The heaviest weight among them.
    pub(crate) fn weight(&self) -> Weight {
        let weights = self.findings.iter().map(|finding| finding.weight);
        weights.max().unwrap_or(Weight::Good)
    }

    /// For people: each finding, and below it what to do.
    pub(crate) fn text(&self) -> String {
        let command = safe::line(&self.command.join(" "), 300);
        let mut out = format!("{}  {command}\n", safe::line(&self.agent, 80));
        for finding in &self.findings {
            let mark = match finding.weight {
                Weight::Good => '✓',
                Weight::Warning => '!',
                Weight::Bad => '✗',
            };
            let is = safe::line(&finding.is, 400);
            out.push_str(&format!("  {mark} {:<12} {is}\n", finding.about));
            if let Some(next) = &finding.next {
                out.push_str(&format!("      → {}\n", safe::line(next, 400)));
            }
        }
        out
    }
}
