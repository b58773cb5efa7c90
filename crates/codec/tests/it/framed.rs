//! The adapters for `tokio_util::codec`.

use acp_codec::{
    DecodeError, FrameCodec, FrameCodecError, Limits, Overflow, OwnedItem, SkipKind, decode,
};
use bytes::BytesMut;
use tokio_util::codec::{Decoder, Encoder};

use crate::show;

const NEXT: &[u8] = b"{\"method\":\"m\"}\n";

/// What a codec yields for a stream in chunks, until it ends or fails.
fn run(codec: &mut FrameCodec, chunks: &[&[u8]]) -> Vec<String> {
    let mut found = Vec::new();
    let mut src = BytesMut::new();
    for chunk in chunks {
        src.extend_from_slice(chunk);
        loop {
            match codec.decode(&mut src) {
                Ok(Some(item)) => found.push(shown(&item)),
                Ok(None) => break,
                Err(error) => {
                    found.push(error.to_string());
                    return found;
                }
            }
        }
        assert!(src.is_empty());
    }
    while let Some(item) = codec.decode_eof(&mut src).expect("the end") {
        found.push(shown(&item));
    }
    found
}

fn shown(item: &OwnedItem) -> String {
    match item {
        OwnedItem::Frame(frame) => {
            format!(
                "{} {}",
                frame.at.line,
                show::message(&frame.message().expect("a message"))
            )
        }
        OwnedItem::Skipped { kind, at, len, .. } => format!("{} {} {len}", at.line, kind.name()),
        other => format!("{other:?}"),
    }
}

#[test]
fn a_stream() {
    let mut codec = FrameCodec::default();
    let found = run(
        &mut codec,
        &[b"noise\n{\"meth", b"od\":\"m\"}\n", NEXT, b"rest"],
    );
    let expected = [
        "1 not_json 5",
        "2 notification m -",
        "3 notification m -",
        "4 partial 4",
    ];
    assert_eq!(found, expected);
    assert_eq!(codec.decoder().skipped_frames(), 2);
}

#[test]
fn too_long_is_an_error_or_an_item() {
    let limits = Limits::default().with_max_line(20);
    let chunks = [&[b'x'; 30][..], b"\n", NEXT];
    let found = run(&mut FrameCodec::new(limits), &chunks);
    let expected = "line 1 is longer than the bound of 20 bytes: 30 bytes and no newline yet";
    assert_eq!(found, [expected]);
    let found = run(
        &mut FrameCodec::new(limits.with_overflow(Overflow::Drain)),
        &chunks,
    );
    assert_eq!(found, ["1 too_long 30", "2 notification m -"]);
}

#[test]
fn messages_go_out() {
    let mut codec = FrameCodec::new(Limits::default().with_max_line(60));
    let mut dst = BytesMut::from(&b"before"[..]);
    let message = decode(br#"{"id":1,"result":{}}"#).expect("a message");
    codec.encode(message, &mut dst).expect("a line");
    assert_eq!(
        &dst[..],
        b"before{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"
    );

    let long = format!(r#"{{"id":1,"result":"{}"}}"#, "x".repeat(60));
    let message = decode(long.as_bytes()).expect("a message");
    let error = codec.encode(message, &mut dst).expect_err("too long");
    assert!(matches!(error, FrameCodecError::Encode(_)));
    assert!(dst.ends_with(b"{}}\n"));
}

#[test]
fn errors_are_told_apart() {
    let mut codec = FrameCodec::new(Limits::default().with_max_line(1));
    let error = codec
        .decode(&mut BytesMut::from(&b"xx"[..]))
        .expect_err("too long");
    let FrameCodecError::Decode(DecodeError::TooLong { line, .. }) = error else {
        panic!("{error}")
    };
    assert_eq!(line, 1);
    assert_eq!(codec.decoder().skip_counts().of(SkipKind::TooLong), 1);
}
