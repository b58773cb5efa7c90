//! Bytes on their way to the client: how many the pipe has taken, and whether the last event is
//! among them.

use std::time::Duration;

use tokio::time::Instant;

/// Memory that is kept when everything was written, in bytes.
const RETAIN: usize = 256 << 10;

/// Lines in their order, and a cursor.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    bytes: Vec<u8>,
    at: usize,
    queued: u64,
    written: u64,
    flushed: u64,
    /// Where the last event ends.
    event: u64,
    /// Since when the pipe has taken nothing of what is pending.
    since: Option<Instant>,
    /// Where the last line begins.
    last: usize,
}

impl Outbox {
    /// Appends a line. `encode` says how long it is; when it fails nothing was appended.
    pub(crate) fn append<E>(
        &mut self,
        now: Instant,
        encode: impl FnOnce(&mut Vec<u8>) -> Result<usize, E>,
    ) -> Result<(), E> {
        let from = self.bytes.len();
        let len = encode(&mut self.bytes)?;
        self.last = from;
        self.queued += len as u64;
        self.since.get_or_insert(now);
        Ok(())
    }

    /// The line appended last is an event: the next one waits for it.
    pub(crate) fn mark_event(&mut self) {
        self.event = self.queued;
    }

    /// The line appended last, as long as nothing was written since.
    pub(crate) fn last_line(&self) -> &[u8] {
        self.bytes.get(self.last..).unwrap_or_default()
    }

    /// Whether the pipe has taken the last event, flushed.
    pub(crate) const fn took_event(&self) -> bool {
        self.flushed >= self.event
    }

    /// What is to be written next.
    pub(crate) fn pending(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Whether something was written and not flushed.
    pub(crate) const fn needs_flush(&self) -> bool {
        self.flushed < self.written
    }

    /// Whether the pipe has everything, flushed.
    pub(crate) const fn is_idle(&self) -> bool {
        self.flushed == self.queued
    }

    /// The pipe took so many bytes.
    pub(crate) fn wrote(&mut self, now: Instant, count: usize) {
        self.at += count;
        self.written += count as u64;
        self.since = Some(now);
        if self.at >= self.bytes.len() {
            self.at = 0;
            self.bytes.clear();
            self.bytes.shrink_to(RETAIN);
        } else if self.at > RETAIN && self.at > self.bytes.len() / 2 {
            self.bytes.drain(..self.at);
            self.at = 0;
        }
    }

    /// Everything written was flushed.
    pub(crate) fn flushed(&mut self, now: Instant) {
        self.flushed = self.written;
        self.since = (self.flushed < self.queued).then_some(now);
    }

    /// When the pipe has been stalled for too long.
    pub(crate) fn stalls_at(&self, bound: Duration) -> Option<Instant> {
        self.since?.checked_add(bound)
    }

    /// Forgets what nobody will read.
    pub(crate) fn discard(&mut self) {
        *self = Self::default();
    }
}
