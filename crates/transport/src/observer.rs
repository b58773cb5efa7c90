//! Watching a link without touching it: what `--record`, `-vv` and tests hang on it.

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
/// It sees payload, and with it secrets: what it keeps is its own responsibility. It is called where the bytes are
/// read and written, so it should return quickly; a slow observer slows the link.
pub trait Observer: Send + Sync {
    /// A whole line that is a message, without its line end: as read, or as taken by the peer's pipe.
    fn line(&self, direction: Direction, line: &[u8]);

    /// Bytes from the peer's standard error, in pieces of any size. What had come before the observer was installed
    /// comes first, as far as the tail still holds it.
    fn stderr(&self, bytes: &[u8]) {
        let _ = bytes;
    }

    /// The process at the other end has ended. Lines may still follow: what it wrote before.
    fn ended(&self, ended: &Ended) {
        let _ = ended;
    }
}

const _: fn(&dyn Observer) = |_| ();
