//! `--audit`: every decision about a permission, appended to a file as one JSON line.
//!
//! It quotes the agent and may hold secrets, so a new file is its owner's alone.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::Path,
};

use acp_harness::permission::Record;

/// The log of decisions.
#[derive(Debug)]
pub(crate) struct Audit(File);

impl Audit {
    /// Opens it, or makes it with mode 0600; what it holds stays.
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path).map(Self)
    }

    /// Appends one decision in a single write, so that several programs may share the file.
    pub(crate) fn write(&mut self, record: &Record) -> io::Result<()> {
        self.0.write_all(record.to_line().as_bytes())
    }
}
