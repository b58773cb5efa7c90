//! The table of watches by itself.

use super::*;
use crate::clock::Bounds;
use crate::key::Keys;

const S: Duration = Duration::from_secs(1);

fn clock(now: Instant) -> Clock {
    Clock::start(now, Bounds::START_UP.idle(10 * S).absolute(60 * S))
}

#[test]
fn a_frame_of_the_scope_resets_idle_and_another_sessions_does_not() {
    let now = crate::testing::epoch();
    let mut keys = Keys::default();
    let (here, there) = (
        Scope::Session(keys.session()),
        Scope::Session(keys.session()),
    );
    let call = keys.call();
    let mut table = Deadlines::default();
    table.start(now, call, here, clock(now), 0, 0);
    table.heard(now + 5 * S, there);
    assert_eq!(table.next(), Some(now + 10 * S));
    table.heard(now + 5 * S, here);
    assert_eq!(table.next(), Some(now + 15 * S));
    table.heard(now + 6 * S, Scope::Connection);
    assert_eq!(table.next(), Some(now + 16 * S));
}

#[test]
fn the_shorter_remaining_bound_wins_and_is_named() {
    let now = crate::testing::epoch();
    let mut keys = Keys::default();
    let call = keys.call();
    let mut table = Deadlines::default();
    table.start(now, call, Scope::Connection, clock(now), 0, 0);
    for second in 1..=55 {
        table.heard(now + second * S, Scope::Connection);
    }
    assert_eq!(table.next(), Some(now + 60 * S), "idle would end at 65 s");
    assert!(table.expired(now + 59 * S).is_none());
    let elapsed = table.expired(now + 60 * S).unwrap();
    assert_eq!(
        (elapsed.bound, elapsed.frames, elapsed.length),
        (Bound::Absolute, 55, 60 * S)
    );
    assert!(table.next().is_none());
}

#[test]
fn report_01_what_elapses_says_how_long_nothing_was_read() {
    let now = crate::testing::epoch();
    let mut keys = Keys::default();
    let (scope, early, late) = (Scope::Session(keys.session()), keys.call(), keys.call());
    let mut table = Deadlines::default();
    table.start(now, early, scope, clock(now), 0, 0);
    table.pause_reading(now + 2 * S, true);
    table.start(now + 5 * S, late, scope, clock(now), 0, 0);
    table.pause_reading(now + 10 * S, false);
    table.heard(now + 10 * S, scope);
    table.pause_reading(now + 15 * S, true);
    let paused = |table: &mut Deadlines| {
        let elapsed = table.expired(now + 60 * S).unwrap();
        (elapsed.call == early, elapsed.paused)
    };
    let mut both = [paused(&mut table), paused(&mut table)];
    both.sort_unstable();
    assert_eq!(both, [(false, 50 * S), (true, 53 * S)]);
}

#[test]
fn idle_stands_still_while_reading_is_paused_or_a_question_is_open() {
    let now = crate::testing::epoch();
    let mut keys = Keys::default();
    let (scope, call) = (Scope::Session(keys.session()), keys.call());
    let mut table = Deadlines::default();
    table.start(now, call, scope, clock(now), 0, 0);
    table.pause_reading(now + 2 * S, true);
    table.hold(now + 3 * S, scope, None, true);
    table.pause_reading(now + 20 * S, false);
    assert_eq!(
        table.next(),
        Some(now + 60 * S),
        "only the absolute bound runs"
    );
    table.hold(now + 30 * S, scope, None, false);
    assert_eq!(
        table.next(),
        Some(now + 38 * S),
        "two of the ten seconds were used"
    );
}
