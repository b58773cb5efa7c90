//! What the host reads: one stream for each turn, session and the connection.

use std::time::Instant;

use super::Connection;
use crate::error::{ConnectionError, StarvedError, UsageError};
use crate::event::{Event, Received};
use crate::inquiry::SettledAsk;
use crate::key::{Stream, WaitKey};
use crate::queue::Item;
use crate::session::Stage;
use crate::turn::TurnEnd;

/// What a stream gives.
#[derive(Debug)]
#[non_exhaustive]
pub enum Next {
    /// An event.
    Event(Received),
    /// The end of the turn: the last item of its stream.
    End(Box<TurnEnd>),
    /// Nothing yet: park under the stream's key.
    Pending,
    /// Nothing, and waiting was hopeless: unread events of another stream fill every bound. The
    /// stream itself is whole, and may be asked again.
    Starved(Box<StarvedError>),
    /// Nothing any more: the turn's end was taken, the session is over or was never known.
    Finished,
    /// Nothing any more: the connection has ended.
    Closed(ConnectionError),
}

/// A wait that ended because nobody empties the queues.
#[derive(Debug)]
pub(super) struct Starved {
    pub(super) stream: Stream,
    pub(super) error: Box<StarvedError>,
}

/// Streams.
impl Connection {
    /// The next item of a stream. A question of the agent counts as handed over when it is taken;
    /// one that was settled before it was read comes as [`Event::Settled`].
    pub fn next_event(&mut self, now: Instant, stream: Stream) -> Next {
        let next = self.take_next(now, stream);
        if matches!(next, Next::Event(_) | Next::End(_)) {
            self.waits.unpark(WaitKey::Stream(stream));
            self.progress(now);
        }
        next
    }

    fn take_next(&mut self, now: Instant, stream: Stream) -> Next {
        let session = match stream {
            Stream::Connection => return self.take_general(now),
            Stream::Session(session) => session,
            Stream::Turn(turn) => match self.sessions.of_turn(turn) {
                Some(session) => session,
                None => return Next::Finished,
            },
        };
        let Some(state) = self.sessions.find_mut(session) else {
            return Next::Finished;
        };
        if let Stream::Turn(turn) = stream
            && let Some(end) = state.turn_mut(turn).and_then(|turn| turn.end.take())
        {
            self.retire_turn(now, session, turn);
            return Next::End(end);
        }
        if let Some(at) = state.part(stream) {
            let before = state.queue.bytes();
            if let Some(item) = state.queue.take(at) {
                let after = state.queue.bytes();
                self.flow.changed(now, before, after);
                return match item {
                    Item::Event(received) => Next::Event(self.hand_over(now, received)),
                    Item::End(turn, end) => {
                        self.retire_turn(now, session, turn);
                        Next::End(end)
                    }
                };
            }
            if matches!(stream, Stream::Session(_)) && state.stage == Stage::Over {
                return Next::Finished;
            }
        }
        if let Some(at) = self
            .starved
            .iter()
            .position(|starved| starved.stream == stream)
            && let Some(starved) = self.starved.remove(at)
        {
            return Next::Starved(starved.error);
        }
        match self.lifecycle.ended() {
            Some(error) if matches!(stream, Stream::Session(_)) => Next::Closed(error.clone()),
            Some(_) | None => Next::Pending,
        }
    }

    fn take_general(&mut self, now: Instant) -> Next {
        let before = self.general.bytes();
        match self.general.pop() {
            Some(Item::Event(received)) => {
                self.flow.changed(now, before, self.general.bytes());
                Next::Event(self.hand_over(now, received))
            }
            Some(Item::End(..)) | None => match self.lifecycle.ended() {
                Some(error) => Next::Closed(error.clone()),
                None => Next::Pending,
            },
        }
    }

    /// From now on somebody reads what belongs to no session; before, and after
    /// [`drop_connection_stream`](Self::drop_connection_stream), it is dropped and counted.
    ///
    /// # Errors
    /// [`UsageError::Gone`] when it was taken before.
    pub fn take_connection_stream(&mut self) -> Result<Stream, UsageError> {
        if self.general_taken {
            return Err(UsageError::Gone {
                what: "the connection's stream",
            });
        }
        self.general_taken = true;
        Ok(Stream::Connection)
    }

    /// Nobody reads the connection's stream any more.
    pub fn drop_connection_stream(&mut self, now: Instant) {
        self.general_taken = false;
        self.waits.unpark(WaitKey::Stream(Stream::Connection));
        let before = self.general.bytes();
        while let Some(item) = self.general.pop() {
            self.discard(now, item);
        }
        self.flow.changed(now, before, 0);
        self.progress(now);
    }

    /// The next question for a registered handler, in wire order; it counts as handed over.
    pub fn next_handler_ask(&mut self, now: Instant) -> Option<crate::Ask> {
        loop {
            let before = self.handler_queue.bytes();
            let item = self.handler_queue.pop()?;
            self.flow.changed(now, before, self.handler_queue.bytes());
            if let Item::Event(received) = item
                && let Event::Request(ask) = self.hand_over(now, received).event
            {
                self.waits.unpark(WaitKey::Handler);
                self.progress(now);
                return Some(ask);
            }
        }
    }

    /// A question that is taken is handed over; one that was settled meanwhile says so instead.
    fn hand_over(&mut self, now: Instant, mut received: Received) -> Received {
        let Some(ask) = received.event.ask() else {
            return received;
        };
        match self.asks.hand_over(now, ask.key) {
            Ok(Some((scope, call))) => self.deadlines.hold(now, scope, call, true),
            Ok(None) => {}
            Err(how) => {
                let settled = SettledAsk {
                    key: ask.key,
                    id: ask.id.clone(),
                    method: ask.method.clone(),
                    how,
                    was_handed_over: false,
                };
                received.event = Event::Settled(Box::new(settled));
            }
        }
        received
    }

    /// Whether waiting for `key` would be over at once.
    pub(super) fn is_ready(&self, key: WaitKey) -> bool {
        match key {
            WaitKey::Call(call) => !self.calls.find(call).is_some_and(|slot| slot.is_waiting()),
            WaitKey::Stream(stream) => self.has_next(stream),
            WaitKey::Ask(ask) => !self.asks.is_open(ask),
            WaitKey::Handler => !self.handler_queue.is_empty() || self.lifecycle.ended().is_some(),
            WaitKey::Writer => self.outbox.is_empty(),
            WaitKey::Closed => self.lifecycle.closed().is_some(),
        }
    }

    fn has_next(&self, stream: Stream) -> bool {
        if self.starved.iter().any(|starved| starved.stream == stream) {
            return true;
        }
        let session = match stream {
            Stream::Connection => {
                return !self.general.is_empty() || self.lifecycle.ended().is_some();
            }
            Stream::Session(session) => session,
            Stream::Turn(turn) => match self.sessions.of_turn(turn) {
                Some(session) => session,
                None => return true,
            },
        };
        let Some(state) = self.sessions.find(session) else {
            return true;
        };
        if let Stream::Turn(turn) = stream
            && state.turn(turn).is_some_and(|turn| turn.end.is_some())
        {
            return true;
        }
        if state.has_next(stream) {
            return true;
        }
        matches!(stream, Stream::Session(_))
            && (state.stage == Stage::Over || self.lifecycle.ended().is_some())
    }
}
