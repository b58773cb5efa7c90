//! The store of early frames by itself.

use super::*;
use crate::Limits;

#[test]
fn frames_come_back_in_order_and_bounded() {
    let limits = Limits {
        early_sessions: 2,
        early_bytes: 2 * OVERHEAD + 10,
        ..Limits::default()
    };
    let mut early = Early::new(&limits);
    assert!(early.keep("a", b"1234").is_empty());
    assert!(early.keep("b", b"5678").is_empty());
    assert_eq!(early.keep("c", b"x").len(), 1, "a third session");
    assert_eq!(
        early.keep("a", &[0; 2_000]).len(),
        1,
        "longer than all the room"
    );
    let dropped = early.keep("a", b"90ab");
    assert_eq!(&*dropped[0].line, b"1234", "the oldest goes");
    let taken = early.take("a");
    assert_eq!(taken.len(), 1);
    assert_eq!(early.take_all().len(), 1);
    assert!(early.take("a").is_empty());
}
