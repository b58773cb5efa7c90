//! A budget: one running clock for everything that is done within it.

use std::time::{Duration, Instant};

use acp_session::{Bounds, Clock};

use crate::clock;

/// How long waits may take: an *idle* bound, which every frame that concerns the wait restarts,
/// and an *absolute* bound, which starts once, when the budget is made, and never restarts.
///
/// Copies share the clock, so that `initialize`, the session set-up and the prompt can share one:
/// a hung agent is then reported by the bound that really elapsed. A bound that is not set has
/// the default of what it is used for (starting up: idle 120 s, absolute 10 min; a turn: idle
/// 10 min, absolute 6 h). Lifting one is an explicit call, so that nothing hangs by omission.
/// No bound is shorter than a millisecond.
///
/// ```
/// use std::time::Duration;
/// use acp_client::Budget;
///
/// let both = Budget::start(Duration::from_secs(30), Duration::from_secs(600));
/// let patient = Budget::idle(Duration::from_secs(300)).without_absolute();
/// # let _ = (both, patient);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    started: Instant,
    idle: Setting,
    absolute: Setting,
}

#[derive(Clone, Copy, Debug)]
enum Setting {
    Default,
    Set(Duration),
    Lifted,
}

impl Setting {
    const fn or(self, default: Option<Duration>) -> Option<Duration> {
        match self {
            Self::Default => default,
            Self::Set(bound) => Some(bound),
            Self::Lifted => None,
        }
    }
}

impl Budget {
    /// Starts a clock with both bounds.
    #[must_use]
    pub fn start(idle: Duration, absolute: Duration) -> Self {
        Self::new(Setting::Set(idle), Setting::Set(absolute))
    }

    /// Starts a clock with this idle bound; the absolute one keeps its default.
    #[must_use]
    pub fn idle(idle: Duration) -> Self {
        Self::new(Setting::Set(idle), Setting::Default)
    }

    /// Starts a clock with this absolute bound; the idle one keeps its default.
    #[must_use]
    pub fn absolute(absolute: Duration) -> Self {
        Self::new(Setting::Default, Setting::Set(absolute))
    }

    /// Starts a clock with both defaults: what the calls without `_within` do.
    #[must_use]
    pub fn defaults() -> Self {
        Self::new(Setting::Default, Setting::Default)
    }

    fn new(idle: Setting, absolute: Setting) -> Self {
        Self {
            started: clock::now(),
            idle,
            absolute,
        }
    }

    /// The same clock without an idle bound: silence alone never ends a wait.
    #[must_use]
    pub const fn without_idle(mut self) -> Self {
        self.idle = Setting::Lifted;
        self
    }

    /// The same clock without an absolute bound: an agent that keeps talking is never cut off.
    #[must_use]
    pub const fn without_absolute(mut self) -> Self {
        self.absolute = Setting::Lifted;
        self
    }

    /// The clock for starting up and for single calls.
    pub(crate) fn for_call(&self) -> Clock {
        self.clock(Bounds::START_UP)
    }

    /// The clock for a turn.
    pub(crate) fn for_turn(&self) -> Clock {
        self.clock(Bounds::TURN)
    }

    fn clock(&self, default: Bounds) -> Clock {
        let mut bounds = default;
        bounds.idle = self.idle.or(default.idle);
        bounds.absolute = self.absolute.or(default.absolute);
        Clock::start(self.started, bounds)
    }
}
