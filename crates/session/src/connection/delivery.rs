//! Events into queues, and out of those that nobody reads (rules 1, 4 and 5).

use std::time::Instant;

use super::Connection;
use crate::ask::Settled;
use crate::event::Received;
use crate::flow::Flow;
use crate::key::{SessionKey, Stream, WaitKey};
use crate::queue::{Item, Queue};
use crate::session::{Session, Stage};

impl Connection {
    /// Puts an event into the stream of a session, or drops it when nobody reads that.
    pub(super) fn deliver(
        &mut self,
        now: Instant,
        session: SessionKey,
        frame: usize,
        received: Received,
    ) {
        let Some(state) = self.sessions.find_mut(session) else {
            return;
        };
        let Some(reader) = state.reader(session) else {
            self.discard(now, Item::Event(received));
            return;
        };
        push(&mut state.queue, &mut self.flow, now, frame, received);
        self.waits.wake(WaitKey::Stream(reader));
    }

    /// Puts an event into the connection's stream, or drops it when nobody took that.
    pub(super) fn deliver_general(&mut self, now: Instant, frame: usize, received: Received) {
        if self.general_taken {
            push(&mut self.general, &mut self.flow, now, frame, received);
            self.waits.wake(WaitKey::Stream(Stream::Connection));
        } else {
            self.discard(now, Item::Event(received));
        }
    }

    pub(super) fn deliver_handler(&mut self, now: Instant, frame: usize, received: Received) {
        push(
            &mut self.handler_queue,
            &mut self.flow,
            now,
            frame,
            received,
        );
        self.waits.wake(WaitKey::Handler);
    }

    /// Drops what nobody will read; a question in it is answered as if its holder let go.
    pub(super) fn discard(&mut self, now: Instant, item: Item) {
        match item {
            Item::Event(received) => {
                self.counters.drained += 1;
                if let Some(ask) = received.event.ask() {
                    let key = ask.key;
                    self.settle_ask(now, key, Settled::Dropped);
                    self.asks.release(key);
                }
            }
            Item::End(..) => {}
        }
    }

    /// The end of the oldest turn was taken: the stream goes to the next reader.
    pub(super) fn retire_turn(&mut self, now: Instant, session: SessionKey) {
        let Some(state) = self.sessions.find_mut(session) else {
            return;
        };
        if let Some(turn) = state.turns.pop_front() {
            self.sessions.forget_turn(turn.key);
        }
        self.drain(now, session);
        let Some(state) = self.sessions.find(session) else {
            return;
        };
        if !state.queue.is_empty()
            && let Some(reader) = state.reader(session)
        {
            self.waits.wake(WaitKey::Stream(reader));
        }
    }

    /// Drops what stands in a session's queue for readers that are gone (rule 4), and the session
    /// itself when no reader is left.
    pub(super) fn drain(&mut self, now: Instant, session: SessionKey) {
        loop {
            let Some(state) = self.sessions.find_mut(session) else {
                return;
            };
            if state.reader(session).is_some() {
                return;
            }
            let before = state.queue.bytes();
            let Some(item) = state.queue.pop() else { break };
            self.flow.changed(now, before, state.queue.bytes());
            if let Item::End(turn, _) = &item {
                state.turns.retain(|live| live.key != *turn);
                self.sessions.forget_turn(*turn);
            }
            self.discard(now, item);
        }
        let abandoned = |state: &Session| {
            state.turns.is_empty() && !state.held && !matches!(state.stage, Stage::Opening { .. })
        };
        if self.sessions.find(session).is_some_and(abandoned) {
            self.settle_asks_of(now, session, Settled::Dropped);
            self.sessions.remove(session);
        }
    }
}

fn push(queue: &mut Queue, flow: &mut Flow, now: Instant, frame: usize, received: Received) {
    let before = queue.bytes();
    queue.push(frame, received);
    flow.changed(now, before, queue.bytes());
}
