//! What the ready-made handlers served: a record without any payload.

use std::{fmt, sync::Arc};

use acp_vocab::{SessionId, TerminalId};

/// One request that a ready-made handler answered.
///
/// It holds no path, no command, no text: it can be logged and kept.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Served {
    /// The method.
    pub method: Box<str>,
    /// The session that the request named.
    pub session: Option<SessionId>,
    /// What came of it.
    pub class: ServedClass,
    /// Bytes of text that were read, written or shown.
    pub bytes: u64,
    /// The terminal, for requests about one. It is our own number.
    pub terminal: Option<TerminalId>,
}

impl Served {
    pub(crate) fn new(method: &str, session: Option<&SessionId>, class: ServedClass) -> Self {
        Self {
            method: method.into(),
            session: session.cloned(),
            class,
            bytes: 0,
            terminal: None,
        }
    }
}

/// What came of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ServedClass {
    /// Done. For a file: it lies inside what is served.
    Done,
    /// Done by a shell: the command was a shell line.
    Shell,
    /// A file that is not there was read as an empty one, because the host said so.
    Empty,
    /// The file is not there, or the terminal is not known.
    Missing,
    /// The path leads outside of what is served: by its words, by `..`, or by a symbolic link.
    Outside,
    /// The path is not absolute, or cannot be one.
    Malformed,
    /// There is something else than a regular file.
    NotAFile,
    /// The file is no UTF-8 text.
    NotText,
    /// A bound was reached: of bytes, or of terminals.
    TooMuch,
    /// The user said no.
    Declined,
    /// The user turned away, or the answer does not fit the question.
    Cancelled,
    /// The system said no, or the params cannot be read.
    Failed,
}

impl ServedClass {
    /// The word for records.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Shell => "shell",
            Self::Empty => "empty",
            Self::Missing => "missing",
            Self::Outside => "outside",
            Self::Malformed => "malformed",
            Self::NotAFile => "not_a_file",
            Self::NotText => "not_text",
            Self::TooMuch => "too_much",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }
}

impl fmt::Display for ServedClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

type Watch = dyn Fn(&Served) + Send + Sync;

/// Whoever wants to know what was served.
#[derive(Clone, Default)]
pub(crate) struct Watcher(Option<Arc<Watch>>);

impl Watcher {
    pub(crate) fn new(watch: impl Fn(&Served) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(watch)))
    }

    pub(crate) fn tell(&self, served: &Served) {
        tracing::debug!(method = &*served.method, class = %served.class, "served");
        if let Some(watch) = &self.0 {
            watch(served);
        }
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "Watched"
        } else {
            "Unwatched"
        })
    }
}
