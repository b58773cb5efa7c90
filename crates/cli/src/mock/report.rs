//! What a mock heard, written down for whoever checks a client with it: one JSON line a happening, flushed at once.

use std::{fs::File, io::Write as _, path::Path};

use serde_json::{Value, json};

/// Writes the report. When it cannot be written nobody is told: its reader notices.
#[derive(Debug)]
pub(crate) struct Report(File);

impl Report {
    /// Appends to a file, so that several processes of one client can write the same.
    pub(crate) fn new(path: &Path) -> std::io::Result<Self> {
        let mut report = Self(File::options().append(true).create(true).open(path)?);
        report.write("started", Value::from(std::process::id()));
        Ok(report)
    }

    /// A line of the client.
    pub(crate) fn line(&mut self, line: &[u8]) {
        self.write("heard", Value::from(String::from_utf8_lossy(line)));
    }

    /// What was said that matters to whoever reads this.
    pub(crate) fn said(&mut self, line: &str) {
        self.write("said", Value::from(line));
    }

    /// The client closed our input.
    pub(crate) fn end(&mut self) {
        self.write("end", Value::Null);
    }

    /// We end.
    pub(crate) fn exit(&mut self, status: i32) {
        self.write("exit", Value::from(status));
    }

    fn write(&mut self, kind: &str, value: Value) {
        let line = format!("{}\n", json!({ "pid": std::process::id(), kind: value }));
        drop(self.0.write_all(line.as_bytes()));
    }
}
