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
    /// How many of the parked keys keep the reader going (rule 3).
    reading: usize,
}

impl Waits {
    pub(crate) fn park(&mut self, now: Instant, key: WaitKey) {
        if self.parked.insert(key, now).is_none() && key.keeps_reading() {
            self.reading += 1;
        }
    }

    fn remove(&mut self, key: WaitKey) -> bool {
        let was = self.parked.remove(&key).is_some();
        if was && key.keeps_reading() {
            self.reading -= 1;
        }
        was
    }

    pub(crate) fn unpark(&mut self, key: WaitKey) {
        if !self.remove(key) {
            self.ready.retain(|&ready| ready != key);
        }
    }

    /// The key is ready: whoever is parked on it is to be woken.
    pub(crate) fn wake(&mut self, key: WaitKey) {
        if self.remove(key) {
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

    /// Whether somebody waits in the sense of rule 3.
    pub(crate) const fn keep_reading(&self) -> bool {
        self.reading > 0
    }

    /// Those who wait in the sense of rule 3.
    pub(crate) fn readers(&self) -> impl Iterator<Item = WaitKey> {
        self.parked
            .keys()
            .copied()
            .filter(|key| key.keeps_reading())
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
