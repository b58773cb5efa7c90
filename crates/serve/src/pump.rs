//! The one task of a connection: reader, writer, queue, handlers and time, in one poll.
//!
//! It never waits for one of them alone. Reading goes on while the pipe is full, so that a cancel
//! and the answers to questions come through; the queue stands still until the pipe has taken the
//! event before.

mod io;

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
};

use acp_codec::{FrameDecoder, Limits};
use acp_transport::{Reader, Writer};
use tokio::{sync::mpsc, time::Instant};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use self::io::{Input, Output, Read, Timer, Write};
use crate::{
    command::Command,
    config::Config,
    connection::Connection,
    error::ServeError,
    host::Host,
    report::{Ended, Report},
};

/// So many rounds before other tasks of the runtime get theirs.
const ROUNDS: usize = 64;

pub(crate) struct Pump {
    connection: Connection,
    decoder: FrameDecoder,
    input: Input,
    output: Output,
    queue: mpsc::Receiver<Command>,
    /// Something was read that could not be taken: there was no room for its answers.
    backlog: bool,
    /// A command that waits until joined text is written.
    stash: Option<Command>,
    stop: Pin<Box<WaitForCancellationFutureOwned>>,
    timer: Timer,
    config: Arc<Config>,
    /// Set once everything was told to stop.
    closing: Option<Closing>,
}

/// The connection is on its way down.
struct Closing {
    ended: Ended,
    error: Option<ServeError>,
    /// When handlers and bytes that are left are given up.
    until: Instant,
}

impl Pump {
    pub(crate) fn new(host: Host, reader: Reader, writer: Writer, stop: CancellationToken) -> Self {
        let config = Arc::clone(&host.config);
        let (sender, queue) = mpsc::channel(config.events.max(1));
        Self {
            connection: Connection::new(host, sender),
            decoder: FrameDecoder::new(Limits::default().with_max_line(config.max_line_in)),
            input: Input::new(reader),
            output: Output::new(writer),
            queue,
            backlog: false,
            stash: None,
            stop: Box::pin(stop.cancelled_owned()),
            timer: Timer::default(),
            config,
            closing: None,
        }
    }

    /// Runs until the client is gone and everything was wound up.
    pub(crate) async fn run(mut self) -> Result<Report, ServeError> {
        poll_fn(|cx| self.poll(cx)).await;
        // Handlers that are left are dropped with the set.
        let left = self.connection.left_behind();
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

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        for _ in 0..ROUNDS {
            let mut busy = self.poll_output(cx);
            busy |= self.poll_queue(cx);
            busy |= self.poll_input(cx);
            busy |= self.poll_tasks(cx);
            busy |= self.poll_stop(cx);
            if self.is_over() {
                return Poll::Ready(());
            }
            if !busy && !self.poll_time(cx) {
                return Poll::Pending;
            }
        }
        yield_to_others(cx);
        Poll::Pending
    }

    fn is_over(&self) -> bool {
        let Some(closing) = &self.closing else {
            return false;
        };
        let quiet = self.connection.is_quiet() && self.queue.is_empty() && self.stash.is_none();
        quiet || closing.until <= Instant::now()
    }

    /// Writes what is pending, then flushes it.
    fn poll_output(&mut self, cx: &mut Context<'_>) -> bool {
        match self.output.poll(cx, &self.connection.outbox) {
            Write::Nothing => false,
            Write::Wrote(count) => {
                self.connection.outbox.wrote(Instant::now(), count);
                true
            }
            Write::Flushed => {
                self.connection.outbox.flushed(Instant::now());
                true
            }
            Write::Failed(source) => {
                let pending = self.connection.outbox.pending().len();
                self.lose_output(ServeError::Write { pending, source });
                true
            }
        }
    }

    /// Nobody reads any more: what would be written is thrown away, the work is told to stop.
    fn lose_output(&mut self, error: ServeError) {
        self.output.close();
        self.connection.outbox.discard();
        self.close(Ended::Eof, Some(error));
    }

    /// Takes the next command, once the pipe has the event before it.
    fn poll_queue(&mut self, cx: &mut Context<'_>) -> bool {
        if self.output.is_closed() {
            self.connection.outbox.discard();
        }
        if !self.connection.wants_command() {
            return false;
        }
        if let Some(command) = self.stash.take() {
            self.command(command);
            return true;
        }
        match self.queue.poll_recv(cx) {
            Poll::Ready(Some(command)) => {
                self.command(command);
                true
            }
            // The connection itself holds a sender.
            Poll::Ready(None) | Poll::Pending => false,
        }
    }

    fn command(&mut self, command: Command) {
        let now = Instant::now();
        if self.connection.joins(&command) {
            self.connection.handle_command(now, command);
        } else {
            // One event at a time: the text goes first, then, once the pipe has it, this.
            self.connection.flush_joined(now);
            self.stash = Some(command);
        }
    }

    /// Reads once and takes what was read, as long as there is room for the answers.
    fn poll_input(&mut self, cx: &mut Context<'_>) -> bool {
        if self.closing.is_some() || !self.connection.wants_input() {
            return false;
        }
        if self.backlog {
            self.take_items();
            return true;
        }
        match self.input.poll(cx) {
            Read::Nothing => false,
            Read::Bytes(bytes) => {
                self.decoder.feed(bytes);
                self.take_items();
                true
            }
            Read::Ended => {
                let now = Instant::now();
                let last = self.decoder.finish();
                let error = last.and_then(|item| self.connection.handle_item(now, item).err());
                self.close(Ended::Eof, error);
                true
            }
            Read::Failed(error) => {
                self.close(Ended::Eof, Some(ServeError::Read(error)));
                true
            }
        }
    }

    /// Takes what was read, until there is no room for more answers.
    fn take_items(&mut self) {
        let now = Instant::now();
        self.backlog = false;
        while let Some(item) = self.decoder.poll() {
            if let Err(error) = self.connection.handle_item(now, item) {
                return self.close(Ended::Eof, Some(error));
            }
            if !self.connection.wants_input() {
                self.backlog = true;
                return;
            }
        }
    }

    fn poll_tasks(&mut self, cx: &mut Context<'_>) -> bool {
        let mut busy = false;
        while let Poll::Ready(Some(result)) = self.connection.tasks.poll_join_next(cx) {
            self.connection.joined_task(result);
            busy = true;
        }
        if self.connection.dropped.heard(cx) {
            self.connection.handle_dropped(Instant::now());
            busy = true;
        }
        busy
    }

    fn poll_stop(&mut self, cx: &mut Context<'_>) -> bool {
        let stopped = self.closing.is_none() && self.stop.as_mut().poll(cx).is_ready();
        if stopped {
            self.close(Ended::Stopped, None);
        }
        stopped
    }

    /// Does what is due; if nothing is, the task sleeps until something will be.
    fn poll_time(&mut self, cx: &mut Context<'_>) -> bool {
        let stalls_at = self
            .connection
            .outbox
            .stalls_at(self.config.stall)
            .filter(|_| !self.output.is_closed());
        let wakes_at = [
            self.connection.wakes_at(),
            stalls_at,
            self.closing.as_ref().map(|closing| closing.until),
        ];
        let Some(wakes_at) = wakes_at.into_iter().flatten().min() else {
            return false;
        };
        if !self.timer.poll(cx, wakes_at) {
            return false;
        }
        let now = Instant::now();
        self.connection.handle_time(now);
        if stalls_at.is_some_and(|at| at <= now) {
            let pending = self.connection.outbox.pending().len();
            let after = self.config.stall;
            self.lose_output(ServeError::Stalled { pending, after });
        }
        true
    }

    /// Everything is told to stop; the first reason stands.
    fn close(&mut self, ended: Ended, error: Option<ServeError>) {
        if self.closing.is_some() {
            return;
        }
        tracing::debug!(?ended, failed = error.is_some(), "closing");
        let now = Instant::now();
        self.connection.stop_all(now);
        self.closing = Some(Closing {
            ended,
            error,
            until: now + self.config.farewell + self.config.flush,
        });
    }
}

/// Wakes this task once the runtime has looked at everything else: other tasks, timers, signals.
///
/// Waking by hand would put it at the end of the run queue, and a runtime of one thread looks up
/// from a queue that is never empty only every 61 tasks: a flood would keep its handlers waiting.
fn yield_to_others(cx: &mut Context<'_>) {
    let turn = pin!(tokio::task::yield_now());
    if turn.poll(cx).is_ready() {
        cx.waker().wake_by_ref();
    }
}
