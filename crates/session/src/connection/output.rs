//! Outputs: what the shell should do, and what there is to know.

use std::time::Instant;

use acp_codec::SkipCounts;

use super::Connection;
use crate::counter::Counters;
use crate::diagnostic::Diagnostics;
use crate::error::ConnectionError;
use crate::key::WaitKey;

/// What the writer should do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transmit<'a> {
    /// Write these bytes, or some of them, and report to
    /// [`handle_written`](Connection::handle_written).
    Bytes(&'a [u8]),
    /// Close the writing side; nothing will follow.
    Shutdown,
    /// Nothing for now.
    Nothing,
}

impl Connection {
    /// What to write now.
    #[must_use]
    pub fn poll_transmit(&self) -> Transmit<'_> {
        match self.outbox.pending() {
            [] if self.lifecycle.is_shut_down() => Transmit::Shutdown,
            [] => Transmit::Nothing,
            bytes => Transmit::Bytes(bytes),
        }
    }

    /// When to call [`handle_timeout`](Self::handle_timeout), if nothing else happens before.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Instant> {
        self.next_timer()
    }

    /// Whether to read. While it says no the pipe holds the agent back; writing goes on.
    #[must_use]
    pub fn wants_read(&mut self, now: Instant) -> bool {
        !self.ending.eof() && !self.behind && self.may_read(now)
    }

    /// The next key whose waiter is to be woken. Only parked keys become ready.
    pub fn poll_ready(&mut self) -> Option<WaitKey> {
        self.waits.next_ready()
    }

    /// How the connection ended, once it has. The transport can be taken down then.
    #[must_use]
    pub fn closed(&self) -> Option<&ConnectionError> {
        self.lifecycle.closed()
    }

    /// How the connection ends, from the moment at which no event, reply or question can come any
    /// more; it may still be flushing and draining.
    #[must_use]
    pub fn ended(&self) -> Option<&ConnectionError> {
        self.lifecycle.ended()
    }

    /// What was counted.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Lines that were no messages, by kind.
    #[must_use]
    pub fn skipped(&self) -> &SkipCounts {
        self.frames.skip_counts()
    }

    /// The beginnings of some of those lines.
    #[must_use]
    pub fn samples(&self) -> &[acp_codec::Sample] {
        self.frames.samples()
    }

    /// Faults of the agent that harmed nothing else, latest last; a bounded number is kept.
    #[must_use]
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Bytes of unread events, over all streams.
    #[must_use]
    pub fn unread_bytes(&self) -> usize {
        self.flow.total()
    }

    /// Bytes that wait to be written.
    #[must_use]
    pub fn pending_bytes(&self) -> usize {
        self.outbox.pending().len()
    }

    /// Somebody waits for `key` from now on. Waiting keeps the reader going past the bounds
    /// (rule 3), so a wait that ended must be [unparked](Self::unpark), unless its key was
    /// [ready](Self::poll_ready).
    pub fn park(&mut self, now: Instant, key: WaitKey) {
        self.waits.park(now, key);
        if self.is_ready(key) {
            self.waits.wake(key);
        }
        self.progress(now);
    }

    /// Nobody waits for `key` any more: its future was dropped.
    pub fn unpark(&mut self, now: Instant, key: WaitKey) {
        self.waits.unpark(key);
        // What was hopeless for a wait that is gone says nothing of the next one.
        self.starved
            .retain(|starved| WaitKey::Stream(starved.stream) != key);
        self.progress(now);
    }
}
