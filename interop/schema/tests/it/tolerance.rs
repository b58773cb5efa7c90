//! Broken inputs: what we make of them is what the official types make of them, but for the
//! differences that `baseline.json` lists, each with its reason.

use std::collections::BTreeSet;

use acp_vocab::TypeInfo;
use interop_schema::{Baseline, DEFINITIONS, Ours, UNEXPLAINED, outcomes, probes};

/// Set, the baseline is written anew: known differences keep their reason, new ones have none.
const ACCEPT: &str = "ORACLE_ACCEPT";

#[test]
fn of_broken_inputs() {
    let mut found = Vec::new();
    let (mut inputs, mut members) = (0, BTreeSet::new());
    for definition in DEFINITIONS {
        let (version, name) = (definition.version, definition.name);
        if TypeInfo::find(name, version).is_none() {
            continue;
        }
        let ours = Ours::new(version);
        for probe in probes(&ours, definition) {
            inputs += 1;
            let place = match probe.member {
                Some(member) => format!("v{version} {name}.{member}"),
                None => format!("v{version} {name}"),
            };
            let theirs = definition.recode_text(&probe.text);
            let mine = ours.recode_text(name, &probe.text);
            if let Some(outcomes) = outcomes(&probe, &theirs, &mine) {
                found.push((place.clone(), probe.value, outcomes));
            }
            members.insert(place);
        }
    }
    println!("{inputs} inputs in {} places, {} differences", members.len(), found.len());
    let committed = Baseline::committed();
    let renewed = committed.renewed(&found);
    if std::env::var_os(ACCEPT).is_some() {
        renewed.commit();
    }
    for (key, difference) in &renewed.0 {
        let rows: usize = difference.rows.values().map(|probes| probes.len()).sum();
        println!("{rows:5} {key}: {}", difference.why);
    }
    let listed: BTreeSet<_> = committed.rows().map(|(row, _)| row).collect();
    let there: BTreeSet<_> = renewed.rows().map(|(row, _)| row).collect();
    let new: Vec<_> = there.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&there).collect();
    assert!(new.is_empty() && gone.is_empty(), "new: {new:#?}\ngone: {gone:#?}");
    for (key, difference) in &renewed.0 {
        assert!(key != UNEXPLAINED && !difference.why.is_empty(), "{key} has no reason");
    }
}
