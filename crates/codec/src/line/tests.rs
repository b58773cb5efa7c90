//! Costs of the buffer: what it looks at and what it holds. What it finds is tested from outside.

use super::{Line, LineBuffer};
use crate::limits::{Limits, Overflow};

const CHUNK: usize = 1 << 10;

fn drain(lines: &mut LineBuffer) -> Vec<usize> {
    let mut lens = Vec::new();
    while let Some(line) = lines.next() {
        lens.push(match line {
            Line::Whole { range, .. } => range.len(),
            Line::TooLong { seen, .. } => seen,
        });
    }
    lens
}

/// Feeds `total` bytes without a newline in chunks and gives the largest capacity on the way.
#[track_caller]
fn feed_endless(lines: &mut LineBuffer, total: usize, chunk: usize) -> usize {
    let bytes = vec![b'x'; chunk];
    let mut largest = 0;
    for _ in 0..total / chunk {
        lines.feed(&bytes);
        largest = largest.max(lines.capacity());
        drain(lines);
    }
    largest
}

#[test]
fn a_64_mib_line_in_1_kib_chunks_is_looked_at_once() {
    let total = 64 << 20;
    let mut lines = LineBuffer::new(Limits::default());
    let largest = feed_endless(&mut lines, total, CHUNK);
    assert!(!lines.is_stopped());
    assert!(largest <= total + CHUNK, "held {largest}");
    lines.feed(b"\n");
    assert_eq!(drain(&mut lines), [total]);
    assert_eq!(lines.looked_at, total as u64 + 1);
}

#[test]
fn short_lines_are_looked_at_once() {
    let mut lines = LineBuffer::new(Limits::default());
    let bytes = b"0123456789\n".repeat(1000);
    for chunk in bytes.chunks(7) {
        lines.feed(chunk);
        drain(&mut lines);
    }
    assert_eq!(lines.looked_at, bytes.len() as u64);
}

#[test]
fn an_endless_line_is_dropped_at_the_bound() {
    for overflow in [Overflow::Stop, Overflow::Drain] {
        let limits = Limits::default()
            .with_max_line(1 << 20)
            .with_overflow(overflow);
        let mut lines = LineBuffer::new(limits);
        let largest = feed_endless(&mut lines, 64 << 20, CHUNK);
        assert!(largest <= (1 << 20) + CHUNK, "{overflow:?} held {largest}");
        assert!(lines.capacity() <= limits.retain);
        assert_eq!(lines.len(), 0);
    }
}

#[test]
fn a_drained_line_is_looked_at_once() {
    let limits = Limits::default()
        .with_max_line(100)
        .with_overflow(Overflow::Drain);
    let mut lines = LineBuffer::new(limits);
    feed_endless(&mut lines, 1 << 20, CHUNK);
    lines.feed(b"\nafter\n");
    assert_eq!(drain(&mut lines), [5]);
    assert_eq!(lines.looked_at, (1 << 20) + 7);
}

#[test]
fn memory_of_a_huge_line_is_given_back() {
    let mut lines = LineBuffer::new(Limits::default());
    feed_endless(&mut lines, 40 << 20, 64 << 10);
    assert!(lines.capacity() >= 40 << 20);
    lines.feed(b"\nnext");
    assert_eq!(drain(&mut lines), [40 << 20]);
    assert!(
        lines.capacity() <= Limits::default().retain,
        "kept {}",
        lines.capacity()
    );
    lines.feed(b" line\n");
    let Some(Line::Whole { range, at }) = lines.next() else {
        panic!("a line")
    };
    assert_eq!(lines.slice(range), b"next line");
    assert_eq!((at.line, at.offset), (2, (40 << 20) + 1));
}

#[test]
fn a_queue_that_is_never_polled_to_the_end_is_not_moved_for_each_chunk() {
    // One line is taken for each chunk of one line, behind a backlog of 1,000: the front is
    // reclaimed although the end is never reached.
    let mut lines = LineBuffer::new(Limits::default());
    let line = [b'x'; 99];
    let chunk = [&line[..], b"\n"].concat();
    lines.feed(&chunk.repeat(1000));
    for _ in 0..100_000 {
        assert!(matches!(lines.next(), Some(Line::Whole { .. })));
        lines.feed(&chunk);
    }
    assert_eq!(lines.len(), 100_000);
    assert!(lines.capacity() <= 400_000, "held {}", lines.capacity());
}
