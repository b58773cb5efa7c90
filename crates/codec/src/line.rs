//! Bytes to lines. The buffer never holds more than the longest line and one chunk, moves a byte
//! at most once apart from growing, and looks at each byte once, however the bytes were cut.

use std::ops::Range;

use memchr::memchr;

use crate::limits::{Limits, Overflow};

/// Where a line began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Position {
    /// Number of the line in the stream, from 1; blank lines count.
    pub line: u64,
    /// Bytes of the stream before the line.
    pub offset: u64,
}

/// What stands next in the buffer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line, without its newline.
    Whole { range: Range<usize>, at: Position },
    /// A line over the bound, of which `seen` bytes had come; it is gone from the buffer.
    TooLong { seen: usize, at: Position },
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Collecting,
    /// Dropping the rest of a line that was too long; the buffer is empty.
    Draining,
    Stopped,
}

#[derive(Debug)]
pub(crate) struct LineBuffer {
    bytes: Vec<u8>,
    /// First byte of the line that is being collected.
    start: usize,
    /// No newline stands between `start` and here.
    scanned: usize,
    state: State,
    /// Position of the line that is being collected.
    at: Position,
    limits: Limits,
    #[cfg(test)]
    pub(crate) looked_at: u64,
}

impl LineBuffer {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            bytes: Vec::new(),
            start: 0,
            scanned: 0,
            state: State::Collecting,
            at: Position { line: 1, offset: 0 },
            limits,
            #[cfg(test)]
            looked_at: 0,
        }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.state == State::Stopped
    }

    /// Bytes that were fed and not yet handed out.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    pub(crate) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    pub(crate) fn slice(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    pub(crate) fn feed(&mut self, chunk: &[u8]) {
        match self.state {
            State::Stopped => {}
            State::Collecting => self.append(chunk),
            State::Draining => {
                let end = find_newline(chunk);
                self.look(end.map_or(chunk.len(), |end| end + 1));
                match end {
                    None => self.at.offset += chunk.len() as u64,
                    Some(end) => {
                        self.next_line_after(end + 1);
                        self.state = State::Collecting;
                        self.append(chunk.get(end + 1..).unwrap_or_default());
                    }
                }
            }
        }
    }

    /// The next line that is whole, or too long. `None`: more bytes are needed.
    pub(crate) fn next(&mut self) -> Option<Line> {
        if self.state != State::Collecting {
            return None;
        }
        let unseen = self.bytes.get(self.scanned..).unwrap_or_default();
        let found = find_newline(unseen);
        let unseen = unseen.len();
        let Some(newline) = found else {
            self.look(unseen);
            self.scanned = self.bytes.len();
            return self.check_remainder();
        };
        self.look(newline + 1);
        let end = self.scanned + newline;
        let range = self.start..end;
        let at = self.at;
        self.start = end + 1;
        self.scanned = end + 1;
        self.next_line_after(range.len() + 1);
        if range.len() <= self.limits.max_line {
            return Some(Line::Whole { range, at });
        }
        if self.limits.overflow == Overflow::Stop {
            self.stop();
        }
        Some(Line::TooLong {
            seen: range.len(),
            at,
        })
    }

    /// At the end of the stream: the line that was not ended. Nothing is left after it.
    pub(crate) fn take_rest(&mut self) -> Option<(Range<usize>, Position)> {
        let range = self.start..self.bytes.len();
        if range.is_empty() {
            return None;
        }
        let at = self.at;
        self.at.offset += range.len() as u64;
        self.start = range.end;
        self.scanned = range.end;
        Some((range, at))
    }

    /// Everything is scanned and no newline was found: is the line still within its bound?
    fn check_remainder(&mut self) -> Option<Line> {
        let seen = self.len();
        if seen <= self.limits.max_line {
            self.settle();
            return None;
        }
        let at = self.at;
        self.at.offset += seen as u64;
        match self.limits.overflow {
            Overflow::Stop => self.stop(),
            Overflow::Drain => {
                self.state = State::Draining;
                self.start = self.bytes.len();
                self.settle();
            }
        }
        Some(Line::TooLong { seen, at })
    }

    fn stop(&mut self) {
        self.state = State::Stopped;
        self.bytes = Vec::new();
        self.start = 0;
        self.scanned = 0;
    }

    fn next_line_after(&mut self, len: usize) {
        self.at.line += 1;
        self.at.offset += len as u64;
    }

    fn append(&mut self, chunk: &[u8]) {
        let gone = self.start;
        // A single unfinished line is moved once, to the front; a queue of lines that nobody
        // polled only when at least as much was handed out as has to be moved.
        if gone > 0 && (self.scanned == self.bytes.len() || gone >= self.len()) {
            self.move_to_front();
        }
        let needed = self.bytes.len() + chunk.len();
        if needed > self.bytes.capacity() {
            // Doubling keeps growth linear; the ceiling keeps doubling from passing the bound.
            let ceiling = self.limits.max_line.saturating_add(chunk.len()).max(needed);
            let target = self
                .bytes
                .capacity()
                .saturating_mul(2)
                .clamp(needed, ceiling);
            self.bytes.reserve_exact(target - self.bytes.len());
        }
        self.bytes.extend_from_slice(chunk);
    }

    /// Nothing but an unfinished line is left: give back what a much longer one took.
    fn settle(&mut self) {
        if self.len() == 0 {
            self.move_to_front();
        }
        let retain = self.limits.retain;
        if self.bytes.capacity() > retain && self.len() <= retain / 2 {
            self.move_to_front();
            self.bytes.shrink_to(retain);
        }
    }

    fn move_to_front(&mut self) {
        self.bytes.drain(..self.start);
        self.scanned = self.scanned.saturating_sub(self.start);
        self.start = 0;
    }

    /// Tests hold the buffer to one look a byte.
    #[cfg(test)]
    fn look(&mut self, bytes: usize) {
        self.looked_at += bytes as u64;
    }

    #[cfg(not(test))]
    fn look(&self, _bytes: usize) {}
}

fn find_newline(bytes: &[u8]) -> Option<usize> {
    memchr(b'\n', bytes)
}

#[cfg(test)]
mod tests;
