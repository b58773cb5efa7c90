//! Which answer belongs to which request, in both directions. Neither table knows what a request
//! means; both serve either side of a connection.

use std::collections::BTreeMap;

use acp_vocab::RequestId;

/// Our requests: ids count up from 0 as small integers (JavaScript agents round large ones), and
/// each waiter comes back exactly once.
///
/// ```
/// use acp_session::{Completion, Outgoing};
/// use acp_vocab::RequestId;
///
/// let mut outgoing = Outgoing::default();
/// let id = outgoing.register("the waiter");
/// assert!(matches!(outgoing.complete(&id), Completion::Matched { waiter: "the waiter", .. }));
/// assert!(matches!(outgoing.complete(&id), Completion::Answered));
/// assert!(matches!(outgoing.complete(&RequestId::Number(9)), Completion::Unknown));
/// ```
#[derive(Debug)]
pub struct Outgoing<W> {
    next: i64,
    pending: BTreeMap<i64, W>,
}

/// What a reply was found to be.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Completion<W> {
    /// It answers a pending request.
    Matched {
        /// What was registered with the request.
        waiter: W,
        /// Whether the peer wrote our number as a string.
        coerced: bool,
    },
    /// That request was answered, or its wait was given up and forgotten, before.
    Answered,
    /// We never sent a request with this id.
    Unknown,
    /// The id is null: the peer complains about a line that it could not read.
    Null,
}

impl<W> Default for Outgoing<W> {
    fn default() -> Self {
        Self {
            next: 0,
            pending: BTreeMap::new(),
        }
    }
}

impl<W> Outgoing<W> {
    /// Registers a waiter under the next id.
    pub fn register(&mut self, waiter: W) -> RequestId {
        let id = self.next;
        self.next += 1;
        self.pending.insert(id, waiter);
        RequestId::Number(id)
    }

    /// Takes out the waiter that `id` answers. A string that spells a pending number is accepted;
    /// we never send strings, so nothing else can be meant.
    pub fn complete(&mut self, id: &RequestId) -> Completion<W> {
        let (number, coerced) = match id {
            RequestId::Number(number) => (Some(*number), false),
            RequestId::String(text) => (spelled(text), true),
            RequestId::Null => return Completion::Null,
            RequestId::Unsigned(_) => (None, false),
        };
        let Some(number) = number else {
            return Completion::Unknown;
        };
        match self.pending.remove(&number) {
            Some(waiter) => Completion::Matched { waiter, coerced },
            None if (0..self.next).contains(&number) => Completion::Answered,
            None => Completion::Unknown,
        }
    }

    /// Forgets one request; a late reply to it is then [`Completion::Answered`].
    pub fn forget(&mut self, id: &RequestId) -> Option<W> {
        match id {
            RequestId::Number(number) => self.pending.remove(number),
            RequestId::Unsigned(_) | RequestId::String(_) | RequestId::Null => None,
        }
    }

    /// How many requests are pending.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pending.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// The waiters, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (RequestId, &W)> {
        self.pending
            .iter()
            .map(|(&id, waiter)| (RequestId::Number(id), waiter))
    }
}

/// The number that `text` spells exactly as we would write it.
fn spelled(text: &str) -> Option<i64> {
    let number: i64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// Requests of the peer that we accepted: each is settled exactly once, whoever settles it.
#[derive(Debug)]
pub struct Incoming<K, T> {
    open: BTreeMap<K, (RequestId, T)>,
}

impl<K: Ord + Copy, T> Default for Incoming<K, T> {
    fn default() -> Self {
        Self {
            open: BTreeMap::new(),
        }
    }
}

impl<K: Ord + Copy, T> Incoming<K, T> {
    /// Accepts a request under a fresh key. Two open requests with the same id are two requests.
    pub fn accept(&mut self, key: K, id: RequestId, request: T) {
        self.open.insert(key, (id, request));
    }

    /// Takes a request out to answer it; `None` when it was answered before.
    pub fn settle(&mut self, key: K) -> Option<(RequestId, T)> {
        self.open.remove(&key)
    }

    /// The oldest open request with this id, for `$/cancel_request`.
    pub fn find(&self, id: &RequestId) -> Option<K> {
        self.open
            .iter()
            .find(|(_, (open, _))| open == id)
            .map(|(&key, _)| key)
    }

    /// An open request.
    pub fn open(&self, key: K) -> Option<&(RequestId, T)> {
        self.open.get(&key)
    }

    /// An open request, to note something on it.
    pub fn open_mut(&mut self, key: K) -> Option<&mut T> {
        self.open.get_mut(&key).map(|(_, request)| request)
    }

    /// The open requests, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (K, &RequestId, &T)> {
        self.open
            .iter()
            .map(|(&key, (id, request))| (key, id, request))
    }

    /// How many are open.
    #[must_use]
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }
}

#[cfg(test)]
mod tests;
