//! How the peer ended, and the handle that waits for it.

use std::{borrow::Cow, fmt, future::Future, sync::Arc};

use tokio::sync::watch;

use crate::Exit;

/// How the peer of a link ended.
///
/// `Display` holds the classification and numbers only; what the peer printed is behind
/// [`Ended::stderr_tail`].
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ended {
    exit: Option<Exit>,
    stderr_tail: Arc<[u8]>,
}

impl Ended {
    /// The stream ended, and nothing else is known: a socket, an in-memory pipe.
    #[must_use]
    pub fn eof() -> Self {
        Self {
            exit: None,
            stderr_tail: Arc::default(),
        }
    }

    /// A process ended in this way, and these were the last bytes of its standard error.
    #[must_use]
    pub fn exited(exit: Exit, stderr_tail: impl Into<Arc<[u8]>>) -> Self {
        Self {
            exit: Some(exit),
            stderr_tail: stderr_tail.into(),
        }
    }

    /// How the process ended; `None` when the peer is no process of ours.
    #[must_use]
    pub const fn exit(&self) -> Option<Exit> {
        self.exit
    }

    /// The last bytes of the peer's standard error, at most the limit that was set (64 KiB by
    /// default).
    ///
    /// It is the peer's text: make it safe before it reaches a terminal, and keep it out of logs.
    #[must_use]
    pub fn stderr_tail(&self) -> &[u8] {
        &self.stderr_tail
    }

    /// The last `count` lines of the peer's standard error as text; bytes that are no UTF-8 become
    /// U+FFFD.
    ///
    /// It is the peer's text: see [`Ended::stderr_tail`].
    #[must_use]
    pub fn last_lines(&self, count: usize) -> Cow<'_, str> {
        let tail = self.stderr_tail.trim_ascii_end();
        let start = tail
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, byte)| **byte == b'\n')
            .nth(count.saturating_sub(1))
            .map_or(0, |(at, _)| at + 1);
        String::from_utf8_lossy(tail.get(start..).unwrap_or_default())
    }
}

impl fmt::Debug for Ended {
    /// Without the text of the standard error: debug output ends in logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ended")
            .field("exit", &self.exit)
            .field("stderr_bytes", &self.stderr_tail.len())
            .finish()
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exit {
            Some(exit @ Exit::Code(_)) => write!(f, "ended with {exit}"),
            Some(exit @ Exit::Signal(_)) => write!(f, "was ended by {exit}"),
            Some(Exit::Unknown) => f.write_str("ended, and its exit status is unknown"),
            None => f.write_str("closed the stream"),
        }
    }
}

/// Waits for the end of a peer. Any number of copies may wait; each gets the answer, also
/// afterwards.
#[derive(Clone, Debug)]
pub struct Ending(watch::Receiver<Option<Ended>>);

impl Ending {
    pub(crate) fn channel() -> (watch::Sender<Option<Ended>>, Self) {
        let (sender, receiver) = watch::channel(None);
        (sender, Self(receiver))
    }

    /// How the peer ended, if it has.
    #[must_use]
    pub fn now(&self) -> Option<Ended> {
        self.0.borrow().clone()
    }

    /// Resolves when the peer has ended.
    ///
    /// For a child this is the exit of the process, whether or not its output was read to the end.
    /// For any other link it is the end of the stream, seen by the reader (or the drop of the
    /// reader, after which nobody can see more). The future is `'static` and cancel-safe: dropping
    /// it loses nothing.
    pub fn wait(&self) -> impl Future<Output = Ended> + Send + 'static {
        let mut receiver = self.0.clone();
        async move {
            match receiver.wait_for(Option::is_some).await {
                Ok(ended) => ended.clone().unwrap_or_else(Ended::eof),
                Err(_) => Ended::eof(),
            }
        }
    }
}
