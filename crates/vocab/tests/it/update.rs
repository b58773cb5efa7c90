//! The shorter way to an update finds what the whole notification holds, or the same fault.

use acp_vocab::{ContentBlock, decode_params, decode_update, v1, v2};
use serde_json::value::RawValue;

#[track_caller]
fn check(params: Option<&str>) {
    let raw: Option<Box<RawValue>> = params.map(|text| serde_json::from_str(text).unwrap());
    let raw = raw.as_deref();
    let whole = decode_params::<v1::SessionNotification>(raw)
        .map(|whole| (whole.session_id.as_str().to_owned(), whole.update));
    let short = decode_update(raw).map(|(session, update)| (session.into_owned(), update));
    assert_eq!(short, whole, "v1: {params:?}");
    let whole = decode_params::<v2::UpdateSessionNotification>(raw)
        .map(|whole| (whole.session_id.as_str().to_owned(), whole.update));
    let short = decode_update(raw).map(|(session, update)| (session.into_owned(), update));
    assert_eq!(short, whole, "v2: {params:?}");
}

#[test]
fn as_the_notification() {
    let update = r#"{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"a"}}"#;
    for params in [
        format!(r#"{{"sessionId":"s","update":{update}}}"#),
        format!(r#"{{"update":{update},"sessionId":"s"}}"#),
        format!(
            r#" {{ "_meta" : {{"a":[1]}} , "sessionId" : "s\\u0031\\ud83d" , "update" : {update} , "more":"x" }} "#
        ),
        format!(r#"{{"sessionId":"s","update":{update},"sessionId":"t"}}"#),
        format!(r#"{{"sessionId":null,"update":{update}}}"#),
        format!(r#"{{"sessionId":7,"update":{update}}}"#),
        format!(r#"{{"update":{update}}}"#),
        format!(r#"[{update}]"#),
    ] {
        check(Some(&params));
    }
    for params in [
        r#"{"sessionId":"s"}"#,
        r#"{"sessionId":"s","update":null}"#,
        r#"{"sessionId":"s","update":{}}"#,
        r#"{"sessionId":"s","update":{"sessionUpdate":"tool_call"}}"#,
        r#"{"sessionId":"s","update":{"sessionUpdate":"new","payload":{}}}"#,
        r#"{"sessionId":"s","_meta":3,"update":{"sessionUpdate":"new"}}"#,
        "{}",
        "null",
        "3",
    ] {
        check(Some(params));
    }
    check(None);
}

/// What moves with every update stays small; what is large is in a box.
#[test]
fn small_enough_to_move() {
    assert!(size_of::<ContentBlock>() <= 40);
    assert!(size_of::<v1::SessionUpdate>() <= 96);
    assert!(size_of::<v2::SessionUpdate>() <= 96);
}
