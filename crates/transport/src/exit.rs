//! How a process ended: the one thing an operating system says about it.

use std::fmt;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Exit {
    /// It ended by itself, with this status (0 means success).
    Code(i32),
    /// A signal ended it (Unix).
    Signal(i32),
    /// It ended, and somebody else took the status: the host ignores `SIGCHLD`, or waits for any
    /// child.
    Unknown,
}

impl Exit {
    /// Whether the process said that all was well: status 0.
    #[must_use]
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Code(0))
    }

    /// The status, when the process ended by itself.
    #[must_use]
    pub const fn code(self) -> Option<i32> {
        match self {
            Self::Code(code) => Some(code),
            Self::Signal(_) | Self::Unknown => None,
        }
    }

    /// The name of the signal that ended it, such as `SIGKILL`, where its number means the same on
    /// every Unix.
    #[must_use]
    pub const fn signal_name(self) -> Option<&'static str> {
        match self {
            Self::Signal(signal) => signal_name(signal),
            Self::Code(_) | Self::Unknown => None,
        }
    }

    /// The number of the signal that ended it.
    #[must_use]
    pub const fn signal(self) -> Option<i32> {
        match self {
            Self::Signal(signal) => Some(signal),
            Self::Code(_) | Self::Unknown => None,
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit status {code}"),
            Self::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "signal {signal} ({name})"),
                None => write!(f, "signal {signal}"),
            },
            Self::Unknown => f.write_str("unknown exit status"),
        }
    }
}

impl From<std::process::ExitStatus> for Exit {
    fn from(status: std::process::ExitStatus) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Self::Signal(signal);
        }
        status.code().map_or(Self::Unknown, Self::Code)
    }
}

/// The names of the signals whose numbers are the same on every Unix.
const fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        _ => return None,
    })
}
