//! For code scanners: SARIF 2.1.0, a result for each rule that was broken.

use serde_json::{Value, json};

use super::Report;
use crate::check::verdict::{Status, Tier};

pub(super) fn render(report: &Report) -> String {
    let rules: Vec<Value> = report
        .cards
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "shortDescription": { "text": rule.what },
                "defaultConfiguration": { "level": level(rule.tier) },
                "properties": { "tier": rule.tier },
            })
        })
        .collect();
    let results: Vec<Value> = report
        .findings
        .iter()
        .filter(|finding| finding.status == Status::Fail)
        .map(|finding| {
            let index = report.cards.iter().position(|rule| rule.id == finding.rule.id);
            json!({
                "ruleId": finding.rule.id,
                "ruleIndex": index,
                "level": level(finding.rule.tier),
                "message": { "text": finding.reason.as_deref().unwrap_or(finding.rule.what) },
                "locations": [{ "logicalLocations": [{ "name": report.command, "kind": "module" }] }],
                "properties": { "protocol": finding.version.number(), "evidence": finding.evidence },
            })
        })
        .collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "acp check", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "results": results,
        }],
    });
    format!("{document}\n")
}

fn level(tier: Tier) -> &'static str {
    match tier {
        Tier::Mandatory | Tier::Capability => "error",
        Tier::Advisory => "warning",
        Tier::Informational => "note",
    }
}
