//! For scripts: one document, versioned.

use serde::Serialize;

use super::{Finding, Report};
use crate::check::verdict::{Status, Tier};

#[derive(Serialize)]
struct Document<'a> {
    v: u32,
    command: &'a str,
    conformant: bool,
    /// Whether every rule had its time.
    complete: bool,
    summary: Summary,
    results: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Summary {
    pass: usize,
    fail: usize,
    skipped: usize,
    not_tested: usize,
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    protocol: u16,
    tier: Tier,
    status: Status,
    what: &'a str,
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<u64>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    evidence: &'a [String],
}

pub(super) fn render(report: &Report) -> String {
    let row = |finding: &'_ Finding| Row {
        id: finding.rule.id,
        protocol: finding.version.number(),
        tier: finding.rule.tier,
        status: finding.status,
        what: finding.rule.what,
        reason: None,
        ms: report
            .times
            .then(|| u64::try_from(finding.took.as_millis()).unwrap_or(u64::MAX)),
        evidence: &[],
    };
    let document = Document {
        v: 1,
        command: &report.command,
        conformant: report.conforms(),
        complete: !report.cut_off,
        summary: Summary {
            pass: report.count(Status::Pass, None),
            fail: report.count(Status::Fail, None),
            skipped: report.count(Status::Skipped, None),
            not_tested: report.count(Status::NotTested, None),
        },
        results: report
            .findings
            .iter()
            .map(|finding| Row {
                reason: finding.reason.as_deref(),
                evidence: &finding.evidence,
                ..row(finding)
            })
            .collect(),
    };
    serde_json::to_string(&document).map_or_else(|_| String::new(), |text| text + "\n")
}
