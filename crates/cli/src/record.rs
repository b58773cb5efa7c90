//! `--json`: one record a line, versioned, numbered, and a `result` record at the end whatever happens.
//!
//! A reader may rely on this: every line is one JSON object with `v`, `seq` and `type`, `seq` counts from 0 without a gap, and the
//! last line is the only one of type `result`. Members may be added; none changes its meaning while `v` stays.

use std::{io, time::Duration};

use serde::Serialize;

use crate::output::Answer;

/// The version of the records.
pub(crate) const VERSION: u32 = 1;

/// Writes records, and knows whether the last one is out.
#[derive(Debug)]
pub(crate) struct Recorder {
    out: Answer,
    seq: u64,
    finished: bool,
}

#[derive(Serialize)]
struct Line<'a, B> {
    v: u32,
    seq: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    t_ms: Option<u64>,
    r#type: &'a str,
    #[serde(flatten)]
    body: &'a B,
}

impl Recorder {
    /// Writes to this answer.
    pub(crate) fn new(out: Answer) -> Self {
        Self {
            out,
            seq: 0,
            finished: false,
        }
    }

    /// Whether nobody reads any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.out.is_closed()
    }

    /// Writes one record. `at` is the time since the start, left out where times are.
    pub(crate) fn write<B: Serialize>(
        &mut self,
        kind: &str,
        at: Option<Duration>,
        body: &B,
    ) -> io::Result<()> {
        if self.finished {
            return Ok(());
        }
        let t_ms = at.map(|at| u64::try_from(at.as_millis()).unwrap_or(u64::MAX));
        let mut line = serde_json::to_vec(&Line {
            v: VERSION,
            seq: self.seq,
            t_ms,
            r#type: kind,
            body,
        })?;
        line.push(b'\n');
        self.seq += 1;
        self.out.write(&line)
    }

    /// Writes the `result` record: the last one, once.
    pub(crate) fn finish<B: Serialize>(
        &mut self,
        at: Option<Duration>,
        body: &B,
    ) -> io::Result<()> {
        self.write("result", at, body)?;
        self.finished = true;
        Ok(())
    }
}
