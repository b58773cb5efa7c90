//! Lines from stdin, read by a thread of their own, so that an agent that writes can still be cancelled.

use std::{
    io::{self, BufRead as _},
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TryRecvError},
    },
    thread,
    time::Duration,
};

/// How many lines wait while the agent is busy writing; a client that writes more is left waiting.
const WAITING: usize = 1 << 16;
/// How long the agent may go on after the end of its input, blocked in a write for instance.
const AFTER_END: Duration = Duration::from_secs(1);

/// What came.
#[derive(Debug)]
pub(crate) enum Came {
    /// A line, without its end.
    Line(Vec<u8>),
    /// The client closed our input.
    End,
    /// Nothing, in the time that there was.
    Nothing,
}

/// The lines that the client writes.
#[derive(Debug)]
pub(crate) struct Input {
    lines: Receiver<Vec<u8>>,
    stopped: Arc<AtomicBool>,
}

impl Input {
    /// Starts to read. After the end of the input this process ends within a second, unless `outlives`.
    pub(crate) fn start(outlives: bool) -> io::Result<Self> {
        let (sender, lines) = mpsc::sync_channel(WAITING);
        let stopped = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stopped);
        thread::Builder::new()
            .name(String::from("stdin"))
            .spawn(move || {
                read(sender, &flag);
                if !outlives {
                    wait(AFTER_END);
                    process::exit(0);
                }
            })?;
        Ok(Self { lines, stopped })
    }

    /// The next line, for as long as it takes or as there is time.
    pub(crate) fn next(&self, within: Option<Duration>) -> Came {
        let came = match within {
            None => self
                .lines
                .recv()
                .map_err(|_| RecvTimeoutError::Disconnected),
            Some(time) if time.is_zero() => self.lines.try_recv().map_err(|error| match error {
                TryRecvError::Empty => RecvTimeoutError::Timeout,
                TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
            }),
            Some(time) => self.lines.recv_timeout(time),
        };
        match came {
            Ok(line) => Came::Line(line),
            Err(RecvTimeoutError::Timeout) => Came::Nothing,
            Err(RecvTimeoutError::Disconnected) => Came::End,
        }
    }

    /// Reads no more: what the client writes piles up in the pipe, and its end is not seen either.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
    }
}

/// Does nothing, until somebody ends this process.
pub(crate) fn forever() -> ! {
    loop {
        thread::park();
    }
}

/// Waits without a clock to read.
pub(crate) fn wait(time: Duration) {
    let (keep, never) = mpsc::channel::<()>();
    // The channel stays open and empty, so this is the timeout and nothing else.
    let _: Result<(), RecvTimeoutError> = never.recv_timeout(time);
    drop(keep);
}

fn read(lines: SyncSender<Vec<u8>>, stopped: &AtomicBool) {
    let mut stdin = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        let (taken, ended) = match stdin.fill_buf() {
            _ if stopped.load(Ordering::SeqCst) => forever(),
            Err(_) | Ok([]) => break,
            Ok(bytes) => {
                let end = bytes.iter().position(|byte| *byte == b'\n');
                let taken = end.map_or(bytes.len(), |at| at + 1);
                line.extend_from_slice(bytes.get(..taken).unwrap_or(bytes));
                (taken, end.is_some())
            }
        };
        stdin.consume(taken);
        if ended && lines.send(trimmed(&mut line)).is_err() {
            return;
        }
    }
    if !line.is_empty() {
        // What is left is a line that lacks its end; nobody may be there to take it.
        drop(lines.send(trimmed(&mut line)));
    }
}

fn trimmed(line: &mut Vec<u8>) -> Vec<u8> {
    let line = std::mem::take(line);
    line.trim_ascii().to_vec()
}
