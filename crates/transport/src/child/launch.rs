//! Starting a child and the three threads that stand beside it.

use std::{
    io::{self, Read},
    path::PathBuf,
    process::{ChildStdin, ChildStdout},
    sync::{Arc, Mutex, mpsc},
    thread,
};

use tokio::sync::watch;

use crate::{Ending, SpawnError};

use super::{
    Command, KillHandle, Ladder, Lease, Stage,
    handle::{Ownership, Shared},
    keeper::{Happening, Keeper},
    stdin::Input,
    system::{Group, Pipes},
    tail::Tail,
};

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

/// Stack of the threads; sinks, observers and log subscribers run on them.
const STACK: usize = 512 * 1024;

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
    let keeper = Keeper::new(
        Ladder::new(command.grace),
        group,
        input,
        happenings,
        ended,
        stage,
        shared,
    );
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
