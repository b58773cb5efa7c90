//! What crosses the wire for one session, in a file of its own.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use acp_vocab::SessionId;

/// Files of one session, when it was opened more than once.
const MAX_FILES: usize = 1000;

/// Where the traces of sessions go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TracePlace {
    pattern: Box<str>,
}

impl TracePlace {
    /// A path in which `{session_id}` stands for the session's id.
    pub(crate) fn new(pattern: &str) -> Self {
        Self {
            pattern: pattern.into(),
        }
    }

    /// Creates the file of a session: new, and readable by nobody else. A session that is opened
    /// again gets another file, with a number behind its name.
    pub(crate) fn create(&self, session: &SessionId) -> io::Result<TraceFile> {
        let id = session.as_str();
        let plain = !id.is_empty()
            && id.len() <= 128
            && !id.starts_with('.')
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
        if !plain {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let path = PathBuf::from(self.pattern.replace("{session_id}", id));
        for number in 0..MAX_FILES {
            let mut path = path.clone();
            if number > 0 {
                path.as_mut_os_string().push(format!(".{number}"));
            }
            match exclusive(&path) {
                Ok(file) => {
                    return Ok(TraceFile {
                        file,
                        broken: false,
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

fn exclusive(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The open file.
#[derive(Debug)]
pub(crate) struct TraceFile {
    file: File,
    broken: bool,
}

impl TraceFile {
    /// Writes one line of the wire: an arrow and the message. A disk that is full ends the trace
    /// and not the session.
    pub(crate) fn line(&mut self, sent: bool, line: &[u8]) {
        if self.broken {
            return;
        }
        let mut text = Vec::with_capacity(line.len() + 32);
        text.extend_from_slice(if sent {
            br#"{"sent":"#
        } else {
            br#"{"received":"#
        });
        text.extend_from_slice(line.trim_ascii_end());
        text.extend_from_slice(b"}\n");
        if let Err(error) = self.file.write_all(&text) {
            tracing::warn!(kind = %error.kind(), "a session's trace ended");
            self.broken = true;
        }
    }
}
