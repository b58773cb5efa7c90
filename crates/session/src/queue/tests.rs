//! The room that a queue keeps.

use super::*;
use crate::error::CallError;
use crate::event::Event;
use crate::key::Keys;

fn fill(queue: &mut Queue, count: usize) {
    for _ in 0..count {
        queue.push(10, Received::new(Event::ReplayComplete));
    }
}

fn empty(queue: &mut Queue) {
    while queue.pop().is_some() {}
    assert_eq!(queue.bytes(), 0);
}

#[test]
fn waves_of_a_flood_keep_their_room() {
    let mut queue = Queue::default();
    fill(&mut queue, 300);
    let room = queue.items.capacity();
    for count in [300, 5, 280, 1, 40, 310] {
        empty(&mut queue);
        fill(&mut queue, count);
        assert_eq!(queue.items.capacity(), room);
    }
}

#[test]
fn small_waves_give_it_back() {
    let mut queue = Queue::default();
    fill(&mut queue, 3_000);
    empty(&mut queue);
    for _ in 0..30 {
        fill(&mut queue, 1);
        empty(&mut queue);
    }
    assert!(queue.items.capacity() <= 4 * ROOM);
}

#[test]
fn the_end_of_a_turn_gives_it_back() {
    let mut queue = Queue::default();
    fill(&mut queue, 3_000);
    let end = TurnEnd {
        result: Err(CallError::GivenUp {
            label: crate::label::Label::new("session/prompt".into(), None),
        }),
        cancel_requested: false,
        message: None,
        open_tools: Vec::new(),
    };
    queue.push_end(Keys::default().turn(), Box::new(end));
    empty(&mut queue);
    assert!(queue.items.capacity() <= 4 * ROOM);
}
