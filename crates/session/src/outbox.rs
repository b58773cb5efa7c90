//! Bytes on their way out: a cursor into pending lines, a bound for automatic answers, and the
//! clock that notices a peer that stopped reading (rules 9 to 12).

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use acp_codec::EncodeError;

use crate::label::Label;

/// Why a line goes out; it decides whether a bound applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// A request or notification of the host: refused beyond the bound.
    Command,
    /// A cancel: a slot was reserved when the turn or the call was accepted, so it is never
    /// refused.
    Reserved,
    /// The answer to an accepted question, whoever gives it. Its slot was reserved when the
    /// question was accepted and is free again when the answer was written.
    Slot,
    /// An answer that the machine gives by itself to what the peer sent: at the bound reading stops.
    Answer,
}

#[derive(Debug)]
struct Line {
    /// Offset of the byte behind its last one, counted from the start of the connection.
    end: u64,
    len: usize,
    lane: Lane,
    label: Label,
}

/// What stands in an outbox that nobody empties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stall {
    pub(crate) pending: usize,
    pub(crate) label: Label,
    pub(crate) since: Instant,
}

#[derive(Debug)]
pub(crate) struct Outbox {
    bytes: Vec<u8>,
    /// What of `bytes` the writer has accepted.
    cursor: usize,
    written: u64,
    lines: VecDeque<Line>,
    answers: usize,
    answer_bytes: usize,
    slots: usize,
    /// Since when the front has been waiting for the peer to accept a byte.
    waiting: Option<Instant>,
    patience: Duration,
    max_answers: usize,
    max_answer_bytes: usize,
    max_bytes: usize,
}

/// Compact once the accepted part is at least this large.
const COMPACT: usize = 64 * 1024;

impl Outbox {
    pub(crate) fn new(limits: &crate::Limits) -> Self {
        Self {
            bytes: Vec::new(),
            cursor: 0,
            written: 0,
            lines: VecDeque::new(),
            answers: 0,
            answer_bytes: 0,
            slots: 0,
            waiting: None,
            patience: limits.stall,
            max_answers: limits.answers,
            max_answer_bytes: limits.answer_bytes,
            max_bytes: limits.outbox_bytes,
        }
    }

    /// What the writer should write next.
    pub(crate) fn pending(&self) -> &[u8] {
        self.bytes.get(self.cursor..).unwrap_or_default()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.cursor == self.bytes.len()
    }

    /// Whether a command may be added. One command is always admitted into an empty outbox, however
    /// long it is.
    pub(crate) fn has_room(&self) -> bool {
        self.pending().len() < self.max_bytes
    }

    /// Whether so many automatic answers are pending that reading must stop, even for waiters.
    pub(crate) const fn answers_full(&self) -> bool {
        self.answers >= self.max_answers || self.answer_bytes >= self.max_answer_bytes
    }

    /// Answers to accepted questions that were not written yet.
    pub(crate) const fn slots(&self) -> usize {
        self.slots
    }

    /// Adds one line, which `write` appends, newline included.
    pub(crate) fn push(
        &mut self,
        now: Instant,
        lane: Lane,
        label: Label,
        write: impl FnOnce(&mut Vec<u8>) -> Result<usize, EncodeError>,
    ) -> Result<(), EncodeError> {
        let len = write(&mut self.bytes)?;
        match lane {
            Lane::Answer => {
                self.answers += 1;
                self.answer_bytes += len;
            }
            Lane::Slot => self.slots += 1,
            Lane::Command | Lane::Reserved => {}
        }
        let end = self.written + self.pending().len() as u64;
        self.lines.push_back(Line {
            end,
            len,
            lane,
            label,
        });
        if self.waiting.is_none() {
            self.waiting = Some(now);
        }
        Ok(())
    }

    /// The writer accepted `n` bytes; `n` beyond what is pending counts as all of it.
    pub(crate) fn accepted(&mut self, now: Instant, n: usize) {
        let n = n.min(self.pending().len());
        if n == 0 {
            return;
        }
        self.cursor += n;
        self.written += n as u64;
        while let Some(line) = self.lines.front() {
            if line.end > self.written {
                break;
            }
            match line.lane {
                Lane::Answer => {
                    self.answers -= 1;
                    self.answer_bytes -= line.len;
                }
                Lane::Slot => self.slots -= 1,
                Lane::Command | Lane::Reserved => {}
            }
            self.lines.pop_front();
        }
        if self.is_empty() {
            self.bytes.clear();
            self.bytes.shrink_to(COMPACT);
            self.cursor = 0;
            self.waiting = None;
        } else {
            self.waiting = Some(now);
            if self.cursor >= COMPACT && self.cursor >= self.bytes.len() / 2 {
                self.bytes.drain(..self.cursor);
                self.cursor = 0;
            }
        }
    }

    /// When the peer will have accepted nothing for too long.
    pub(crate) fn stalls_at(&self) -> Option<Instant> {
        self.waiting?.checked_add(self.patience)
    }

    /// What stands in front when that moment has come.
    pub(crate) fn stalled(&self, now: Instant) -> Option<Stall> {
        if self.stalls_at()? > now {
            return None;
        }
        let label = self.lines.front()?.label.clone();
        Some(Stall {
            pending: self.pending().len(),
            label,
            since: self.waiting?,
        })
    }

    /// Forgets everything: nobody will write it any more.
    pub(crate) fn clear(&mut self) {
        self.bytes = Vec::new();
        self.lines.clear();
        self.cursor = 0;
        self.answers = 0;
        self.answer_bytes = 0;
        self.slots = 0;
        self.waiting = None;
    }
}

#[cfg(test)]
mod tests;
