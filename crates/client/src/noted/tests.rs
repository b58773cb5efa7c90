//! What is remembered stays within its bounds, by number and by bytes, whatever the agent says.

use acp_vocab::{SessionId, ToolCallId};

use super::{Entity, MOST, MOST_BYTES, Noted};

fn tool(id: &str) -> Entity {
    Entity::Tool(ToolCallId::new(id))
}

/// What is counted is what is there.
#[track_caller]
fn check(noted: &Noted) {
    let there: usize = noted.cancellable.iter().map(super::weight).sum();
    assert_eq!(noted.cancellable_bytes, there);
    assert!(noted.cancellable.len() <= MOST && there <= MOST_BYTES);
}

#[test]
fn ids_are_bounded_by_number_and_by_bytes() {
    let session = SessionId::new("s");
    let mut noted = Noted::new(false);
    for n in 0..MOST + 10 {
        noted.set(&session, tool(&n.to_string()), Some(true));
    }
    check(&noted);
    assert_eq!(noted.cancellable.len(), MOST);
    assert!(!noted.is_cancellable(&session, tool(&MOST.to_string())));

    let mut noted = Noted::new(false);
    let long = |n: usize| tool(&format!("{n}{}", "x".repeat(MOST_BYTES / 4)));
    for n in 0..8 {
        noted.set(&session, long(n), Some(true));
    }
    check(&noted);
    assert!(noted.is_cancellable(&session, long(0)) && !noted.is_cancellable(&session, long(7)));
    // What is over makes room, and what was never in takes none away.
    noted.set(&session, long(7), Some(false));
    noted.set(&session, long(0), Some(false));
    noted.set(&session, long(7), Some(true));
    noted.set(&session, long(7), Some(true));
    noted.set(&session, long(7), None);
    check(&noted);
    assert!(noted.is_cancellable(&session, long(7)));
}

#[test]
fn a_session_that_is_gone_takes_its_ids_along() {
    let (session, other) = (SessionId::new("s"), SessionId::new("other"));
    let mut noted = Noted::new(false);
    noted.set(&session, tool("a"), Some(true));
    noted.set(&other, tool("b"), Some(true));
    noted.forget_entities(&session);
    check(&noted);
    assert!(!noted.is_cancellable(&session, tool("a")) && noted.is_cancellable(&other, tool("b")));
}
