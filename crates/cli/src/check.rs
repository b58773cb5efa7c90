//! Whether a peer keeps the rules. An agent is tested on the raw link, with a process for each rule; a client is given agents that
//! misbehave. What is judged is what really came.

mod card;
mod client;
mod peer;
mod report;
mod rules;
mod stand;
mod survivors;
mod verdict;
mod version;

use std::{cell::Cell, time::Duration};

use tokio::time::{Instant, timeout_at};

pub(crate) use self::{
    card::{Card, Holds},
    client::ClientSetting,
    report::{Finding, Format, Report},
    stand::Setting,
    version::Version,
};
use self::{
    client::CLIENT_RULES,
    rules::RULES,
    stand::{Stand, Starts},
    verdict::{Stop, Verdict},
};

/// The rules for agents, or those for clients.
pub(crate) fn cards(of_client: bool) -> Vec<&'static Card> {
    if of_client {
        CLIENT_RULES.iter().map(|rule| &rule.card).collect()
    } else {
        RULES.iter().map(|rule| &rule.card).collect()
    }
}

/// When a run has to be over.
#[derive(Debug)]
struct Whole {
    bound: Option<Duration>,
    until: Option<Instant>,
    /// A rule did not have its time.
    cut_off: Cell<bool>,
}

impl Whole {
    fn new(bound: Option<Duration>) -> Self {
        Self {
            bound,
            until: bound.and_then(|bound| Instant::now().checked_add(bound)),
            cut_off: Cell::new(false),
        }
    }

    /// Lets a test run as long as there is time.
    async fn within(&self, test: impl Future<Output = Verdict>) -> Verdict {
        let Some(until) = self.until else {
            return test.await;
        };
        if until <= Instant::now() {
            return Err(self.over());
        }
        timeout_at(until, test)
            .await
            .unwrap_or_else(|_| Err(self.over()))
    }

    fn over(&self) -> Stop {
        self.cut_off.set(true);
        let bound = crate::duration::show(self.bound.unwrap_or_default());
        Stop::Skip(format!(
            "the time for the whole run was over after {bound}: give it more with --max-time, or test fewer rules with --only"
        ))
    }
}

/// Tests an agent by the rules that are wanted, one after the other, and tells each result as it comes.
pub(crate) async fn agent(
    setting: &Setting,
    bound: Option<Duration>,
    versions: &[Version],
    wanted: impl Fn(&Card) -> bool,
    mut tell: impl FnMut(&Finding),
) -> Report {
    let mut report = Report::new(&setting.argv, cards(false));
    let whole = Whole::new(bound);
    for version in versions {
        let starts = Starts::default();
        let holds = |card: &Card| card.holds_in(*version) && wanted(card);
        for rule in RULES.iter().filter(|rule| holds(&rule.card)) {
            let stand = Stand::new(setting, *version, &starts);
            let began = Instant::now();
            let verdict = whole.within((rule.act)(&stand)).await;
            let took = began.elapsed();
            stand.clear().await;
            let evidence = stand.evidence.borrow().iter().cloned().collect();
            let finding = Finding::new(&rule.card, *version, verdict, took, evidence);
            tell(&finding);
            report.findings.push(finding);
        }
    }
    report.cut_off = whole.cut_off.get();
    report
}

/// Tests a client in the same way.
pub(crate) async fn client(
    setting: &ClientSetting,
    bound: Option<Duration>,
    versions: &[Version],
    wanted: impl Fn(&Card) -> bool,
    mut tell: impl FnMut(&Finding),
) -> Report {
    let mut report = Report::new(&setting.argv, cards(true));
    let whole = Whole::new(bound);
    for version in versions {
        let holds = |card: &Card| card.holds_in(*version) && wanted(card);
        for rule in CLIENT_RULES.iter().filter(|rule| holds(&rule.card)) {
            let began = Instant::now();
            let mut evidence = Vec::new();
            let test = client::test(setting, *version, rule, &mut evidence);
            let verdict = whole.within(test).await;
            let finding = Finding::new(&rule.card, *version, verdict, began.elapsed(), evidence);
            tell(&finding);
            report.findings.push(finding);
        }
    }
    report.cut_off = whole.cut_off.get();
    report
}
