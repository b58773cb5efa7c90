//! A child process owned whole: its group, its guard, its pipes, its end.

#[cfg(unix)]
mod birth;
mod command;
mod environment;
#[cfg(unix)]
mod foreground;
#[cfg(unix)]
mod guard;
mod handle;
mod keeper;
mod ladder;
mod launch;
mod reaper;
mod resolve;
#[cfg(unix)]
mod stderr;
mod stdin;
#[cfg(target_os = "linux")]
mod table;
mod tail;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::{ffi::OsStr, fmt, io, sync::Arc};

use tokio::process::{ChildStdin, ChildStdout};

use crate::{Ended, Link, Peer, SpawnError, TransportError};

pub(crate) use handle::Lease;
use launch::Started;
use stdin::InputWriter;
#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub use command::Command;
pub use handle::KillHandle;
pub use ladder::{Grace, Ladder, Stage, Step};
pub use reaper::{Reaper, Unfinished};

/// A running child process, owned whole; it becomes a [`Link`].
///
/// - It runs in a process group of its own (a job object on Windows). Ending it ends the group: its
///   children, too.
/// - Its standard error is drained all the time into a bounded tail, by a thread, also when nobody
///   reads.
/// - Dropping it, or the link that it became, starts the shutdown ladder: its input is closed; 3 s
///   later its group gets `SIGTERM`; 2 s later `SIGKILL`. The ladder goes on in the background: see
///   [`Reaper`].
/// - When it ends by itself, what is left of its group is sent down the same ladder, its first rung
///   being the time to read what they still write.
/// - When this process is killed (`SIGKILL`, a crash), a guard kills the group: see the crate's
///   documentation.
/// - Whatever kills the group kills, on Linux, also what descends from it in a group of its own, as
///   tools of agents do. One that ends politely is trusted to end its tools.
pub struct Child {
    link: Link,
    handle: KillHandle,
}

impl Child {
    /// Starts a program with default options: `Command::from_argv(argv).spawn()`.
    ///
    /// # Errors
    /// See [`Command::spawn`].
    ///
    /// # Panics
    /// See [`Command::spawn`].
    pub fn spawn<A: AsRef<OsStr>>(
        argv: impl IntoIterator<Item = A>,
    ) -> Result<Self, TransportError> {
        Command::from_argv(argv).spawn()
    }

    /// Binds what the keeper has started to the runtime of the caller.
    fn adopt(started: Started) -> Result<Self, SpawnError> {
        let Started {
            stdin,
            stdout,
            path,
            input,
            ending,
            lease,
        } = started;
        let name = Arc::clone(lease.handle().name());
        let failed = |source: io::Error| SpawnError::Io {
            program: Arc::clone(&name),
            path: path.clone(),
            source: Arc::new(source),
        };
        let writer = InputWriter(input.clone());
        input.open(ChildStdin::from_std(stdin).map_err(failed)?);
        let reader = ChildStdout::from_std(stdout).map_err(failed)?;
        let handle = lease.handle().clone();
        Ok(Self {
            link: Link::owned(
                reader,
                writer,
                Peer::child(Arc::clone(&name), ending, lease),
            ),
            handle,
        })
    }

    /// Its process id, which is also the id of its process group on Unix.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.handle.pid()
    }

    /// A handle that can end it from anywhere; it can be copied and does not own the process.
    #[must_use]
    pub const fn handle(&self) -> &KillHandle {
        &self.handle
    }

    /// Resolves when the process has exited, whether or not its output was read: see
    /// [`Ending::wait`](crate::Ending::wait). Its standard error is read to the end before, or for
    /// 100 ms when somebody else holds that pipe.
    pub fn ended(&self) -> impl Future<Output = Ended> + Send + 'static {
        self.link.ended()
    }

    /// Sends it down the shutdown ladder and waits until it and its group are gone: see
    /// [`Peer::shutdown`].
    pub async fn shutdown(self) -> Ended {
        let (reader, writer, peer) = self.link.into_parts();
        drop((reader, writer));
        peer.shutdown().await
    }

    /// The bytes from it and to it, and its ownership.
    #[must_use]
    pub fn into_link(self) -> Link {
        self.link
    }
}

impl From<Child> for Link {
    fn from(child: Child) -> Self {
        child.into_link()
    }
}

impl fmt::Debug for Child {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Child")
            .field("name", self.handle.name())
            .field("pid", &self.pid())
            .finish_non_exhaustive()
    }
}
