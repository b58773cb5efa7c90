//! The thread that owns a child from its start until it is reaped.
//!
//! Why a thread and not a task: the ladder has to go on when the runtime is gone, and on Linux the parent-death
//! signal of a child fires when the *thread* that started it ends. This one ends after the child. Two small threads
//! stand beside it, both blocked in the kernel: one drains standard error, one waits for the exit without reaping, so
//! that the number of the process cannot be given to another one before the last signal was sent.

use std::{
    io::{self, Read},
    path::PathBuf,
    process::{ChildStdin, ChildStdout},
    sync::{Arc, Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::watch;

use crate::{Ended, Ending, Exit, SpawnError};

use super::{
    Command, KillHandle, Ladder, Lease, Stage, Step,
    handle::{Ownership, Shared},
    stdin::Input,
    system::{Group, Pipes},
    tail::Tail,
};

/// What a keeper is told.
#[derive(Debug)]
pub(super) enum Happening {
    /// Somebody wants the child to end.
    Shutdown,
    /// Somebody wants it dead.
    Kill,
    /// The process has exited; it is not reaped.
    Exited(Exit),
    /// Standard error was read to its end.
    StderrRead,
}

/// A child that runs, before it is bound to a runtime.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) path: PathBuf,
    pub(super) input: Input,
    pub(super) ending: Ending,
    pub(super) lease: Lease,
}

/// How long the end of standard error is waited for after the exit: it comes at once, unless a grandchild holds it.
const STDERR_GRACE: Duration = Duration::from_millis(100);

/// How often a group without its leader is looked at: soon at first, then less often.
const LOOK_FIRST: Duration = Duration::from_millis(5);
const LOOK_LATER: Duration = Duration::from_millis(100);

/// Stack of the threads; none of them recurses or holds large buffers on it.
const STACK: usize = 128 * 1024;

/// Starts a keeper, which starts the child and reports.
pub(super) fn start(
    command: Command,
    report: impl FnOnce(Result<Started, SpawnError>) + Send + 'static,
) -> Result<(), SpawnError> {
    let name = command.name();
    spawn_thread("acp-keeper", move || match launch(&command) {
        Ok((keeper, started)) => {
            // Nobody there to take it: dropping the lease inside starts the ladder.
            report(Ok(started));
            keeper.keep();
        }
        Err(error) => report(Err(error)),
    })
    .map_err(|source| SpawnError::Io {
        program: name,
        path: PathBuf::new(),
        source: Arc::new(source),
    })
}

/// The keeper has ended without a report.
pub(super) fn lost(command: &Command) -> SpawnError {
    SpawnError::Io {
        program: command.name(),
        path: PathBuf::from(&command.program),
        source: Arc::new(io::ErrorKind::Other.into()),
    }
}

fn spawn_thread(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name(name.into())
        .stack_size(STACK)
        .spawn(body)
        .map(drop)
}

fn launch(command: &Command) -> Result<(Keeper, Started), SpawnError> {
    let (keeper, happenings) = mpsc::channel();
    let (
        mut group,
        Pipes {
            stdin,
            stdout,
            stderr,
            path,
        },
    ) = Group::start(command)?;
    let tail = Arc::new(Tail::new(command.stderr_limit, command.stderr_sink.clone()));
    let (drainer, watcher) = (keeper.clone(), keeper.clone());
    let (drained, wait) = (Arc::clone(&tail), group.waiter());
    let threads = spawn_thread("acp-stderr", move || {
        drain(stderr, &drained);
        let _ = drainer.send(Happening::StderrRead);
    })
    .and_then(|()| {
        spawn_thread("acp-exit", move || {
            let exit = wait();
            let _ = watcher.send(Happening::Exited(exit));
        })
    });
    if let Err(source) = threads {
        group.kill();
        group.release();
        return Err(SpawnError::Io {
            program: command.name(),
            path,
            source: Arc::new(source),
        });
    }
    let (ended, ending) = Ending::channel();
    let (stage, stages) = watch::channel(Stage::Running);
    let shared = Arc::new(Shared {
        pid: group.pid(),
        name: command.name(),
        keeper,
        stage: stages,
        tail,
        ending: ending.clone(),
        ownership: Mutex::new(Ownership::Held),
    });
    tracing::debug!(
        program = &*shared.name,
        pid = shared.pid,
        "started a child process"
    );
    let input = Input::default();
    let lease = Lease::new(KillHandle::new(Arc::clone(&shared)));
    let started = Started {
        stdin,
        stdout,
        path,
        input: input.clone(),
        ending,
        lease,
    };
    let keeper = Keeper {
        ladder: Ladder::new(command.grace),
        group,
        input,
        happenings,
        end: End {
            exit: None,
            stderr_open: true,
            publish: None,
            ended,
        },
        look: None,
        stage,
        finish: Finish(shared),
    };
    Ok((keeper, started))
}

/// Reads standard error to its end; 8 KiB at a time, which is never more than the pipe gives.
fn drain(mut stderr: impl Read, tail: &Tail) {
    let mut chunk = vec![0; 8 * 1024];
    loop {
        match stderr.read(&mut chunk) {
            Ok(0) => return,
            Ok(count) => tail.push(chunk.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

struct Keeper {
    ladder: Ladder,
    group: Group,
    input: Input,
    happenings: mpsc::Receiver<Happening>,
    end: End,
    /// When the group is looked at next, and how long to wait after that.
    look: Option<(Instant, Duration)>,
    stage: watch::Sender<Stage>,
    finish: Finish,
}

/// What is known about the end of the process, and whom to tell.
struct End {
    exit: Option<Exit>,
    stderr_open: bool,
    /// When the end is told without waiting longer for standard error.
    publish: Option<Instant>,
    ended: watch::Sender<Option<Ended>>,
}

/// However the keeper ends, the reaper learns that this child is done with.
struct Finish(Arc<Shared>);

impl Drop for Finish {
    fn drop(&mut self) {
        self.0.finish();
    }
}

impl Keeper {
    fn keep(mut self) {
        while self.ladder.stage() != Stage::Gone || self.end.publish.is_some() {
            let happening = self.wait();
            let now = now();
            self.handle(happening, now);
            self.look_at_group(now);
            self.take_steps();
        }
        self.group.release();
        self.stage.send_replace(Stage::Gone);
        tracing::debug!(
            program = &*self.finish.0.name,
            pid = self.finish.0.pid,
            "a child process is gone"
        );
    }

    /// The next happening, or none when a time has come.
    fn wait(&self) -> Option<Happening> {
        let times = [
            self.ladder.poll_timeout(),
            self.end.publish,
            self.look.map(|(at, _)| at),
        ];
        // The channel cannot close: `finish` holds a sender.
        match times.into_iter().flatten().min() {
            None => self.happenings.recv().ok(),
            Some(until) => self
                .happenings
                .recv_timeout(until.saturating_duration_since(now()))
                .ok(),
        }
    }

    fn handle(&mut self, happening: Option<Happening>, now: Instant) {
        match happening {
            Some(Happening::Shutdown) => self.ladder.handle_shutdown(now),
            Some(Happening::Kill) => self.ladder.handle_kill(now),
            Some(Happening::Exited(exit)) => {
                self.end.exit = Some(exit);
                self.end.publish = Some(now + STDERR_GRACE);
                self.look = Some((now, LOOK_FIRST));
                self.ladder.handle_exited(now);
            }
            Some(Happening::StderrRead) => self.end.stderr_open = false,
            None => {}
        }
        self.ladder.handle_timeout(now);
        if let (Some(exit), Some(at)) = (self.end.exit, self.end.publish)
            && (now >= at || !self.end.stderr_open)
        {
            self.end.publish = None;
            self.end
                .ended
                .send_replace(Some(self.finish.0.tail.end(exit)));
        }
    }

    /// Sees whether anybody is left in the group of a process that has exited.
    fn look_at_group(&mut self, now: Instant) {
        let Some((at, pause)) = self.look else { return };
        if !self.ladder.awaits_group() {
            self.look = None;
        } else if now >= at {
            if self.group.is_empty() {
                self.ladder.handle_empty();
                self.look = None;
            } else {
                self.look = Some((now + pause, (pause * 2).min(LOOK_LATER)));
            }
        }
    }

    fn take_steps(&mut self) {
        while let Some(step) = self.ladder.poll_step() {
            tracing::debug!(
                program = &*self.finish.0.name,
                pid = self.finish.0.pid,
                ?step,
                "shutdown ladder"
            );
            match step {
                Step::CloseInput => self.input.close(),
                Step::Terminate => self.group.terminate(),
                Step::Kill => self.group.kill(),
            }
        }
        let stage = self.ladder.stage();
        // `Gone` is told when the process is reaped.
        if stage != Stage::Gone {
            self.stage
                .send_if_modified(|told| std::mem::replace(told, stage) != stage);
        }
    }
}

/// The keeper's clock; tokio's, because it is the one clock of this layer.
fn now() -> Instant {
    tokio::time::Instant::now().into_std()
}
