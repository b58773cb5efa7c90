//! The router: what comes in goes to the part that owns it. Bytes, the fate of bytes, exits and
//! time come in through `handle_*`; commands are methods with the host's verbs; what goes out is
//! polled. No part looks up the time: every input brings it.

use std::collections::{BTreeSet, VecDeque};
use std::mem;
use std::time::Instant;

use acp_codec::{FrameDecoder, Item as Line};

use crate::asks::Asks;
use crate::call::Calls;
use crate::config::Config;
use crate::counter::Counters;
use crate::deadline::Deadlines;
use crate::diagnostic::Diagnostics;
use crate::early::Early;
use crate::ending::{EndCause, Ending, Exit};
use crate::error::{ProtocolError, UsageError};
use crate::flow::Flow;
use crate::key::{Keys, Stream, WaitKey};
use crate::lifecycle::{Lifecycle, Protocol};
use crate::outbox::Outbox;
use crate::queue::Queue;
use crate::sessions::Sessions;
use crate::waits::Waits;

mod ask;
mod command;
mod delivery;
mod end;
mod frame;
mod holding;
mod inserted;
mod opened;
mod output;
mod prompt;
mod refusal;
mod replay;
mod reply;
mod request;
mod session;
mod stream;
mod timer;
mod turn;
mod update;

pub use output::Transmit;
pub use session::Opening;
pub use stream::Next;

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
            Some(Line::Frame(frame)) => self.on_frame(now, frame),
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
                Some(Line::Frame(frame)) => self.on_frame(now, frame),
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
/// or a stream of which nothing is there.
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
            session.is_some_and(|key| {
                let state = sessions.find(key);
                state.is_some_and(|state| state.lacks(key, stream))
            })
        }
        WaitKey::Ask(_) | WaitKey::Handler | WaitKey::Closed => false,
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
