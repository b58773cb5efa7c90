//! History that nobody wants to read.

use std::time::Instant;

use super::Connection;
use crate::event::Received;
use crate::key::SessionKey;
use crate::queue::Item;

impl Connection {
    /// Drops the replayed history at the front of a session's stream and says how many events that
    /// were; a question in it is answered as if its holder let go. Live events stay.
    pub fn discard_replay(&mut self, now: Instant, session: SessionKey) -> usize {
        self.fold_replay(now, session, |_| {})
    }

    /// The same, with a look at each event before it is dropped.
    pub fn fold_replay(
        &mut self,
        now: Instant,
        session: SessionKey,
        mut see: impl FnMut(&Received),
    ) -> usize {
        let mut dropped = 0;
        while let Some(state) = self.sessions.find_mut(session)
            && state.queue.front_is_replay()
        {
            let before = state.queue.bytes();
            let Some(item) = state.queue.pop() else { break };
            let after = state.queue.bytes();
            self.flow.changed(now, before, after);
            if let Item::Event(received) = &item {
                see(received);
            }
            self.discard(now, item);
            dropped += 1;
        }
        if dropped > 0 {
            self.progress(now);
        }
        dropped
    }
}
