//! On which line of its file each rule stands.

use std::collections::BTreeMap;

use acp_harness::permission::{RulesFile, Spelled, SpellingError};
use serde::Deserialize;
use serde_json::value::RawValue;
use toml::de::{DeTable, DeValue};

/// The lines of a file that can be read.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Of each entry.
    entries: Vec<usize>,
    /// Of each rule; an entry may hold several.
    pub(super) of_rules: Vec<usize>,
}

/// Where an entry begins, and where each text in it does.
struct Spot {
    entry: usize,
    texts: Vec<usize>,
}

impl Lines {
    pub(super) fn read(text: &str, is_json: bool, file: &RulesFile) -> Self {
        let spots = if is_json { json(text) } else { toml(text) };
        let mut lines = Self::default();
        for (entry, spot) in file.rules.iter().zip(spots.unwrap_or_default()) {
            lines.entries.push(of(text, spot.entry));
            let mut texts = spot.texts.into_iter();
            let mut next = || of(text, texts.next().unwrap_or(spot.entry));
            for spelled in [&entry.allow, &entry.deny, &entry.ask]
                .into_iter()
                .flatten()
            {
                match spelled {
                    Spelled::Many(scopes) => lines.of_rules.extend(scopes.iter().map(|_| next())),
                    several => {
                        let line = next();
                        lines
                            .of_rules
                            .extend(std::iter::repeat_n(line, several.rules()));
                    }
                }
            }
        }
        lines
    }

    /// The line of the entry that cannot be read.
    pub(super) fn of_fault(&self, error: &SpellingError) -> Option<usize> {
        let number = match error {
            SpellingError::OneEffectEach { number, .. } | SpellingError::InRule { number, .. } => {
                *number
            }
            _ => return None,
        };
        self.entries.get(number.checked_sub(1)?).copied()
    }
}

/// The line of a byte, counted from 1.
pub(super) fn of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

fn toml(text: &str) -> Option<Vec<Spot>> {
    let table = DeTable::parse(text).ok()?;
    let DeValue::Array(entries) = table.get_ref().get("rules")?.get_ref() else {
        return None;
    };
    let spot = |entry: &toml::Spanned<DeValue<'_>>| {
        let DeValue::Table(members) = entry.get_ref() else {
            return None;
        };
        let texts = ["allow", "deny", "ask"].into_iter().flat_map(|word| {
            match members.get(word).map(|value| (value, value.get_ref())) {
                Some((_, DeValue::Array(texts))) => {
                    texts.iter().map(|text| text.span().start).collect()
                }
                Some((value, _)) => vec![value.span().start],
                None => Vec::new(),
            }
        });
        Some(Spot {
            entry: entry.span().start,
            texts: texts.collect(),
        })
    };
    entries.iter().map(spot).collect()
}

fn json(text: &str) -> Option<Vec<Spot>> {
    #[derive(Deserialize)]
    struct File<'a> {
        #[serde(borrow, default)]
        rules: Vec<&'a RawValue>,
    }
    let file: File<'_> = serde_json::from_str(text).ok()?;
    let at = |value: &RawValue| {
        let start = value.get().as_ptr() as usize;
        start.checked_sub(text.as_ptr() as usize)
    };
    let spot = |entry: &&RawValue| {
        let members: BTreeMap<String, &RawValue> = serde_json::from_str(entry.get()).ok()?;
        let mut texts = Vec::new();
        for word in ["allow", "deny", "ask"] {
            let Some(value) = members.get(word) else {
                continue;
            };
            match serde_json::from_str::<Vec<&RawValue>>(value.get()) {
                Ok(several) => texts.extend(several.into_iter().filter_map(at)),
                Err(_) => texts.extend(at(value)),
            }
        }
        Some(Spot {
            entry: at(entry)?,
            texts,
        })
    };
    file.rules.iter().map(spot).collect()
}
