//! The table of bounds that run: one watch for each reply that we owe ourselves (rule 13).
//!
//! Idle time stands still while reading is paused and while a question of the agent waits for an
//! answer; absolute time always runs.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::clock::{Bound, Clock, Stopwatch};
use crate::key::{CallKey, Scope};

#[derive(Debug)]
struct Watch {
    call: CallKey,
    clock: Clock,
    began: Instant,
    idle: Stopwatch,
    /// Questions of the agent that pause this watch.
    holds: usize,
    frames: u64,
    last_frame: Option<Instant>,
    /// Lines skipped on the connection before this wait began.
    skipped_before: u64,
    /// How long reading was paused.
    paused: Stopwatch,
}

impl Watch {
    fn idle_at(&self) -> Option<Instant> {
        self.idle.reaches(self.clock.bounds().idle?)
    }

    fn ends(&self) -> Option<(Instant, Bound)> {
        let idle = self.idle_at().map(|at| (at, Bound::Idle));
        let absolute = self
            .clock
            .absolute_at(self.began)
            .map(|at| (at, Bound::Absolute));
        match (idle, absolute) {
            (Some(idle), Some(absolute)) => Some(if idle.0 < absolute.0 { idle } else { absolute }),
            (one, other) => one.or(other),
        }
    }
}

/// A bound that elapsed, before it is given words.
#[derive(Debug)]
pub(crate) struct Elapsed {
    pub(crate) call: CallKey,
    pub(crate) bound: Bound,
    pub(crate) length: Duration,
    pub(crate) waited: Duration,
    pub(crate) frames: u64,
    pub(crate) last_frame: Option<Instant>,
    pub(crate) skipped_before: u64,
    pub(crate) paused: Duration,
}

#[derive(Debug, Default)]
pub(crate) struct Deadlines {
    watches: BTreeMap<Scope, Vec<Watch>>,
    reading_paused: bool,
}

impl Deadlines {
    /// Starts to watch a call. `holds` is how many open questions pause it from the start.
    pub(crate) fn start(
        &mut self,
        now: Instant,
        call: CallKey,
        scope: Scope,
        clock: Clock,
        holds: usize,
        skipped_before: u64,
    ) {
        let running = holds == 0 && !self.reading_paused;
        self.watches.entry(scope).or_default().push(Watch {
            call,
            clock,
            began: now,
            idle: Stopwatch::start(now, running),
            holds,
            frames: 0,
            last_frame: None,
            skipped_before,
            paused: Stopwatch::start(now, self.reading_paused),
        });
    }

    /// Brings the absolute bound of a call nearer; one that is nearer already stays.
    pub(crate) fn shorten(&mut self, now: Instant, call: CallKey, left: Duration) {
        let all = self.watches.values_mut().flatten();
        for watch in all.filter(|watch| watch.call == call) {
            let bounds = watch.clock.bounds().absolute(left);
            let nearer = Clock::start(now, bounds);
            let ends = |clock: &Clock| clock.absolute_at(watch.began);
            if ends(&watch.clock).is_none_or(|at| ends(&nearer).is_some_and(|to| to < at)) {
                watch.clock = nearer;
            }
        }
    }

    pub(crate) fn stop(&mut self, call: CallKey) {
        self.watches.retain(|_, watches| {
            watches.retain(|watch| watch.call != call);
            !watches.is_empty()
        });
    }

    /// A frame came. One that belongs to the connection as a whole concerns every wait.
    pub(crate) fn heard(&mut self, now: Instant, scope: Scope) {
        let hear = |watch: &mut Watch| {
            watch.idle.reset(now);
            watch.frames += 1;
            watch.last_frame = Some(now);
        };
        match scope {
            Scope::Session(_) => {
                self.watches
                    .get_mut(&scope)
                    .into_iter()
                    .flatten()
                    .for_each(hear);
            }
            Scope::Connection => self.watches.values_mut().flatten().for_each(hear),
        }
    }

    /// Reading paused or went on.
    pub(crate) fn pause_reading(&mut self, now: Instant, paused: bool) {
        if self.reading_paused != paused {
            self.reading_paused = paused;
            for watch in self.watches.values_mut().flatten() {
                watch.idle.run(now, watch.holds == 0 && !paused);
                watch.paused.run(now, paused);
            }
        }
    }

    /// A question was handed over (`held`) or answered: of one call, or of everything in a scope.
    pub(crate) fn hold(&mut self, now: Instant, scope: Scope, call: Option<CallKey>, held: bool) {
        let paused = self.reading_paused;
        let watches = self.watches.get_mut(&scope).into_iter().flatten();
        for watch in watches.filter(|watch| call.is_none_or(|call| call == watch.call)) {
            watch.holds = if held {
                watch.holds + 1
            } else {
                watch.holds.saturating_sub(1)
            };
            watch.idle.run(now, watch.holds == 0 && !paused);
        }
    }

    /// When the first bound elapses.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.watches
            .values()
            .flatten()
            .filter_map(|watch| Some(watch.ends()?.0))
            .min()
    }

    /// Takes out one watch whose bound has elapsed.
    pub(crate) fn expired(&mut self, now: Instant) -> Option<Elapsed> {
        let (watch, bound) = self
            .watches
            .values()
            .flatten()
            .filter_map(|watch| watch.ends().map(|(at, bound)| (watch, at, bound)))
            .filter(|&(_, at, _)| at <= now)
            .min_by_key(|&(_, at, _)| at)
            .map(|(watch, _, bound)| (watch, bound))?;
        let bounds = watch.clock.bounds();
        let length = match bound {
            Bound::Idle => bounds.idle,
            Bound::Absolute => bounds.absolute,
        };
        let elapsed = Elapsed {
            call: watch.call,
            bound,
            length: length.unwrap_or_default(),
            waited: now.saturating_duration_since(watch.began),
            frames: watch.frames,
            last_frame: watch.last_frame,
            skipped_before: watch.skipped_before,
            paused: watch.paused.shows(now),
        };
        self.stop(elapsed.call);
        Some(elapsed)
    }

    /// When the absolute bound of a call elapses.
    pub(crate) fn absolute_of(&self, call: CallKey) -> Option<Instant> {
        let watch = self
            .watches
            .values()
            .flatten()
            .find(|watch| watch.call == call)?;
        watch.clock.absolute_at(watch.began)
    }
}

#[cfg(test)]
mod tests;
