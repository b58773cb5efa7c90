//! How much of a peer's output we are willing to hold.

/// Bounds of a [`FrameDecoder`](crate::FrameDecoder).
///
/// The decoder holds at most `max_line` bytes plus what was fed since it was last polled to the
/// end, plus `samples` times `sample_len` bytes of skipped lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Longest line in bytes, without its newline and with a carriage return, if there is one.
    /// The protocol sets no bound and images travel inside one line, so the default is 64 MiB.
    pub max_line: usize,
    /// What to do after a line longer than `max_line`.
    pub overflow: Overflow,
    /// How many bytes of a skipped line are kept and shown. Default 256.
    pub sample_len: usize,
    /// How many skipped lines are kept: the first half of them and the latest. Default 8.
    pub samples: usize,
    /// Buffer capacity that is kept for the next line; what a longer line took beyond it is given
    /// back as soon as that line is done. Default 2 MiB.
    pub retain: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_line: 64 << 20,
            overflow: Overflow::Stop,
            sample_len: 256,
            samples: 8,
            retain: 2 << 20,
        }
    }
}

impl Limits {
    /// The same limits with another longest line, in bytes.
    #[must_use]
    pub fn with_max_line(self, max_line: usize) -> Self {
        Self { max_line, ..self }
    }

    /// The same limits with another reaction to a line that is too long.
    #[must_use]
    pub fn with_overflow(self, overflow: Overflow) -> Self {
        Self { overflow, ..self }
    }
}

/// What a decoder does after a line that is longer than its bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Overflow {
    /// Report it and take no further byte: the line may have been an answer that somebody waits
    /// for, so the caller ends the connection.
    #[default]
    Stop,
    /// Report it, count it, drop everything up to its newline and go on with the next line.
    Drain,
}
