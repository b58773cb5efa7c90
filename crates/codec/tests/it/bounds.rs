//! What a decoder holds, whatever a peer sends.

use acp_codec::{FrameDecoder, Item, Limits, Overflow, SkipKind};

use crate::show;

const NEXT: &[u8] = b"{\"method\":\"m\"}\n";

fn small(overflow: Overflow) -> Limits {
    Limits::default().with_max_line(100).with_overflow(overflow)
}

const fn is_send_and_sync<T: Send + Sync>() {}
const _: () = {
    is_send_and_sync::<FrameDecoder>();
    is_send_and_sync::<Item<'static>>();
    is_send_and_sync::<acp_codec::DecodeError>();
    is_send_and_sync::<acp_codec::BodyError>();
    is_send_and_sync::<acp_codec::EncodeError>();
};

#[test]
fn the_bound_itself_is_allowed() {
    let frame = format!(r#"{{"method":"{}"}}"#, "m".repeat(100 - 13));
    assert_eq!(frame.len(), 100);
    let mut decoder = FrameDecoder::new(small(Overflow::Stop));
    decoder.feed(frame.as_bytes());
    assert!(decoder.poll().is_none());
    decoder.feed(b"\n");
    assert!(matches!(decoder.poll(), Some(Item::Frame(_))));
}

#[test]
fn one_byte_more_is_reported_at_once_and_once() {
    let mut decoder = FrameDecoder::new(small(Overflow::Stop));
    decoder.feed(NEXT);
    decoder.feed(&[b'x'; 101]);
    assert!(matches!(decoder.poll(), Some(Item::Frame(_))));
    let Some(Item::TooLong {
        at, limit, seen, ..
    }) = decoder.poll()
    else {
        panic!("too long")
    };
    assert_eq!(
        (at.line, at.offset, limit, seen),
        (2, NEXT.len() as u64, 100, 101)
    );
    assert!(decoder.poll().is_none());
    assert!(decoder.is_stopped());
}

#[test]
fn a_stopped_decoder_takes_nothing() {
    let mut decoder = FrameDecoder::new(small(Overflow::Stop));
    assert_eq!(
        show::stream(&mut decoder, [[b'x'; 101].as_slice()]),
        ["1 over 100"]
    );
    assert_eq!(show::stream(&mut decoder, [b"\n", NEXT]), [""; 0]);
    assert_eq!((decoder.buffered(), decoder.capacity()), (0, 0));
    assert_eq!(decoder.skipped_frames(), 1);
}

#[test]
fn draining_goes_on_with_the_next_line() {
    let long = [b'x'; 1000];
    for chunks in [
        vec![[&long[..], b"\n", NEXT].concat()],
        vec![long.to_vec(), [b"\n", NEXT].concat()],
        vec![long.to_vec(), long.to_vec(), b"\n".to_vec(), NEXT.to_vec()],
    ] {
        let mut decoder = FrameDecoder::new(small(Overflow::Drain));
        let items = show::stream(&mut decoder, chunks.iter().map(Vec::as_slice));
        assert_eq!(items, ["1 over 100", "2 notification m -"]);
        assert_eq!(decoder.skipped_frames(), 1);
    }
}

#[test]
fn the_end_of_the_stream_in_a_drained_line_is_not_told_twice() {
    let mut decoder = FrameDecoder::new(small(Overflow::Drain));
    assert_eq!(
        show::stream(&mut decoder, [[b'x'; 101].as_slice(), b"xx"]),
        ["1 over 100"]
    );
}

#[test]
fn an_endless_line_takes_no_more_than_bound_and_chunk() {
    let chunk = vec![b'x'; 64 << 10];
    for overflow in [Overflow::Stop, Overflow::Drain] {
        let limits = Limits::default()
            .with_max_line(8 << 20)
            .with_overflow(overflow);
        let mut decoder = FrameDecoder::new(limits);
        let mut reports = 0;
        let mut largest = 0;
        for _ in 0..(512 << 20) / chunk.len() {
            decoder.feed(&chunk);
            largest = largest.max(decoder.capacity());
            while decoder.poll().is_some() {
                reports += 1;
            }
        }
        assert_eq!(reports, 1);
        assert!(largest <= (8 << 20) + chunk.len(), "held {largest}");
        assert!(decoder.capacity() <= limits.retain);
    }
}

#[test]
fn a_flood_of_noise_is_counted_and_sampled() {
    let mut decoder = FrameDecoder::default();
    for line in 1..=100_000 {
        decoder.feed(format!("noise {line} {}\n", "z".repeat(300)).as_bytes());
        while decoder.poll().is_some() {}
    }
    assert_eq!(decoder.skipped_frames(), 100_000);
    let lines: Vec<_> = decoder
        .samples()
        .iter()
        .map(|sample| sample.at.line)
        .collect();
    assert_eq!(lines, [1, 2, 3, 4, 99_997, 99_998, 99_999, 100_000]);
    assert!(
        decoder
            .samples()
            .iter()
            .all(|sample| sample.bytes.len() == 256 && sample.len > 300)
    );
    assert!(decoder.capacity() < 1 << 20);
}

#[test]
fn every_kind_is_counted_as_itself() {
    #[track_caller]
    fn check(kind: SkipKind, stream: &[u8]) {
        let mut decoder = FrameDecoder::new(small(Overflow::Drain));
        show::stream(&mut decoder, [stream]);
        let counts: Vec<_> = decoder.skip_counts().iter().collect();
        assert_eq!(counts, [(kind, 1)]);
        assert_eq!(decoder.skip_counts().of(kind), 1);
        assert_eq!(decoder.skipped_frames(), 1);
    }
    for kind in SkipKind::ALL {
        match kind {
            SkipKind::NotJson => check(kind, b"noise\n"),
            SkipKind::NotUtf8 => check(kind, b"\xFF\n"),
            SkipKind::Scalar => check(kind, b"1\n"),
            SkipKind::Array => check(kind, b"[]\n"),
            SkipKind::Object => check(kind, b"{}\n"),
            SkipKind::RequestId => check(kind, b"{\"id\":{},\"method\":\"m\"}\n"),
            SkipKind::ResponseId => check(kind, b"{\"id\":{},\"result\":{}}\n"),
            SkipKind::Partial => check(kind, b"{"),
            SkipKind::TooLong => check(kind, &[b'x'; 101]),
            other => panic!("no line for {other}"),
        }
    }
}

#[test]
fn limits_of_zero_keep_no_samples() {
    let mut limits = Limits::default();
    limits.samples = 0;
    limits.sample_len = 0;
    let mut decoder = FrameDecoder::new(limits);
    decoder.feed(b"noise\n");
    let Some(Item::Skipped { sample, len, .. }) = decoder.poll() else {
        panic!("a skipped line")
    };
    assert_eq!((sample, len), (&b""[..], 5));
    assert!(decoder.samples().is_empty());
}

#[test]
fn positions_count_lines_and_bytes() {
    let mut decoder = FrameDecoder::default();
    decoder.feed(b"\nnoise\r\n");
    decoder.feed(NEXT);
    decoder.feed(b"rest");
    let mut found = Vec::new();
    while let Some(item) = decoder.poll() {
        if let Item::Frame(acp_codec::Frame { at, .. }) | Item::Skipped { at, .. } = item {
            found.push((at.line, at.offset));
        }
    }
    assert_eq!(found, [(2, 1), (3, 8)]);
    let Some(Item::Skipped { at, .. }) = decoder.finish() else {
        panic!("a rest")
    };
    assert_eq!((at.line, at.offset), (4, 8 + NEXT.len() as u64));
}
