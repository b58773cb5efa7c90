//! For people: a line a rule, and what to know about those that were not kept.

use std::fmt::Write as _;

use super::{Finding, Report};
use crate::check::{
    verdict::{Status, Tier},
    version::Version,
};

/// How many lines of a conversation are shown.
const SHOWN: usize = 6;

pub(super) fn lines(finding: &Finding, color: bool, times: bool) -> String {
    let paint = match (color, finding.status) {
        (false, _) => ("", ""),
        (true, Status::Pass) => ("\u{1b}[32m", "\u{1b}[0m"),
        (true, Status::Fail) => ("\u{1b}[31m", "\u{1b}[0m"),
        (true, Status::Skipped | Status::NotTested) => ("\u{1b}[2m", "\u{1b}[0m"),
    };
    let rule = finding.rule;
    let mut out = String::new();
    let took = if times {
        format!("  {}", crate::duration::show(finding.took))
    } else {
        String::new()
    };
    // Writing to a string does not fail.
    let _: std::fmt::Result = writeln!(
        out,
        "{}{:<10}{} v{} {:<24} {:<13} {}{took}",
        paint.0,
        finding.status.name(),
        paint.1,
        finding.version.number(),
        rule.id,
        rule.tier.name(),
        rule.what,
    );
    if let Some(reason) = &finding.reason {
        let _: std::fmt::Result = writeln!(out, "           {}", crate::safe::line(reason, 300));
    }
    let skip = finding.evidence.len().saturating_sub(SHOWN);
    for line in finding.evidence.iter().skip(skip) {
        let _: std::fmt::Result = writeln!(out, "             {}", crate::safe::line(line, 160));
    }
    out
}

pub(super) fn summary(report: &Report) -> String {
    let mut out = String::new();
    for version in [Version::One, Version::Two] {
        let of = |status| report.count(status, Some(version));
        let all = report
            .findings
            .iter()
            .filter(|finding| finding.version == version)
            .count();
        if all == 0 {
            continue;
        }
        let _: std::fmt::Result = writeln!(
            out,
            "v{}: {all} rules, {} passed, {} failed, {} skipped, {} not tested",
            version.number(),
            of(Status::Pass),
            of(Status::Fail),
            of(Status::Skipped),
            of(Status::NotTested),
        );
    }
    let advice = report
        .findings
        .iter()
        .filter(|finding| finding.status == Status::Fail && finding.rule.tier == Tier::Advisory)
        .count();
    let verdict = match (report.conforms(), report.cut_off) {
        (true, _) => "conformant",
        (false, true) => "not conformant: the run was cut off",
        (false, false) => "not conformant",
    };
    let _: std::fmt::Result = match advice {
        0 => writeln!(out, "{verdict}"),
        count => writeln!(out, "{verdict}; advice not followed: {count}"),
    };
    if let Some(first) = first_to_mend(report) {
        out.push_str(&first);
    }
    out
}

/// Which broken rule to begin with: the one for which most others could not be tested, or the first.
fn first_to_mend(report: &Report) -> Option<String> {
    let waiting = |id: &str| {
        let mark = format!("(see {id})");
        let of = |finding: &&Finding| {
            let reason = finding.reason.as_deref().unwrap_or_default();
            finding.status == Status::Skipped && reason.ends_with(&mark)
        };
        report.findings.iter().filter(of).count()
    };
    let mut broken: Vec<&str> = report.broken().map(|finding| finding.rule.id).collect();
    broken.dedup();
    let mut best = *broken.first()?;
    for id in broken {
        if waiting(id) > waiting(best) {
            best = id;
        }
    }
    Some(match waiting(best) {
        0 => format!("begin with {best}: acp check --only {best} -- ...\n"),
        count => format!(
            "begin with {best}, without which {count} rules could not be tested: acp check --only {best} -- ...\n"
        ),
    })
}
