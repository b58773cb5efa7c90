//! Who waits for what: parked keys, and those that became ready.

use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use crate::key::{CallKey, WaitKey};

/// The keys that somebody is parked on. A key is parked at most once and is ready at most once for
/// each time it was parked, so both collections are bounded by the callers that wait.
#[derive(Debug, Default)]
pub(crate) struct Waits {
    parked: BTreeMap<WaitKey, Instant>,
    ready: VecDeque<WaitKey>,
}

impl Waits {
    pub(crate) fn park(&mut self, now: Instant, key: WaitKey) {
        self.parked.entry(key).or_insert(now);
    }

    pub(crate) fn unpark(&mut self, key: WaitKey) {
        if self.parked.remove(&key).is_none() {
            self.ready.retain(|&ready| ready != key);
        }
    }

    /// The key is ready: whoever is parked on it is to be woken.
    pub(crate) fn wake(&mut self, key: WaitKey) {
        if self.parked.remove(&key).is_some() {
            self.ready.push_back(key);
        }
    }

    pub(crate) fn wake_all(&mut self) {
        let keys: Vec<_> = self.parked.keys().copied().collect();
        for key in keys {
            self.wake(key);
        }
    }

    pub(crate) fn next_ready(&mut self) -> Option<WaitKey> {
        self.ready.pop_front()
    }

    /// What is waited for.
    pub(crate) fn readers(&self) -> impl Iterator<Item = WaitKey> {
        self.parked.keys().copied()
    }

    /// Since when each parked call has been waited for.
    pub(crate) fn calls(&self) -> impl Iterator<Item = (CallKey, Instant)> {
        self.parked.iter().filter_map(|(&key, &since)| match key {
            WaitKey::Call(call) => Some((call, since)),
            WaitKey::Stream(_)
            | WaitKey::Ask(_)
            | WaitKey::Handler
            | WaitKey::Writer
            | WaitKey::Closed => None,
        })
    }
}
