//! Lines as peers really write them, and what each one is taken for.

use acp_codec::{DecodeError, Fault, Message, SkipKind, decode};
use acp_vocab::RequestId;

use crate::show;

#[track_caller]
fn check(line: impl AsRef<[u8]>, expected: &str) {
    let shown = match decode(line.as_ref()) {
        Ok(message) => show::message(&message),
        Err(DecodeError::NotAMessage { kind, .. }) => format!("skipped {}", kind.name()),
        Err(other) => format!("{other:?}"),
    };
    assert_eq!(shown, expected);
}

#[test]
fn plain_messages() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}"#,
        r#"request 1 m {"a":1}"#,
    );
    check(
        r#"{"jsonrpc":"2.0","method":"m","params":[1]}"#,
        "notification m [1]",
    );
    check(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "result 1 {}");
    check(
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no","data":"m"}}"#,
        r#"error 1 -32601 "no" "m""#,
    );
}

#[test]
fn members_in_any_order_among_strangers() {
    check(
        r#"{"params":{},"x":[{}],"method":"m","id":"a","jsonrpc":"2.0"}"#,
        r#"request "a" m {}"#,
    );
    check(
        r#"{"result":[1, 2],"_meta":{"id":9},"id":1}"#,
        "result 1 [1, 2]",
    );
    check(
        r#"{"error":{"data":{},"x":0,"message":"no","code":1},"id":1}"#,
        r#"error 1 1 "no" {}"#,
    );
}

#[test]
fn the_last_of_two_members_counts() {
    check(r#"{"id":1,"id":2,"result":1,"result":2}"#, "result 2 2");
    check(r#"{"method":"a","method":"b"}"#, "notification b -");
}

#[test]
fn the_version_member_is_not_looked_at() {
    check(r#"{"id":1,"result":1}"#, "result 1 1");
    check(r#"{"jsonrpc":"1.0","id":1,"result":1}"#, "result 1 1");
    check(r#"{"jsonrpc":2.0,"method":"m"}"#, "notification m -");
}

#[test]
fn null_counts_as_absent_where_the_meaning_is_plain() {
    check(r#"{"id":1,"method":"m","params":null}"#, "request 1 m -");
    check(r#"{"id":1,"result":{},"error":null}"#, "result 1 {}");
    check(r#"{"id":1,"result":null,"error":null}"#, "result 1 null");
    check(r#"{"id":1,"result":null}"#, "result 1 null");
    check(
        r#"{"id":1,"result":null,"error":{"code":1,"message":"no"}}"#,
        r#"error 1 1 "no" -"#,
    );
    check(
        r#"{"id":1,"error":{"code":1,"message":"no","data":null}}"#,
        r#"error 1 1 "no" -"#,
    );
    check(
        r#"{"id":1,"method":"m","params":{},"result":null,"error":null}"#,
        "request 1 m {}",
    );
    check(
        r#"{"id":1,"method":null,"params":null,"result":{}}"#,
        "result 1 {}",
    );
}

#[test]
fn a_method_beside_an_outcome_is_a_reply() {
    check(
        r#"{"id":1,"method":"session/new","result":{}}"#,
        "result 1 {}",
    );
    check(
        r#"{"id":1,"method":"","params":null,"result":{},"error":null}"#,
        "result 1 {}",
    );
    check(
        r#"{"id":1,"method":"m","error":{"code":1}}"#,
        r#"error 1 1 "" -"#,
    );
    check(
        r#"{"id":1,"method":"m","params":{},"result":{}}"#,
        "request 1 m {}",
    );
    check(r#"{"method":"m","result":{}}"#, "notification m -");
    check(
        r#"{"id":1,"method":5,"result":{}}"#,
        "malformed 1 method is a number, not a string",
    );
}

#[test]
fn replies_that_are_none_name_their_fault() {
    check(r#"{"id":1}"#, "malformed 1 neither result nor error");
    check(
        r#"{"id":1,"error":null}"#,
        "malformed 1 neither result nor error",
    );
    check(
        r#"{"id":1,"result":{},"error":{"code":1}}"#,
        "malformed 1 both result and error",
    );
    check(
        r#"{"id":1,"result":{},"error":"no"}"#,
        "malformed 1 both result and error",
    );
    check(
        r#"{"id":"a","error":"no"}"#,
        r#"malformed "a" error is a string, not an object"#,
    );
    check(
        r#"{"id":1,"error":true}"#,
        "malformed 1 error is a boolean, not an object",
    );
    check(
        r#"{"id":1,"error":[{"code":1}]}"#,
        "malformed 1 error is an array, not an object",
    );
    check(
        r#"{"id":1,"error":-32000}"#,
        "malformed 1 error is a number, not an object",
    );
    check(r#"{"id":1,"error":{}}"#, "malformed 1 error has no code");
    check(
        r#"{"id":1,"error":{"code":"1"}}"#,
        "malformed 1 error code is a string, not an integer",
    );
    check(
        r#"{"id":1,"error":{"code":1.5}}"#,
        "malformed 1 error code is a number, not an integer",
    );
    check(
        r#"{"id":1,"error":{"code":null}}"#,
        "malformed 1 error code is null, not an integer",
    );
    check(
        r#"{"id":1,"error":{"code":[]}}"#,
        "malformed 1 error code is an array, not an integer",
    );
    check(
        r#"{"id":1,"error":{"code":2147483648}}"#,
        "malformed 1 error code does not fit 32 bits",
    );
    check(
        r#"{"id":1,"error":{"code":-2147483649}}"#,
        "malformed 1 error code does not fit 32 bits",
    );
}

#[test]
fn an_error_is_made_by_its_code() {
    check(
        r#"{"id":1,"error":{"code":-2147483648}}"#,
        r#"error 1 -2147483648 "" -"#,
    );
    check(
        r#"{"id":1,"error":{"code":2147483647,"message":null}}"#,
        r#"error 1 2147483647 "" -"#,
    );
    check(
        r#"{"id":1,"error":{"code":1,"message":{"a":1}}}"#,
        r#"error 1 1 "{\"a\":1}" -"#,
    );
}

#[test]
fn ids_are_kept_as_they_came() {
    check(r#"{"id":0,"method":"m"}"#, "request 0 m -");
    check(r#"{"id":-7,"method":"m"}"#, "request -7 m -");
    check(
        r#"{"id":9223372036854775807,"method":"m"}"#,
        "request 9223372036854775807 m -",
    );
    check(
        r#"{"id":-9223372036854775808,"method":"m"}"#,
        "request -9223372036854775808 m -",
    );
    check(
        r#"{"id":18446744073709551615,"method":"m"}"#,
        "request 18446744073709551615 m -",
    );
    check(r#"{"id":"","method":"m"}"#, r#"request "" m -"#);
    check(r#"{"id":"1","result":1}"#, r#"result "1" 1"#);
    check(r#"{"id":"a\"\u00e9\n","result":1}"#, r#"result "a\"é\n" 1"#);
    check(r#"{"id":null,"method":"m"}"#, "request null m -");
    check(
        r#"{"id":null,"error":{"code":-32700}}"#,
        r#"error null -32700 "" -"#,
    );
}

#[test]
fn ids_are_the_right_variant() {
    #[track_caller]
    fn check(json: &str, expected: RequestId) {
        let line = format!(r#"{{"id":{json},"result":1}}"#);
        let message = decode(line.as_bytes()).expect("a message");
        assert_eq!(message.id(), Some(&expected));
    }
    check("1", RequestId::Number(1));
    check("9223372036854775808", RequestId::Unsigned(1 << 63));
    check(r#""1""#, RequestId::String("1".into()));
    check("null", RequestId::Null);
    check("1.0", RequestId::Number(1));
    check("2e3", RequestId::Number(2000));
}

#[test]
fn ids_that_cannot_be_read_have_kinds_of_their_own() {
    for id in [
        "1.5",
        "1e300",
        "true",
        "{}",
        "[1]",
        "18446744073709551616",
        "-9223372036854775809",
    ] {
        check(
            format!(r#"{{"id":{id},"method":"m"}}"#),
            "skipped request_id",
        );
        check(
            format!(r#"{{"id":{id},"result":1}}"#),
            "skipped response_id",
        );
        check(
            format!(r#"{{"id":{id},"error":"no"}}"#),
            "skipped response_id",
        );
    }
    // Whoever sent a request gets its id back verbatim or not at all.
    check(r#"{"id":1.0,"method":"m"}"#, "skipped request_id");
    check(r#"{"id":1.0,"result":1}"#, "result 1 1");
    check(
        r#"{"id":9007199254740993.0,"result":1}"#,
        "skipped response_id",
    );
}

#[test]
fn lines_that_are_no_messages() {
    check("", "skipped not_json");
    check("Loading config...", "skipped not_json");
    check("[INFO] listening", "skipped not_json");
    check("42 files", "skipped not_json");
    check("null and void", "skipped not_json");
    check("\u{1b}[32mok\u{1b}[0m", "skipped not_json");
    check("\0\0\0", "skipped not_json");
    check("{", "skipped not_json");
    check(r#"{"id":1,"res"#, "skipped not_json");
    check(r#"{"method":"a"}{"method":"b"}"#, "skipped not_json");
    check("{ id: 1, result: 'node inspect' }", "skipped not_json");
    check("Content-Length: 52\r", "skipped not_json");
    check("42", "skipped scalar");
    check("-1.5e3", "skipped scalar");
    check(r#""done""#, "skipped scalar");
    check("null", "skipped scalar");
    check("true", "skipped scalar");
    check("[]", "skipped array");
    check(r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#, "skipped array");
    check("{}", "skipped object");
    check(r#"{"level":"info","msg":"started"}"#, "skipped object");
    check(r#"{"jsonrpc":"2.0"}"#, "skipped object");
    check(r#"{"result":{}}"#, "skipped object");
    check(r#"{"method":5}"#, "skipped object");
    check(r#"{"id":1,"method":["m"]}"#, "skipped object");
    check(b"\xFFnoise", "skipped not_utf8");
    check(b"{\"method\":\"a\xC3\"}", "skipped not_utf8");
}

#[test]
fn white_space_and_marks_around_a_message() {
    check("\u{feff}{\"method\":\"m\"}\r", "notification m -");
    check("  \t{\"method\":\"m\"} ", "notification m -");
    check(
        "{ \"method\" :\t\"m\" , \"params\" : { } }",
        "notification m { }",
    );
}

#[test]
fn a_reply_in_broken_json_still_ends_its_request() {
    let not_json = "malformed 1 not valid JSON";
    check(
        r#"{"jsonrpc":"2.0","id":1,"result":{"cost":NaN}}"#,
        not_json,
    );
    check(r#"{"result":{"cost":-Infinity},"id":1}"#, not_json);
    check("{\"id\":1,\"result\":{\"text\":\"a\tb\"}}", not_json);
    check(r#"{"id":1,"result":{"text":"\x1b[0m"}}"#, not_json);
    check(r#"{"id":1,"result":{"a":1,},}"#, not_json);
    check(
        r#"{"id":1,"error":{"code":1,"message":undefined}}"#,
        not_json,
    );
    check(r#"{"id":1,"method":null,"result":NaN}"#, not_json);
    check(
        r#"{"id":"é","result":NaN}"#,
        r#"malformed "é" not valid JSON"#,
    );
    check(
        b"{\"id\":1,\"result\":\"\xFF\"}",
        "malformed 1 not valid UTF-8",
    );
    check(
        b"{\"id\":1,\"error\":{\"code\":1,\"message\":\"cut \xE2\x82\"}}",
        "malformed 1 not valid UTF-8",
    );
}

#[test]
fn what_is_no_reply_is_not_salvaged() {
    for line in [
        r#"{"id":1,"method":"m","params":NaN}"#,
        r#"{"id":1,"method":"m","result":NaN}"#,
        r#"{"id":1,"params":NaN}"#,
        r#"{"id":NaN,"result":1}"#,
        r#"{"result":NaN}"#,
        r#"{"x":{"id":1,"result":NaN}}"#,
        r#"{"id":1,"result":NaN}}"#,
        r#"{"id":1,"result":NaN} {"#,
        r#"{"id":1,"result":[NaN}"#,
        r#"{"id":1,"result":NaN"#,
        r#"{"id":1,"result":"NaN}"#,
        r#"{"id":1]"result":NaN}"#,
        r#"{"id" 1,"result":NaN}"#,
        r#"{"id":1,"result":NaN\"#,
    ] {
        check(line, "skipped not_json");
    }
}

/// Far beyond the 127 levels of a typed reader, and of any thread's stack.
const DEEP: usize = 100_000;

#[test]
fn bodies_nest_as_deep_as_they_like() {
    let deep = "[".repeat(DEEP) + &"]".repeat(DEEP);
    check(
        format!(r#"{{"id":1,"result":{deep}}}"#),
        &format!("result 1 {deep}"),
    );
    check(
        format!(r#"{{"method":"m","params":{deep}}}"#),
        &format!("notification m {deep}"),
    );
    check(
        format!(r#"{{"method":"m","x":{deep}}}"#),
        "notification m -",
    );
    check(
        format!(r#"{{"id":1,"error":{{"code":1,"data":{deep}}}}}"#),
        &format!(r#"error 1 1 "" {deep}"#),
    );
    check(
        format!(r#"{{"id":1,"error":{deep}}}"#),
        "malformed 1 error is an array, not an object",
    );
    check(
        format!(r#"{{"id":1,"error":{{"code":{deep}}}}}"#),
        "malformed 1 error code is an array, not an integer",
    );
    check(
        format!(r#"{{"id":{deep},"method":"m"}}"#),
        "skipped request_id",
    );
    check(format!(r#"{{"id":1,"method":{deep}}}"#), "skipped object");
    check(&deep, "skipped array");
    check("[".repeat(DEEP), "skipped not_json");
    let objects = r#"{"a":"#.repeat(DEEP) + "NaN" + &"}".repeat(DEEP);
    check(
        format!(r#"{{"id":1,"result":{objects}}}"#),
        "malformed 1 not valid JSON",
    );
}

#[test]
fn an_error_shows_where_and_not_what() {
    let error = decode(br#"{"method":"m","token":"hunter2" oops}"#).expect_err("no JSON");
    assert_eq!(
        error,
        DecodeError::NotAMessage {
            kind: SkipKind::NotJson,
            offset: 32
        }
    );
    assert_eq!(error.to_string(), "not a message: not JSON (byte 32)");
    let error = decode(b"hunter2 \xFF").expect_err("no text");
    assert_eq!(error.to_string(), "not a message: not UTF-8 (byte 8)");
}

#[test]
fn faults_are_values() {
    let message = decode(br#"{"id":1,"error":"no"}"#).expect("a message");
    let Message::Malformed { fault, .. } = message else {
        panic!("{message:?}")
    };
    assert_eq!(fault, Fault::Error(acp_codec::JsonKind::String));
}
