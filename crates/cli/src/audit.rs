//! `--audit`: every decision about a permission, appended to a file as one JSON line.
//!
//! It quotes the agent and may hold secrets, so a new file is its owner's alone.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::Path,
    time::Duration,
};

use acp_harness::permission::Record;

use crate::{exit::Exit, failure::Broken};

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

    /// Appends one decision, with the time since the start, in a single write: several programs may share the file.
    /// A log with a hole in it must not look whole, so a failure ends the run.
    pub(crate) fn write_down(
        &mut self,
        record: &Record,
        at: Option<Duration>,
    ) -> Result<(), Broken> {
        let line = match at {
            Some(at) => record.clone().at(at).to_line(),
            None => record.to_line(),
        };
        self.0.write_all(line.as_bytes()).map_err(|error| {
            let message = format!("--audit cannot be written: {error}");
            Broken::new(Exit::Failed, "unwritable", message)
        })
    }
}
