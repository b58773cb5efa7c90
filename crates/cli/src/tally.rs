//! What was decided about permissions, counted, and what to say of it at the end.

use acp_harness::permission;

use crate::{
    moment::{Decided, Failure, Permissions},
    talk::NOBODY,
};

/// How many decisions are listed in the last record; all are counted.
const MAX_LISTED: usize = 256;

/// The decisions of one run. Each record is counted once, under one heading.
#[derive(Debug, Default)]
pub(crate) struct Tally(Permissions);

impl Tally {
    /// Counts one.
    pub(crate) fn add(&mut self, record: &permission::Record) {
        let count = match (record.approved, record.outcome) {
            (true, _) => &mut self.0.allowed,
            (false, "selected") => &mut self.0.denied,
            (false, permission::WITHDRAWN) => &mut self.0.withdrawn,
            (false, _) => &mut self.0.cancelled,
        };
        *count += 1;
        if self.0.decisions.len() < MAX_LISTED {
            self.0.decisions.push(Decided {
                kind: record.kind.to_string(),
                title: record.title.to_string(),
                decision: record.decision.as_str().to_owned(),
                outcome: record.outcome,
                by: record.by.to_string(),
                why: record.why.to_string(),
                option_kind: record
                    .option_kind
                    .as_ref()
                    .map(|kind| kind.as_str().to_owned()),
            });
        }
    }

    /// The counts, for the last record.
    pub(crate) fn take(&mut self) -> Permissions {
        std::mem::take(&mut self.0)
    }

    /// Whether something that the agent asked for was not permitted. What it took back, or did not wait for, is no refusal.
    pub(crate) fn was_denied(&self) -> bool {
        self.0.denied + self.0.cancelled > 0
    }

    /// What to say about it.
    pub(crate) fn denial(&self) -> Box<Failure> {
        let count = self.0.denied + self.0.cancelled;
        let refused: Vec<&Decided> = self
            .0
            .decisions
            .iter()
            .filter(|decided| {
                decided.outcome != permission::WITHDRAWN
                    && !decided
                        .option_kind
                        .as_deref()
                        .is_some_and(|kind| kind.starts_with("allow"))
            })
            .collect();
        let mut kinds: Vec<&str> = refused.iter().map(|decided| &*decided.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let kinds = kinds.join(",");
        let (why, hint) = if refused.iter().any(|decided| decided.by == NOBODY) {
            let hint = format!(
                "decide beforehand with --allow {kinds} or --deny {kinds}, or run it on a terminal to be asked"
            );
            ("; nobody was there to decide", hint)
        } else if refused.iter().any(|decided| decided.decision == "cancel") {
            (
                "",
                format!(
                    "--allow {kinds} or --deny {kinds} decides it; --denied-ok makes this exit 0"
                ),
            )
        } else {
            ("", String::from("--denied-ok makes this exit 0"))
        };
        let requests = if count == 1 {
            "request was"
        } else {
            "requests were"
        };
        Box::new(Failure {
            message: format!("{count} {requests} not permitted{why}"),
            hint: Some(hint),
            ..Failure::default()
        })
    }
}
