//! The clock by itself.

use super::*;

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn bounds_have_a_floor_and_keep_each_other() {
    let now = crate::testing::epoch();
    let clock = Clock::start(now, Bounds::TURN.idle(Duration::ZERO));
    assert_eq!(clock.bounds().idle, Some(FLOOR));
    assert_eq!(clock.bounds().absolute, Bounds::TURN.absolute);
}

#[test]
fn an_exhausted_clock_still_leaves_the_floor() {
    let now = crate::testing::epoch();
    let clock = Clock::start(now, Bounds::START_UP.absolute(SECOND));
    assert_eq!(clock.absolute_at(now), Some(now + SECOND));
    assert_eq!(
        clock.absolute_at(now + 5 * SECOND),
        Some(now + 5 * SECOND + FLOOR)
    );
}

#[test]
fn a_stopwatch_counts_only_while_it_runs() {
    let now = crate::testing::epoch();
    let mut watch = Stopwatch::start(now, true);
    watch.run(now + 2 * SECOND, false);
    assert_eq!(watch.reaches(5 * SECOND), None);
    watch.run(now + 60 * SECOND, true);
    assert_eq!(watch.reaches(5 * SECOND), Some(now + 63 * SECOND));
    watch.reset(now + 62 * SECOND);
    assert_eq!(watch.reaches(5 * SECOND), Some(now + 67 * SECOND));
}
