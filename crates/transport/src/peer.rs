//! Who is at the other end of a link, and the ownership of it.

use std::{future::Future, sync::Arc};

use crate::{Ended, Ending};

#[cfg(feature = "child")]
use crate::child::{KillHandle, Lease};

/// The other end of a link. When it is a child process, holding the peer is owning the process:
/// dropping it starts the shutdown ladder, which goes on in the background (see
/// [`Reaper`](crate::Reaper)).
#[derive(Debug)]
pub struct Peer {
    name: Arc<str>,
    ending: Ending,
    #[cfg(feature = "child")]
    lease: Option<Lease>,
}

impl Peer {
    pub(crate) fn new(name: impl Into<Arc<str>>, ending: Ending) -> Self {
        Self {
            name: name.into(),
            ending,
            #[cfg(feature = "child")]
            lease: None,
        }
    }

    pub(crate) fn rename(&mut self, name: Arc<str>) {
        self.name = name;
    }

    /// Its name, for errors and logs: the program's name for a child.
    #[must_use]
    pub const fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The handle that waits for its end; it can be copied and outlives the peer.
    #[must_use]
    pub const fn ending(&self) -> &Ending {
        &self.ending
    }

    /// Resolves when it has ended: see [`Ending::wait`].
    pub fn ended(&self) -> impl Future<Output = Ended> + Send + 'static {
        self.ending.wait()
    }

    /// Ends it, and waits until it is gone.
    ///
    /// A child goes down the shutdown ladder: its input is closed, and after each grace period its
    /// group is signalled harder; this returns when the whole group is gone, within the sum of the
    /// grace periods. Dropping the future does not stop the ladder. For other links this only lets
    /// go: drop the writer, and the peer sees the end.
    pub async fn shutdown(self) -> Ended {
        self.let_go().await;
        self.ending.now().unwrap_or_else(Ended::eof)
    }

    #[cfg(feature = "child")]
    async fn let_go(&self) {
        if let Some(lease) = &self.lease {
            lease.handle().shut_down();
            lease.handle().gone().await;
        }
    }

    #[cfg(not(feature = "child"))]
    fn let_go(&self) -> std::future::Ready<()> {
        std::future::ready(())
    }
}

#[cfg(feature = "child")]
impl Peer {
    pub(crate) fn child(name: Arc<str>, ending: Ending, lease: Lease) -> Self {
        Self {
            name,
            ending,
            lease: Some(lease),
        }
    }

    /// The handle of the process, when the peer is a child.
    #[must_use]
    pub fn process(&self) -> Option<&KillHandle> {
        self.lease.as_ref().map(Lease::handle)
    }

    /// The process id, when the peer is a child.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.process().map(KillHandle::pid)
    }
}
