//! What was said about each tool call and need not be said again, within bounds.

use std::collections::{BTreeMap, VecDeque};

use acp_harness::{
    session::{ContentChange, Tool, ToolContent},
    vocab::Patch,
};

use crate::render::diff::Diff;

/// How many tool calls are remembered, how many changes and paths of one, and how much of all.
const MAX_TOOLS: usize = 4_096;
const MAX_PARTS: usize = 256;
const MAX_BYTES: usize = 4 << 20;
/// What a remembered tool call costs more than its texts.
const OVERHEAD: usize = 128;

/// The paths and changes of one tool call.
#[derive(Debug, Default, Clone)]
pub(super) struct Parts {
    pub(super) paths: Vec<String>,
    pub(super) diffs: Vec<Diff>,
}

impl Parts {
    fn weight(&self, id: &str) -> usize {
        let lines = |diff: &Diff| diff.lines.iter().map(String::len).sum::<usize>();
        let paths: usize = self.paths.iter().map(String::len).sum();
        let diffs: usize = self
            .diffs
            .iter()
            .map(|diff| diff.path.len() + lines(diff))
            .sum();
        OVERHEAD + id.len() + paths + diffs
    }

    fn change(&mut self, call: &Tool) {
        match &call.change.locations {
            Patch::Value(places) => {
                self.paths = places
                    .iter()
                    .take(MAX_PARTS)
                    .map(|place| place.path.to_string())
                    .collect();
            }
            Patch::Null => self.paths.clear(),
            Patch::Absent => {}
        }
        match &call.change.content {
            ContentChange::Replace(content) => {
                self.diffs = content.iter().flat_map(changes).take(MAX_PARTS).collect();
            }
            ContentChange::Append(content) if self.diffs.len() < MAX_PARTS => {
                self.diffs.extend(changes(content));
            }
            _ => {}
        }
    }
}

/// The tool calls of a run, the latest of them in full.
#[derive(Debug, Default)]
pub(super) struct Remembered {
    calls: BTreeMap<String, Parts>,
    /// In order of appearance, for forgetting the oldest.
    order: VecDeque<String>,
    bytes: usize,
    count: usize,
}

impl Remembered {
    /// How many there were, also those that are forgotten.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Notes that a tool call exists.
    pub(super) fn note(&mut self, id: &str) {
        self.with(id, |_| ());
    }

    /// The changes that are known of a tool call.
    pub(super) fn changes(&self, id: &str) -> &[Diff] {
        self.calls.get(id).map_or(&[], |parts| &parts.diffs)
    }

    /// Applies what an event says of a tool call, and gives what is known of it now.
    pub(super) fn apply(&mut self, call: &Tool) -> Parts {
        self.with(call.id.as_str(), |parts| {
            parts.change(call);
            parts.clone()
        })
    }

    fn with<T>(&mut self, id: &str, act: impl FnOnce(&mut Parts) -> T) -> T {
        let mut parts = if let Some(parts) = self.calls.remove(id) {
            self.bytes -= parts.weight(id);
            parts
        } else {
            self.count += 1;
            self.order.push_back(id.to_owned());
            Parts::default()
        };
        let value = act(&mut parts);
        self.bytes += parts.weight(id);
        self.calls.insert(id.to_owned(), parts);
        while self.order.len() > MAX_TOOLS || self.bytes > MAX_BYTES {
            let Some(oldest) = self.order.pop_front() else {
                break;
            };
            if let Some(parts) = self.calls.remove(&oldest) {
                self.bytes -= parts.weight(&oldest);
            }
        }
        value
    }
}

/// The changes of files in one piece of a tool's output.
fn changes(content: &ToolContent) -> Vec<Diff> {
    match content {
        ToolContent::Diff(change) => {
            vec![Diff::between(
                &change.path,
                change.old_text.as_deref(),
                &change.new_text,
            )]
        }
        ToolContent::Changes(changed) => changed
            .patch
            .iter()
            .map(|patch| Diff::of_patch(&patch.text))
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_bounded_by_count_and_by_bytes() {
        let mut remembered = Remembered::default();
        for n in 0..MAX_TOOLS + 10 {
            remembered.note(&format!("t{n}"));
            remembered.note("t0");
        }
        assert_eq!(remembered.calls.len(), MAX_TOOLS);
        // Long ids, and then what is said under them.
        for n in 0..20 {
            let id = format!("{n}{}", "x".repeat(1 << 20));
            remembered.with(&id, |parts| parts.paths.push("y".repeat(1 << 20)));
            assert!(remembered.bytes <= MAX_BYTES);
        }
        let weighed: usize = remembered
            .calls
            .iter()
            .map(|(id, parts)| parts.weight(id))
            .sum();
        assert_eq!(remembered.bytes, weighed);
        assert_eq!(remembered.calls.len(), remembered.order.len());
    }
}
