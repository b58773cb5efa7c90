//! What goes wrong below the protocol: starting a peer, reading from it, writing to it, and its
//! end.

use std::{
    borrow::Cow,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{Ended, Exit};

/// Input or output failed: what was being done, to whom, and what the operating system said.
///
/// `Display` holds a classification, the program's name and numbers only. What the peer printed is
/// behind [`TransportError::ended`]. Cloning is cheap, so that every wait that ends with it can
/// have its own.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// The peer could not be started.
    #[error(transparent)]
    Spawn(#[from] SpawnError),

    /// The peer ended while something was expected from it.
    #[error("{peer} {ended} while {doing}")]
    Ended {
        /// What was being done, such as "waiting for `initialize`": a phase and a method name,
        /// never payload.
        doing: Cow<'static, str>,
        /// Whom it was done to: the program's name, or the name given to the link.
        peer: Arc<str>,
        /// How the peer ended.
        ended: Ended,
    },

    /// Reading or writing failed.
    #[error("{doing} {peer} failed: {}", source.kind())]
    Io {
        /// What was being done, such as "writing to".
        doing: Cow<'static, str>,
        /// Whom it was done to.
        peer: Arc<str>,
        /// What the operating system said.
        source: Arc<io::Error>,
    },
}

impl TransportError {
    /// The peer ended while `doing` was going on.
    pub fn ended_while(
        doing: impl Into<Cow<'static, str>>,
        peer: impl Into<Arc<str>>,
        ended: Ended,
    ) -> Self {
        Self::Ended {
            doing: doing.into(),
            peer: peer.into(),
            ended,
        }
    }

    /// `doing` (such as "reading from") failed.
    pub fn io(
        doing: impl Into<Cow<'static, str>>,
        peer: impl Into<Arc<str>>,
        source: io::Error,
    ) -> Self {
        Self::Io {
            doing: doing.into(),
            peer: peer.into(),
            source: Arc::new(source),
        }
    }

    /// The name of the peer; empty when there was none to start.
    #[must_use]
    pub fn peer(&self) -> &str {
        match self {
            Self::Spawn(error) => error.program(),
            Self::Ended { peer, .. } | Self::Io { peer, .. } => peer,
        }
    }

    /// What was being done: a phase and a method name.
    #[must_use]
    pub fn doing(&self) -> &str {
        match self {
            Self::Spawn(_) => "starting",
            Self::Ended { doing, .. } | Self::Io { doing, .. } => doing,
        }
    }

    /// How the peer ended, with the tail of its standard error, if its end is what went wrong.
    #[must_use]
    pub const fn ended(&self) -> Option<&Ended> {
        match self {
            Self::Ended { ended, .. } => Some(ended),
            Self::Spawn(_) | Self::Io { .. } => None,
        }
    }

    /// How the peer's process ended, if it was one and its end is what went wrong.
    #[must_use]
    pub const fn exit(&self) -> Option<Exit> {
        match self.ended() {
            Some(ended) => ended.exit(),
            None => None,
        }
    }

    /// The last bytes of the peer's standard error; empty when its end is not what went wrong.
    #[must_use]
    pub fn stderr_tail(&self) -> &[u8] {
        self.ended().map(Ended::stderr_tail).unwrap_or_default()
    }
}

/// A child process could not be started.
///
/// `Display` names the program, the path that was tried and the operating system's reason, never an
/// argument or an environment variable.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// The command has no program: an empty argument vector.
    #[error("no program to start: the command is empty")]
    Empty,

    /// There is no such program.
    #[error("{program} was not found{}", looked_at(path, *searched))]
    NotFound {
        /// The program as it was asked for.
        program: Arc<str>,
        /// The path that was tried last.
        path: PathBuf,
        /// How many directories of `PATH` were searched; `None` when the program was given as a
        /// path.
        searched: Option<usize>,
    },

    /// There is such a file, and it cannot be run: no permission, a directory, a script whose
    /// interpreter is missing, a wrong format.
    #[error("{program} cannot be run: {} {reason}", path.display())]
    NotExecutable {
        /// The program as it was asked for.
        program: Arc<str>,
        /// The file that was found.
        path: PathBuf,
        /// Why it cannot be run.
        reason: &'static str,
    },

    /// The working directory is missing, is no directory, or may not be entered.
    #[error("{program} cannot be started in {}: {}", directory.display(), source.kind())]
    Directory {
        /// The program as it was asked for.
        program: Arc<str>,
        /// The working directory that was asked for.
        directory: PathBuf,
        /// What the operating system said.
        source: Arc<io::Error>,
    },

    /// The guard that ends the child when this process is killed could not be started.
    /// [`Command::without_guard`](crate::Command::without_guard) starts the child without it.
    #[error("{program} was not started, because its guard failed: {}", source.kind())]
    Guard {
        /// The program as it was asked for.
        program: Arc<str>,
        /// What the operating system said.
        source: Arc<io::Error>,
    },

    /// The call was made outside a tokio runtime, whose reactor the pipes of a child need.
    #[error("{program} was not started: no tokio runtime is running here")]
    NoRuntime {
        /// The program as it was asked for.
        program: Arc<str>,
    },

    /// Anything else: no more processes, an argument list that is too long, a NUL byte in it.
    #[error("{program} ({}) could not be started: {}", path.display(), source.kind())]
    Io {
        /// The program as it was asked for.
        program: Arc<str>,
        /// The file that was to be run.
        path: PathBuf,
        /// What the operating system said.
        source: Arc<io::Error>,
    },
}

impl SpawnError {
    /// The program as it was asked for; empty for [`SpawnError::Empty`].
    #[must_use]
    pub fn program(&self) -> &str {
        match self {
            Self::Empty => "",
            Self::NotFound { program, .. }
            | Self::NotExecutable { program, .. }
            | Self::Directory { program, .. }
            | Self::Guard { program, .. }
            | Self::NoRuntime { program }
            | Self::Io { program, .. } => program,
        }
    }
}

/// Where a program was looked for in vain.
fn looked_at(path: &Path, searched: Option<usize>) -> String {
    match searched {
        Some(count) => format!(": it is in none of the {count} directories of PATH"),
        None => format!(" at {}", path.display()),
    }
}
