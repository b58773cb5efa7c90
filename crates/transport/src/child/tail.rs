//! The last bytes of a child's standard error, within a bound, and whoever else wants to see them.

use std::{
    collections::VecDeque,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{Ended, Exit, Observer, observer::Eye};

/// A function that is given the child's standard error as it comes, in pieces of any size.
pub(super) type Sink = Arc<dyn Fn(&[u8]) + Send + Sync>;

/// Keeps the last `limit` bytes of what was pushed.
pub(super) struct Tail {
    limit: usize,
    kept: Mutex<VecDeque<u8>>,
    listeners: Mutex<Listeners>,
}

#[derive(Default)]
struct Listeners {
    sink: Option<Sink>,
    observer: Eye,
    ended: Option<Ended>,
}

impl Tail {
    pub(super) fn new(limit: usize, sink: Option<Sink>) -> Self {
        Self {
            limit,
            kept: Mutex::default(),
            listeners: Mutex::new(Listeners {
                sink,
                ..Listeners::default()
            }),
        }
    }

    /// Takes in what the child has printed. A listener that panics is not called again: the child
    /// must not be held up by it.
    pub(super) fn push(&self, bytes: &[u8]) {
        let mut listeners = lock(&self.listeners);
        self.keep(bytes);
        if let Some(sink) = &listeners.sink
            && catch_unwind(AssertUnwindSafe(|| sink(bytes))).is_err()
        {
            tracing::warn!("a sink for standard error panicked and was removed");
            listeners.sink = None;
        }
        listeners.observer.show(|observer| observer.stderr(bytes));
    }

    /// Takes in that the child has ended, and makes the record of it.
    pub(super) fn end(&self, exit: Exit) -> Ended {
        let ended = Ended::exited(exit, self.bytes());
        let mut listeners = lock(&self.listeners);
        listeners.ended = Some(ended.clone());
        listeners.observer.show(|observer| observer.ended(&ended));
        drop(listeners);
        ended
    }

    /// Installs an observer; it is shown first what it has missed, as far as the tail holds it.
    pub(super) fn observe(&self, observer: Arc<dyn Observer>) {
        let mut listeners = lock(&self.listeners);
        listeners.observer = Eye::new(observer);
        let kept = self.bytes();
        if !kept.is_empty() {
            listeners.observer.show(|observer| observer.stderr(&kept));
        }
        if let Some(ended) = listeners.ended.clone() {
            listeners.observer.show(|observer| observer.ended(&ended));
        }
    }

    pub(super) fn bytes(&self) -> Arc<[u8]> {
        lock(&self.kept).iter().copied().collect()
    }

    fn keep(&self, bytes: &[u8]) {
        let newest = bytes
            .get(bytes.len().saturating_sub(self.limit)..)
            .unwrap_or_default();
        let mut kept = lock(&self.kept);
        let excess = (kept.len() + newest.len()).saturating_sub(self.limit);
        kept.drain(..excess);
        kept.extend(newest);
    }
}

impl fmt::Debug for Tail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tail")
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
