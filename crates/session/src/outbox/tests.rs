//! The outbox by itself.

use super::*;
use crate::Limits;

fn push(outbox: &mut Outbox, now: Instant, lane: Lane, name: &'static str, text: &str) {
    let label = Label::new(name.into(), None);
    outbox
        .push(now, lane, label, |out| {
            out.extend_from_slice(text.as_bytes());
            Ok(text.len())
        })
        .unwrap();
}

#[test]
fn a_cursor_moves_through_the_lines_byte_by_byte() {
    let now = crate::testing::epoch();
    let mut outbox = Outbox::new(&Limits::default());
    push(&mut outbox, now, Lane::Command, "a", "first\n");
    push(&mut outbox, now, Lane::Command, "b", "second\n");
    let mut seen = Vec::new();
    while !outbox.is_empty() {
        seen.push(outbox.pending()[0]);
        outbox.accepted(now, 1);
    }
    assert_eq!(seen, b"first\nsecond\n");
    assert_eq!(outbox.stalls_at(), None);
}

#[test]
fn the_stall_names_the_line_in_front() {
    let now = crate::testing::epoch();
    let mut outbox = Outbox::new(&Limits::default());
    push(&mut outbox, now, Lane::Command, "first", "12345\n");
    push(&mut outbox, now, Lane::Command, "second", "67890\n");
    let later = now + Duration::from_secs(20);
    outbox.accepted(later, 6);
    assert_eq!(outbox.stalls_at(), Some(later + Duration::from_secs(30)));
    assert_eq!(outbox.stalled(later), None);
    let stall = outbox.stalled(later + Duration::from_secs(30)).unwrap();
    assert_eq!((stall.pending, stall.label.method()), (6, "second"));
}

#[test]
fn only_answers_count_against_their_bound() {
    let now = crate::testing::epoch();
    let mut outbox = Outbox::new(&Limits {
        answers: 2,
        ..Limits::default()
    });
    for _ in 0..3 {
        push(&mut outbox, now, Lane::Reserved, "r", "{}\n");
    }
    push(&mut outbox, now, Lane::Answer, "a", "{}\n");
    assert!(!outbox.answers_full());
    push(&mut outbox, now, Lane::Answer, "a", "{}\n");
    assert!(outbox.answers_full());
    outbox.accepted(now, 12);
    assert!(!outbox.answers_full(), "the first answer was accepted");
}

#[test]
fn a_line_that_fails_to_encode_leaves_nothing() {
    let now = crate::testing::epoch();
    let mut outbox = Outbox::new(&Limits::default());
    let label = Label::new("x".into(), None);
    let map = std::collections::BTreeMap::from([((1, 2), 3)]);
    let failed = outbox.push(now, Lane::Command, label, |out| {
        acp_codec::encode::notification(out, "x", &map)
    });
    assert!(failed.is_err(), "JSON has no such keys");
    assert!(outbox.is_empty());
    assert_eq!(outbox.stalls_at(), None);
}
