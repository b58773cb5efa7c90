//! Lines that were no message: why, how many, and the beginning of a few of them.

use std::{borrow::Cow, fmt};

use crate::{limits::Limits, line::Position};

/// Why a line was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SkipKind {
    /// Not JSON: a banner, a log line, control sequences, NUL bytes, half of a printed object.
    NotJson,
    /// Not UTF-8.
    NotUtf8,
    /// JSON, but a number, a string, a boolean or null.
    Scalar,
    /// A JSON array. ACP has no batches; nothing inside it is read.
    Array,
    /// A JSON object that is neither request, notification nor response.
    Object,
    /// A request whose id is neither integer, string nor null, so that it cannot be answered.
    RequestId,
    /// A response whose id is neither integer, string nor null, so that nobody can be told.
    ResponseId,
    /// The last line of a stream that ended before the line did.
    Partial,
    /// A line over the bound, dropped to its newline.
    TooLong,
}

impl SkipKind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::NotJson,
        Self::NotUtf8,
        Self::Scalar,
        Self::Array,
        Self::Object,
        Self::RequestId,
        Self::ResponseId,
        Self::Partial,
        Self::TooLong,
    ];

    /// A short name for records and logs, in `snake_case`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotJson => "not_json",
            Self::NotUtf8 => "not_utf8",
            Self::Scalar => "scalar",
            Self::Array => "array",
            Self::Object => "object",
            Self::RequestId => "request_id",
            Self::ResponseId => "response_id",
            Self::Partial => "partial",
            Self::TooLong => "too_long",
        }
    }
}

impl fmt::Display for SkipKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotJson => "not JSON",
            Self::NotUtf8 => "not UTF-8",
            Self::Scalar => "a scalar",
            Self::Array => "an array (batches are not part of the protocol)",
            Self::Object => "an object that is neither request, notification nor response",
            Self::RequestId => "a request with an id that cannot be read",
            Self::ResponseId => "a response with an id that cannot be read",
            Self::Partial => "an unfinished line at the end of the stream",
            Self::TooLong => "a line over the bound",
        })
    }
}

/// How many lines were skipped, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SkipCounts {
    by_kind: [u64; SkipKind::ALL.len()],
}

impl SkipCounts {
    /// Lines of one kind.
    #[must_use]
    pub fn of(&self, kind: SkipKind) -> u64 {
        self.by_kind.get(kind as usize).copied().unwrap_or_default()
    }

    /// Lines of all kinds.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.by_kind.iter().sum()
    }

    /// The kinds that occurred, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (SkipKind, u64)> {
        SkipKind::ALL
            .into_iter()
            .zip(self.by_kind)
            .filter(|&(_, count)| count > 0)
    }

    fn add(&mut self, kind: SkipKind) {
        if let Some(count) = self.by_kind.get_mut(kind as usize) {
            *count += 1;
        }
    }
}

/// The beginning of a skipped line. It is the peer's text: make it safe before a terminal sees it.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sample {
    /// Why it was skipped.
    pub kind: SkipKind,
    /// Where the line began.
    pub at: Position,
    /// Bytes of the whole line.
    pub len: usize,
    /// Its first bytes, at most [`Limits::sample_len`].
    pub bytes: Box<[u8]>,
}

impl Sample {
    /// The bytes as text, with U+FFFD for what is not UTF-8.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

impl fmt::Debug for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sample")
            .field("kind", &self.kind)
            .field("at", &self.at)
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

/// What a decoder remembers of the lines that it skipped.
#[derive(Debug, Default)]
pub(crate) struct Skips {
    pub(crate) counts: SkipCounts,
    samples: Vec<Sample>,
}

impl Skips {
    pub(crate) fn samples(&self) -> &[Sample] {
        &self.samples
    }

    pub(crate) fn count(&mut self, kind: SkipKind) {
        self.counts.add(kind);
    }

    /// Counts a line, keeps the beginning of it and returns that beginning.
    pub(crate) fn record<'a>(
        &mut self,
        kind: SkipKind,
        at: Position,
        line: &'a [u8],
        limits: &Limits,
    ) -> &'a [u8] {
        self.count(kind);
        let shown = line.get(..limits.sample_len).unwrap_or(line);
        if limits.samples > 0 {
            if self.samples.len() >= limits.samples {
                // The first half stays for good: the banner that explains a start-up. The rest
                // are the latest: the last words before a silence.
                self.samples.remove(limits.samples / 2);
            }
            self.samples.push(Sample {
                kind,
                at,
                len: line.len(),
                bytes: shown.into(),
            });
        }
        shown
    }
}
