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

use tokio::time::Instant;

pub(crate) use self::{
    card::{Card, Holds},
    client::ClientSetting,
    report::{Finding, Format, Report},
    stand::Setting,
    version::Version,
};
use self::{client::CLIENT_RULES, rules::RULES, stand::Stand};

/// The rules for agents, or those for clients.
pub(crate) fn cards(of_client: bool) -> Vec<&'static Card> {
    if of_client {
        CLIENT_RULES.iter().map(|rule| &rule.card).collect()
    } else {
        RULES.iter().map(|rule| &rule.card).collect()
    }
}

/// Tests an agent by the rules that are wanted, one after the other, and tells each result as it comes.
pub(crate) async fn agent(
    setting: &Setting,
    versions: &[Version],
    wanted: impl Fn(&Card) -> bool,
    mut tell: impl FnMut(&Finding),
) -> Report {
    let mut report = Report::new(&setting.argv, cards(false));
    for version in versions {
        let holds = |card: &Card| card.holds_in(*version) && wanted(card);
        for rule in RULES.iter().filter(|rule| holds(&rule.card)) {
            let stand = Stand::new(setting, *version);
            let began = Instant::now();
            let verdict = (rule.act)(&stand).await;
            let took = began.elapsed();
            stand.clear().await;
            let evidence = stand.evidence.borrow().iter().cloned().collect();
            let finding = Finding::new(&rule.card, *version, verdict, took, evidence);
            tell(&finding);
            report.findings.push(finding);
        }
    }
    report
}

/// Tests a client in the same way.
pub(crate) async fn client(
    setting: &ClientSetting,
    versions: &[Version],
    wanted: impl Fn(&Card) -> bool,
    mut tell: impl FnMut(&Finding),
) -> Report {
    let mut report = Report::new(&setting.argv, cards(true));
    for version in versions {
        let holds = |card: &Card| card.holds_in(*version) && wanted(card);
        for rule in CLIENT_RULES.iter().filter(|rule| holds(&rule.card)) {
            let began = Instant::now();
            let (verdict, evidence) = client::test(setting, *version, rule).await;
            let finding = Finding::new(&rule.card, *version, verdict, began.elapsed(), evidence);
            tell(&finding);
            report.findings.push(finding);
        }
    }
    report
}
