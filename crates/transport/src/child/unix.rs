//! Process groups: starting one, signalling it, seeing whether it is empty.

use std::{
    io::{self, PipeWriter},
    path::PathBuf,
    process::{self, ChildStdin, ChildStdout},
    sync::Arc,
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::{Exit, SpawnError};

#[cfg(target_os = "linux")]
use super::table;
use super::{Command, birth, foreground::Foreground, guard::Guard, resolve, stderr::Stderr};

/// How far a child may write ahead of its reader, in bytes, where the system allows more than the usual 64 KiB: it writes on while a large message is looked at.
#[cfg(target_os = "linux")]
const OUTPUT_AHEAD: usize = 256 << 10;

/// What a started child is reached by.
pub(super) struct Pipes {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) stderr: Stderr,
    pub(super) path: PathBuf,
}

/// A process group: its leader, which is not reaped before [`Group::release`], and its guard.
#[derive(Debug)]
pub(super) struct Group {
    guard: Option<Guard>,
    leader: process::Child,
    id: Pid,
    /// The leader is reaped, and the number of the group is free.
    released: bool,
    /// The terminal's foreground, lent to the group.
    foreground: Option<Foreground>,
    /// Closing it makes the reader of standard error stop, also when an escaped process holds the
    /// pipe.
    _stop: PipeWriter,
}

impl Group {
    /// Starts the guard, then the child as the leader of a new group, and waits until the guard has
    /// confirmed.
    pub(super) fn start(command: &Command) -> Result<(Self, Pipes), SpawnError> {
        if command.program.is_empty() {
            return Err(SpawnError::Empty);
        }
        let name = command.name();
        let path = resolve::resolve(&command.program, &name, &command.environment)?;
        if let Some(directory) = &command.cwd {
            resolve::check_directory(directory).map_err(|source| SpawnError::Directory {
                program: Arc::clone(&name),
                directory: directory.clone(),
                source: Arc::new(source),
            })?;
        }
        let no_guard = |source: io::Error| SpawnError::Guard {
            program: Arc::clone(&name),
            source: Arc::new(source),
        };
        let guard = command
            .guard
            .then(Guard::start)
            .transpose()
            .map_err(no_guard)?;
        let tell = guard
            .as_ref()
            .map(Guard::pipe)
            .transpose()
            .map_err(no_guard)?;

        let failed =
            |error: io::Error| resolve::explain(error, path.clone(), &name, command.cwd.as_deref());
        let (stopped, stop) = io::pipe().map_err(failed)?;
        let foreground = command
            .shares_terminal
            .then(Foreground::find)
            .transpose()
            .map_err(failed)?;
        let mut leader = birth::prepare(command, &path, tell)
            .and_then(|mut prepared| prepared.spawn())
            .map_err(failed)?;
        let (stdin, stdout, stderr) = (
            leader.stdin.take(),
            leader.stdout.take(),
            leader.stderr.take(),
        );
        let id = Pid::from_child(&leader);
        let mut group = Self {
            guard,
            leader,
            id,
            released: false,
            foreground,
            _stop: stop,
        };
        let confirmed = group.guard.as_mut().map_or(Ok(()), Guard::confirm);
        let lent = group.foreground.as_ref().map_or(Ok(()), |it| it.lend(id));
        let confirmed = confirmed.and(lent);
        #[cfg(target_os = "linux")]
        if let Some(stdout) = &stdout {
            // It works with less as well, where the user has many pipes.
            let _less = rustix::pipe::fcntl_setpipe_size(stdout, OUTPUT_AHEAD).is_err();
        }
        match (confirmed, stdin, stdout, stderr) {
            (Ok(()), Some(stdin), Some(stdout), Some(stderr)) => Ok((
                group,
                Pipes {
                    stdin,
                    stdout,
                    stderr: Stderr::new(stderr, stopped),
                    path: path.clone(),
                },
            )),
            (confirmed, ..) => {
                group.kill();
                group.take_back();
                group.release();
                Err(no_guard(
                    confirmed
                        .err()
                        .unwrap_or_else(|| io::ErrorKind::BrokenPipe.into()),
                ))
            }
        }
    }

    pub(super) fn pid(&self) -> u32 {
        self.leader.id()
    }

    /// A function that waits for the exit of the leader and leaves it unreaped.
    pub(super) fn waiter(&mut self) -> impl FnOnce() -> Exit + Send + 'static {
        let (id, foreground) = (self.id, self.foreground.clone());
        let stops = if foreground.is_some() {
            WaitIdOptions::STOPPED
        } else {
            WaitIdOptions::empty()
        };
        move || loop {
            match waitid(
                WaitId::Pid(id),
                WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | stops,
            ) {
                Ok(Some(status)) if status.stopped() => {
                    // Nobody is there to wake it again: a shell sees us, and not it.
                    waitid(WaitId::Pid(id), stops).ok();
                    drop(foreground.as_ref().map(|foreground| foreground.lend(id)));
                }
                Ok(Some(status)) => {
                    if let Some(foreground) = &foreground {
                        foreground.take_back();
                    }
                    let signal = status.terminating_signal().map(Exit::Signal);
                    return status
                        .exit_status()
                        .map(Exit::Code)
                        .or(signal)
                        .unwrap_or(Exit::Unknown);
                }
                Ok(None) | Err(rustix::io::Errno::INTR) => {}
                // Somebody else has reaped it.
                Err(_) => return Exit::Unknown,
            }
        }
    }

    /// Takes the terminal back from a group whose leader nobody waits for.
    fn take_back(&self) {
        if let Some(foreground) = &self.foreground {
            foreground.take_back();
        }
    }

    pub(super) fn terminate(&mut self) {
        self.signal(Signal::TERM);
    }

    /// Kills the group, and what descends from it without being a member, where that can be seen:
    /// tools in a session of their own, which nobody is left to end.
    pub(super) fn kill(&mut self) {
        #[cfg(target_os = "linux")]
        let kin = table::Kin::of(self.id);
        self.signal(Signal::KILL);
        #[cfg(target_os = "linux")]
        kin.kill();
    }

    /// An error is no news: the group is empty, or holds only what belongs to another user by now.
    fn signal(&self, signal: Signal) {
        if let Err(error) = kill_process_group(self.id, signal) {
            let kind = io::Error::from(error).kind();
            tracing::debug!(group = self.id.as_raw_nonzero().get(), %kind, "nobody was signalled");
        }
    }

    /// Whether no process of the group is left, apart from those that have exited and wait to be
    /// reaped.
    #[cfg(target_os = "linux")]
    pub(super) fn is_empty(&self) -> bool {
        // Where the table cannot be read nothing is known, and the ladder goes its whole way.
        table::is_empty(self.id).unwrap_or(false)
    }

    /// Whether no process of the group is left: exited ones are not counted by these systems.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn is_empty(&self) -> bool {
        rustix::process::test_kill_process_group(self.id).is_err()
    }

    /// Lets the guard stand down and reaps the leader. From here on the number of the group is
    /// free.
    pub(super) fn release(mut self) {
        drop(self.guard.take());
        self.released = true;
        if let Err(error) = self.leader.wait() {
            let kind = error.kind();
            tracing::debug!(pid = self.leader.id(), %kind, "somebody else has reaped the child");
        }
    }
}

impl Drop for Group {
    /// Without a release (a keeper that panics) the group is killed; its leader is left to whoever
    /// adopts it.
    fn drop(&mut self) {
        if !self.released {
            self.kill();
            self.take_back();
        }
    }
}
