//! The router: what comes in goes to the part that owns it. Bytes, the fate of bytes, exits and
//! time come in through `handle_*`; commands are methods with the host's verbs; what goes out is
//! polled. No part looks up the time: every input brings it.

use std::collections::{BTreeSet, VecDeque};
use std::mem;
use std::time::Instant;

use acp_codec::{FrameDecoder, Item as Line, SkipCounts};

use crate::ask::Asks;
use crate::call::Calls;
use crate::config::Config;
use crate::counter::Counters;
use crate::deadline::Deadlines;
use crate::diagnostic::Diagnostics;
use crate::early::Early;
use crate::ending::{EndCause, Ending, Exit};
use crate::error::{ConnectionError, ProtocolError, UsageError};
use crate::flow::Flow;
use crate::key::{Keys, Stream, WaitKey};
use crate::lifecycle::{Lifecycle, Protocol};
use crate::outbox::Outbox;
use crate::queue::Queue;
use crate::session::Sessions;
use crate::waits::Waits;

mod ask;
mod command;
mod end;
mod frame;
mod prompt;
mod replay;
mod reply;
mod request;
mod stream;
mod timer;
mod update;

pub use command::Opening;
pub use stream::Next;

/// What the writer should do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transmit<'a> {
    /// Write these bytes, or some of them, and report to
    /// [`handle_written`](Connection::handle_written).
    Bytes(&'a [u8]),
    /// Close the writing side; nothing will follow.
    Shutdown,
    /// Nothing for now.
    Nothing,
}

/// The client's side of one connection, as a pure state machine.
///
/// See the crate's page for how a shell drives it.
#[derive(Debug)]
pub struct Connection {
    config: Config,
    keys: Keys,
    lifecycle: Lifecycle,
    ending: Ending,
    frames: FrameDecoder,
    outbox: Outbox,
    flow: Flow,
    deadlines: Deadlines,
    waits: Waits,
    calls: Calls,
    asks: Asks,
    sessions: Sessions,
    early: Early,
    /// Events of no session.
    general: Queue,
    general_taken: bool,
    /// Questions for registered handlers.
    handler_queue: Queue,
    handled: BTreeSet<Box<str>>,
    streamed: BTreeSet<Box<str>>,
    starved: VecDeque<stream::Starved>,
    diagnostics: Diagnostics,
    counters: Counters,
    /// Whether frames wait in the decoder because reading pauses.
    behind: bool,
    skipped: u64,
    last_byte: Option<Instant>,
}

/// Inputs: what the transport saw.
impl Connection {
    /// A connection on which nothing has been said.
    #[must_use]
    pub fn new(config: Config) -> Self {
        let limits = &config.limits;
        let mut line = acp_codec::Limits::default().with_max_line(limits.line_bytes);
        line.samples = limits.samples;
        line.sample_len = limits.sample_bytes;
        Self {
            keys: Keys::default(),
            lifecycle: Lifecycle::default(),
            ending: Ending::default(),
            frames: FrameDecoder::new(line),
            outbox: Outbox::new(limits),
            flow: Flow::new(limits),
            deadlines: Deadlines::default(),
            waits: Waits::default(),
            calls: Calls::new(limits),
            asks: Asks::new(limits),
            sessions: Sessions::new(limits),
            early: Early::new(limits),
            general: Queue::default(),
            general_taken: false,
            handler_queue: Queue::default(),
            handled: BTreeSet::new(),
            streamed: BTreeSet::new(),
            starved: VecDeque::new(),
            diagnostics: Diagnostics::default(),
            counters: Counters::default(),
            behind: false,
            skipped: 0,
            last_byte: None,
            config,
        }
    }

    /// Bytes came from the agent. They are read as far as the bounds allow; the rest waits in the
    /// decoder, and [`wants_read`](Self::wants_read) says no until there is room.
    pub fn handle_bytes(&mut self, now: Instant, bytes: &[u8]) {
        self.counters.bytes += bytes.len() as u64;
        self.last_byte = Some(now);
        if self.lifecycle.is_live() {
            self.frames.feed(bytes);
            self.behind = true;
            self.progress(now);
        } else {
            // After we have closed, the reader drains so that the agent can end in peace.
            let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
            self.counters.discarded += lines as u64;
        }
    }

    /// The agent's output has ended. Everything that was read is delivered before any wait fails.
    pub fn handle_eof(&mut self, now: Instant) {
        self.finish_reading(now, EndCause::Eof);
    }

    /// Reading failed; it counts as the end of the output.
    pub fn handle_read_error(&mut self, now: Instant, kind: std::io::ErrorKind) {
        self.finish_reading(now, EndCause::Read(kind));
    }

    /// The writer accepted `n` bytes of what [`poll_transmit`](Self::poll_transmit) gave.
    pub fn handle_written(&mut self, now: Instant, n: usize) {
        self.outbox.accepted(now, n);
        if self.outbox.is_empty() {
            self.waits.wake(WaitKey::Writer);
        }
        self.progress(now);
    }

    /// Writing failed. What can still be read is read, for as long as the exit may take.
    pub fn handle_write_error(&mut self, now: Instant, kind: std::io::ErrorKind) {
        self.outbox.clear();
        self.waits.wake(WaitKey::Writer);
        self.ending
            .write_failed(EndCause::Write(kind), now + self.config.limits.exit_grace);
        self.progress(now);
    }

    /// The agent's process ended. That is not the end of its output (rule 15).
    pub fn handle_exit(&mut self, now: Instant, exit: Exit) {
        self.ending
            .exited(exit, now + self.config.limits.exit_grace);
        self.progress(now);
    }

    /// Time has passed: call it at, or after, [`poll_timeout`](Self::poll_timeout).
    pub fn handle_timeout(&mut self, now: Instant) {
        self.fire_timers(now);
        self.progress(now);
    }

    fn finish_reading(&mut self, now: Instant, cause: EndCause) {
        let until = now + self.config.limits.exit_grace;
        // From here on nothing holds the frames back that were read already.
        self.ending.finished(cause, until);
        self.read_on(now);
        let mut frames = mem::take(&mut self.frames);
        let mut partial = 0;
        match frames.finish() {
            Some(Line::Frame(frame)) => self.on_frame(now, frame.message, frame.raw),
            Some(Line::Skipped { len, .. }) => {
                self.skipped += 1;
                partial = len;
            }
            Some(_) | None => {}
        }
        self.frames = frames;
        self.ending.left(partial);
        self.progress(now);
    }

    /// Goes on with whatever has become possible: frames that waited, the end of reading or of
    /// the connection.
    fn progress(&mut self, now: Instant) {
        self.read_on(now);
        let paused = !self.may_read(now);
        self.deadlines.pause_reading(now, paused);
        self.check_end(now);
    }

    /// Reads the frames that stand in the decoder, as far as the bounds allow.
    fn read_on(&mut self, now: Instant) {
        if !self.behind {
            return;
        }
        let mut frames = mem::take(&mut self.frames);
        while self.may_read(now) {
            match frames.poll() {
                Some(Line::Frame(frame)) => self.on_frame(now, frame.message, frame.raw),
                Some(Line::Skipped { .. }) => self.skipped += 1,
                Some(Line::TooLong { limit, seen, .. }) => {
                    let error = ProtocolError::LineTooLong { limit, seen };
                    self.break_off(now, EndCause::Protocol(error));
                }
                Some(_) => {}
                None => {
                    self.behind = false;
                    break;
                }
            }
        }
        self.frames = frames;
    }

    fn may_read(&mut self, now: Instant) -> bool {
        if !self.lifecycle.is_live() || self.ending.eof() {
            return true;
        }
        if self.outbox.answers_full() {
            return false;
        }
        let Self {
            flow,
            ending,
            waits,
            sessions,
            general,
            ..
        } = self;
        flow.may_read(now, || {
            ending.begun()
                || waits
                    .readers()
                    .any(|key| keeps_reading(key, sessions, general))
        })
    }
}

/// Whether a parked key keeps the reader going past the bounds (rule 3): a response, the writer,
/// or a stream whose queue is empty. Who waits for a stream that another reader holds up is not
/// helped by reading.
fn keeps_reading(key: WaitKey, sessions: &Sessions, general: &Queue) -> bool {
    match key {
        WaitKey::Call(_) | WaitKey::Writer => true,
        WaitKey::Stream(Stream::Connection) => general.is_empty(),
        WaitKey::Stream(stream) => {
            let session = match stream {
                Stream::Session(session) => Some(session),
                Stream::Turn(turn) => sessions.of_turn(turn),
                Stream::Connection => None,
            };
            let queue = session.and_then(|session| sessions.find(session));
            queue.is_some_and(|state| state.queue.is_empty())
        }
        WaitKey::Ask(_) | WaitKey::Handler | WaitKey::Closed => false,
    }
}

/// Outputs: what the shell should do.
impl Connection {
    /// What to write now.
    #[must_use]
    pub fn poll_transmit(&self) -> Transmit<'_> {
        match self.outbox.pending() {
            [] if self.lifecycle.is_shut_down() => Transmit::Shutdown,
            [] => Transmit::Nothing,
            bytes => Transmit::Bytes(bytes),
        }
    }

    /// When to call [`handle_timeout`](Self::handle_timeout), if nothing else happens before.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Instant> {
        self.next_timer()
    }

    /// Whether to read. While it says no the pipe holds the agent back; writing goes on.
    #[must_use]
    pub fn wants_read(&mut self, now: Instant) -> bool {
        !self.ending.eof() && !self.behind && self.may_read(now)
    }

    /// The next key whose waiter is to be woken. Only parked keys become ready.
    pub fn poll_ready(&mut self) -> Option<WaitKey> {
        self.waits.next_ready()
    }

    /// How the connection ended, once it has. The transport can be taken down then.
    #[must_use]
    pub fn closed(&self) -> Option<&ConnectionError> {
        self.lifecycle.closed()
    }

    /// What was counted.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Lines that were no messages, by kind.
    #[must_use]
    pub fn skipped(&self) -> &SkipCounts {
        self.frames.skip_counts()
    }

    /// The beginnings of some of those lines.
    #[must_use]
    pub fn samples(&self) -> &[acp_codec::Sample] {
        self.frames.samples()
    }

    /// Faults of the agent that harmed nothing else, latest last; a bounded number is kept.
    #[must_use]
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Bytes of unread events, over all streams.
    #[must_use]
    pub fn unread_bytes(&self) -> usize {
        self.flow.total()
    }

    /// Bytes that wait to be written.
    #[must_use]
    pub fn pending_bytes(&self) -> usize {
        self.outbox.pending().len()
    }
}

/// Waiting: the shell parks wakers under keys.
impl Connection {
    /// Somebody waits for `key` from now on. Waiting keeps the reader going past the bounds
    /// (rule 3), so a wait that ended must be [unparked](Self::unpark), unless its key was
    /// [ready](Self::poll_ready).
    pub fn park(&mut self, now: Instant, key: WaitKey) {
        self.waits.park(now, key);
        if self.is_ready(key) {
            self.waits.wake(key);
        }
        self.progress(now);
    }

    /// Nobody waits for `key` any more: its future was dropped.
    pub fn unpark(&mut self, now: Instant, key: WaitKey) {
        self.waits.unpark(key);
        self.progress(now);
    }
}

/// The handshake, which the machine carries and does not read.
impl Connection {
    /// The version was agreed: everything but `initialize` may be sent from now on.
    ///
    /// # Errors
    /// [`UsageError::AlreadyReady`] the second time, [`UsageError::Closed`] after the end.
    pub fn agree(&mut self, protocol: Protocol) -> Result<(), UsageError> {
        self.lifecycle.agree(protocol)
    }

    /// What was agreed, once it was.
    #[must_use]
    pub const fn protocol(&self) -> Option<Protocol> {
        self.lifecycle.protocol()
    }
}
