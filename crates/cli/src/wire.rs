//! Watching the wire: `--record` writes it into a file, `-vv` shows it on stderr.
//!
//! The file is JSON lines. The first is a header; `frame` records hold each line as it was, so that a replay is exact to the byte
//! (`raw_b64` where a line is no UTF-8). It may hold secrets, so only its owner may read it.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufWriter, Write as _},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use acp_harness::codec::SkipKind;
use acp_harness::transport::{Direction, Ended, Observer};
use serde::Serialize;
use tokio::time::Instant;

use crate::{output::Style, safe};

/// How much of a line `-vv` shows.
const SHOWN: usize = 2_000;

/// Sees everything that crosses the link of one agent.
#[derive(Debug)]
pub(crate) struct Wire {
    started: Instant,
    times: bool,
    show: bool,
    file: Option<Mutex<Recording>>,
}

#[derive(Debug)]
struct Recording {
    out: BufWriter<File>,
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
enum Line<'a> {
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
enum Raw<'a> {
    Raw(&'a str),
    RawB64(String),
}

#[derive(Serialize)]
struct Numbered<'a> {
    seq: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    t_us: Option<u64>,
    #[serde(flatten)]
    line: Line<'a>,
}

impl Wire {
    /// What the flags ask for; `None` when nobody wants to see the wire.
    pub(crate) fn new(
        record: Option<&Path>,
        show: bool,
        style: &Style,
        argv0: &str,
    ) -> io::Result<Option<Arc<Self>>> {
        if record.is_none() && !show {
            return Ok(None);
        }
        let file = record
            .map(|path| Recording::create(path, argv0))
            .transpose()?
            .map(Mutex::new);
        Ok(Some(Arc::new(Self {
            started: Instant::now(),
            times: style.times,
            show,
            file,
        })))
    }

    /// Flushes the file.
    ///
    /// # Errors
    /// The first failure to write it.
    pub(crate) fn finish(&self) -> io::Result<()> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        match file.failed {
            Some(kind) => Err(kind.into()),
            None => file.out.flush(),
        }
    }

    fn write(&self, line: Line<'_>) {
        let Some(file) = &self.file else { return };
        let at = self.times.then(|| self.started.elapsed());
        file.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .write(at, line);
    }

    fn print(&self, arrow: &str, bytes: &[u8]) {
        if self.show {
            let text = safe::line(
                &String::from_utf8_lossy(bytes.get(..SHOWN * 4).unwrap_or(bytes)),
                SHOWN,
            );
            // With stderr gone there is nobody left to show it to.
            drop(writeln!(io::stderr(), "{arrow} {text}"));
        }
    }
}

impl Recording {
    fn create(path: &Path, argv0: &str) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut out = BufWriter::new(options.open(path)?);
        let header = Header {
            r#type: "acp-trace",
            v: 1,
            argv0,
            protocol: None,
            warning: "may contain secrets",
        };
        serde_json::to_writer(&mut out, &header)?;
        out.write_all(b"\n")?;
        Ok(Self {
            out,
            seq: 0,
            failed: None,
        })
    }

    fn write(&mut self, at: Option<Duration>, line: Line<'_>) {
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
            .and_then(|()| self.out.write_all(b"\n"));
        self.failed = written.err().map(|error| error.kind());
    }
}

impl Observer for Wire {
    fn line(&self, direction: Direction, line: &[u8]) {
        let (arrow, dir) = sides(direction);
        self.print(arrow, line);
        self.write(Line::Frame {
            dir,
            raw: raw(line),
        });
    }

    fn skipped(&self, direction: Direction, kind: SkipKind, sample: &[u8], seen: usize) {
        let why = kind.to_string();
        let (_, dir) = sides(direction);
        self.print(&format!("? {why} ({seen} bytes)"), sample);
        self.write(Line::Noise {
            dir,
            why: &why,
            bytes: seen,
            raw: raw(sample),
        });
    }

    fn stderr(&self, bytes: &[u8]) {
        for line in bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            self.print("!", line);
        }
        self.write(Line::Stderr { raw: raw(bytes) });
    }

    fn ended(&self, ended: &Ended) {
        let exit = ended.exit();
        self.write(Line::Exit {
            status: exit.and_then(|exit| exit.code()),
            signal: exit.and_then(|exit| exit.signal()),
        });
    }
}

fn sides(direction: Direction) -> (&'static str, &'static str) {
    match direction {
        Direction::Sent => ("→", "c2a"),
        _ => ("←", "a2c"),
    }
}

fn raw(bytes: &[u8]) -> Raw<'_> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Raw::Raw(text),
        Err(_) => Raw::RawB64(base64(bytes)),
    }
}

/// Standard base64 with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk
            .iter()
            .fold(0_u32, |group, byte| group << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let index = (group >> (18 - 6 * digit)) as usize & 63;
            out.push(if digit <= chunk.len() {
                DIGITS.get(index).map_or('=', |digit| char::from(*digit))
            } else {
                '='
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_as_everybody_writes_it() {
        let shown =
            ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(
            shown,
            [
                "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"
            ]
        );
        assert_eq!(base64(&[0xff, 0xfe, 0xfd]), "//79");
    }
}
