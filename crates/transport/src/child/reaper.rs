//! Waiting, at the end of a program, for the children that were given up and are still on their way
//! down.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Children that were given up and are not gone yet.
static GIVEN_UP: Mutex<usize> = Mutex::new(0);
static ONE_LESS: Condvar = Condvar::new();

/// What carries out the shutdown ladders of dropped children.
///
/// Each child has a thread of its own that signals and reaps it, so a ladder goes on without a
/// runtime, also after `main` has dropped it. But not without the process: a program that returns
/// from `main` while a ladder is running leaves the rest to the guard, which kills at once what was
/// still being asked. So call [`Reaper::join`] last.
///
/// ```
/// use acp_transport::Reaper;
/// use std::time::Duration;
///
/// // ... the runtime and every link are dropped ...
/// let all_gone = Reaper::join(Duration::from_secs(6)).is_ok();
/// assert!(all_gone);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Reaper;

/// Children were still on their way down when the bound elapsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{left} child processes are still being shut down")]
#[non_exhaustive]
pub struct Unfinished {
    /// How many.
    pub left: usize,
}

impl Reaper {
    /// Blocks until every child that was given up (dropped, or told to shut down) is gone, at most
    /// for `bound`. Children that are still owned by a live link are not waited for.
    ///
    /// The sum of the grace periods and a second is a good bound: 6 s by default. It blocks the
    /// thread; inside a runtime use [`Peer::shutdown`](crate::Peer::shutdown) or `spawn_blocking`.
    ///
    /// # Errors
    /// [`Unfinished`] when the bound elapsed first.
    pub fn join(bound: Duration) -> Result<(), Unfinished> {
        let (left, _) = ONE_LESS
            .wait_timeout_while(lock(), bound, |left| *left > 0)
            .unwrap_or_else(PoisonError::into_inner);
        if *left == 0 {
            Ok(())
        } else {
            Err(Unfinished { left: *left })
        }
    }

    pub(super) fn enter() {
        *lock() += 1;
    }

    pub(super) fn leave() {
        let mut left = lock();
        *left = left.saturating_sub(1);
        ONE_LESS.notify_all();
    }
}

fn lock() -> MutexGuard<'static, usize> {
    GIVEN_UP.lock().unwrap_or_else(PoisonError::into_inner)
}
