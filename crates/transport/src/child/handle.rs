//! Hands on a child from outside its keeper: a handle that can end it, and the lease whose drop
//! does.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
};

use tokio::sync::watch;

use crate::{Ending, Observer};

use super::{Reaper, Stage, keeper::Happening, tail::Tail};

/// Ends a child, and tells how far its end is. It can be copied, and does not keep the child alive
/// or own it.
#[derive(Clone)]
pub struct KillHandle(Arc<Shared>);

pub(super) struct Shared {
    pub(super) pid: u32,
    pub(super) name: Arc<str>,
    pub(super) keeper: mpsc::Sender<Happening>,
    pub(super) stage: watch::Receiver<Stage>,
    pub(super) tail: Arc<Tail>,
    pub(super) ending: Ending,
    pub(super) ownership: Mutex<Ownership>,
}

/// Whether the [`Reaper`] counts the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ownership {
    Held,
    GivenUp,
    Gone,
}

impl KillHandle {
    pub(super) const fn new(shared: Arc<Shared>) -> Self {
        Self(shared)
    }

    /// The process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.0.pid
    }

    /// The program's name.
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.0.name
    }

    /// How far down the shutdown ladder it is.
    #[must_use]
    pub fn stage(&self) -> Stage {
        *self.0.stage.borrow()
    }

    /// The handle that waits for the exit of the process.
    #[must_use]
    pub fn ending(&self) -> &Ending {
        &self.0.ending
    }

    /// The last bytes of its standard error so far. It is the peer's text: make it safe before a
    /// terminal sees it.
    #[must_use]
    pub fn stderr_tail(&self) -> Arc<[u8]> {
        self.0.tail.bytes()
    }

    /// Starts the shutdown ladder: see [`Child`](super::Child). Returns at once; asking again
    /// changes nothing.
    pub fn shut_down(&self) {
        self.tell(Happening::Shutdown);
    }

    /// Sends `SIGKILL` to the group now. Returns at once.
    pub fn kill(&self) {
        self.tell(Happening::Kill);
    }

    /// Resolves when the ladder has reached `stage` or gone beyond it. Cancel-safe.
    pub fn reached(&self, stage: Stage) -> impl Future<Output = ()> + Send + 'static {
        let mut stages = self.0.stage.clone();
        async move {
            // An error means that the keeper is no more, and with it the child.
            drop(stages.wait_for(|now| *now >= stage).await);
        }
    }

    /// Resolves when the process and its group are gone. Cancel-safe.
    pub fn gone(&self) -> impl Future<Output = ()> + Send + 'static {
        self.reached(Stage::Gone)
    }

    pub(crate) fn observe(&self, observer: Arc<dyn Observer>) {
        self.0.tail.observe(observer);
    }

    fn tell(&self, happening: Happening) {
        let mut ownership = self.0.ownership();
        if *ownership == Ownership::Held {
            *ownership = Ownership::GivenUp;
            Reaper::enter();
        }
        drop(ownership);
        // An error means that the keeper is no more, and with it the child.
        drop(self.0.keeper.send(happening));
    }
}

impl Shared {
    fn ownership(&self) -> MutexGuard<'_, Ownership> {
        self.ownership
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The child is gone: nobody has to wait for it any more.
    pub(super) fn finish(&self) {
        let before = std::mem::replace(&mut *self.ownership(), Ownership::Gone);
        if before == Ownership::GivenUp {
            Reaper::leave();
        }
    }
}

impl fmt::Debug for KillHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KillHandle")
            .field("name", &self.0.name)
            .field("pid", &self.0.pid)
            .finish_non_exhaustive()
    }
}

/// The ownership of a child: dropping it starts the shutdown ladder.
#[derive(Debug)]
pub(crate) struct Lease(KillHandle);

impl Lease {
    pub(super) const fn new(handle: KillHandle) -> Self {
        Self(handle)
    }

    pub(crate) const fn handle(&self) -> &KillHandle {
        &self.0
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.0.shut_down();
    }
}
