//! The wire as JSON lines.
//!
//! The first is a header; `frame` records hold each line as it was, so that a replay is exact to the byte
//! (`raw_b64` where a line is no UTF-8). It may hold secrets, so only its owner may read it.

use std::{
    fmt,
    fs::OpenOptions,
    io::{self, BufWriter, Write},
    path::Path,
    time::Duration,
};

use serde::Serialize;

use crate::{base64, output::Shared};

/// Writes records, one a line.
pub(super) struct Recording {
    out: BufWriter<Box<dyn Write + Send>>,
    /// Whether somebody reads along.
    live: bool,
    seq: u64,
    /// The first failure to write; nothing is written after it.
    failed: Option<io::ErrorKind>,
}

#[derive(Serialize)]
struct Header<'a> {
    r#type: &'static str,
    v: u32,
    argv0: &'a str,
    protocol: Option<u16>,
    warning: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case", tag = "type")]
pub(super) enum Line<'a> {
    Frame {
        dir: &'static str,
        #[serde(flatten)]
        raw: Raw<'a>,
    },
    Noise {
        dir: &'static str,
        why: &'a str,
        bytes: usize,
        #[serde(flatten)]
        raw: Raw<'a>,
    },
    Stderr {
        #[serde(flatten)]
        raw: Raw<'a>,
    },
    Exit {
        status: Option<i32>,
        signal: Option<i32>,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Raw<'a> {
    Raw(&'a str),
    RawB64(String),
}

#[derive(Serialize)]
struct Numbered<'a> {
    seq: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    t_us: Option<u64>,
    #[serde(flatten)]
    line: &'a Line<'a>,
}

impl Recording {
    /// Writes it into a file.
    pub(super) fn create(path: &Path, argv0: &str) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Self::new(Box::new(options.open(path)?), false, argv0)
    }

    /// Writes it where the answer goes, each line at once.
    pub(super) fn live(answer: Shared, argv0: &str) -> io::Result<Self> {
        Self::new(Box::new(answer), true, argv0)
    }

    fn new(out: Box<dyn Write + Send>, live: bool, argv0: &str) -> io::Result<Self> {
        let mut out = BufWriter::new(out);
        let header = Header {
            r#type: "acp-trace",
            v: 1,
            argv0,
            protocol: None,
            warning: "may contain secrets",
        };
        serde_json::to_writer(&mut out, &header)?;
        out.write_all(b"\n")?;
        if live {
            out.flush()?;
        }
        Ok(Self {
            out,
            live,
            seq: 0,
            failed: None,
        })
    }

    /// Writes one record; the first failure is kept, and nothing is written after it.
    pub(super) fn write(&mut self, at: Option<Duration>, line: &Line<'_>) {
        if self.failed.is_some() {
            return;
        }
        let t_us = at.map(|at| u64::try_from(at.as_micros()).unwrap_or(u64::MAX));
        let record = Numbered {
            seq: self.seq,
            t_us,
            line,
        };
        self.seq += 1;
        let written = serde_json::to_writer(&mut self.out, &record)
            .map_err(io::Error::from)
            .and_then(|()| self.out.write_all(b"\n"))
            .and_then(|()| if self.live { self.out.flush() } else { Ok(()) });
        self.failed = written.err().map(|error| error.kind());
    }

    /// Flushes it.
    ///
    /// # Errors
    /// The first failure to write it.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        match self.failed {
            Some(kind) => Err(kind.into()),
            None => self.out.flush(),
        }
    }
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording")
            .field("live", &self.live)
            .field("seq", &self.seq)
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

/// The bytes as text where they are text.
pub(super) fn raw(bytes: &[u8]) -> Raw<'_> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Raw::Raw(text),
        Err(_) => Raw::RawB64(base64::encode(bytes)),
    }
}
