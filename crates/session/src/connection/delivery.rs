//! Events into queues, and out of those that nobody reads (rules 1, 4 and 5).

use std::time::Instant;

use super::Connection;
use crate::ask::Settled;
use crate::event::{Event, Received};
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
            self.drop_event(now, session, frame, received);
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

    /// Drops an event of a turn that was given up. What says how the session stands is kept for
    /// the next reader, the latest of each kind, unless it is larger than a queue.
    fn drop_event(&mut self, now: Instant, session: SessionKey, charge: usize, received: Received) {
        let stands = charge <= self.config.limits.session_bytes
            && matches!(
                received.event,
                Event::Commands(_)
                    | Event::Mode(_)
                    | Event::Options(_)
                    | Event::Info(_)
                    | Event::Usage(_)
            );
        let state = self.sessions.find_mut(session);
        match state.filter(|state| stands && state.held && received.child.is_none()) {
            Some(state) => {
                let name = received.event.name();
                let known = state.kept.iter().position(|kept| kept.event.name() == name);
                let replaced = known.map(|at| state.kept.remove(at));
                state.kept.push(received);
                self.counters.drained += u64::from(replaced.is_some());
            }
            None => self.discard(now, Item::Event(received)),
        }
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
    }

    /// Drops what stands in a session's queue for readers that are gone (rule 4), and the session
    /// itself when no reader is left.
    pub(super) fn drain(&mut self, now: Instant, session: SessionKey) {
        loop {
            let Some(state) = self.sessions.find_mut(session) else {
                return;
            };
            let before = state.queue.bytes();
            if let Some(reader) = state.reader(session) {
                for kept in state.kept.drain(..).rev() {
                    state.queue.push_front(kept);
                }
                self.flow.changed(now, before, state.queue.bytes());
                if !state.queue.is_empty() {
                    self.waits.wake(WaitKey::Stream(reader));
                }
                return;
            }
            let Some(item) = state.queue.pop() else { break };
            let after = state.queue.bytes();
            self.flow.changed(now, before, after);
            match item {
                Item::End(turn, _) => {
                    state.turns.retain(|live| live.key != turn);
                    self.sessions.forget_turn(turn);
                }
                Item::Event(received) => {
                    self.drop_event(now, session, before - after, received);
                }
            }
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
