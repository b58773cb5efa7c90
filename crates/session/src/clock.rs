//! A running clock that several calls share: an absolute bound that starts once, and an idle bound
//! that each call measures from the last frame that concerned it.

use std::time::{Duration, Instant};

/// No bound is shorter than this, so that a call is always sent before it can fail.
pub(crate) const FLOOR: Duration = Duration::from_millis(1);

/// How long a wait may take. `None` lifts a bound, which is never the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bounds {
    /// The longest time without a frame that concerns the wait.
    pub idle: Option<Duration>,
    /// The longest time altogether.
    pub absolute: Option<Duration>,
}

impl Bounds {
    /// For starting up (initialize, opening a session) and for any call that is not a turn: idle
    /// 120 s, absolute 10 min.
    pub const START_UP: Self = Self {
        idle: Some(Duration::from_secs(120)),
        absolute: Some(Duration::from_secs(600)),
    };
    /// For a turn: idle 10 min, absolute 6 h.
    pub const TURN: Self = Self {
        idle: Some(Duration::from_secs(600)),
        absolute: Some(Duration::from_secs(6 * 3600)),
    };

    /// Replaces the idle bound and keeps the other.
    #[must_use]
    pub const fn idle(mut self, bound: Duration) -> Self {
        self.idle = Some(bound);
        self
    }

    /// Replaces the absolute bound and keeps the other.
    #[must_use]
    pub const fn absolute(mut self, bound: Duration) -> Self {
        self.absolute = Some(bound);
        self
    }
}

/// Bounds and the instant from which the absolute one counts. A plain value: copy it into every
/// call that shall share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    started: Instant,
    bounds: Bounds,
}

impl Clock {
    /// Starts a clock now.
    #[must_use]
    pub fn start(now: Instant, bounds: Bounds) -> Self {
        let floor = |bound: Option<Duration>| bound.map(|bound| bound.max(FLOOR));
        let bounds = Bounds {
            idle: floor(bounds.idle),
            absolute: floor(bounds.absolute),
        };
        Self {
            started: now,
            bounds,
        }
    }

    /// When the clock was started.
    #[must_use]
    pub const fn started(&self) -> Instant {
        self.started
    }

    /// Its bounds, after the floor was applied.
    #[must_use]
    pub const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// When the absolute bound elapses, for a wait that began at `began`; never before the floor.
    pub(crate) fn absolute_at(&self, began: Instant) -> Option<Instant> {
        let end = self.started.checked_add(self.bounds.absolute?)?;
        Some(end.max(began + FLOOR))
    }
}

/// Which bound elapsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bound {
    /// Too long without a frame that concerned the wait.
    Idle,
    /// Too long altogether.
    Absolute,
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Idle => "idle",
            Self::Absolute => "absolute",
        })
    }
}

/// Time that runs, stops and starts again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    gathered: Duration,
    since: Option<Instant>,
}

impl Stopwatch {
    pub(crate) fn start(now: Instant, running: bool) -> Self {
        Self {
            gathered: Duration::ZERO,
            since: running.then_some(now),
        }
    }

    pub(crate) fn reset(&mut self, now: Instant) {
        self.gathered = Duration::ZERO;
        if self.since.is_some() {
            self.since = Some(now);
        }
    }

    pub(crate) fn run(&mut self, now: Instant, running: bool) {
        match (self.since, running) {
            (Some(since), false) => {
                self.gathered += now.saturating_duration_since(since);
                self.since = None;
            }
            (None, true) => self.since = Some(now),
            (Some(_), true) | (None, false) => {}
        }
    }

    /// What it shows.
    pub(crate) fn shows(&self, now: Instant) -> Duration {
        let running = self.since.map(|since| now.saturating_duration_since(since));
        self.gathered + running.unwrap_or_default()
    }

    /// When it will show `bound`, or `None` while it stands still.
    pub(crate) fn reaches(&self, bound: Duration) -> Option<Instant> {
        self.since?.checked_add(bound.saturating_sub(self.gathered))
    }
}

#[cfg(test)]
mod tests;
