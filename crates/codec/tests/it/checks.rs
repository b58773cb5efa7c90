//! Properties that hold for any input whatever: proptest and the fuzz targets both run these.

use acp_codec::{
    Frame, FrameDecoder, Item, Limits, Message, Overflow, decode, encode, repair_surrogates,
};
use acp_vocab::{ErrorCode, ErrorObject, RequestId};

use crate::show;

/// Any chunking finds the same, counts the same, and holds no more than its bound.
pub(crate) fn chunking(limits: Limits, bytes: &[u8], cuts: impl IntoIterator<Item = usize>) {
    let (whole, expected) = run(limits, bytes, []);
    let (cut, found) = run(limits, bytes, cuts);
    assert_eq!(found, expected);
    assert_eq!(cut.skip_counts(), whole.skip_counts());
    assert_eq!(cut.samples(), whole.samples());
    assert_eq!(cut.skipped_frames(), cut.skip_counts().total());
    assert_eq!(cut.is_stopped(), whole.is_stopped());
}

/// The decoder and its items after a stream that was cut into chunks of these lengths.
fn run(
    limits: Limits,
    mut rest: &[u8],
    cuts: impl IntoIterator<Item = usize>,
) -> (FrameDecoder, Vec<String>) {
    let mut decoder = FrameDecoder::new(limits);
    let mut items = Vec::new();
    let mut cuts = cuts.into_iter();
    let mut longest = 0;
    while !rest.is_empty() {
        let len = cuts.next().unwrap_or(usize::MAX).clamp(1, rest.len());
        let (chunk, after) = rest.split_at(len);
        longest = longest.max(len);
        decoder.feed(chunk);
        assert!(decoder.capacity() <= limits.max_line.saturating_add(longest));
        while let Some(item) = decoder.poll() {
            if let Item::Frame(Frame {
                raw,
                lone_surrogates,
                ..
            }) = &item
            {
                let repaired = str::from_utf8(raw).ok().and_then(repair_surrogates);
                if let Some(repaired) = repaired {
                    assert_eq!(*lone_surrogates, repaired.count);
                    assert!(repair_surrogates(&repaired.text).is_none());
                }
            }
            items.push(show::placed(&item));
        }
        assert!(decoder.buffered() <= limits.max_line);
        rest = after;
    }
    items.extend(decoder.finish().as_ref().map(show::placed));
    (decoder, items)
}

/// Reading any line panics never, and what is read is written as one line that reads the same.
pub(crate) fn envelope(line: &[u8]) {
    let Ok(message) = decode(line) else { return };
    let mut out = b"before\n".to_vec();
    let written = encode::message(&mut out, &message);
    let line = out
        .strip_prefix(b"before\n")
        .expect("what stood there stays");
    if matches!(message, Message::Malformed { .. }) {
        assert!(written.is_err() && line.is_empty());
        return;
    }
    assert_eq!(written.expect("a message that was read"), line.len());
    let text = line.strip_suffix(b"\n").expect("a newline at the end");
    assert!(!text.contains(&b'\n') && !text.contains(&b'\r'));
    let again = decode(text).expect("what we write can be read");
    assert_eq!(show::message(&again), flat(&show::message(&message)));
}

/// Line breaks between the tokens of raw JSON go out as spaces.
fn flat(shown: &str) -> String {
    shown.replace(['\n', '\r'], " ")
}

/// The input of the fuzz target of [`chunking`]: limits and cuts, then the stream.
pub(crate) fn chunking_of(input: &[u8]) {
    let Some((&[max_line, flags, first, second], bytes)) = input.split_first_chunk() else {
        return;
    };
    let overflow = if flags & 1 == 0 {
        Overflow::Drain
    } else {
        Overflow::Stop
    };
    let limits = Limits::default()
        .with_max_line(usize::from(max_line) + 1)
        .with_overflow(overflow);
    chunking(
        limits,
        bytes,
        [first, second].map(usize::from).into_iter().cycle(),
    );
}

/// What is written from these parts is one line, and reads as these parts.
pub(crate) fn round_trip(id: &RequestId, method: &str, text: &str, code: i32) {
    let mut out = Vec::new();
    let mut error = ErrorObject::new(ErrorCode(code), text);
    error.data = Some(serde_json::value::to_raw_value(text).expect("JSON"));
    encode::request(&mut out, id, method, text).expect("a line");
    encode::notification(&mut out, method, &[text]).expect("a line");
    encode::result(&mut out, id, text).expect("a line");
    encode::error(&mut out, id, &error).expect("a line");

    let json = serde_json::to_string(text).expect("JSON");
    let method = method.escape_debug();
    let shown_id = serde_json::to_string(id).expect("JSON");
    let expected = [
        format!("request {shown_id} {method} {json}"),
        format!("notification {method} [{json}]"),
        format!("result {shown_id} {json}"),
        format!("error {shown_id} {code} {text:?} {json}"),
    ];
    let out = out.strip_suffix(b"\n").expect("an end");
    let lines: Vec<_> = out.split(|byte| *byte == b'\n').collect();
    assert_eq!(lines.len(), expected.len());
    for (line, expected) in lines.into_iter().zip(expected) {
        let message = decode(line).expect("a message");
        assert_eq!(show::message(&message), expected);
        if let Some(read) = message.id() {
            assert_eq!(read, id);
        }
    }
}

/// The input of the fuzz target of [`round_trip`]: eight bytes of number, a sort of id, then text
/// of which the first line is the method.
pub(crate) fn round_trip_of(input: &[u8]) {
    let Some((number, rest)) = input.split_first_chunk::<8>() else {
        return;
    };
    let Some((sort, text)) = rest.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(text);
    let (method, text) = text.split_once('\n').unwrap_or((&text, ""));
    let signed = i64::from_le_bytes(*number);
    let id = match sort % 4 {
        0 => RequestId::Null,
        1 => RequestId::String(text.into()),
        2 if signed < 0 => RequestId::Unsigned(u64::from_le_bytes(*number)),
        _ => RequestId::Number(signed),
    };
    round_trip(&id, method, text, signed as i32);
}
