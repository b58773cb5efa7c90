//! What the hot path asks of the allocator.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use acp_vocab::{decode, v1};
use serde_json::value::RawValue;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// Counts what each thread allocates, so that tests beside each other do not disturb the count.
struct Counting;

fn count() {
    // A thread that is ending has no counter any more, and nobody reads it.
    let _: Result<(), _> = COUNT.try_with(|count| count.set(count.get() + 1));
}

#[expect(
    unsafe_code,
    reason = "an allocator is unsafe to implement; this one only counts"
)]
// SAFETY: every call goes on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promise is the one that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[track_caller]
fn check(update: &str, expected: usize) {
    let text = format!(r#"{{"sessionId":"0192f7d8-93e5","update":{update}}}"#);
    let raw: Box<RawValue> = serde_json::from_str(&text).unwrap();
    let before = COUNT.get();
    let read = decode::<v1::SessionNotification>(&raw).unwrap();
    let spent = COUNT.get() - before;
    assert_eq!(spent, expected, "{read:?}");
    let mut out = Vec::with_capacity(4096);
    let before = COUNT.get();
    serde_json::to_writer(&mut out, &read).unwrap();
    assert_eq!(COUNT.get() - before, 0, "writing allocates nothing");
}

#[test]
fn one_for_each_value_that_is_kept() {
    // The session, the text, the message.
    check(
        r#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hello"},"messageId":"m"}"#,
        3,
    );
    // The same with the tags last: nothing is buffered.
    check(
        r#"{"messageId":"m","content":{"text":"hello","type":"text"},"sessionUpdate":"agent_message_chunk"}"#,
        3,
    );
    // Members that are not known, and lenient members that are null, cost nothing.
    check(
        r#"{"sessionUpdate":"agent_message_chunk","x":{"y":["z"]},"_meta":null,"content":{"type":"text","text":"a","annotations":null}}"#,
        2,
    );
    // The session, the call, the title, and the box that keeps the union small.
    check(
        r#"{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed","title":"x"}"#,
        4,
    );
    // The session, the list, two texts.
    check(
        r#"{"sessionUpdate":"plan","entries":[{"content":"a","priority":"low","status":"pending"},{"content":"b","priority":"low","status":"pending"}]}"#,
        4,
    );
}
