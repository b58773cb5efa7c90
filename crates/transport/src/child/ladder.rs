//! The shutdown ladder as a pure state: which step is due, and when the next one will be.
//!
//! Why a ladder: an agent that is asked politely (its input ends) saves its work and takes its own
//! children along; some take seconds for it, some never end. Each rung waits its full grace period
//! from the moment it was really reached, so a host that was asleep does not skip one.

use std::time::{Duration, Instant};

/// How long each rung of the ladder waits for the process and its group to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grace {
    /// After its input was closed, until `SIGTERM`. Default 3 s: measured agents take up to 4 s,
    /// most under 1 s.
    pub after_close: Duration,
    /// After `SIGTERM`, until `SIGKILL`. Default 2 s.
    pub after_terminate: Duration,
}

impl Default for Grace {
    fn default() -> Self {
        Self {
            after_close: Duration::from_secs(3),
            after_terminate: Duration::from_secs(2),
        }
    }
}

impl Grace {
    /// Both grace periods; zero skips the wait.
    #[must_use]
    pub const fn new(after_close: Duration, after_terminate: Duration) -> Self {
        Self {
            after_close,
            after_terminate,
        }
    }
}

/// How far down the ladder a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// It runs, and nobody wants it to end.
    Running,
    /// Its input is closed, and it may end by itself.
    Closing,
    /// The group was sent `SIGTERM`.
    Terminating,
    /// The group was sent `SIGKILL`.
    Killing,
    /// The process and its group are gone. Nothing is signalled any more: the number may belong to
    /// somebody else.
    Gone,
}

/// What has to be done to the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// Close its input.
    CloseInput,
    /// Send `SIGTERM` to the group.
    Terminate,
    /// Send `SIGKILL` to the group.
    Kill,
}

/// How often `SIGKILL` is repeated while the process has not ended, and how long a killed group is
/// given to vanish.
const SETTLE: Duration = Duration::from_secs(1);

/// The ladder of one process and its group. Time and facts come in, steps come out; it does nothing
/// by itself.
///
/// ```
/// # use std::time::{Duration, Instant};
/// # use acp_transport::{Grace, Ladder, Stage, Step};
/// let start = Instant::now();
/// let mut ladder = Ladder::new(Grace::default());
/// ladder.handle_shutdown(start);
/// assert_eq!(ladder.poll_step(), Some(Step::CloseInput));
/// assert_eq!(ladder.poll_timeout(), Some(start + Duration::from_secs(3)));
/// ladder.handle_timeout(start + Duration::from_secs(3));
/// assert_eq!(ladder.poll_step(), Some(Step::Terminate));
/// ladder.handle_exited(start + Duration::from_secs(4));
/// ladder.handle_empty();
/// assert_eq!(ladder.stage(), Stage::Gone);
/// ```
#[derive(Clone, Debug)]
pub struct Ladder {
    grace: Grace,
    stage: Stage,
    until: Option<Instant>,
    /// The process itself has ended; members of its group may live on.
    exited: bool,
    /// Somebody asked for the end (as opposed to the process having ended by itself).
    asked: bool,
    due: Due,
}

/// Steps that are due and were not taken yet.
#[derive(Clone, Copy, Debug, Default)]
struct Due {
    close: bool,
    signal: Option<Step>,
}

impl Ladder {
    /// A ladder at [`Stage::Running`].
    #[must_use]
    pub fn new(grace: Grace) -> Self {
        Self {
            grace,
            stage: Stage::Running,
            until: None,
            exited: false,
            asked: false,
            due: Due::default(),
        }
    }

    /// Where it stands.
    #[must_use]
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// Whether the process itself has ended, so that the group has to be looked at: see
    /// [`Ladder::handle_empty`].
    #[must_use]
    pub const fn awaits_group(&self) -> bool {
        self.exited && !matches!(self.stage, Stage::Gone)
    }

    /// Somebody wants the process to end. Asking again changes nothing.
    pub fn handle_shutdown(&mut self, now: Instant) {
        self.asked = true;
        match self.stage {
            Stage::Running => self.close(now),
            // What is left of the group has lost its leader and will not be told by the input.
            Stage::Closing if self.exited => self.terminate(now),
            Stage::Closing | Stage::Terminating | Stage::Killing | Stage::Gone => {}
        }
    }

    /// Somebody wants it dead at once.
    pub fn handle_kill(&mut self, now: Instant) {
        self.asked = true;
        match self.stage {
            Stage::Running | Stage::Closing | Stage::Terminating => {
                self.due.close |= self.stage == Stage::Running;
                self.kill(now);
            }
            Stage::Killing | Stage::Gone => {}
        }
    }

    /// The process has ended. What is left of its group goes down the ladder, too.
    pub fn handle_exited(&mut self, now: Instant) {
        self.exited = true;
        match self.stage {
            Stage::Running => self.close(now),
            Stage::Closing if self.asked => self.terminate(now),
            Stage::Killing => self.enter(Stage::Killing, now, SETTLE),
            Stage::Closing | Stage::Terminating | Stage::Gone => {}
        }
    }

    /// The process has ended and no other process is left in its group.
    pub fn handle_empty(&mut self) {
        if self.exited {
            self.stage = Stage::Gone;
            self.until = None;
            self.due.signal = None;
        }
    }

    /// The time that [`Ladder::poll_timeout`] named has come.
    pub fn handle_timeout(&mut self, now: Instant) {
        if self.until.is_none_or(|until| now < until) {
            return;
        }
        match self.stage {
            Stage::Closing => self.terminate(now),
            Stage::Terminating => self.kill(now),
            // Killed, reaped, and something still counts as a member: a process that the kernel
            // cannot end now.
            Stage::Killing if self.exited => self.handle_empty(),
            Stage::Killing => self.kill(now),
            Stage::Running | Stage::Gone => self.until = None,
        }
    }

    /// When it next wants [`Ladder::handle_timeout`].
    #[must_use]
    pub const fn poll_timeout(&self) -> Option<Instant> {
        self.until
    }

    /// The next step that is due, until there is none.
    pub fn poll_step(&mut self) -> Option<Step> {
        if std::mem::take(&mut self.due.close) {
            return Some(Step::CloseInput);
        }
        self.due.signal.take()
    }

    fn close(&mut self, now: Instant) {
        self.due.close = true;
        self.enter(Stage::Closing, now, self.grace.after_close);
    }

    fn terminate(&mut self, now: Instant) {
        self.due.signal = Some(Step::Terminate);
        self.enter(Stage::Terminating, now, self.grace.after_terminate);
    }

    fn kill(&mut self, now: Instant) {
        self.due.signal = Some(Step::Kill);
        self.enter(Stage::Killing, now, SETTLE);
    }

    /// A grace period beyond what the clock can hold never ends.
    fn enter(&mut self, stage: Stage, now: Instant, grace: Duration) {
        self.stage = stage;
        self.until = now.checked_add(grace);
    }
}

#[cfg(test)]
mod tests;
