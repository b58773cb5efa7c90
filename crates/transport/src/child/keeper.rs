//! The thread that owns a child from its start until it is reaped.
//!
//! Why a thread and not a task: the ladder has to go on when the runtime is gone, and on Linux the
//! parent-death signal of a child fires when the *thread* that started it ends. This one ends after
//! the child. Two small threads stand beside it, both blocked in the kernel: one drains standard
//! error, one waits for the exit without reaping, so that the number of the process cannot be given
//! to another one before the last signal was sent.

use std::{
    sync::{Arc, mpsc},
    time::{Duration, Instant},
};

use tokio::sync::watch;

use crate::{Ended, Exit};

use super::{Ladder, Stage, Step, handle::Shared, stdin::Input, system::Group};

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

/// How long the end of standard error is waited for after the exit: it comes at once, unless a
/// grandchild holds it.
const STDERR_GRACE: Duration = Duration::from_millis(100);

/// How often a group without its leader is looked at: soon at first, then less often.
const LOOK_FIRST: Duration = Duration::from_millis(5);
const LOOK_LATER: Duration = Duration::from_millis(100);

/// The owner of a child.
pub(super) struct Keeper {
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
    pub(super) const fn new(
        ladder: Ladder,
        group: Group,
        input: Input,
        happenings: mpsc::Receiver<Happening>,
        ended: watch::Sender<Option<Ended>>,
        stage: watch::Sender<Stage>,
        shared: Arc<Shared>,
    ) -> Self {
        let end = End {
            exit: None,
            stderr_open: true,
            publish: None,
            ended,
        };
        Self {
            ladder,
            group,
            input,
            happenings,
            end,
            look: None,
            stage,
            finish: Finish(shared),
        }
    }

    /// Owns the child until it is gone and reaped.
    pub(super) fn keep(mut self) {
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
                // Never a signal to a number that may be free: without a leader, look first.
                Step::Terminate | Step::Kill
                    if self.ladder.awaits_group() && self.group.is_empty() =>
                {
                    self.ladder.handle_empty();
                }
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
