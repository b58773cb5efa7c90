//! The tail keeps exactly the last bytes, whoever listens.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn the_last_bytes_are_kept(
        limit in 0_usize..40,
        pieces in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..50), 0..8),
    ) {
        let tail = Tail::new(limit, None);
        for piece in &pieces {
            tail.push(piece);
        }
        let all = pieces.concat();
        prop_assert_eq!(&*tail.bytes(), &all[all.len().saturating_sub(limit)..]);
    }
}

#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Observer for Notes {
    fn line(&self, _: crate::Direction, _: &[u8]) {
        panic!("a tail has no lines");
    }

    fn stderr(&self, bytes: &[u8]) {
        lock(&self.0).push(String::from_utf8_lossy(bytes).into_owned());
    }

    fn ended(&self, ended: &Ended) {
        lock(&self.0).push(ended.to_string());
    }
}

#[test]
fn an_observer_is_shown_what_it_has_missed() {
    let tail = Tail::new(4, None);
    tail.push(b"missed");
    let notes = Arc::new(Notes::default());
    tail.observe(notes.clone());
    tail.push(b"seen");
    tail.end(Exit::Code(3));
    assert_eq!(
        *lock(&notes.0),
        ["ssed", "seen", "ended with exit status 3"]
    );

    let late = Arc::new(Notes::default());
    tail.observe(late.clone());
    assert_eq!(*lock(&late.0), ["seen", "ended with exit status 3"]);
}

#[test]
fn a_sink_that_panics_is_called_once_and_the_tail_goes_on() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let sink: Sink = Arc::new(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        panic!("a broken sink");
    });
    let tail = Tail::new(10, Some(sink));
    tail.push(b"one ");
    tail.push(b"two");
    assert_eq!(calls.load(Ordering::Relaxed), 1);
    assert_eq!(&*tail.bytes(), b"one two");
}
