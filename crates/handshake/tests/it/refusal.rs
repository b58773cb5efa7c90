//! What is refused, with the code and the sentence that a person reads.

use acp_handshake::NegotiationError;
use proptest::prelude::*;

use crate::offer;

/// Checks the code and the message of a refusal, and that the message repeats nothing of the text.
#[track_caller]
fn check(versions: &[u16], text: &str, code: &str, message: &str) {
    let error = offer(versions)
        .accept_text(text)
        .expect_err("must be refused");
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        (code, message),
        "{text}"
    );
}

fn answered(version: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":{version},"agentCapabilities":{{}}}}}}"#
    )
}

const BAD: &str = "acp-initialize-bad-version";
const UNSUPPORTED: &str = "acp-version-unsupported";

#[test]
fn version_as_a_string() {
    check(
        &[1],
        &answered("\"1\""),
        BAD,
        "the agent answered protocolVersion as a string, which is not an integer; supported: 1",
    );
    check(
        &[1, 2],
        &answered("\"secret\""),
        BAD,
        "the agent answered protocolVersion as a string, which is not an integer; supported: 1, 2",
    );
}

#[test]
fn version_as_a_float() {
    check(
        &[1],
        &answered("1.0"),
        BAD,
        "the agent answered protocolVersion as the float 1.0, which is not an integer; supported: 1",
    );
    check(
        &[1],
        &answered("1e0"),
        BAD,
        "the agent answered protocolVersion as the float 1.0, which is not an integer; supported: 1",
    );
    check(
        &[1],
        &answered("1.5"),
        BAD,
        "the agent answered protocolVersion as the float 1.5, which is not an integer; supported: 1",
    );
}

#[test]
fn version_missing_null_or_of_another_kind() {
    check(
        &[1],
        r#"{"agentCapabilities":{}}"#,
        BAD,
        "the agent answered no protocolVersion, which is not an integer; supported: 1",
    );
    check(
        &[1],
        &answered("null"),
        BAD,
        "the agent answered protocolVersion as null, which is not an integer; supported: 1",
    );
    check(
        &[1],
        &answered("true"),
        BAD,
        "the agent answered protocolVersion as a boolean, which is not an integer; supported: 1",
    );
    check(
        &[1],
        &answered("[1]"),
        BAD,
        "the agent answered protocolVersion as an array, which is not an integer; supported: 1",
    );
    check(
        &[1],
        &answered("{}"),
        BAD,
        "the agent answered protocolVersion as an object, which is not an integer; supported: 1",
    );
}

#[test]
fn version_larger_than_offered() {
    let larger = |got: &str, supported: &str| {
        format!(
            "the agent answered protocol version {got}, which is larger than any that was offered; supported: {supported}"
        )
    };
    check(&[1], &answered("2"), UNSUPPORTED, &larger("2", "1"));
    check(&[1], &answered("99"), UNSUPPORTED, &larger("99", "1"));
    check(
        &[1, 2],
        &answered("65535"),
        UNSUPPORTED,
        &larger("65535", "1, 2"),
    );
    check(&[1], &answered("65537"), UNSUPPORTED, &larger("65537", "1"));
    check(
        &[1],
        &answered("99999999999999999999"),
        UNSUPPORTED,
        &larger("beyond 64 bits", "1"),
    );
}

#[test]
fn version_that_is_not_supported() {
    let not = |got: &str, supported: &str| {
        format!(
            "the agent answered protocol version {got}, which is not supported; supported: {supported}"
        )
    };
    check(&[1], &answered("0"), UNSUPPORTED, &not("0", "1"));
    check(&[1], &answered("-1"), UNSUPPORTED, &not("-1", "1"));
    check(&[2], &answered("1"), UNSUPPORTED, &not("1", "2"));
}

#[test]
fn nothing_to_read() {
    check(
        &[1],
        "",
        "acp-missing-result",
        "there is no initialize result",
    );
    check(
        &[1],
        " \n",
        "acp-missing-result",
        "there is no initialize result",
    );
    check(
        &[1],
        r#"{"jsonrpc":"2.0","id":0}"#,
        "acp-missing-result",
        "there is no initialize result",
    );
    let error = r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"secret"}}"#;
    check(
        &[1],
        error,
        "acp-missing-result",
        "the response holds error -32602 and no result",
    );
}

#[test]
fn no_json() {
    check(
        &[1],
        "{\"protocolVersion\":1",
        "acp-result-invalid-json",
        "the initialize result is not JSON (line 1, column 20)",
    );
    check(
        &[1],
        "{\"protocolVersion\":1} x",
        "acp-result-invalid-json",
        "the initialize result is not JSON (line 1, column 23)",
    );
}

#[test]
fn no_object() {
    let bad = "acp-initialize-bad-result";
    check(
        &[1],
        "[]",
        bad,
        "the initialize result is an array, not an object",
    );
    check(
        &[1],
        "null",
        bad,
        "the initialize result is null, not an object",
    );
    check(
        &[1],
        "1",
        bad,
        "the initialize result is an integer, not an object",
    );
    check(
        &[1],
        r#"{"jsonrpc":"2.0","id":0,"result":"ok"}"#,
        bad,
        "the initialize result is a string, not an object",
    );
    let twice = r#"{"protocolVersion":1,"protocolVersion":2}"#;
    check(
        &[1, 2],
        twice,
        bad,
        "the initialize result has the member protocolVersion twice",
    );
}

#[test]
fn an_error_about_versions_says_what_is_supported() {
    let error = offer(&[1, 2])
        .accept_text(&answered("99"))
        .expect_err("must be refused");
    assert_eq!(error.supported(), Some(offer(&[1, 2]).versions()));
    assert_eq!(NegotiationError::MissingResult.supported(), None);
}

proptest! {
    /// Whatever an agent answers, there is an agreement on a version that was offered, or an error that repeats none of its text.
    #[test]
    fn any_answer_is_an_agreement_or_an_error(
        version in prop_oneof!["[0-9]{1,25}", "-[0-9]{1,3}", "[0-9]\\.[0-9]", "\"[a-z]{12}\"", "null", "true", "\\[\\]"],
        capabilities in prop_oneof!["\\{\\}", "\\{\"session\":[0-9]\\}", "\\{\"loadSession\":(true|false|null|\\{\\}|\"x\")\\}", "[0-9]", "null"],
        cut in prop::option::of(0_usize..60),
    ) {
        let mut text = format!(r#"{{"protocolVersion":{version},"agentCapabilities":{capabilities},"capabilities":{capabilities}}}"#);
        if let Some(cut) = cut {
            text.truncate(cut);
        }
        match offer(&[1, 2]).accept_text(&text) {
            Ok(agreement) => prop_assert!(version == agreement.version().to_string()),
            Err(error) => {
                let secret = version.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                prop_assert!(secret.is_none_or(|secret| !error.to_string().contains(secret)));
            }
        }
    }
}
