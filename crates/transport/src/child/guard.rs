//! The guard: a tiny process that kills the group of a child when this process is gone.
//!
//! Why a process: nothing of ours runs after `SIGKILL`, and the kernel's parent-death signal
//! reaches the child alone, not the child's children. Why `/bin/sh` and not a fork of ourselves: a
//! forked copy of a program with threads may call next to nothing, and would pin its memory and
//! files; and a program that starts itself again needs a hook in its `main`, which a library cannot
//! ask for. The shell is there wherever agents run, and needs 1 ms and 1 MB.
//!
//! It starts before the child, in a group of its own, deaf to every signal that can be ignored. It
//! learns the group from the child itself, which writes its number into the guard's pipe before it
//! becomes the agent's program; so there is no moment at which an agent runs unguarded. Then it
//! waits for the end of that pipe. All other ends of the pipe are close-on-exec, so the end comes
//! when this process is gone, however it went (and, if it has forked copies of itself that run no
//! other program, when those are gone, too). On a normal end the keeper kills the guard first and
//! reaps the child after that, so that a guard never knows a number that is free again.
//!
//! Agents start tools in sessions of their own, which a signal to the group does not reach. So the
//! guard stops the group first, and then, on Linux, whatever descends from it, until there is nothing
//! new: what is stopped starts nobody, and reaps nobody whose number could become another's.
//!
//! The pipe ends a moment before this process does, and that moment has to pass first: a kernel that sees
//! a process leave a stopped group without a parent in its session sends the group `HUP` and `CONT`, and
//! an agent that dies of it leaves its tools to `init`, where nobody finds them. The guard has the same
//! parent as the group, so it looks at its own, for some tenths of a second at most.

use std::{
    io::{self, Read},
    os::{
        fd::{AsFd, OwnedFd},
        unix::process::CommandExt,
    },
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// `read` fails at the end of the pipe. The name after the script (`$0`) is for whoever looks at a
/// process list. The fields behind a process's name in `stat` are its state, parent and group; a name
/// that holds a line end hides that process, and no other. Without `/proc`, and with one of another PID
/// namespace, in which our numbers are other processes', nobody is looked for.
const SCRIPT: &str = "trap '' HUP INT QUIT PIPE ALRM TERM USR1 USR2 TSTP TTIN TTOU
echo ready
read -r group || exit 0
while read -r rest; do :; done
tries=2000
while [ \"$tries\" -gt 0 ] && read -r me rest < /proc/self/stat && [ \"$me\" = \"$$\" ]; do
  set -- ${rest##*) }
  [ \"$2\" = \"$PPID\" ] || break
  tries=$((tries - 1))
done
kill -s STOP -- \"-$group\"
kin=' ' more=yes
read -r me rest < /proc/self/stat && [ \"$me\" = \"$$\" ] || more=
while [ \"$more\" ]; do
  more=
  for stat in /proc/[0-9]*/stat; do
    read -r line < \"$stat\" || continue
    id=${line%% *}
    set -- ${line##*) }
    case $kin in *\" $id \"*) continue ;; esac
    if [ \"$3\" != \"$group\" ]; then
      case $kin in *\" $2 \"*) ;; *) continue ;; esac
    fi
    kill -s STOP \"$id\"
    kin=\"$kin$id \" more=yes
  done
done
kill -s KILL -- \"-$group\" $kin
exit 0";

/// How long the shell may take to start.
const START: Timespec = Timespec {
    tv_sec: 10,
    tv_nsec: 0,
};

/// A guard that waits for this process's end.
#[derive(Debug)]
pub(super) struct Guard {
    process: Child,
    /// Its other end is what the guard waits at; closing it is what makes the guard kill.
    pipe: Option<ChildStdin>,
    ready: Option<ChildStdout>,
}

impl Guard {
    pub(super) fn start() -> io::Result<Self> {
        let mut process = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "acp-guard"])
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let (pipe, ready) = (process.stdin.take(), process.stdout.take());
        Ok(Self {
            process,
            pipe,
            ready,
        })
    }

    /// The end of the pipe into which the child writes its number; close-on-exec, like the
    /// original.
    pub(super) fn pipe(&self) -> io::Result<OwnedFd> {
        match &self.pipe {
            Some(pipe) => pipe.as_fd().try_clone_to_owned(),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Waits until the shell has said that it is there.
    pub(super) fn confirm(&mut self) -> io::Result<()> {
        let Some(mut ready) = self.ready.take() else {
            return Ok(());
        };
        let mut fds = [PollFd::new(&ready, PollFlags::IN)];
        if poll(&mut fds, Some(&START))? == 0 {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let mut word = [0; 8];
        match ready.read(&mut word)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

impl Drop for Guard {
    /// Stands down: killed before its pipe is closed, it kills nobody.
    fn drop(&mut self) {
        let killed = self.process.kill();
        let reaped = self.process.wait();
        if let Err(error) = killed.and(reaped) {
            tracing::warn!(kind = %error.kind(), "the guard could not be reaped");
        }
        drop(self.pipe.take());
    }
}

#[cfg(test)]
mod tests;
