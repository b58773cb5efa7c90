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

    /// Adds an event in front of the item at `at`: it came before that.
    pub(crate) fn insert(&mut self, at: usize, event: Received) {
        let charge = event.event.held_bytes() + OVERHEAD;
        self.bytes += charge;
        let at = at.min(self.items.len());
        self.items.insert(at, (charge, Item::Event(event)));
    }

    pub(crate) fn push_end(&mut self, turn: TurnKey, end: Box<TurnEnd>) {
        self.items.push_back((0, Item::End(turn, end)));
    }

    pub(crate) fn pop(&mut self) -> Option<Item> {
        self.take(0)
    }

    /// Takes the item at `at`, which is nearly always the first.
    pub(crate) fn take(&mut self, at: usize) -> Option<Item> {
        let (charge, item) = self.items.remove(at)?;
        self.bytes -= charge;
        if self.items.is_empty() {
            // A flood leaves room for thousands of events behind; an idle session keeps little.
            self.items.shrink_to(64);
        }
        Some(item)
    }

    /// Takes everything from `at` on, up to and including the end of a turn; without one, all of
    /// it. Each item comes with its charge.
    pub(crate) fn take_part(&mut self, at: usize, until: Option<TurnKey>) -> Vec<(usize, Item)> {
        let len = self.items.len();
        let end = until.map_or(len, |turn| self.behind(turn));
        let taken: Vec<_> = self.items.drain(at.min(end)..end).collect();
        self.bytes -= taken.iter().map(|(charge, _)| charge).sum::<usize>();
        taken
    }

    /// The place behind the end of a turn; behind everything when that does not stand here.
    pub(crate) fn behind(&self, turn: TurnKey) -> usize {
        let is_end = |item: &Item| matches!(item, Item::End(of, _) if *of == turn);
        let end = self.items.iter().position(|(_, item)| is_end(item));
        end.map_or(self.items.len(), |end| end + 1)
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
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
