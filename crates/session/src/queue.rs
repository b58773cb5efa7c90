//! Events of one session that wait for their reader, in wire order and charged by the byte.

use std::collections::VecDeque;

use crate::event::Received;
use crate::key::TurnKey;
use crate::turn::TurnEnd;

/// What an event costs beyond what it holds (rule 1).
const OVERHEAD: usize = 256;

/// Something that waits for its reader.
#[derive(Debug)]
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
    /// The most items at once since it last ran empty.
    crest: usize,
    /// Items that room is kept for.
    room: usize,
}

/// Items that room is always kept for.
const ROOM: usize = 64;

impl Queue {
    /// Adds an event that came in a frame of `frame` bytes.
    pub(crate) fn push(&mut self, frame: usize, event: Received) {
        let charge = frame.max(event.event.held_bytes() + OVERHEAD);
        self.bytes += charge;
        self.items.push_back((charge, Item::Event(event)));
        self.crest = self.crest.max(self.items.len());
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
        let (charge, item) = match at {
            0 => self.items.pop_front()?,
            _ => self.items.remove(at)?,
        };
        self.bytes -= charge;
        if self.items.is_empty() {
            self.settle(matches!(item, Item::End(..)));
        }
        Some(item)
    }

    /// It ran empty. A flood does that wave after wave and keeps its room between them; when the
    /// waves become smaller, or with the end of the turn, the room of the large ones is given back:
    /// an idle session keeps little.
    fn settle(&mut self, over: bool) {
        self.room = if over {
            0
        } else {
            self.crest.max(self.room - self.room / 8)
        };
        self.crest = 0;
        let room = self.room.max(ROOM);
        if self.items.capacity() / 4 > room {
            self.items.shrink_to(room);
        }
    }

    /// Takes everything from `at` on, up to and including the end of a turn; without one, all of
    /// it. Each item comes with its charge.
    pub(crate) fn take_part(&mut self, at: usize, until: Option<TurnKey>) -> Vec<(usize, Item)> {
        let len = self.items.len();
        let end = until.map_or(len, |turn| self.behind(turn));
        let taken: Vec<_> = self.items.drain(at.min(end)..end).collect();
        self.bytes -= taken.iter().map(|(charge, _)| charge).sum::<usize>();
        if self.items.is_empty() {
            self.settle(true);
        }
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

#[cfg(test)]
mod tests;
