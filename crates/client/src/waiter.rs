//! A future that waits for a key of the machine, and loses nothing when it is dropped.

use std::{
    sync::Arc,
    task::{Context, Poll},
    time::Instant,
};

use acp_session::{Connection, WaitKey};

use crate::{shared::Shared, wakers::WaiterId};

/// One waiting future. While it is parked the machine knows that somebody waits (rule 3); its drop
/// takes that back and touches nothing else.
#[derive(Debug)]
pub(crate) struct Waiter<'a> {
    shared: &'a Arc<Shared>,
    parked: Option<(WaitKey, WaiterId)>,
}

impl<'a> Waiter<'a> {
    pub(crate) const fn new(shared: &'a Arc<Shared>) -> Self {
        Self {
            shared,
            parked: None,
        }
    }

    /// Ready when `attempt` gives something; parked under `key` otherwise.
    pub(crate) fn poll<T>(
        &mut self,
        cx: &mut Context<'_>,
        key: WaitKey,
        attempt: impl FnOnce(&mut Connection, Instant) -> Option<T>,
    ) -> Poll<T> {
        let parked = &mut self.parked;
        self.shared.with(|inner, now| {
            if let Some(value) = attempt(&mut inner.machine, now) {
                if let Some((key, id)) = parked.take() {
                    inner.release(now, key, id);
                }
                return Poll::Ready(value);
            }
            let id = match *parked {
                Some((_, id)) => id,
                None => inner.wakers.waiter(),
            };
            *parked = Some((key, id));
            inner.wakers.park(key, id, cx.waker());
            inner.machine.park(now, key);
            Poll::Pending
        })
    }

    /// Waits until `attempt` gives something.
    pub(crate) async fn wait<T>(
        mut self,
        key: WaitKey,
        mut attempt: impl FnMut(&mut Connection, Instant) -> Option<T>,
    ) -> T {
        std::future::poll_fn(|cx| self.poll(cx, key, &mut attempt)).await
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        if let Some((key, id)) = self.parked.take() {
            self.shared.with(|inner, now| inner.release(now, key, id));
        }
    }
}
