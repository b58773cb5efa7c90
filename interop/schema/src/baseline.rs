//! Where our reading of broken inputs differs from the official one, and why.

use std::{collections::BTreeMap, fs, path::PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{json::same, official::Reading, probe::Probe};

/// All known differences, by the key of their reason.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub struct Baseline(pub BTreeMap<String, Difference>);

/// Differences that have one reason.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The reason.
    pub why: String,
    /// By place (`v1 Type.member`) and probe: what the official type makes of it, and what we do.
    pub rows: BTreeMap<String, BTreeMap<String, String>>,
}

/// The key under which differences stand that nobody has explained.
pub const UNEXPLAINED: &str = "unexplained";

impl Baseline {
    fn path() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("baseline.json")
    }

    /// The committed baseline.
    ///
    /// # Panics
    ///
    /// The file is not there or is no baseline.
    #[must_use]
    pub fn committed() -> Self {
        let text = fs::read_to_string(Self::path()).expect("baseline.json is readable");
        serde_json::from_str(&text).expect("baseline.json is a baseline")
    }

    /// Writes the baseline where the committed one is.
    ///
    /// # Panics
    ///
    /// The file cannot be written.
    pub fn commit(&self) {
        let mut text = serde_json::to_string_pretty(self).expect("a baseline is JSON");
        text.push('\n');
        fs::write(Self::path(), text).expect("baseline.json is writable");
    }

    /// Every row as place, probe and outcomes, with the key of its reason.
    pub fn rows(&self) -> impl Iterator<Item = ((&str, &str, &str), &str)> {
        self.0.iter().flat_map(|(key, difference)| {
            difference.rows.iter().flat_map(move |(place, probes)| {
                probes.iter().map(move |(probe, outcomes)| {
                    (
                        (place.as_str(), probe.as_str(), outcomes.as_str()),
                        key.as_str(),
                    )
                })
            })
        })
    }

    /// The given differences under the reasons that they have here. What is new is unexplained;
    /// what has gone is dropped.
    #[must_use]
    pub fn renewed(&self, found: &[(String, String, String)]) -> Self {
        let known: BTreeMap<(&str, &str), &str> = self
            .rows()
            .map(|((place, probe, _), key)| ((place, probe), key))
            .collect();
        let mut renewed = Self::default();
        for (place, probe, outcomes) in found {
            let key = known
                .get(&(place.as_str(), probe.as_str()))
                .copied()
                .unwrap_or(UNEXPLAINED);
            let difference = renewed.0.entry(key.to_owned()).or_default();
            if let Some(old) = self.0.get(key) {
                difference.why.clone_from(&old.why);
            }
            let rows = difference.rows.entry(place.clone()).or_default();
            rows.insert(probe.clone(), outcomes.clone());
        }
        renewed
    }
}

/// What two readings of one probe were, when they differ: `theirs | ours`, each one of `reject`,
/// `absent`, `kept`, or the value that was read instead.
#[must_use]
pub fn outcomes(probe: &Probe, theirs: &Reading, ours: &Reading) -> Option<String> {
    match (theirs, ours) {
        (Err(_), Err(_)) => return None,
        (Ok(theirs), Ok(ours)) if same(theirs, ours) => return None,
        _ => {}
    }
    Some(format!(
        "{} | {}",
        outcome(probe, theirs),
        outcome(probe, ours)
    ))
}

fn outcome(probe: &Probe, reading: &Reading) -> String {
    let Ok(value) = reading else {
        return "reject".to_owned();
    };
    let part = match &probe.member {
        Some(member) => value.get(member),
        None => Some(value),
    };
    let Some(part) = part else {
        return "absent".to_owned();
    };
    match serde_json::from_str::<Value>(&probe.value) {
        Ok(sent) if same(part, &sent) => "kept".to_owned(),
        _ => part.to_string(),
    }
}
