//! Job objects: what Windows has in the place of process groups. Written with care and built, never
//! run by its authors.
//!
//! A job that ends with its last handle is the guard, too: the system closes the handles of a
//! process that is gone, however it went. Two things are weaker than on Unix. A program is put into
//! the job right after its start, so a process that it starts in its first instant may be outside.
//! And there is no polite signal to a program without a console, so the rung of `SIGTERM` only
//! waits.

use std::{
    io,
    os::windows::io::AsRawHandle,
    path::PathBuf,
    process::{self, ChildStderr, ChildStdin, ChildStdout, Stdio},
    sync::Arc,
};

use win32job::{ExtendedLimitInfo, Job};

use crate::{Exit, SpawnError};

use super::{Command, resolve};

/// What a started child is reached by.
pub(super) struct Pipes {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) stderr: ChildStderr,
    pub(super) path: PathBuf,
}

/// A job and the process that it was made for.
#[derive(Debug)]
pub(super) struct Group {
    /// Dropping it ends every process in it; `None` when that was done.
    job: Option<Job>,
    leader: Option<process::Child>,
    pid: u32,
}

impl Group {
    /// Starts the child and puts it into a new job.
    pub(super) fn start(command: &Command) -> Result<(Self, Pipes), SpawnError> {
        if command.program.is_empty() {
            return Err(SpawnError::Empty);
        }
        let name = command.name();
        let path = resolve::resolve(&command.program, &name, &command.environment)?;
        let failed =
            |error: io::Error| resolve::explain(error, path.clone(), &name, command.cwd.as_deref());
        let mut prepared = process::Command::new(&path);
        prepared
            .args(&command.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.environment.apply(&mut prepared);
        if let Some(directory) = &command.cwd {
            prepared.current_dir(directory);
        }
        let job = new_job(command.guard).map_err(|source| SpawnError::Guard {
            program: Arc::clone(&name),
            source: Arc::new(source),
        })?;
        let mut leader = prepared.spawn().map_err(failed)?;
        let assigned = job
            .assign_process(leader.as_raw_handle().addr().cast_signed())
            .map_err(io::Error::other);
        let (stdin, stdout, stderr) = (
            leader.stdin.take(),
            leader.stdout.take(),
            leader.stderr.take(),
        );
        let pid = leader.id();
        match (assigned, stdin, stdout, stderr) {
            (Ok(()), Some(stdin), Some(stdout), Some(stderr)) => {
                let pipes = Pipes {
                    stdin,
                    stdout,
                    stderr,
                    path: path.clone(),
                };
                Ok((
                    Self {
                        job: Some(job),
                        leader: Some(leader),
                        pid,
                    },
                    pipes,
                ))
            }
            (assigned, ..) => {
                drop(leader.kill());
                Err(failed(
                    assigned
                        .err()
                        .unwrap_or_else(|| io::ErrorKind::BrokenPipe.into()),
                ))
            }
        }
    }

    pub(super) const fn pid(&self) -> u32 {
        self.pid
    }

    /// A function that waits for the exit of the process. Handles keep its number from being given
    /// away.
    pub(super) fn waiter(&mut self) -> impl FnOnce() -> Exit + Send + 'static {
        let leader = self.leader.take();
        move || {
            leader
                .and_then(|mut leader| leader.wait().ok())
                .map_or(Exit::Unknown, Exit::from)
        }
    }

    /// There is no polite signal: the rung only waits.
    pub(super) const fn terminate(&mut self) {}

    pub(super) fn kill(&mut self) {
        if let Some(job) = self.job.take()
            && let Err(error) = limit(&job, true)
        {
            tracing::warn!(pid = self.pid, %error, "the job cannot be ended");
        }
    }

    /// Whether no process of the job is left.
    pub(super) fn is_empty(&self) -> bool {
        self.job.as_ref().is_none_or(|job| {
            job.query_process_id_list()
                .is_ok_and(|left| left.is_empty())
        })
    }

    pub(super) fn release(mut self) {
        drop(self.job.take());
    }
}

fn new_job(guarded: bool) -> io::Result<Job> {
    let job = Job::create().map_err(io::Error::other)?;
    limit(&job, guarded)?;
    Ok(job)
}

/// Whether the processes of a job end with its last handle.
fn limit(job: &Job, end_with_it: bool) -> io::Result<()> {
    let mut info = ExtendedLimitInfo::new();
    if end_with_it {
        info.limit_kill_on_job_close();
    }
    job.set_extended_limit_info(&info).map_err(io::Error::other)
}
