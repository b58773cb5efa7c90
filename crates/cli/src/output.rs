//! Where words go: stdout for the answer, stderr for the rest, with or without colour and times.

mod steady;

use std::{
    env,
    fs::File,
    io::{self, IsTerminal as _, Write},
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

pub(crate) use self::steady::wait_at_most;
use self::steady::{Wait, push};
use crate::lowargs::{Format, Global, When};

/// How much is kept for a reader that does not read, before it counts as gone.
const KEPT: usize = 8 << 20;
/// How long the last words wait for a reader that takes nothing.
const LAST: Duration = Duration::from_secs(2);

/// How much is said on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors alone.
    Quiet,
    /// Tools, permissions, the outcome.
    Normal,
    /// The phases, too.
    Phases,
    /// The lines on the wire, too.
    Wire,
}

/// What the global flags and the environment come to.
#[derive(Debug, Clone)]
pub(crate) struct Style {
    pub(crate) json: bool,
    pub(crate) verbosity: Verbosity,
    /// Whether stderr is coloured.
    pub(crate) color: bool,
    /// Whether times and durations are printed.
    pub(crate) times: bool,
    /// The form of the answer, where it is not JSON lines.
    pub(crate) format: Format,
    /// Whether an answer on a coloured terminal is shown as the Markdown that it is.
    pub(crate) markdown: bool,
}

impl Style {
    /// Reads the flags, then `NO_COLOR`, `CLICOLOR_FORCE` and `ACP_TEST_CLOCK`.
    pub(crate) fn new(global: &Global) -> Self {
        let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let color = match global.color {
            When::Always => true,
            When::Never => false,
            When::Auto if is_set("NO_COLOR") => false,
            When::Auto
                if env::var_os("CLICOLOR_FORCE")
                    .is_some_and(|value| !value.is_empty() && value != "0") =>
            {
                true
            }
            When::Auto => {
                io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb")
            }
        };
        let verbosity = match (global.quiet, global.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, 0) => Verbosity::Normal,
            (false, 1) => Verbosity::Phases,
            (false, _) => Verbosity::Wire,
        };
        Self {
            json: global.json,
            verbosity,
            color,
            times: !(global.no_timestamps || is_set("ACP_TEST_CLOCK")),
            format: Format::Text,
            markdown: false,
        }
    }

    /// The same with this form of the answer; `--json` is what was typed where it stands.
    pub(crate) fn formed(&self, format: Option<Format>) -> Self {
        let format = format.unwrap_or(Format::Text);
        Self {
            json: self.json || format == Format::Jsonl,
            format,
            ..self.clone()
        }
    }
}

/// Where the answer goes.
#[derive(Debug)]
pub(crate) struct Answer {
    sink: Sink,
    is_terminal: bool,
    shares_stderr: bool,
    closed: bool,
    /// What was not taken when its reader was no longer waited for.
    kept: Vec<u8>,
}

/// An answer that several write to: those that watch the wire, and who looks whether it is still read.
#[derive(Debug, Clone)]
pub(crate) struct Shared(Arc<Mutex<Answer>>);

impl Shared {
    /// Shares it.
    pub(crate) fn new(answer: Answer) -> Self {
        Self(Arc::new(Mutex::new(answer)))
    }

    fn lock(&self) -> MutexGuard<'_, Answer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nobody reads it any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.lock().is_closed()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().write(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug)]
enum Sink {
    Nothing,
    Stdout(io::Stdout),
    File(File),
}

impl Answer {
    /// To stdout, or to a file.
    pub(crate) fn new(path: Option<&Path>) -> io::Result<Self> {
        Ok(match path {
            None => Self {
                is_terminal: io::stdout().is_terminal(),
                shares_stderr: shares_stderr(),
                sink: Sink::Stdout(io::stdout()),
                closed: false,
                kept: Vec::new(),
            },
            Some(path) => Self {
                is_terminal: false,
                shares_stderr: false,
                sink: Sink::File(File::create(path)?),
                closed: false,
                kept: Vec::new(),
            },
        })
    }

    /// To nobody.
    pub(crate) fn none() -> Self {
        Self {
            sink: Sink::Nothing,
            is_terminal: false,
            shares_stderr: false,
            closed: false,
            kept: Vec::new(),
        }
    }

    /// Whether a terminal reads it, so that what an agent says must be made safe.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Whether stderr is shown at the same place: a terminal, or one log file for both.
    pub(crate) fn shares_stderr(&self) -> bool {
        self.shares_stderr
    }

    /// Whether nobody reads it any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes and flushes: an answer streams. After the reader went away nothing is written and nothing fails. A reader that takes nothing is waited for until a signal comes or the bound of the turn is over; from then on what it does not take is kept, within a bound, and offered again.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.kept.is_empty() {
            let taken = self.push(bytes, Wait::Patient)?;
            self.kept
                .extend_from_slice(bytes.get(taken..).unwrap_or_default());
        } else {
            self.kept.extend_from_slice(bytes);
            self.offer(Wait::Not)?;
        }
        if self.kept.len() > KEPT {
            self.closed = true;
        }
        if self.closed {
            self.kept = Vec::new();
        }
        Ok(())
    }

    /// Offers what is kept.
    fn offer(&mut self, wait: Wait) -> io::Result<()> {
        let kept = std::mem::take(&mut self.kept);
        let taken = self.push(&kept, wait)?;
        self.kept = kept.get(taken..).unwrap_or_default().to_vec();
        Ok(())
    }

    fn push(&mut self, bytes: &[u8], wait: Wait) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let taken = match &self.sink {
            Sink::Nothing => Ok(bytes.len()),
            Sink::Stdout(out) => push(out, bytes, wait),
            Sink::File(out) => push(out, bytes, wait),
        };
        match taken {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(bytes.len())
            }
            other => other,
        }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        // With the reader gone there is nobody left to tell.
        drop(self.offer(Wait::Last(LAST)));
    }
}

/// Says something on stderr, as long as anybody takes it. With stderr gone there is nobody left to tell.
pub(crate) fn tell(text: &str) {
    /// Nobody took what was said last.
    static UNHEARD: AtomicBool = AtomicBool::new(false);

    let (stderr, text) = (io::stderr(), text.as_bytes());
    let waits = if UNHEARD.load(Ordering::Relaxed) {
        [Wait::Not, Wait::Not]
    } else {
        [Wait::Patient, Wait::Last(LAST)]
    };
    let mut rest = text;
    for wait in waits {
        match push(&stderr, rest, wait) {
            Ok(taken) => rest = rest.get(taken..).unwrap_or_default(),
            Err(_) => return,
        }
    }
    UNHEARD.store(!rest.is_empty(), Ordering::Relaxed);
}

#[cfg(unix)]
fn shares_stderr() -> bool {
    use std::os::{fd::AsFd as _, unix::fs::MetadataExt as _};
    let place = |stream: std::os::fd::BorrowedFd<'_>| {
        let file = File::from(stream.try_clone_to_owned().ok()?)
            .metadata()
            .ok()?;
        Some((file.dev(), file.ino(), file.rdev()))
    };
    let (stdout, stderr) = (place(io::stdout().as_fd()), place(io::stderr().as_fd()));
    stdout.is_some() && stdout == stderr
}

#[cfg(not(unix))]
fn shares_stderr() -> bool {
    io::stdout().is_terminal() && io::stderr().is_terminal()
}
