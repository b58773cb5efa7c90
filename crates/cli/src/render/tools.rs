//! Tool calls as lines: one when a call is over, with how long it took and what was decided about it.

use std::{collections::BTreeMap, time::Duration};

use crate::{
    duration,
    moment::Tool,
    output::Verbosity,
    render::{
        diff,
        screen::{Ink, Screen},
    },
    safe,
};

/// How many running calls, and decisions about calls, are remembered.
const MAX_REMEMBERED: usize = 1_024;

/// The calls that are not over.
#[derive(Debug, Default)]
pub(crate) struct Tools {
    /// When each was first seen, and how it stands.
    running: BTreeMap<String, (Duration, Tool)>,
    /// What was decided about a call, to be said with it.
    decided: BTreeMap<String, &'static str>,
}

impl Tools {
    /// Remembers what was decided.
    pub(crate) fn decide(&mut self, id: &str, verdict: &'static str) {
        if self.decided.len() >= MAX_REMEMBERED {
            self.decided.pop_first();
        }
        self.decided.insert(id.to_owned(), verdict);
    }

    /// Shows a call that is over, and remembers one that is not.
    pub(crate) fn show(&mut self, screen: &mut Screen, at: Duration, tool: &Tool) {
        let since = self.running.remove(&tool.id).map(|(since, _)| since);
        if tool.is_final {
            self.draw(
                screen,
                since.map_or(Duration::ZERO, |since| at.saturating_sub(since)),
                tool,
            );
            return;
        }
        if since.is_none() {
            let (kind, title) = (safe::line(&tool.kind, 20), safe::line(&tool.title, 100));
            screen.line(Verbosity::Phases, Ink::Dim, &format!("  ⏵ {kind}  {title}"));
        }
        if self.running.len() >= MAX_REMEMBERED {
            self.running.pop_first();
        }
        self.running
            .insert(tool.id.clone(), (since.unwrap_or(at), tool.clone()));
    }

    /// Shows what the agent left open.
    pub(crate) fn finish(&mut self, screen: &mut Screen, at: Duration) {
        for (since, tool) in std::mem::take(&mut self.running).into_values() {
            self.draw(screen, at.saturating_sub(since), &tool);
        }
    }

    fn draw(&mut self, screen: &mut Screen, took: Duration, tool: &Tool) {
        let (kind, title) = (safe::line(&tool.kind, 20), safe::line(&tool.title, 100));
        let mut parts = vec![format!("  ⏺ {kind:<7}  {title}")];
        if !tool.diffs.is_empty() {
            let added: usize = tool.diffs.iter().map(|diff| diff.added).sum();
            let removed: usize = tool.diffs.iter().map(|diff| diff.removed).sum();
            parts.push(format!("+{added} −{removed}"));
        }
        if screen.has_times() {
            parts.push(duration::show(took));
        }
        if tool.status != "completed" {
            parts.push(safe::line(&tool.status, 30));
        }
        parts.extend(self.decided.remove(&tool.id).map(ToOwned::to_owned));
        let ink = if tool.status == "failed" {
            Ink::Bad
        } else {
            Ink::Plain
        };
        screen.line(Verbosity::Normal, ink, &parts.join("  "));
        for line in tool
            .diffs
            .iter()
            .flat_map(|diff| &diff.lines)
            .take(diff::SHOWN)
        {
            let ink = if line.starts_with('+') {
                Ink::Good
            } else {
                Ink::Bad
            };
            screen.line(
                Verbosity::Normal,
                ink,
                &format!("    {}", safe::line(line, 160)),
            );
        }
    }
}
