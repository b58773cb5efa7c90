//! Whether an agent keeps the rules: each is tested with a process of its own, on the raw link, so that what is judged is what came.

mod peer;
mod report;
mod rules;
mod stand;
mod verdict;

use tokio::time::Instant;

pub(crate) use self::{
    peer::Version,
    report::{Finding, Format, Report},
    rules::{Holds, RULES, Rule},
    stand::Setting,
    verdict::Status,
};
use self::{stand::Stand, verdict::Stop};

/// Tests the rules that are wanted, one after the other, and tells each result as it comes.
pub(crate) async fn run(
    setting: &Setting,
    versions: &[Version],
    wanted: impl Fn(&Rule) -> bool,
    mut tell: impl FnMut(&Finding),
) -> Report {
    let mut report = Report::new(setting);
    for version in versions {
        for rule in RULES
            .iter()
            .filter(|rule| rule.holds_in(*version) && wanted(rule))
        {
            let finding = test(setting, *version, rule).await;
            tell(&finding);
            report.findings.push(finding);
        }
    }
    report
}

async fn test(setting: &Setting, version: Version, rule: &'static Rule) -> Finding {
    let stand = Stand::new(setting, version);
    let began = Instant::now();
    let verdict = (rule.act)(&stand).await;
    let took = began.elapsed();
    stand.clear().await;
    let (status, reason) = match verdict {
        Ok(note) => (Status::Pass, note),
        Err(Stop::Fail(why)) => (Status::Fail, Some(why)),
        Err(Stop::Skip(why)) => (Status::Skipped, Some(why)),
        Err(Stop::NotTested(why)) => (Status::NotTested, Some(why)),
    };
    let evidence = match status {
        Status::Fail => stand.evidence.borrow().iter().cloned().collect(),
        Status::Pass | Status::Skipped | Status::NotTested => Vec::new(),
    };
    Finding {
        rule,
        version,
        status,
        reason,
        took,
        evidence,
    }
}
