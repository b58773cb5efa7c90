//! What to start, where, with which environment, and how it is owned.

use std::{
    ffi::{OsStr, OsString},
    fmt,
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{Connecting, Connector, SpawnError, TransportError};

use super::{Child, Grace, environment::Environment, tail::Sink};

/// A child process to be: an argument vector (never a shell line), a directory, an environment.
///
/// It can be started any number of times, so it is a [`Connector`].
///
/// ```no_run
/// # async fn run() -> Result<(), acp_transport::TransportError> {
/// use acp_transport::Command;
///
/// let child = Command::new("some-agent")
///     .arg("--acp")
///     .cwd("/home/me/project")
///     .env("NO_COLOR", "1")
///     .spawn()?;
/// println!("process {}", child.pid());
/// # Ok(()) }
/// ```
#[derive(Clone)]
#[must_use]
pub struct Command {
    pub(super) program: OsString,
    pub(super) args: Vec<OsString>,
    pub(super) cwd: Option<PathBuf>,
    pub(super) environment: Environment,
    pub(super) grace: Grace,
    pub(super) guard: bool,
    pub(super) stderr_limit: usize,
    pub(super) merged: bool,
    #[cfg(unix)]
    pub(super) shares_terminal: bool,
    pub(super) stderr_sink: Option<Sink>,
}

impl Command {
    /// A command without arguments, in this process's directory and with its environment.
    ///
    /// A bare name is searched in the `PATH` that the child will have. A path is taken relative to
    /// this process's directory, whatever [`Command::cwd`] says. A script without a `#!` line is
    /// run as the system's C library sees fit, which on most is by `/bin/sh`.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            program: program.as_ref().into(),
            args: Vec::new(),
            cwd: None,
            environment: Environment::default(),
            grace: Grace::default(),
            guard: true,
            stderr_limit: 64 * 1024,
            merged: false,
            #[cfg(unix)]
            shares_terminal: false,
            stderr_sink: None,
        }
    }

    /// The command of a whole argument vector, the program first. An empty vector fails when it is
    /// started.
    pub fn from_argv<A: AsRef<OsStr>>(argv: impl IntoIterator<Item = A>) -> Self {
        let mut argv = argv.into_iter();
        let program = argv.next();
        let command = Self::new(
            program
                .as_ref()
                .map_or_else(|| OsStr::new(""), AsRef::as_ref),
        );
        command.args(argv)
    }

    /// Adds an argument.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().into());
        self
    }

    /// Adds arguments.
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args
            .extend(args.into_iter().map(|arg| arg.as_ref().to_os_string()));
        self
    }

    /// The child's working directory. Default: this process's.
    pub fn cwd(mut self, directory: impl AsRef<Path>) -> Self {
        self.cwd = Some(directory.as_ref().into());
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.environment
            .change(name.as_ref().into(), Some(value.as_ref().into()));
        self
    }

    /// Takes an environment variable away.
    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Self {
        self.environment.change(name.as_ref().into(), None);
        self
    }

    /// Starts from an empty environment, and forgets what was set before. Default: this process's
    /// environment.
    ///
    /// Without a `PATH` for the child, ours is searched for the program.
    pub fn env_clear(mut self) -> Self {
        self.environment.clear();
        self
    }

    /// How long each rung of the shutdown ladder waits. Default: 3 s and 2 s.
    pub const fn grace(mut self, grace: Grace) -> Self {
        self.grace = grace;
        self
    }

    /// How many of the last bytes of standard error are kept. Default: 64 KiB. Standard error is
    /// drained all the time, whatever this says.
    pub const fn stderr_tail(mut self, bytes: usize) -> Self {
        self.stderr_limit = bytes;
        self
    }

    /// Hands standard error to a function as it comes, in pieces of any size; the tail is kept all
    /// the same.
    ///
    /// It runs on the thread that drains the pipe. One that is slow slows the child's printing; one
    /// that panics is not called again.
    pub fn on_stderr(mut self, sink: impl Fn(&[u8]) + Send + Sync + 'static) -> Self {
        self.stderr_sink = Some(Arc::new(sink));
        self
    }

    /// Sends standard error into the same pipe as standard output, so that both are read in the order
    /// in which they were written, as on a terminal. The tail stays empty then, and so does what
    /// [`Command::on_stderr`] sees. Unix alone; elsewhere it changes nothing.
    pub const fn merge_stderr(mut self) -> Self {
        self.merged = true;
        self
    }

    /// Lets it share this process's terminal, for a program that a person answers: it reads our
    /// standard input, and prints, on standard output as well, to our standard error. Its group is
    /// the terminal's foreground until it ends, so Ctrl-C is for it and not for us, and Ctrl-Z does
    /// nothing; afterwards the foreground is ours again. Its link carries nothing.
    ///
    /// It is owned like any other child: group, guard, ladder. It does not start unless standard
    /// input is a terminal with us in its foreground. Unix alone.
    #[cfg(unix)]
    pub const fn share_terminal(mut self) -> Self {
        self.shares_terminal = true;
        self
    }

    /// Passes standard error on to this process's own, as it comes. The bytes are the child's: they
    /// can hold escape sequences, so this is for output that no terminal interprets, or for agents
    /// that are trusted with one.
    pub fn forward_stderr(self) -> Self {
        self.on_stderr(|bytes| {
            // Nobody can be told: this is the place where one tells.
            drop(std::io::stderr().write_all(bytes));
        })
    }

    /// Starts it without the guard, so that its group survives this process when that is killed
    /// (`SIGKILL`).
    ///
    /// For systems without `/bin/sh`, or where something else (a container, a service manager) ends
    /// what is left.
    pub const fn without_guard(mut self) -> Self {
        self.guard = false;
        self
    }

    /// The program's name, as errors and logs show it: the last part of its path.
    #[must_use]
    pub fn name(&self) -> Arc<str> {
        let program = Path::new(&self.program);
        program
            .file_name()
            .unwrap_or(program.as_os_str())
            .to_string_lossy()
            .into()
    }

    /// Starts it. The calling thread waits until the system has started the program: a millisecond
    /// or two.
    ///
    /// # Errors [`SpawnError`], inside [`TransportError::Spawn`]: not found, not executable, no
    /// such directory, no guard, no runtime.
    ///
    /// # Panics
    /// In a tokio runtime that was built without its I/O driver.
    pub fn spawn(&self) -> Result<Child, TransportError> {
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(SpawnError::NoRuntime {
                program: self.name(),
            }
            .into());
        }
        let (report, started) = std::sync::mpsc::channel();
        super::launch::start(self.clone(), move |result| drop(report.send(result)))?;
        let started = started.recv().map_err(|_| super::launch::lost(self))??;
        Ok(Child::adopt(started)?)
    }
}

impl Connector for Command {
    /// Starts a new process, without blocking the runtime.
    fn connect(&mut self) -> Connecting<'_> {
        Box::pin(async move {
            let (report, started) = tokio::sync::oneshot::channel();
            super::launch::start(self.clone(), move |result| drop(report.send(result)))?;
            let started = started.await.map_err(|_| super::launch::lost(self))??;
            Ok(Child::adopt(started)?.into())
        })
    }
}

impl fmt::Debug for Command {
    /// Without arguments and without values of the environment: both carry secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Command")
            .field("program", &self.program)
            .field("args", &self.args.len())
            .field("cwd", &self.cwd)
            .field("environment", &self.environment)
            .field("grace", &self.grace)
            .field("guard", &self.guard)
            .field("stderr_tail", &self.stderr_limit)
            .field("merged", &self.merged)
            .finish_non_exhaustive()
    }
}
