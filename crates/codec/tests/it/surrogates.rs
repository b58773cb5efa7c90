//! Halves of surrogate pairs: found, replaced, counted, and nothing else touched.

use acp_codec::{FrameDecoder, Item, Message, decode, decode_body, repair_surrogates};
use proptest::prelude::*;
use serde_json::value::RawValue;

#[track_caller]
fn check(json: &str, expected: &str, count: usize) {
    match repair_surrogates(json) {
        None => assert_eq!((json, 0), (expected, count)),
        Some(repaired) => {
            assert_eq!((repaired.text.as_str(), repaired.count), (expected, count));
            assert!(count > 0);
            assert_eq!(repaired.text.len(), json.len());
        }
    }
}

#[test]
fn halves_are_replaced() {
    check(r#""\ud83d""#, r#""\ufffd""#, 1);
    check(r#""\uDE00 end""#, r#""\ufffd end""#, 1);
    check(r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#, 1);
    check(r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#, 2);
    check(r#""\ud83d\\ude00""#, r#""\ufffd\\ude00""#, 1);
    check(r#"{"\ud800":["\udfff"]}"#, r#"{"\ufffd":["\ufffd"]}"#, 2);
}

#[test]
fn everything_else_stays() {
    for json in [
        "",
        "\\",
        r#""plain""#,
        r#""\ud83d\ude00""#,
        r#""\\ud83d""#,
        r#""\\\\ud83d""#,
        r#""\u00e9\n\"""#,
        r#""\ud83"#,
        r#""\ud7ff\ue000""#,
        "\"😀\"",
    ] {
        check(json, json, 0);
    }
}

fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).expect("JSON")
}

#[test]
fn a_body_is_decoded_from_a_repaired_copy() {
    let body = decode_body::<Vec<String>>(&raw(r#"["ok \ud83d", "\ude00 end"]"#)).expect("a list");
    assert_eq!(body, ["ok \u{fffd}", "\u{fffd} end"]);
}

#[test]
fn a_body_without_halves_is_not_repaired() {
    let body = decode_body::<Vec<String>>(&raw(r#"["\ud83d\ude00"]"#)).expect("a list");
    assert_eq!(body, ["😀"]);
}

#[test]
fn a_body_that_does_not_fit_says_where_and_keeps_the_text_to_itself() {
    #[track_caller]
    fn check(json: &str, column: usize) {
        let error = decode_body::<Vec<bool>>(&raw(json)).expect_err("no booleans");
        let shown = format!("the body does not fit its type (line 1, column {column})");
        assert_eq!(error.to_string(), shown);
        assert_eq!(
            format!("{error:?}"),
            format!("BodyError {{ offset: {}, .. }}", column - 1)
        );
        assert!(std::error::Error::source(&error).is_none());
        assert!(error.detail().contains("hunter2"));
    }
    check(r#"["hunter2"]"#, 10);
    check(r#"[true, "hunter2 \ud83d"]"#, 23);
}

#[test]
fn halves_anywhere_in_a_line_are_read_and_counted() {
    let mut decoder = FrameDecoder::default();
    decoder.feed(br#"{"\ud83d":1,"id":"\ude00","method":"a\ud83d","params":"\ud83d\ude00\ud83d"}"#);
    decoder.feed(b"\n");
    let Some(Item::Frame(frame)) = decoder.poll() else {
        panic!("a frame")
    };
    assert_eq!(frame.lone_surrogates, 4);
    assert_eq!(frame.message.method(), Some("a\u{fffd}"));

    let line = br#"{"id":1,"error":{"code":1,"message":"ok \ud83d","data":"\ud83d"}}"#;
    let Ok(Message::Response {
        outcome: Err(error),
        ..
    }) = decode(line)
    else {
        panic!("an error")
    };
    assert_eq!(&*error.message, "ok \u{fffd}");
    assert_eq!(error.data.expect("data").get(), r#""\ud83d""#);
}

proptest! {
    #[test]
    fn repaired_text_is_what_a_lenient_reader_sees(units in prop::collection::vec(
        prop_oneof![
            any::<u16>(), 0xD800u16..0xE000, Just(0x5C), Just(0x22), Just(0x75),
        ], 0..20)) {
        // Every unit as an escape is JSON for any UTF-16, whole or not.
        let json: String = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
        let json = format!("\"{json}\"");
        let text = repair_surrogates(&json).map_or_else(|| json.clone(), |repaired| repaired.text);
        let read: String = serde_json::from_str(&text).expect("repaired");
        prop_assert_eq!(read, String::from_utf16_lossy(&units));
    }
}
