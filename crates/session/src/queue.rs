//! Events of one session that wait for their reader, in wire order and charged by the byte.

use std::collections::VecDeque;

use crate::event::Received;
use crate::key::TurnKey;
use crate::turn::TurnEnd;

/// What an event costs beyond what it holds (rule 1).
const OVERHEAD: usize = 256;

/// Something that waits for its reader.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "events are the common case and a box costs each"
)]
pub(crate) enum Item {
    Event(Received),
    /// The last item of a turn. It is never refused for fullness and charged nothing, for there is
    /// at most one for each live turn.
    End(TurnKey, Box<TurnEnd>),
}

#[derive(Debug, Default)]
pub(crate) struct Queue {
    items: VecDeque<(usize, Item)>,
    bytes: usize,
}

impl Queue {
    /// Adds an event that came in a frame of `frame` bytes.
    pub(crate) fn push(&mut self, frame: usize, event: Received) {
        let charge = frame.max(event.event.held_bytes() + OVERHEAD);
        self.bytes += charge;
        self.items.push_back((charge, Item::Event(event)));
    }

    /// Adds an event in front of all others: it came before them.
    pub(crate) fn push_front(&mut self, event: Received) {
        let charge = event.event.held_bytes() + OVERHEAD;
        self.bytes += charge;
        self.items.push_front((charge, Item::Event(event)));
    }

    pub(crate) fn push_end(&mut self, turn: TurnKey, end: Box<TurnEnd>) {
        self.items.push_back((0, Item::End(turn, end)));
    }

    pub(crate) fn pop(&mut self) -> Option<Item> {
        let (charge, item) = self.items.pop_front()?;
        self.bytes -= charge;
        if self.items.is_empty() {
            // A flood leaves room for thousands of events behind; an idle session keeps little.
            self.items.shrink_to(64);
        }
        Some(item)
    }

    /// Whether the next item is replayed history.
    pub(crate) fn front_is_replay(&self) -> bool {
        matches!(self.items.front(), Some((_, Item::Event(received))) if received.replay)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Bytes charged for what waits.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }
}
