//! What decoding asks of the allocator, counted for the thread that runs the test.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use acp_codec::{FrameDecoder, Item, Limits, Message, encode};

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    calls: u64,
    live: isize,
    peak: isize,
}

thread_local! {
    static COUNT: Cell<Count> = const { Cell::new(Count { calls: 0, live: 0, peak: 0 }) };
}

struct Counting;

fn count(calls: u64, bytes: isize) {
    // A thread that is being torn down has no counter any more, and no test either.
    let _ = COUNT.try_with(|cell| {
        let before = cell.get();
        let live = before.live + bytes;
        cell.set(Count {
            calls: before.calls + calls,
            live,
            peak: before.peak.max(live),
        });
    });
}

#[expect(
    unsafe_code,
    reason = "an allocator is unsafe to write; this one only counts"
)]
// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        count(0, -(layout.size() as isize));
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(1, new_size as isize - layout.size() as isize);
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs `work` and gives the calls it made, and the most it held beyond what there was.
fn measure(work: impl FnOnce()) -> (u64, isize) {
    let before = COUNT.get();
    COUNT.set(Count {
        peak: before.live,
        ..before
    });
    work();
    let after = COUNT.get();
    (after.calls - before.calls, after.peak - before.live)
}

const UPDATE: &str = r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess_0123456789abcdef","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"about two hundred bytes of it"}}}}"#;

#[test]
fn an_update_is_decoded_without_an_allocation() {
    let chunk = format!("{UPDATE}\n").repeat(100);
    let mut decoder = FrameDecoder::default();
    decoder.feed(chunk.as_bytes());
    while decoder.poll().is_some() {}
    let mut frames = 0;
    let (calls, _) = measure(|| {
        for _ in 0..10 {
            decoder.feed(chunk.as_bytes());
            while let Some(Item::Frame(frame)) = decoder.poll() {
                assert!(matches!(frame.message, Message::Notification { .. }));
                frames += 1;
            }
        }
    });
    assert_eq!(frames, 1000);
    // The parser keeps a stack of brackets for each opaque member.
    assert!(calls <= frames, "{calls} allocations for {frames} frames");
}

#[test]
fn an_endless_line_never_holds_more_than_bound_and_chunk() {
    let chunk = vec![b'x'; 16 << 10];
    let bound = 4 << 20;
    let mut decoder = FrameDecoder::new(Limits::default().with_max_line(bound));
    let (_, peak) = measure(|| {
        for _ in 0..4096 {
            decoder.feed(&chunk);
            while decoder.poll().is_some() {}
        }
    });
    assert!(decoder.is_stopped());
    assert!(peak <= (bound + chunk.len()) as isize, "held {peak}");
}

#[test]
fn encoding_into_a_warm_buffer_allocates_nothing() {
    let mut out = Vec::with_capacity(4096);
    let (calls, _) = measure(|| {
        for _ in 0..10 {
            out.clear();
            encode::notification(&mut out, "session/cancel", &["s1"]).expect("a line");
        }
    });
    assert_eq!(calls, 0);
}
