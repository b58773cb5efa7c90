//! The foreground of a terminal: lent to the group of a child that a person answers, and taken back.
//!
//! Only the group in the foreground reads from the terminal and hears Ctrl-C. Whoever is not in it and
//! changes it is stopped by `SIGTTOU`, unless that is blocked: so it is, for as long as the change
//! takes.

use std::{
    io,
    os::fd::{AsFd as _, OwnedFd},
    sync::Arc,
};

use nix::sys::signal::{SigSet, Signal as Blocked};
use rustix::{
    process::{Pid, Signal, getpgrp, kill_process_group},
    termios::{OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr, tcsetpgrp},
};

/// The foreground of our terminal, lent to a group.
#[derive(Clone, Debug)]
pub(super) struct Foreground {
    terminal: Arc<OwnedFd>,
    ours: Pid,
    /// How the terminal was: who reads a secret turns its echo off, and may be ended before it turns it
    /// on again.
    modes: Termios,
}

impl Foreground {
    /// The foreground of the terminal on standard input.
    ///
    /// # Errors
    /// When that is no terminal, or we are not in its foreground and so have nothing to lend.
    pub(super) fn find() -> io::Result<Self> {
        let terminal = io::stdin().as_fd().try_clone_to_owned()?;
        let ours = getpgrp();
        if tcgetpgrp(&terminal)? != ours {
            return Err(io::Error::other("not in the foreground of the terminal"));
        }
        let modes = tcgetattr(&terminal)?;
        Ok(Self {
            terminal: Arc::new(terminal),
            ours,
            modes,
        })
    }

    /// Lends it to a group, and wakes what was stopped because it asked for the terminal too early.
    pub(super) fn lend(&self, group: Pid) -> io::Result<()> {
        self.give(group)?;
        kill_process_group(group, Signal::CONT)?;
        Ok(())
    }

    /// Takes it back as it was lent, whoever has it: the group that it was lent to is at its end, and one
    /// that a program of that group made has nobody left to answer to.
    pub(super) fn take_back(&self) {
        let taken = unstopped(|| {
            tcsetpgrp(&self.terminal, self.ours)?;
            tcsetattr(&self.terminal, OptionalActions::Now, &self.modes)
        });
        if let Err(error) = taken {
            let kind = error.kind();
            tracing::debug!(%kind, "the foreground of the terminal could not be taken back");
        }
    }

    fn give(&self, group: Pid) -> io::Result<()> {
        unstopped(|| tcsetpgrp(&self.terminal, group))
    }
}

/// Changes the terminal without being stopped for it.
fn unstopped(change: impl FnOnce() -> rustix::io::Result<()>) -> io::Result<()> {
    let mut set = SigSet::empty();
    set.add(Blocked::SIGTTOU);
    let before = set.thread_swap_mask(nix::sys::signal::SigmaskHow::SIG_BLOCK)?;
    let changed = change();
    before.thread_set_mask()?;
    Ok(changed?)
}
