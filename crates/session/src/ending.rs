//! How a connection ends, and in which order (rules 15 and 16): the exit of the child is not the
//! end of what it said, and everything that was read is delivered first.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::ProtocolError;
use crate::label::Label;

/// How the agent's process ended. Only the numbers are ever printed by the machine's errors.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Exit {
    /// The exit code, when it exited.
    pub code: Option<i32>,
    /// The signal, when one ended it.
    pub signal: Option<i32>,
    /// The last lines that it wrote to stderr. The agent's text.
    pub stderr: Arc<str>,
}

impl Exit {
    /// An exit with a code or a signal, and the tail of stderr.
    #[must_use]
    pub fn new(code: Option<i32>, signal: Option<i32>, stderr: impl Into<Arc<str>>) -> Self {
        Self {
            code,
            signal,
            stderr: stderr.into(),
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write!(f, "exit code {code}"),
            (None, Some(signal)) => write!(f, "signal {signal}"),
            (None, None) => f.write_str("exit status unknown"),
        }
    }
}

/// Where the connection was when it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase {
    /// Before the version was agreed.
    Opening,
    /// In use.
    Ready,
    /// While it was being closed by us.
    Closing,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Opening => "before initialize was answered",
            Self::Ready => "in use",
            Self::Closing => "while closing",
        })
    }
}

/// Why the connection ended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EndCause {
    /// The agent closed its output.
    #[error("the agent closed its output")]
    Eof,
    /// The agent's process ended; its output stayed open in another process.
    #[error("the agent exited")]
    Exited,
    /// Reading failed.
    #[error("reading from the agent failed ({0})")]
    Read(std::io::ErrorKind),
    /// Writing failed, and the agent said nothing more.
    #[error("writing to the agent failed ({0})")]
    Write(std::io::ErrorKind),
    /// The agent accepted no byte for too long (rule 11).
    #[error(
        "the agent stopped reading: {pending} bytes pending for {patience:?}, {label} in front"
    )]
    StoppedReading {
        /// Bytes that it did not take.
        pending: usize,
        /// The bound.
        patience: Duration,
        /// What stands in front.
        label: Label,
    },
    /// A breach of the protocol that nothing can follow.
    #[error(transparent)]
    Protocol(ProtocolError),
    /// We closed it.
    #[error("the connection was closed by us")]
    Closed,
}

#[derive(Debug, PartialEq, Eq)]
struct End {
    cause: EndCause,
    phase: Phase,
    exit: Option<Exit>,
    partial: usize,
    skipped: u64,
}

/// The connection has ended. Cheap to clone: every wait gets the same one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionError(Arc<End>);

impl ConnectionError {
    pub(crate) fn new(
        cause: EndCause,
        phase: Phase,
        exit: Option<Exit>,
        partial: usize,
        skipped: u64,
    ) -> Self {
        Self(Arc::new(End {
            cause,
            phase,
            exit,
            partial,
            skipped,
        }))
    }

    /// Why.
    #[must_use]
    pub fn cause(&self) -> &EndCause {
        &self.0.cause
    }

    /// When, in the life of the connection.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.0.phase
    }

    /// How the process ended, when that is known.
    #[must_use]
    pub fn exit(&self) -> Option<&Exit> {
        self.0.exit.as_ref()
    }

    /// The last lines of stderr, when the process was seen to end. The agent's text.
    #[must_use]
    pub fn stderr(&self) -> &str {
        self.exit().map_or("", |exit| &exit.stderr)
    }

    /// Bytes of an unfinished last line.
    #[must_use]
    pub fn partial(&self) -> usize {
        self.0.partial
    }

    /// Lines that were no messages, over the whole connection.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.0.skipped
    }
}

impl fmt::Display for ConnectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let End {
            cause,
            phase,
            exit,
            partial,
            skipped,
        } = &*self.0;
        write!(f, "{cause} {phase}")?;
        if let Some(exit) = exit {
            write!(f, " ({exit})")?;
        }
        if *partial > 0 {
            write!(f, "; a partial line of {partial} bytes was left")?;
        }
        if *skipped > 0 {
            write!(f, "; {skipped} lines were no messages and skipped")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConnectionError {}

/// What is known of the end while it comes, piece by piece and in any order.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    /// The first thing that made the end certain.
    cause: Option<EndCause>,
    exit: Option<Exit>,
    partial: usize,
    /// No byte will come any more.
    eof: bool,
    /// When we stop waiting for the other piece.
    until: Option<Instant>,
    /// Nothing is read, because nobody takes what was: the wait goes on once that is over.
    held: bool,
}

impl Ending {
    /// Whether anything of the end has been seen: reading then goes on past every bound.
    pub(crate) const fn begun(&self) -> bool {
        self.cause.is_some() || self.exit.is_some()
    }

    pub(crate) const fn eof(&self) -> bool {
        self.eof
    }

    pub(crate) fn exited(&mut self, exit: Exit, until: Instant) {
        self.exit.get_or_insert(exit);
        if !self.eof {
            self.until.get_or_insert(until);
        }
    }

    /// The stream of bytes is over. `until` is how long the exit status may still take.
    pub(crate) fn finished(&mut self, cause: EndCause, until: Instant) {
        self.eof = true;
        self.cause.get_or_insert(cause);
        if self.exit.is_none() {
            self.until.get_or_insert(until);
        }
    }

    /// Bytes of a last line that nothing completed.
    pub(crate) const fn left(&mut self, partial: usize) {
        self.partial = partial;
    }

    /// Writing is over; what can still be read is read.
    pub(crate) fn write_failed(&mut self, cause: EndCause, until: Instant) {
        self.cause.get_or_insert(cause);
        self.until.get_or_insert(until);
    }

    /// Whether nothing can be read at the moment. The time in which the other piece may come starts
    /// anew when reading goes on: what stands in the pipe is not lost to a slow host.
    pub(crate) fn hold(&mut self, held: bool, until: Instant) {
        if self.held && self.until.is_some() {
            self.until = Some(until);
        }
        self.held = held;
    }

    pub(crate) const fn wakes_at(&self) -> Option<Instant> {
        if self.held { None } else { self.until }
    }

    /// Whether both pieces are there, or the wait for the second is over.
    pub(crate) fn is_complete(&self, now: Instant, expects_exit: bool) -> bool {
        let both = self.eof && (self.exit.is_some() || !expects_exit);
        both || self.wakes_at().is_some_and(|until| until <= now)
    }

    pub(crate) fn exit(&self) -> Option<&Exit> {
        self.exit.as_ref()
    }

    /// The pieces for the error; what was never seen is left out.
    pub(crate) fn to_error(&self, phase: Phase, skipped: u64) -> ConnectionError {
        let cause = self.cause.clone().unwrap_or(EndCause::Exited);
        ConnectionError::new(cause, phase, self.exit.clone(), self.partial, skipped)
    }
}
