//! The gate by itself.

use super::*;
use crate::Limits;

fn flow() -> Flow {
    Flow::new(&Limits {
        session_bytes: 100,
        connection_bytes: 150,
        overdraft_bytes: 50,
        ..Limits::default()
    })
}

#[test]
fn reading_pauses_at_the_bound_and_resumes_at_three_quarters() {
    let now = crate::testing::epoch();
    let mut flow = flow();
    flow.changed(now, 0, 99);
    assert!(flow.may_read(now, || false));
    flow.changed(now, 99, 100);
    assert!(!flow.may_read(now, || false));
    flow.changed(now, 100, 76);
    assert!(!flow.may_read(now, || false), "still above three quarters");
    flow.changed(now, 76, 75);
    assert!(flow.may_read(now, || false));
}

#[test]
fn the_connection_has_a_bound_of_its_own() {
    let now = crate::testing::epoch();
    let mut flow = flow();
    flow.changed(now, 0, 80);
    flow.changed(now, 0, 80);
    assert!(!flow.may_read(now, || false));
    flow.changed(now, 80, 32);
    assert!(
        !flow.may_read(now, || false),
        "the other session still holds more than three quarters"
    );
    flow.changed(now, 80, 70);
    assert!(flow.may_read(now, || false));
}

#[test]
fn a_waiter_reads_into_the_overdraft_until_it_is_used_up() {
    let now = crate::testing::epoch();
    let mut flow = flow();
    flow.changed(now, 0, 120);
    assert!(!flow.may_read(now, || false));
    assert!(flow.may_read(now, || true));
    flow.changed(now, 120, 150);
    assert!(!flow.may_read(now, || true), "50 over the session's bound");
    let starves = now + Duration::from_secs(30);
    assert_eq!(flow.starves_at(), Some(starves));
    let later = now + Duration::from_secs(10);
    flow.changed(later, 150, 149);
    assert!(flow.may_read(later, || true));
    assert_eq!(flow.starves_at(), None);
}

#[test]
fn taking_from_a_queue_over_its_bound_renews_the_patience() {
    let now = crate::testing::epoch();
    let mut flow = flow();
    flow.changed(now, 0, 170);
    assert!(!flow.may_read(now, || true));
    let later = now + Duration::from_secs(20);
    flow.changed(later, 170, 165);
    assert!(!flow.may_read(later, || true));
    assert_eq!(flow.starves_at(), Some(later + Duration::from_secs(30)));
    assert!(!flow.starved(later));
    assert!(flow.starved(later + Duration::from_secs(30)));
}
