//! Who is parked on what: wakers under the machine's wait keys.

use std::{collections::BTreeMap, task::Waker};

use acp_session::WaitKey;

/// One waiting future: it may be polled by one task now and by another later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WaiterId(u64);

/// The parked futures. Each is here at most once, and leaves when its key is ready or when it is
/// dropped, so this is bounded by the futures that exist.
#[derive(Debug, Default)]
pub(crate) struct Wakers {
    parked: BTreeMap<WaitKey, Vec<(WaiterId, Waker)>>,
    last: u64,
}

impl Wakers {
    /// A name for a future that may park.
    pub(crate) fn waiter(&mut self) -> WaiterId {
        self.last = self.last.wrapping_add(1);
        WaiterId(self.last)
    }

    /// Parks a future under a key, or renews its waker.
    pub(crate) fn park(&mut self, key: WaitKey, waiter: WaiterId, waker: &Waker) {
        let parked = self.parked.entry(key).or_default();
        match parked.iter_mut().find(|(id, _)| *id == waiter) {
            Some((_, known)) => known.clone_from(waker),
            None => parked.push((waiter, waker.clone())),
        }
    }

    /// Takes a future out. True when nobody is parked under the key any more.
    pub(crate) fn unpark(&mut self, key: WaitKey, waiter: WaiterId) -> bool {
        let Some(parked) = self.parked.get_mut(&key) else {
            return true;
        };
        parked.retain(|(id, _)| *id != waiter);
        let empty = parked.is_empty();
        if empty {
            self.parked.remove(&key);
        }
        empty
    }

    /// The key is ready: takes everybody who is parked under it.
    pub(crate) fn take(&mut self, key: WaitKey, woken: &mut Vec<Waker>) {
        if let Some(parked) = self.parked.remove(&key) {
            woken.extend(parked.into_iter().map(|(_, waker)| waker));
        }
    }
}
