//! When to read and when to let the pipe hold the agent back (rules 1 to 3).

use std::time::{Duration, Instant};

/// The gate in front of the reader: what is queued, what of it stands over a bound, and whether
/// reading pauses. It is told about every change of a queue and knows no queue.
#[derive(Debug)]
pub(crate) struct Flow {
    session_bound: usize,
    connection_bound: usize,
    overdraft: usize,
    patience: Duration,
    total: usize,
    /// The sum of what each session holds over its own bound.
    excess: usize,
    /// Sessions at or over their bound.
    at_bound: usize,
    /// Sessions over three quarters of it.
    above_resume: usize,
    paused: bool,
    /// Since when the overdraft is used up and nothing was taken from a queue over its bound.
    starving: Option<Instant>,
}

impl Flow {
    pub(crate) const fn new(limits: &crate::Limits) -> Self {
        Self {
            session_bound: limits.session_bytes,
            connection_bound: limits.connection_bytes,
            overdraft: limits.overdraft_bytes,
            patience: limits.overdraft_patience,
            total: 0,
            excess: 0,
            at_bound: 0,
            above_resume: 0,
            paused: false,
            starving: None,
        }
    }

    /// Reading resumes at three quarters of a bound.
    const fn resume(bound: usize) -> usize {
        bound - bound / 4
    }

    /// One queue went from `before` to `after` bytes.
    pub(crate) fn changed(&mut self, now: Instant, before: usize, after: usize) {
        self.total = self.total - before + after;
        self.excess = self.excess - before.saturating_sub(self.session_bound)
            + after.saturating_sub(self.session_bound);
        let count = |bytes: usize, bound: usize| usize::from(bytes >= bound);
        self.at_bound =
            self.at_bound - count(before, self.session_bound) + count(after, self.session_bound);
        let resume = Self::resume(self.session_bound) + 1;
        self.above_resume = self.above_resume - count(before, resume) + count(after, resume);
        if after < before && (before >= self.session_bound || self.total >= self.connection_bound) {
            // Somebody takes from a queue over its bound: patience starts again.
            if self.starving.is_some() {
                self.starving = Some(now);
            }
        }
    }

    /// Bytes queued in all sessions.
    pub(crate) const fn total(&self) -> usize {
        self.total
    }

    fn overdrawn(&self) -> usize {
        self.excess
            .max(self.total.saturating_sub(self.connection_bound))
    }

    /// Whether the next frame may be read. Whether somebody waits is only asked at a bound.
    pub(crate) fn may_read(&mut self, now: Instant, somebody_waits: impl FnOnce() -> bool) -> bool {
        if self.paused {
            self.paused = self.above_resume > 0 || self.total > Self::resume(self.connection_bound);
        } else {
            self.paused = self.at_bound > 0 || self.total >= self.connection_bound;
        }
        if !self.paused {
            self.starving = None;
            return true;
        }
        let used_up = self.overdrawn() >= self.overdraft;
        let somebody_waits = somebody_waits();
        if used_up && somebody_waits {
            self.starving.get_or_insert(now);
        } else {
            self.starving = None;
        }
        somebody_waits && !used_up
    }

    /// When those who wait will have waited too long for queues that nobody empties.
    pub(crate) fn starves_at(&self) -> Option<Instant> {
        self.starving?.checked_add(self.patience)
    }

    /// Those who waited were told; whoever still waits gets the patience anew.
    pub(crate) fn starved(&mut self, now: Instant) -> bool {
        let over = self.starves_at().is_some_and(|at| at <= now);
        if over {
            self.starving = Some(now);
        }
        over
    }
}

#[cfg(test)]
mod tests;
