//! Broken inputs: what we make of them is what the official types make of them, but for the
//! differences that `baseline.json` lists, each with its reason.

use std::collections::{BTreeMap, BTreeSet};

use acp_vocab::TypeInfo;
use interop_schema::{Baseline, DEFINITIONS, Ours, UNEXPLAINED, VERSIONS, outcomes, probes};

/// Set, the baseline is written anew: known differences keep their reason, new ones have none.
const ACCEPT: &str = "ORACLE_ACCEPT";

/// Members that are probed through the object that they are a part of.
const WITHIN: &[(&str, &str)] = &[
    (
        "v2 SessionConfigBooleanValue.value",
        "v2 SetSessionConfigOptionRequest.value",
    ),
    (
        "v2 SessionConfigIdValue.value",
        "v2 SetSessionConfigOptionRequest.value",
    ),
];

/// Each row of our tables has at least one input.
#[test]
fn every_member_is_probed() {
    let mut probed = BTreeSet::new();
    for definition in DEFINITIONS {
        let (version, name) = (definition.version, definition.name);
        if TypeInfo::find(name, version).is_some() {
            let inputs = probes(&Ours::new(version), definition).into_iter();
            probed.extend(
                inputs.filter_map(|probe| Some(format!("v{version} {name}.{}", probe.member?))),
            );
        }
    }
    let mut count = 0;
    for version in VERSIONS {
        let ours = Ours::new(version);
        for info in ours.types() {
            for member in ours.members(info.name) {
                let place = format!("v{version} {}.{}", info.name, member.name);
                let within = WITHIN.iter().find(|(part, _)| *part == place);
                let found = within.map_or(place.as_str(), |(_, whole)| whole);
                assert!(probed.contains(found), "{place} is never probed");
                count += 1;
            }
        }
    }
    println!("{count} members, all probed");
}

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
            let place = match &probe.member {
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
    println!(
        "{inputs} inputs in {} places, {} differences",
        members.len(),
        found.len()
    );
    let mut committed = Baseline::committed();
    let renewed = committed.renewed(&found);
    if std::env::var_os(ACCEPT).is_some() {
        renewed.commit();
        committed = renewed.clone();
    }
    for (key, difference) in &renewed.0 {
        let rows: usize = difference.rows.values().map(BTreeMap::len).sum();
        println!("{rows:5} {key}: {}", difference.why);
    }
    let listed: BTreeSet<_> = committed.rows().map(|(row, _)| row).collect();
    let there: BTreeSet<_> = renewed.rows().map(|(row, _)| row).collect();
    let new: Vec<_> = there.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&there).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "new: {new:#?}\ngone: {gone:#?}"
    );
    for (key, difference) in &renewed.0 {
        assert!(
            key != UNEXPLAINED && !difference.why.is_empty(),
            "{key} has no reason"
        );
    }
}
