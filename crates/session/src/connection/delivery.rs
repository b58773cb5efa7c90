//! Events into queues, and out of those that nobody reads (rules 1, 4 and 5).

use std::time::Instant;

use super::Connection;
use crate::ask::Settled;
use crate::event::{Event, Received};
use crate::flow::Flow;
use crate::key::{SessionKey, Stream, TurnKey, WaitKey};
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
        let Some(owner) = state.owner(session) else {
            self.drop_event(now, session, frame, received);
            return;
        };
        push(&mut state.queue, &mut self.flow, now, frame, received);
        self.waits.wake(WaitKey::Stream(owner));
    }

    /// Puts an event into the connection's stream, or drops it when nobody took that.
    pub(super) fn deliver_general(&mut self, now: Instant, frame: usize, mut received: Received) {
        if frame > 0 {
            received.frame = self.counters.frames;
        }
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

    /// The end of a turn was taken: nothing more is its.
    pub(super) fn retire_turn(&mut self, now: Instant, session: SessionKey, turn: TurnKey) {
        self.forget_turn(session, turn);
        self.drain(now, session);
    }

    pub(super) fn forget_turn(&mut self, session: SessionKey, turn: TurnKey) {
        if let Some(state) = self.sessions.find_mut(session) {
            state.turns.retain(|live| live.key != turn);
        }
        self.sessions.forget_turn(turn);
    }

    /// Drops what stands in a session's queue for readers that are gone (rule 4), and the session
    /// itself when no reader is left.
    pub(super) fn drain(&mut self, now: Instant, session: SessionKey) {
        while let Some(state) = self.sessions.find_mut(session)
            && let Some((at, ended)) = state.unread_by_anybody(session)
        {
            let before = state.queue.bytes();
            let taken = state.queue.take_part(at, ended);
            self.flow.changed(now, before, state.queue.bytes());
            for (charge, item) in taken {
                match item {
                    Item::End(turn, _) => self.forget_turn(session, turn),
                    Item::Event(received) => self.drop_event(now, session, charge, received),
                }
            }
            if ended.is_some() {
                self.hand_on_kept(now, session, at);
            }
        }
        self.wake_readers(session);
        let abandoned = |state: &Session| {
            state.turns.is_empty() && !state.held && !matches!(state.stage, Stage::Opening { .. })
        };
        if self.sessions.find(session).is_some_and(abandoned) {
            self.settle_asks_of(now, session, Settled::Dropped);
            self.sessions.remove(session);
        }
    }

    /// What was kept of a turn that nobody read is the first that its next reader gets.
    pub(super) fn hand_on_kept(&mut self, now: Instant, session: SessionKey, at: usize) {
        if let Some(state) = self.sessions.find_mut(session) {
            let before = state.queue.bytes();
            for kept in state.kept.drain(..).rev() {
                state.queue.insert(at, kept);
            }
            self.flow.changed(now, before, state.queue.bytes());
        }
    }

    /// Wakes everybody in whose part of the queue something stands.
    fn wake_readers(&mut self, session: SessionKey) {
        if let Some(state) = self.sessions.find(session) {
            let turns = state.turns.iter().map(|turn| Stream::Turn(turn.key));
            for stream in turns.chain([Stream::Session(session)]) {
                if state.has_next(stream) {
                    self.waits.wake(WaitKey::Stream(stream));
                }
            }
        }
    }
}

fn push(queue: &mut Queue, flow: &mut Flow, now: Instant, frame: usize, received: Received) {
    let before = queue.bytes();
    queue.push(frame, received);
    flow.changed(now, before, queue.bytes());
}
