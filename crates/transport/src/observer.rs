//! Watching a link without touching it: what a recorder, a verbose mode and tests hang on it.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use acp_codec::{FrameDecoder, Item, Limits, Overflow, SkipKind};

use crate::Ended;

/// Which way bytes went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Direction {
    /// From us to the peer.
    Sent,
    /// From the peer to us.
    Received,
}

/// Sees everything that crosses a link, in the order of each direction.
///
/// It sees payload, and with it secrets: what it keeps is its own responsibility. It is called
/// where the bytes are read and written (and, for standard error, on the thread that drains it), so
/// it should return quickly; a slow observer slows the link. One that panics is removed.
pub trait Observer: Send + Sync {
    /// A line that is a message, without white space around it: as read from the peer, or as taken
    /// by its pipe.
    fn line(&self, direction: Direction, line: &[u8]);

    /// A line that is no message, or is longer than 64 MiB: why, its first bytes (at most 64 KiB;
    /// none when it is too long), and how many bytes of it were seen.
    fn skipped(&self, direction: Direction, kind: SkipKind, sample: &[u8], seen: usize) {
        let _ = (direction, kind, sample, seen);
    }

    /// Bytes from the peer's standard error, in pieces of any size. What came before the observer
    /// was installed is shown first, as far as the tail still holds it.
    fn stderr(&self, bytes: &[u8]) {
        let _ = bytes;
    }

    /// The process at the other end has ended. Lines may still follow: what it wrote before.
    fn ended(&self, ended: &Ended) {
        let _ = ended;
    }
}

const _: fn(&dyn Observer) = |_| ();

/// How much of a skipped line an observer is shown, in bytes.
const SAMPLE: usize = 64 * 1024;

/// A place for an observer, which is removed when it panics.
#[derive(Default)]
pub(crate) struct Eye(Option<Arc<dyn Observer>>);

impl Eye {
    pub(crate) const fn new(observer: Arc<dyn Observer>) -> Self {
        Self(Some(observer))
    }

    pub(crate) fn show(&mut self, show: impl FnOnce(&dyn Observer)) {
        if let Some(observer) = &self.0
            && catch_unwind(AssertUnwindSafe(|| show(&**observer))).is_err()
        {
            tracing::warn!("an observer of a link panicked and was removed");
            self.0 = None;
        }
    }
}

/// One direction of a link, cut into lines by the decoder that the session uses, for an observer.
pub(crate) struct Watch {
    eye: Eye,
    direction: Direction,
    decoder: FrameDecoder,
}

impl Watch {
    pub(crate) fn new(observer: Arc<dyn Observer>, direction: Direction) -> Self {
        // Watching goes on after a line that is too long: the session ends the conversation, not
        // we.
        let mut limits = Limits::default().with_overflow(Overflow::Drain);
        limits.sample_len = SAMPLE;
        limits.samples = 0;
        Self {
            eye: Eye::new(observer),
            direction,
            decoder: FrameDecoder::new(limits),
        }
    }

    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.decoder.feed(bytes);
        while let Some(item) = self.decoder.poll() {
            show(&mut self.eye, self.direction, &item);
        }
    }

    /// The direction has ended.
    pub(crate) fn finish(&mut self) {
        if let Some(item) = self.decoder.finish() {
            show(&mut self.eye, self.direction, &item);
        }
    }
}

fn show(eye: &mut Eye, direction: Direction, item: &Item<'_>) {
    eye.show(|observer| match item {
        Item::Frame(frame) => observer.line(direction, frame.raw),
        Item::Skipped {
            kind, sample, len, ..
        } => {
            observer.skipped(direction, *kind, sample, *len);
        }
        Item::TooLong { seen, .. } => observer.skipped(direction, SkipKind::TooLong, &[], *seen),
        _ => {}
    });
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch")
            .field("direction", &self.direction)
            .finish_non_exhaustive()
    }
}
