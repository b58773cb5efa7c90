//! What a turn came to: how it ended, what was decided, what was odd.

use std::sync::{Arc, Mutex, PoisonError};

use acp_permission::Record;
use acp_session::{CallError, Outcome, Report, SettledAsk, TurnEnd};
use acp_vocab::{ErrorObject, ToolCallId, Usage};

use crate::login;

/// Records that are kept of one turn, and what they may weigh; beyond it they are only counted.
const KEPT: usize = 1024;
const KEPT_BYTES: usize = 1024 * 1024;

/// The decisions of one turn, noted where they are made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decisions(Arc<Mutex<Noted>>);

#[derive(Debug, Default)]
struct Noted {
    records: Vec<Record>,
    settled: Vec<SettledAsk>,
    bytes: usize,
    dropped: u64,
}

impl Noted {
    /// Whether there is room for so much more, of which it then takes note.
    fn has_room(&mut self, kept: usize, bytes: usize) -> bool {
        let has_room = kept < KEPT && self.bytes.saturating_add(bytes) <= KEPT_BYTES;
        if has_room {
            self.bytes += bytes;
        } else {
            self.dropped += 1;
        }
        has_room
    }
}

impl Decisions {
    fn with<T>(&self, act: impl FnOnce(&mut Noted) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn note(&self, record: Record) {
        // Ids and option kinds are the agent's, and as long as it likes.
        let bytes = record.to_line().len();
        self.with(|noted| {
            if noted.has_room(noted.records.len(), bytes) {
                noted.records.push(record);
            }
        });
    }

    pub(crate) fn note_settled(&self, settled: &SettledAsk) {
        let bytes = settled.method.len() + settled.id.to_string().len();
        self.with(|noted| {
            if noted.has_room(noted.settled.len(), bytes) {
                noted.settled.push(settled.clone());
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
            bytes: _,
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

    /// What the agent says went wrong in the turn: its refusal of the prompt, or the error of a turn that ended with one (v2).
    #[must_use]
    pub fn failure(&self) -> Option<&ErrorObject> {
        match &self.end.result {
            Ok(report) => report.error.as_ref(),
            Err(CallError::Refused { error, .. }) => Some(error),
            Err(_) => None,
        }
    }

    /// Whether it failed because a person has to log in (again): see [`RequestError::wants_login`](crate::RequestError::wants_login).
    #[must_use]
    pub fn wants_login(&self) -> bool {
        self.failure().is_some_and(login::is_wanted)
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

#[cfg(test)]
mod tests {
    use acp_permission::{Decision, Request, Verdict, pick};
    use acp_vocab::RequestId;

    use super::*;

    fn record(id_len: usize) -> Record {
        let request = Request::new("s", Vec::new());
        let answer = pick(request.options(), &Decision::Cancel);
        Record::answered(&request, &Verdict::person(Decision::Cancel), &answer)
            .of_request(RequestId::String("x".repeat(id_len).into()))
    }

    #[track_caller]
    fn check(id_len: usize, noted: usize, kept: usize) {
        let decisions = Decisions::default();
        for _ in 0..noted {
            decisions.note(record(id_len));
        }
        let taken = decisions.take();
        assert_eq!(taken.records.len(), kept);
        assert_eq!(taken.dropped, (noted - kept) as u64);
        assert!(taken.bytes <= KEPT_BYTES, "{}", taken.bytes);
    }

    #[test]
    fn records_of_a_turn_are_bounded_by_count_and_by_bytes() {
        check(10, 2000, KEPT);
        check(300_000, 10, 3);
        check(2_000_000, 3, 0);
    }
}
