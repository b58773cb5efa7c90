//! What goes out: one line, canonical, bounded, and readable again.

use std::collections::BTreeMap;

use acp_codec::{EncodeError, decode, encode};
use acp_vocab::{ErrorCode, ErrorObject, RequestId};
use proptest::prelude::*;
use serde_json::value::RawValue;

use crate::checks;

const ID: RequestId = RequestId::Number(7);

#[track_caller]
fn check(encode: impl FnOnce(&mut Vec<u8>) -> Result<usize, EncodeError>, expected: &str) {
    let mut out = b"before".to_vec();
    let len = encode(&mut out).expect("a line");
    let line = out.strip_prefix(b"before").expect("what stood there stays");
    assert_eq!(
        std::str::from_utf8(line).expect("text"),
        format!("{expected}\n")
    );
    assert_eq!(len, line.len());
}

fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).expect("JSON")
}

#[test]
fn requests() {
    let params = BTreeMap::from([("cwd", "/")]);
    check(
        |out| encode::request(out, &ID, "session/new", &params),
        r#"{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"/"}}"#,
    );
    let id = RequestId::String("a\"b".into());
    check(
        |out| encode::request(out, &id, "m\n", &params),
        r#"{"jsonrpc":"2.0","id":"a\"b","method":"m\n","params":{"cwd":"/"}}"#,
    );
    check(
        |out| encode::request(out, &RequestId::Unsigned(u64::MAX), "m", &[0; 0]),
        r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"m","params":[]}"#,
    );
}

#[test]
fn absent_params_are_left_out() {
    let expected = r#"{"jsonrpc":"2.0","id":7,"method":"m"}"#;
    check(|out| encode::request(out, &ID, "m", &()), expected);
    check(|out| encode::request(out, &ID, "m", &None::<u8>), expected);
    check(
        |out| encode::request(out, &ID, "m", &*raw("null")),
        expected,
    );
    check(
        |out| encode::notification(out, "m", &()),
        r#"{"jsonrpc":"2.0","method":"m"}"#,
    );
}

#[test]
fn params_that_end_in_null_are_there() {
    check(
        |out| encode::notification(out, "m", &"null"),
        r#"{"jsonrpc":"2.0","method":"m","params":"null"}"#,
    );
    check(
        |out| encode::notification(out, "m", &[()]),
        r#"{"jsonrpc":"2.0","method":"m","params":[null]}"#,
    );
}

#[test]
fn answers() {
    check(
        |out| encode::result(out, &ID, &[1]),
        r#"{"jsonrpc":"2.0","id":7,"result":[1]}"#,
    );
    check(
        |out| encode::result(out, &RequestId::Null, &()),
        r#"{"jsonrpc":"2.0","id":null,"result":null}"#,
    );
    let mut error = ErrorObject::new(ErrorCode(-32601), "no\nsuch");
    check(
        |out| encode::error(out, &ID, &error),
        r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no\nsuch"}}"#,
    );
    error.data = Some(raw("[\n1]"));
    check(
        |out| encode::error(out, &ID, &error),
        r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no\nsuch","data":[ 1]}}"#,
    );
}

#[test]
fn raw_json_of_several_lines_goes_out_on_one() {
    let printed = raw("{\r\n  \"a\": \"x\\n\",\n  \"b\": [\r]\n}");
    check(
        |out| encode::notification(out, "m", &*printed),
        r#"{"jsonrpc":"2.0","method":"m","params":{    "a": "x\n",   "b": [ ] }}"#,
    );
}

#[test]
fn a_value_that_is_no_json_leaves_nothing_behind() {
    let mut out = b"before".to_vec();
    let keys = BTreeMap::from([(vec![1], 1)]);
    let error = encode::request(&mut out, &ID, "m", &keys).expect_err("a list is no key");
    assert!(matches!(error, EncodeError::Value(_)));
    assert_eq!(error.to_string(), "a value cannot be written as JSON");
    assert_eq!(out, b"before");
}

#[test]
fn a_line_over_its_bound_is_taken_back() {
    let mut out = b"before".to_vec();
    let encode = |out: &mut Vec<u8>| encode::notification(out, "m", &"12345");
    let len = encode::within(48, &mut out, encode).expect("48 bytes");
    assert_eq!((len, out.len()), (48, 6 + 48));
    out.truncate(6);
    let error = encode::within(47, &mut out, encode).expect_err("48 bytes");
    assert!(matches!(error, EncodeError::TooLong { len: 48, limit: 47 }));
    assert_eq!(out, b"before");
}

#[test]
fn a_malformed_reply_is_not_passed_on() {
    let message = decode(br#"{"id":1}"#).expect("a message");
    let mut out = Vec::new();
    assert!(matches!(
        encode::message(&mut out, &message),
        Err(EncodeError::Malformed)
    ));
    assert!(out.is_empty());
}

fn id() -> impl Strategy<Value = RequestId> {
    prop_oneof![
        any::<i64>().prop_map(RequestId::Number),
        (1u64 << 63..).prop_map(RequestId::Unsigned),
        any::<String>().prop_map(|text| RequestId::String(text.into())),
        Just(RequestId::Null),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read(id in id(), method: String, text: String, code: i32) {
        checks::round_trip(&id, &method, &text, code);
    }
}
