//! What was found, for people, for scripts, for test runners and for code scanners.

mod json;
mod junit;
mod sarif;
mod text;

use std::{ffi::OsString, time::Duration};

use super::{
    card::Card,
    verdict::{Status, Stop, Verdict},
    version::Version,
};

/// One rule in one version.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) rule: &'static Card,
    pub(crate) version: Version,
    pub(crate) status: Status,
    /// Why it failed or was not tested; what was seen when it passed.
    pub(crate) reason: Option<String>,
    pub(crate) took: Duration,
    /// The latest lines of a conversation that broke it.
    pub(crate) evidence: Vec<String>,
}

/// All of them.
#[derive(Debug)]
pub(crate) struct Report {
    /// The command of what was tested, as a person would read it.
    pub(crate) command: String,
    /// Every rule that there is for such a peer.
    pub(crate) cards: Vec<&'static Card>,
    pub(crate) findings: Vec<Finding>,
    /// Whether times are told.
    pub(crate) times: bool,
    /// The time for the whole run was over before its end.
    pub(crate) cut_off: bool,
}

/// The shape of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Junit,
    Sarif,
}

impl Report {
    pub(crate) fn new(argv: &[OsString], cards: Vec<&'static Card>) -> Self {
        let words: Vec<String> = argv
            .iter()
            .map(|word| crate::safe::line(&word.to_string_lossy(), 200))
            .collect();
        Self {
            command: words.join(" "),
            cards,
            findings: Vec::new(),
            times: true,
            cut_off: false,
        }
    }

    /// How many findings there are with this status; of rules that bind alone, or of all.
    pub(crate) fn count(&self, status: Status, version: Option<Version>) -> usize {
        self.findings
            .iter()
            .filter(|finding| {
                finding.status == status && version.is_none_or(|version| finding.version == version)
            })
            .count()
    }

    /// Whether no rule that binds was broken, some rule was kept, and all of them had their time.
    pub(crate) fn conforms(&self) -> bool {
        self.broken().next().is_none() && self.count(Status::Pass, None) > 0 && !self.cut_off
    }

    /// The rules that bind and were broken.
    pub(crate) fn broken(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.is_broken())
    }

    /// The report in this shape.
    pub(crate) fn render(&self, format: Format) -> String {
        match format {
            Format::Json => json::render(self),
            Format::Junit => junit::render(self),
            Format::Sarif => sarif::render(self),
        }
    }

    /// The lines that close a report for people.
    pub(crate) fn summary(&self) -> String {
        text::summary(self)
    }
}

impl Finding {
    /// Whether it costs conformance.
    pub(crate) fn is_broken(&self) -> bool {
        self.status == Status::Fail && self.rule.tier.binds()
    }

    /// What a verdict comes to; the evidence is kept when a rule was broken.
    pub(crate) fn new(
        rule: &'static Card,
        version: Version,
        verdict: Verdict,
        took: Duration,
        evidence: Vec<String>,
    ) -> Self {
        let (status, reason) = match verdict {
            Ok(note) => (Status::Pass, note),
            Err(Stop::Fail(why)) => (Status::Fail, Some(why)),
            Err(Stop::Skip(why)) => (Status::Skipped, Some(why)),
            Err(Stop::NotTested(why)) => (Status::NotTested, Some(why)),
        };
        Self {
            rule,
            version,
            status,
            reason,
            took,
            evidence: if status == Status::Fail {
                evidence
            } else {
                Vec::new()
            },
        }
    }

    /// The lines of a report for people.
    pub(crate) fn lines(&self, color: bool, times: bool) -> String {
        text::lines(self, color, times)
    }
}
