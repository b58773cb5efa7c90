//! What a turn came to: how it ended, what was decided, what was odd.

use std::sync::{Arc, Mutex, PoisonError};

use acp_permission::Record;
use acp_session::{CallError, Outcome, Report, SettledAsk, TurnEnd};
use acp_vocab::{ToolCallId, Usage};

/// Records that are kept of one turn; beyond it they are only counted.
const KEPT: usize = 1024;

/// The decisions of one turn, noted where they are made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decisions(Arc<Mutex<Noted>>);

#[derive(Debug, Default)]
struct Noted {
    records: Vec<Record>,
    settled: Vec<SettledAsk>,
    dropped: u64,
}

impl Decisions {
    fn with<T>(&self, act: impl FnOnce(&mut Noted) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn note(&self, record: Record) {
        self.with(|noted| {
            if noted.records.len() < KEPT {
                noted.records.push(record);
            } else {
                noted.dropped += 1;
            }
        });
    }

    pub(crate) fn note_settled(&self, settled: &SettledAsk) {
        self.with(|noted| {
            if noted.settled.len() < KEPT {
                noted.settled.push(settled.clone());
            } else {
                noted.dropped += 1;
            }
        });
    }

    fn take(&self) -> Noted {
        self.with(std::mem::take)
    }
}

/// How a turn ended, and what happened on the way.
#[derive(Debug)]
#[non_exhaustive]
pub struct TurnOutcome {
    /// The end as the machine saw it: the agent's report or why there is none, whether a cancel was
    /// asked for, and which tool calls were left open.
    pub end: Box<TurnEnd>,
    /// The permission decisions that were made through this turn, in order.
    pub decisions: Vec<Record>,
    /// Questions that were settled without the host: cancelled, withdrawn, or nobody was there.
    pub settled: Vec<SettledAsk>,
    /// Decisions and settled questions beyond the 1,024 of each that are kept.
    pub unrecorded: u64,
}

impl TurnOutcome {
    pub(crate) fn new(end: Box<TurnEnd>, decisions: &Decisions) -> Self {
        let Noted {
            records,
            settled,
            dropped,
        } = decisions.take();
        Self {
            end,
            decisions: records,
            settled,
            unrecorded: dropped,
        }
    }

    /// How it ended, in the words that both versions share.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.end.outcome()
    }

    /// What the agent reported, when it did.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        self.end.result.as_ref().ok()
    }

    /// The stop reason as the agent spelled it.
    #[must_use]
    pub fn stop_reason(&self) -> Option<&str> {
        self.report().map(|report| &*report.stop_reason)
    }

    /// Why there is no report.
    #[must_use]
    pub fn error(&self) -> Option<&CallError> {
        self.end.result.as_ref().err()
    }

    /// Tokens that the turn used, when the agent says so; nothing is unknown, never zero.
    #[must_use]
    pub fn usage(&self) -> Option<Usage> {
        #[derive(serde::Deserialize)]
        struct Reported<'a> {
            #[serde(borrow)]
            usage: Option<&'a serde_json::value::RawValue>,
        }
        let reported: Reported<'_> = serde_json::from_str(self.report()?.raw.get()).ok()?;
        acp_vocab::decode(reported.usage?).ok()
    }

    /// Whether the host, or a bound, asked for the turn to be cancelled.
    #[must_use]
    pub fn cancel_requested(&self) -> bool {
        self.end.cancel_requested
    }

    /// Tool calls that the agent left open. They are over.
    #[must_use]
    pub fn open_tools(&self) -> &[ToolCallId] {
        &self.end.open_tools
    }
}
