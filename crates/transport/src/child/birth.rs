//! From fork to exec: what a child is given, and what it does before it becomes the agent's
//! program.

use std::{
    io,
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::process::CommandExt,
    },
    path::Path,
    process::{self, Stdio},
};

use rustix::process::{Pid, getpid};

use super::Command;

/// The child's command: pipes, a group of its own, and what it does before it becomes the agent's
/// program.
///
/// # Errors
/// When this process has no streams to share.
pub(super) fn prepare(
    command: &Command,
    path: &Path,
    tell: Option<OwnedFd>,
) -> io::Result<process::Command> {
    let mut prepared = process::Command::new(path);
    prepared
        .arg0(&command.program)
        .args(&command.args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    command.environment.apply(&mut prepared);
    if let Some(directory) = &command.cwd {
        prepared.current_dir(directory);
    }
    let (host, merged) = (getpid(), command.merged);
    let shared = command.shares_terminal.then(terminal).transpose()?;
    let before_exec = move || {
        if tell.is_none() {
            die_with(host)?;
        }
        if let Some(terminal) = &shared {
            terminal.take_over()?;
        }
        if merged {
            rustix::stdio::dup2_stderr(rustix::stdio::stdout())?;
        }
        tell.as_ref().map_or(Ok(()), tell_own_number)
    };
    #[expect(
        unsafe_code,
        reason = "the guard and the kernel have to know the child before its program runs"
    )]
    // SAFETY: the closure runs in the forked child. It makes system calls (prctl, getppid, getpid,
    // dup2, write) through rustix and touches its own stack: it allocates nothing, takes no lock and
    // cannot panic. The file descriptor that it writes to is owned by the closure and open.
    unsafe {
        prepared.pre_exec(before_exec);
    }
    Ok(prepared)
}

/// This process's own streams, for a child that shares the terminal: close-on-exec copies, which the
/// child puts in the place of its pipes.
struct Terminal {
    input: OwnedFd,
    /// Standard error, for what the child prints as well: standard output is not for it.
    output: OwnedFd,
}

fn terminal() -> io::Result<Terminal> {
    Ok(Terminal {
        input: io::stdin().as_fd().try_clone_to_owned()?,
        output: io::stderr().as_fd().try_clone_to_owned()?,
    })
}

impl Terminal {
    /// In the child: three system calls.
    fn take_over(&self) -> io::Result<()> {
        rustix::stdio::dup2_stdin(&self.input)?;
        rustix::stdio::dup2_stdout(&self.output)?;
        rustix::stdio::dup2_stderr(&self.output)?;
        Ok(())
    }
}

/// Asks the kernel to kill this process when the thread that started it (the keeper, which lives as
/// long) is gone. For a child without a guard only: with the agent gone at once, the guard could no
/// longer see which tools descend from it. Where it is not permitted, the child starts without it.
#[cfg(target_os = "linux")]
fn die_with(host: Pid) -> io::Result<()> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    let asked = set_parent_process_death_signal(Some(Signal::KILL));
    // Asked too late: the host was gone already.
    if asked.is_ok() && getppid() != Some(host) {
        Err(io::ErrorKind::NotConnected.into())
    } else {
        Ok(())
    }
}

#[cfg(not(target_os = "linux"))]
fn die_with(_: Pid) -> io::Result<()> {
    Ok(())
}

/// Writes the number of this process and a line end, without allocating.
fn tell_own_number(guard: &OwnedFd) -> io::Result<()> {
    let mut number = getpid().as_raw_nonzero().get().unsigned_abs();
    let mut text = [b'\n'; 11];
    let mut start = text.len() - 1;
    while number > 0 && start > 0 {
        start -= 1;
        if let Some(digit) = text.get_mut(start) {
            *digit = b'0' + u8::try_from(number % 10).unwrap_or(0);
        }
        number /= 10;
    }
    // So short a write to a pipe is whole or not at all.
    rustix::io::write(guard, text.get(start..).unwrap_or_default())?;
    Ok(())
}
