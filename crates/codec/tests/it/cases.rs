//! Cases from the field: what an agent was seen to send, and what is right.

use acp_codec::{FrameDecoder, Item, Limits, Message, SkipKind, decode_body};
use serde::Deserialize;

use crate::show;

const INIT: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}"#;
const NEXT: &str = r#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#;

/// Feeds lines, each ended by a newline, and compares what comes out.
#[track_caller]
fn check(lines: &[&str], expected: &[&str]) -> FrameDecoder {
    let mut decoder = FrameDecoder::new(Limits::default());
    let stream: String = lines.iter().flat_map(|line| [*line, "\n"]).collect();
    assert_eq!(show::stream(&mut decoder, [stream.as_bytes()]), expected);
    decoder
}

/// The recorded cases that concern bytes and messages; each is a test below.
const CASES: [&str; 11] = [
    "noise-banner",
    "pretty-printed",
    "scalars-and-arrays",
    "lone-surrogate",
    "crlf-bom",
    "half-line-eof",
    "request-id-zero",
    "response-id-as-string",
    "error-id-null",
    "duplicate-response",
    "error-data-any",
];

#[test]
fn every_recorded_case_has_a_test() {
    #[derive(Deserialize)]
    struct Case {
        id: String,
        kind: String,
    }
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/cases/cases.json"
    );
    let text = std::fs::read_to_string(file).expect("the recorded cases");
    let cases: Vec<Case> = serde_json::from_str(&text).expect("a list of cases");
    let ours = |case: &&Case| ["framing", "ids", "errors"].contains(&case.kind.as_str());
    let ids: Vec<_> = cases
        .iter()
        .filter(ours)
        .map(|case| case.id.as_str())
        .collect();
    assert_eq!(ids, CASES);
}

#[test]
fn noise_banner() {
    let decoder = check(
        &[
            "Loading config...",
            "WARN: something (node:1) Experimental",
            INIT,
        ],
        &[
            "1 skipped not_json 17",
            "2 skipped not_json 37",
            r#"3 result 1 {"protocolVersion":1}"#,
        ],
    );
    assert_eq!(decoder.skipped_frames(), 2);
    assert_eq!(decoder.skip_counts().of(SkipKind::NotJson), 2);
    let samples: Vec<_> = decoder
        .samples()
        .iter()
        .map(|sample| sample.text())
        .collect();
    assert_eq!(
        samples,
        ["Loading config...", "WARN: something (node:1) Experimental"]
    );
}

#[test]
fn pretty_printed() {
    let decoder = check(
        &[
            "{",
            r#"  "jsonrpc": "2.0","#,
            r#"  "method": "session/update""#,
            "}",
            NEXT,
        ],
        &[
            "1 skipped not_json 1",
            "2 skipped not_json 17",
            "3 skipped not_json 26",
            "4 skipped not_json 1",
            "5 notification session/update {}",
        ],
    );
    assert_eq!(decoder.skip_counts().of(SkipKind::NotJson), 4);
}

#[test]
fn scalars_and_arrays() {
    let batch = r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#;
    let decoder = check(
        &["42", "\"done\"", "null", "true", "[]", batch, NEXT],
        &[
            "1 skipped scalar 2",
            "2 skipped scalar 6",
            "3 skipped scalar 4",
            "4 skipped scalar 4",
            "5 skipped array 2",
            "6 skipped array 38",
            "7 notification session/update {}",
        ],
    );
    let counts: Vec<_> = decoder.skip_counts().iter().collect();
    assert_eq!(counts, [(SkipKind::Scalar, 4), (SkipKind::Array, 2)]);
    assert_eq!(decoder.skipped_frames(), 6);
}

#[test]
fn lone_surrogate() {
    #[derive(Deserialize)]
    struct Params {
        update: Update,
    }
    #[derive(Deserialize)]
    struct Update {
        content: Content,
    }
    #[derive(Deserialize)]
    struct Content {
        text: String,
    }
    let line = |text: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"s1","update":{{"sessionUpdate":"agent_message_chunk","content":{{"type":"text","text":"{text}"}}}}}}}}"#
        )
    };
    let mut decoder = FrameDecoder::default();
    decoder.feed(
        [line(r"ok \ud83d"), line(r"\ude00 end"), String::new()]
            .join("\n")
            .as_bytes(),
    );
    let mut texts = Vec::new();
    let mut halves = 0;
    while let Some(item) = decoder.poll() {
        let Item::Frame(frame) = item else {
            panic!("{item:?}")
        };
        let Message::Notification {
            params: Some(params),
            ..
        } = frame.message
        else {
            panic!("{:?}", frame.message)
        };
        let params: Params = decode_body(params).expect("an update");
        texts.push(params.update.content.text);
        halves += frame.lone_surrogates;
    }
    assert_eq!(texts, ["ok \u{fffd}", "\u{fffd} end"]);
    assert_eq!((halves, decoder.skipped_frames()), (2, 0));
}

#[test]
fn crlf_bom() {
    let line = format!("\u{feff}{INIT}\r");
    let decoder = check(&[&line], &[r#"1 result 1 {"protocolVersion":1}"#]);
    assert_eq!(decoder.skipped_frames(), 0);
}

#[test]
fn half_line_eof() {
    let mut decoder = FrameDecoder::default();
    let items = show::stream(
        &mut decoder,
        [br#"{"jsonrpc":"2.0","id":1,"res"#.as_slice()],
    );
    assert_eq!(items, ["1 skipped partial 28"]);
    assert_eq!(decoder.skip_counts().of(SkipKind::Partial), 1);
}

#[test]
fn request_id_zero() {
    check(
        &[r#"{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{}}"#],
        &["1 request 0 session/request_permission {}"],
    );
}

#[test]
fn response_id_as_string() {
    check(
        &[r#"{"jsonrpc":"2.0","id":"1","result":{}}"#],
        &[r#"1 result "1" {}"#],
    );
}

#[test]
fn error_id_null() {
    check(
        &[r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#],
        &[r#"1 error null -32700 "Parse error" -"#],
    );
}

#[test]
fn duplicate_response() {
    check(
        &[
            r#"{"jsonrpc":"2.0","id":1,"result":{"a":1}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"a":2}}"#,
        ],
        &[r#"1 result 1 {"a":1}"#, r#"2 result 1 {"a":2}"#],
    );
}

#[test]
fn error_data_any() {
    let line = r#"{"jsonrpc":"2.0","id":1,"error":{"code":400,"message":"{\"error\":{\"code\":400}}","data":["x",{"y":1}]}}"#;
    check(
        &[line],
        &[r#"1 error 1 400 "{\"error\":{\"code\":400}}" ["x",{"y":1}]"#],
    );
}

#[test]
fn blank_lines_are_numbered_and_not_counted() {
    let decoder = check(
        &["", "\r", "  \t ", "\u{feff}", NEXT, ""],
        &["5 notification session/update {}"],
    );
    assert_eq!(decoder.skipped_frames(), 0);
}

#[test]
fn bad_utf8_costs_that_line_only() {
    let mut decoder = FrameDecoder::default();
    let stream = [
        NEXT.as_bytes(),
        b"\n{\"method\":\"\xFF\"}\n",
        NEXT.as_bytes(),
        b"\n",
    ]
    .concat();
    assert_eq!(
        show::stream(&mut decoder, [stream.as_slice()]),
        [
            "1 notification session/update {}",
            "2 skipped not_utf8 14",
            "3 notification session/update {}",
        ]
    );
}

#[test]
fn a_last_line_that_only_lacks_its_newline_is_a_frame() {
    let mut decoder = FrameDecoder::default();
    let items = show::stream(&mut decoder, [NEXT.as_bytes()]);
    assert_eq!(items, ["1 notification session/update {}"]);
    assert_eq!(decoder.buffered(), 0);
    assert!(decoder.finish().is_none());
}
