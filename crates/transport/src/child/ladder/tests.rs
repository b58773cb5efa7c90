//! The ladder in virtual time: no process, no clock.

use proptest::prelude::*;

use super::*;

#[derive(Clone, Copy, Debug)]
enum Input {
    Shutdown,
    Kill,
    Exited,
    Empty,
    /// Only what the clock says.
    Time,
}

use Input::{Empty, Exited, Kill, Shutdown, Time};

/// Feeds inputs at milliseconds and compares what was done, and when, with what was expected.
#[track_caller]
fn check(inputs: &[(u64, Input)], steps: &[(u64, Step)], stage: Stage) {
    let start = Instant::now_for_test();
    let at = |millis| start + Duration::from_millis(millis);
    let mut ladder = Ladder::new(Grace::default());
    let mut done = Vec::new();
    for &(millis, input) in inputs {
        match input {
            Shutdown => ladder.handle_shutdown(at(millis)),
            Kill => ladder.handle_kill(at(millis)),
            Exited => ladder.handle_exited(at(millis)),
            Empty => ladder.handle_empty(),
            Time => {}
        }
        ladder.handle_timeout(at(millis));
        while let Some(step) = ladder.poll_step() {
            done.push((millis, step));
        }
    }
    assert_eq!(done, steps);
    assert_eq!(ladder.stage(), stage);
}

/// A beginning of time. Only differences matter.
trait Epoch {
    fn now_for_test() -> Self;
}

impl Epoch for Instant {
    #[expect(
        clippy::disallowed_methods,
        reason = "an instant cannot be made in any other way"
    )]
    fn now_for_test() -> Self {
        Self::now()
    }
}

const CLOSE: Step = Step::CloseInput;
const TERM: Step = Step::Terminate;
const KILL: Step = Step::Kill;

#[test]
fn nothing_happens_by_itself() {
    check(&[(0, Time), (1_000_000, Time)], &[], Stage::Running);
}

#[test]
fn a_polite_process_is_only_asked() {
    check(
        &[(0, Shutdown), (200, Exited), (200, Empty)],
        &[(0, CLOSE), (200, TERM)],
        Stage::Gone,
    );
}

#[test]
fn an_empty_group_is_not_signalled() {
    let mut ladder = Ladder::new(Grace::default());
    let now = Instant::now_for_test();
    ladder.handle_shutdown(now);
    ladder.handle_exited(now);
    ladder.handle_empty();
    assert_eq!(ladder.poll_step(), Some(CLOSE));
    assert_eq!(
        ladder.poll_step(),
        None,
        "known to be gone: its number may be somebody else's"
    );
    assert_eq!(ladder.poll_timeout(), None);
}

#[test]
fn every_rung_waits_its_time() {
    check(
        &[
            (0, Shutdown),
            (2_999, Time),
            (3_000, Time),
            (4_999, Time),
            (5_000, Time),
            (5_001, Exited),
            (5_001, Empty),
        ],
        &[(0, CLOSE), (3_000, TERM), (5_000, KILL)],
        Stage::Gone,
    );
}

#[test]
fn a_late_wake_skips_no_rung() {
    check(
        &[
            (0, Shutdown),
            (60_000, Time),
            (61_000, Time),
            (62_000, Time),
        ],
        &[(0, CLOSE), (60_000, TERM), (62_000, KILL)],
        Stage::Killing,
    );
}

#[test]
fn asking_again_does_not_hurry() {
    check(
        &[
            (0, Shutdown),
            (1_000, Shutdown),
            (3_000, Shutdown),
            (4_000, Shutdown),
        ],
        &[(0, CLOSE), (3_000, TERM)],
        Stage::Terminating,
    );
}

#[test]
fn kill_kills_at_every_stage() {
    check(&[(0, Kill)], &[(0, CLOSE), (0, KILL)], Stage::Killing);
    check(
        &[(0, Shutdown), (1, Kill)],
        &[(0, CLOSE), (1, KILL)],
        Stage::Killing,
    );
    check(
        &[(0, Exited), (1, Kill)],
        &[(0, CLOSE), (1, KILL)],
        Stage::Killing,
    );
    check(
        &[(0, Kill), (1, Kill)],
        &[(0, CLOSE), (0, KILL)],
        Stage::Killing,
    );
    check(
        &[(0, Exited), (0, Empty), (1, Kill)],
        &[(0, CLOSE)],
        Stage::Gone,
    );
}

#[test]
fn what_outlives_its_leader_may_finish_writing_and_is_then_swept() {
    check(
        &[
            (0, Exited),
            (2_999, Time),
            (3_000, Time),
            (5_000, Time),
            (5_500, Empty),
        ],
        &[(0, CLOSE), (3_000, TERM), (5_000, KILL)],
        Stage::Gone,
    );
}

#[test]
fn what_outlives_its_leader_is_swept_at_once_when_the_end_was_asked_for() {
    check(
        &[(0, Exited), (100, Shutdown)],
        &[(0, CLOSE), (100, TERM)],
        Stage::Terminating,
    );
    check(
        &[(0, Shutdown), (100, Exited)],
        &[(0, CLOSE), (100, TERM)],
        Stage::Terminating,
    );
}

#[test]
fn a_leader_that_obeys_first_does_not_cut_the_time_of_the_others() {
    check(
        &[
            (0, Shutdown),
            (3_000, Time),
            (3_001, Exited),
            (4_999, Time),
            (5_000, Time),
        ],
        &[(0, CLOSE), (3_000, TERM), (5_000, KILL)],
        Stage::Killing,
    );
}

#[test]
fn a_kill_is_repeated_until_the_process_has_ended() {
    check(
        &[(0, Kill), (1_000, Time), (2_000, Time)],
        &[(0, CLOSE), (0, KILL), (1_000, KILL), (2_000, KILL)],
        Stage::Killing,
    );
}

#[test]
fn a_group_that_cannot_be_looked_at_is_given_up_a_second_after_the_kill() {
    check(
        &[(0, Kill), (10, Exited), (1_009, Time)],
        &[(0, CLOSE), (0, KILL)],
        Stage::Killing,
    );
    check(
        &[(0, Kill), (10, Exited), (1_010, Time)],
        &[(0, CLOSE), (0, KILL)],
        Stage::Gone,
    );
}

#[test]
fn an_empty_group_means_nothing_while_the_process_runs() {
    check(
        &[(0, Empty), (1, Shutdown), (2, Empty)],
        &[(1, CLOSE)],
        Stage::Closing,
    );
}

#[test]
fn an_endless_grace_period_never_ends() {
    let mut ladder = Ladder::new(Grace::new(Duration::MAX, Duration::ZERO));
    ladder.handle_shutdown(Instant::now_for_test());
    assert_eq!(
        (ladder.stage(), ladder.poll_timeout()),
        (Stage::Closing, None)
    );
}

fn any_input() -> impl Strategy<Value = Input> {
    prop_oneof![
        Just(Shutdown),
        Just(Kill),
        Just(Exited),
        Just(Empty),
        Just(Time)
    ]
}

proptest! {
    /// Whatever happens and in whichever order: stages only advance, nothing is signalled once the
    /// group is gone, and whoever asked for the end gets it within the grace periods once the
    /// process obeys the kill.
    #[test]
    fn the_ladder_only_goes_down_and_ends(
        inputs in proptest::collection::vec((0_u64..4_000, any_input()), 0..30),
    ) {
        let mut now = Instant::now_for_test();
        let mut ladder = Ladder::new(Grace::default());
        let mut exited = false;
        for (pause, input) in inputs {
            now += Duration::from_millis(pause);
            let (before, gone) = (ladder.stage(), ladder.stage() == Stage::Gone);
            match input {
                Shutdown => ladder.handle_shutdown(now),
                Kill => ladder.handle_kill(now),
                Exited if exited => {}
                Exited => {
                    exited = true;
                    ladder.handle_exited(now);
                }
                Empty => ladder.handle_empty(),
                Time => {}
            }
            ladder.handle_timeout(now);
            prop_assert!(ladder.stage() >= before);
            while let Some(step) = ladder.poll_step() {
                prop_assert!(!gone || step == Step::CloseInput, "{step:?} after the end");
            }
        }
        ladder.handle_shutdown(now);
        let asked = now;
        while ladder.stage() != Stage::Gone {
            now = ladder.poll_timeout().expect("a ladder that was asked has a next time");
            ladder.handle_timeout(now);
            if ladder.poll_step() == Some(Step::Kill) && !exited {
                exited = true;
                ladder.handle_exited(now);
            }
        }
        prop_assert!(now - asked <= Duration::from_secs(3 + 2 + 1), "{:?}", now - asked);
    }
}
