//! Watching the wire: `--record` writes it into a file, `--format wire` onto stdout, `-vv` shows it on stderr.

mod recording;

use std::{
    io::{self, Write as _},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use acp_harness::codec::SkipKind;
use acp_harness::transport::{Direction, Ended, Observer};
use tokio::time::Instant;

use self::recording::{Line, Recording, raw};
use crate::{
    output::{Shared, Style},
    safe,
};

/// How much of a line `-vv` shows.
const SHOWN: usize = 2_000;

/// Sees everything that crosses the link of one agent.
#[derive(Debug)]
pub(crate) struct Wire {
    started: Instant,
    times: bool,
    show: bool,
    /// The file and the answer, as far as they are wanted.
    recordings: Vec<Mutex<Recording>>,
}

impl Wire {
    /// What the flags ask for: a file, the answer, stderr; `None` when nobody wants to see the wire.
    pub(crate) fn new(
        record: Option<&Path>,
        answer: Option<Shared>,
        show: bool,
        style: &Style,
        argv0: &str,
    ) -> io::Result<Option<Arc<Self>>> {
        let mut recordings = Vec::new();
        if let Some(path) = record {
            recordings.push(Mutex::new(Recording::create(path, argv0)?));
        }
        if let Some(answer) = answer {
            recordings.push(Mutex::new(Recording::live(answer, argv0)?));
        }
        if recordings.is_empty() && !show {
            return Ok(None);
        }
        Ok(Some(Arc::new(Self {
            started: Instant::now(),
            times: style.times,
            show,
            recordings,
        })))
    }

    /// Flushes what is written.
    ///
    /// # Errors
    /// The first failure to write it.
    pub(crate) fn finish(&self) -> io::Result<()> {
        self.recordings.iter().try_for_each(|recording| {
            let mut recording = recording.lock().unwrap_or_else(PoisonError::into_inner);
            recording.finish()
        })
    }

    fn write(&self, line: &Line<'_>) {
        let at = self.times.then(|| self.started.elapsed());
        for recording in &self.recordings {
            let mut recording = recording.lock().unwrap_or_else(PoisonError::into_inner);
            recording.write(at, line);
        }
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

impl Observer for Wire {
    fn line(&self, direction: Direction, line: &[u8]) {
        let (arrow, dir) = sides(direction);
        self.print(arrow, line);
        self.write(&Line::Frame {
            dir,
            raw: raw(line),
        });
    }

    fn skipped(&self, direction: Direction, kind: SkipKind, sample: &[u8], seen: usize) {
        let why = kind.to_string();
        let (_, dir) = sides(direction);
        self.print(&format!("? {why} ({seen} bytes)"), sample);
        self.write(&Line::Noise {
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
        self.write(&Line::Stderr { raw: raw(bytes) });
    }

    fn ended(&self, ended: &Ended) {
        let exit = ended.exit();
        self.write(&Line::Exit {
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
