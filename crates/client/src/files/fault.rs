//! Why a file was not served, and what the agent is told: never a path, never a text.

use std::io;

use acp_vocab::{ErrorCode, ErrorObject};

use crate::served::ServedClass;

/// Why a file was not served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    #[error("the path must be absolute")]
    Relative,
    #[error("the path cannot be that of a file")]
    Malformed,
    #[error("the path leads outside of what this client serves")]
    Outside,
    #[error("no such file")]
    Missing,
    #[error("not a regular file")]
    NotAFile,
    #[error("the file is not UTF-8 text")]
    NotText,
    #[error("more than {limit} bytes; ask for fewer lines")]
    TooLong { limit: u64 },
    #[error("the system refused: {0}")]
    System(io::ErrorKind),
}

impl Fault {
    pub(super) const fn class(self) -> ServedClass {
        match self {
            Self::Relative | Self::Malformed => ServedClass::Malformed,
            Self::Outside => ServedClass::Outside,
            Self::Missing => ServedClass::Missing,
            Self::NotAFile => ServedClass::NotAFile,
            Self::NotText => ServedClass::NotText,
            Self::TooLong { .. } => ServedClass::TooMuch,
            Self::System(_) => ServedClass::Failed,
        }
    }

    const fn code(self) -> ErrorCode {
        match self {
            Self::Missing => ErrorCode::RESOURCE_NOT_FOUND,
            Self::System(_) => ErrorCode::INTERNAL_ERROR,
            Self::Relative
            | Self::Malformed
            | Self::Outside
            | Self::NotAFile
            | Self::NotText
            | Self::TooLong { .. } => ErrorCode::INVALID_PARAMS,
        }
    }
}

impl From<Fault> for ErrorObject {
    fn from(fault: Fault) -> Self {
        Self::new(fault.code(), fault.to_string())
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        use io::ErrorKind as Kind;
        let kind = error.kind();
        if matches!(kind, Kind::NotFound | Kind::NotADirectory) {
            Self::Missing
        } else if kind == Kind::IsADirectory || is_no_file(&error) {
            Self::NotAFile
        } else if kind == Kind::PermissionDenied && error.raw_os_error().is_none() {
            // The confinement itself saw the way out; a refusal of the system has a number.
            Self::Outside
        } else if matches!(kind, Kind::InvalidInput | Kind::InvalidFilename) {
            Self::Malformed
        } else {
            Self::System(kind)
        }
    }
}

/// Too many symbolic links in the way, or a socket, a pipe without its other end, a device that is
/// not there. The kinds of these have no stable names yet.
fn is_no_file(error: &io::Error) -> bool {
    #[cfg(unix)]
    let is_no_file = {
        use rustix::io::Errno;
        let number = error.raw_os_error();
        [Errno::LOOP, Errno::NXIO, Errno::NODEV]
            .into_iter()
            .any(|errno| number == Some(errno.raw_os_error()))
    };
    #[cfg(not(unix))]
    let is_no_file = false;
    is_no_file
}
