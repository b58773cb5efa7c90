//! Bytes to messages, one line at a time: what a connection feeds its input into.

use crate::{
    decode::{read, trim},
    limits::Limits,
    line::{Line, LineBuffer, Position},
    message::Message,
    skip::{Sample, SkipCounts, SkipKind, Skips},
    text::count_lone_halves,
};

/// A message and the line that it came in.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Frame<'a> {
    /// What the line says.
    pub message: Message<'a>,
    /// The line, without byte order mark, newline and white space around it.
    pub raw: &'a [u8],
    /// Where the line began.
    pub at: Position,
    /// Escapes of half a surrogate pair in the line, which agents write when they cut text inside
    /// an emoji. Each is read as U+FFFD.
    pub lone_surrogates: usize,
}

/// What a [`FrameDecoder`] found in its input.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Item<'a> {
    /// A message.
    Frame(Frame<'a>),
    /// A line that is no message. It concerns that line only.
    #[non_exhaustive]
    Skipped {
        /// Why.
        kind: SkipKind,
        /// Where the line began.
        at: Position,
        /// Bytes of the line, without byte order mark, newline and white space around it.
        len: usize,
        /// Its first bytes, at most [`Limits::sample_len`].
        sample: &'a [u8],
    },
    /// A line longer than the bound. Reported once, as soon as it is known.
    #[non_exhaustive]
    TooLong {
        /// Where the line began.
        at: Position,
        /// The bound, in bytes: [`Limits::max_line`].
        limit: usize,
        /// Bytes of the line that had come when it was noticed, which depends on how they were
        /// cut. At least one more than `limit`.
        seen: usize,
    },
}

/// A bounded, resumable decoder without I/O: bytes in, messages out, whatever the chunks.
///
/// [`feed`](Self::feed) a chunk, then [`poll`](Self::poll) until it says `None`. Whoever stops
/// polling, because he can take no more, has to stop feeding too: what was fed waits in memory.
/// When the stream has ended, [`finish`](Self::finish) tells what is left of its last line.
#[derive(Debug)]
pub struct FrameDecoder {
    lines: LineBuffer,
    skips: Skips,
}

impl Default for FrameDecoder {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl FrameDecoder {
    /// A decoder at the beginning of a stream. It allocates nothing before it is fed.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            lines: LineBuffer::new(limits),
            skips: Skips::default(),
        }
    }

    /// Takes the next bytes of the stream.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.lines.feed(chunk);
    }

    /// The next message, skipped line or line that is too long. `None`: feed more, or
    /// [`finish`](Self::finish). Blank lines separate and are not counted.
    pub fn poll(&mut self) -> Option<Item<'_>> {
        loop {
            match self.lines.next()? {
                Line::TooLong { seen, at } => {
                    self.skips.count(SkipKind::TooLong);
                    let limit = self.lines.limits().max_line;
                    return Some(Item::TooLong { at, limit, seen });
                }
                Line::Whole { range, at } => {
                    if !trim(self.lines.slice(range.clone())).is_empty() {
                        let line = trim(self.lines.slice(range));
                        return Some(item(line, at, &mut self.skips, self.lines.limits(), false));
                    }
                }
            }
        }
    }

    /// Says that the stream has ended, after [`poll`](Self::poll) said `None`. A last line that
    /// only lacks its newline is a frame; anything else is skipped as [`SkipKind::Partial`], with
    /// the number of bytes that were left. `None` when nothing was left.
    pub fn finish(&mut self) -> Option<Item<'_>> {
        let (range, at) = self.lines.take_rest()?;
        let line = trim(self.lines.slice(range));
        if line.is_empty() {
            return None;
        }
        Some(item(line, at, &mut self.skips, self.lines.limits(), true))
    }

    /// Whether the decoder gave up after a line that was too long ([`Overflow::Stop`]). It takes
    /// no bytes any more.
    ///
    /// [`Overflow::Stop`]: crate::Overflow::Stop
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.lines.is_stopped()
    }

    /// How many lines were skipped so far.
    #[must_use]
    pub fn skipped_frames(&self) -> u64 {
        self.skips.counts.total()
    }

    /// How many lines were skipped so far, by kind.
    #[must_use]
    pub fn skip_counts(&self) -> &SkipCounts {
        &self.skips.counts
    }

    /// The beginning of some of the lines that were skipped, in order: the first few and the
    /// latest few, at most [`Limits::samples`] together.
    #[must_use]
    pub fn samples(&self) -> &[Sample] {
        self.skips.samples()
    }

    /// Bytes that were fed and have not come out yet.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.lines.len()
    }

    /// Bytes of memory that the decoder holds for lines.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.lines.capacity()
    }
}

fn item<'a>(
    raw: &'a [u8],
    at: Position,
    skips: &mut Skips,
    limits: &Limits,
    at_end: bool,
) -> Item<'a> {
    match read(raw) {
        Ok(message) => Item::Frame(Frame {
            message,
            raw,
            at,
            lone_surrogates: count_lone_halves(raw),
        }),
        Err((kind, _)) => {
            let kind = if at_end { SkipKind::Partial } else { kind };
            Item::Skipped {
                kind,
                at,
                len: raw.len(),
                sample: skips.record(kind, at, raw, limits),
            }
        }
    }
}
