//! The one task of a connection: reader, writer, queue, handlers and time in one select.
//!
//! It never waits for one of them alone. Reading goes on while the pipe is full, so that a cancel
//! and the answers to questions come through; the queue stands still until the pipe has taken the
//! event before.

use std::{future, io};

use acp_codec::{FrameDecoder, Limits};
use acp_transport::{Reader, Writer};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    sync::mpsc,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

use crate::{
    command::Command,
    config::Config,
    connection::Connection,
    error::ServeError,
    host::Host,
    outbox::Outbox,
    report::{Ended, Report},
};

/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

pub(crate) struct Pump {
    connection: Connection,
    decoder: FrameDecoder,
    /// `None` once its end was read.
    reader: Option<Reader>,
    /// `None` once it failed.
    writer: Option<Writer>,
    queue: mpsc::Receiver<Command>,
    /// A command that waits until joined text is written.
    stash: Option<Command>,
    stop: CancellationToken,
    config: std::sync::Arc<Config>,
    /// Set once everything was told to stop: by when the last bytes have to be out.
    closing: Option<Closing>,
}

/// The connection is on its way down.
struct Closing {
    ended: Ended,
    error: Option<ServeError>,
    /// When handlers and bytes that are left are given up.
    until: Instant,
}

/// What the select came to.
enum Step {
    Read(io::Result<usize>),
    Wrote(io::Result<usize>),
    Flushed(io::Result<()>),
    Command(Option<Command>),
    Task(Result<(), tokio::task::JoinError>),
    Time,
    Dropped,
    Stop,
}

impl Pump {
    pub(crate) fn new(host: Host, reader: Reader, writer: Writer, stop: CancellationToken) -> Self {
        let config = std::sync::Arc::clone(&host.config);
        let (sender, queue) = mpsc::channel(config.events.max(1));
        Self {
            connection: Connection::new(host, sender),
            decoder: FrameDecoder::new(Limits::default().with_max_line(config.max_line_in)),
            reader: Some(reader),
            writer: Some(writer),
            queue,
            stash: None,
            stop,
            config,
            closing: None,
        }
    }

    /// Runs until the client is gone and everything was wound up.
    pub(crate) async fn run(mut self) -> Result<Report, ServeError> {
        let mut chunk = vec![0; CHUNK].into_boxed_slice();
        loop {
            if let Some(closing) = &self.closing {
                let over =
                    self.connection.is_quiet() && self.queue.is_empty() && self.stash.is_none();
                if over || closing.until <= Instant::now() {
                    break;
                }
            }
            let step = self.step(&mut chunk).await;
            self.take(step, &chunk);
        }
        // Handlers that are left are dropped with the set.
        let left = self.connection.tasks.len();
        if left > 0 {
            tracing::warn!(left, "handlers were left behind");
            self.connection.report.abandoned += left as u64;
        }
        let mut report = self.connection.report;
        let Some(closing) = self.closing else {
            return Ok(report);
        };
        report.ended = closing.ended;
        match closing.error {
            Some(error) => Err(error),
            None => Ok(report),
        }
    }

    async fn step(&mut self, chunk: &mut [u8]) -> Step {
        let now = Instant::now();
        let connection = &mut self.connection;
        let closing = self.closing.is_some();
        let wants_input = !closing && connection.wants_input();
        let wants_command = connection.wants_command() && self.stash.is_none();
        let wakes_at = [
            connection.wakes_at(),
            connection
                .outbox
                .stalls_at(self.config.stall)
                .filter(|_| self.writer.is_some()),
            self.closing.as_ref().map(|closing| closing.until),
        ]
        .into_iter()
        .flatten()
        .min();
        let wake = wakes_at.unwrap_or(now);
        let dropped = std::sync::Arc::clone(&connection.dropped);
        tokio::select! {
            step = write(self.writer.as_mut(), &connection.outbox) => step,
            count = read(self.reader.as_mut(), chunk), if wants_input => Step::Read(count),
            command = self.queue.recv(), if wants_command => Step::Command(command),
            Some(result) = connection.tasks.join_next() => Step::Task(result),
            () = dropped.notified() => Step::Dropped,
            () = self.stop.cancelled(), if !closing => Step::Stop,
            () = sleep_until(wake), if wakes_at.is_some() => Step::Time,
        }
    }

    fn take(&mut self, step: Step, chunk: &[u8]) {
        let now = Instant::now();
        match step {
            Step::Read(Ok(0)) => {
                self.reader = None;
                if let Some(item) = self.decoder.finish()
                    && let Err(error) = self.connection.handle_item(now, item)
                {
                    return self.close(now, Ended::Eof, Some(error));
                }
                self.close(now, Ended::Eof, None);
            }
            Step::Read(Ok(count)) => {
                self.decoder.feed(chunk.get(..count).unwrap_or_default());
                self.decode(now);
            }
            Step::Read(Err(error)) => {
                self.reader = None;
                self.close(now, Ended::Eof, Some(ServeError::Read(error)));
            }
            Step::Wrote(Ok(count)) => self.connection.outbox.wrote(now, count),
            Step::Flushed(Ok(())) => self.connection.outbox.flushed(now),
            Step::Wrote(Err(source)) | Step::Flushed(Err(source)) => {
                let pending = self.connection.outbox.pending().len();
                self.writer = None;
                let error = ServeError::Write { pending, source };
                self.close(now, Ended::Eof, Some(error));
            }
            Step::Command(Some(command)) => self.command(now, command),
            // The connection itself holds a sender.
            Step::Command(None) => {}
            Step::Task(result) => self.connection.joined_task(result),
            Step::Time => self.time(now),
            Step::Dropped => self.connection.handle_dropped(now),
            Step::Stop => self.close(now, Ended::Stopped, None),
        }
        if self.writer.is_none() {
            self.connection.outbox.discard();
        }
        if self.connection.wants_command()
            && let Some(command) = self.stash.take()
        {
            self.command(now, command);
        }
    }

    /// Decodes what was read, as far as there is room for the answers. What is left is decoded when
    /// there is: the chunk is bounded.
    fn decode(&mut self, now: Instant) {
        while let Some(item) = self.decoder.poll() {
            if let Err(error) = self.connection.handle_item(now, item) {
                return self.close(now, Ended::Eof, Some(error));
            }
        }
    }

    fn command(&mut self, now: Instant, command: Command) {
        if self.connection.joins(&command) {
            self.connection.handle_command(now, command);
        } else {
            // One event at a time: the text goes first, then, once the pipe has it, this.
            self.connection.flush_joined(now);
            self.stash = Some(command);
        }
    }

    fn time(&mut self, now: Instant) {
        self.connection.handle_time(now);
        let stalled = self.connection.outbox.stalls_at(self.config.stall);
        if self.writer.is_some() && stalled.is_some_and(|at| at <= now) {
            let error = ServeError::Stalled {
                pending: self.connection.outbox.pending().len(),
                after: self.config.stall,
            };
            self.writer = None;
            self.close(now, Ended::Eof, Some(error));
        }
    }

    /// Everything is told to stop; the first reason stands.
    fn close(&mut self, now: Instant, ended: Ended, error: Option<ServeError>) {
        if self.closing.is_some() {
            return;
        }
        tracing::debug!(?ended, failed = error.is_some(), "closing");
        self.connection.stop_all(now);
        self.closing = Some(Closing {
            ended,
            error,
            until: now + self.config.farewell + self.config.flush,
        });
    }
}

/// Writes what is pending, then flushes it. Both may be dropped and begun anew at any time.
async fn write(writer: Option<&mut Writer>, outbox: &Outbox) -> Step {
    let Some(writer) = writer else {
        return future::pending().await;
    };
    let pending = outbox.pending();
    if !pending.is_empty() {
        return Step::Wrote(match writer.write(pending).await {
            Ok(0) => Err(io::ErrorKind::WriteZero.into()),
            result => result,
        });
    }
    if outbox.needs_flush() {
        return Step::Flushed(writer.flush().await);
    }
    future::pending().await
}

async fn read(reader: Option<&mut Reader>, chunk: &mut [u8]) -> io::Result<usize> {
    match reader {
        Some(reader) => reader.read(chunk).await,
        None => future::pending().await,
    }
}
