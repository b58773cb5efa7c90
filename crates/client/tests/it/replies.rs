//! A reply that can be matched to a pending id ends that request, whatever its shape.

use acp_client::{CallError, ProtocolError, RequestError};
use acp_testkit::Script;
use serde_json::json;

use crate::stage::World;

/// What the answer came to: its result, its error code, or the fault.
async fn answer(line: &str) -> Result<String, RequestError> {
    let script = Script::new().expect("session/list").line(line).drain();
    let (client, _session, _agent) = World::Memory.open(script).await;
    let began = tokio::time::Instant::now();
    let result = client.call("session/list", &json!({})).await;
    assert!(began.elapsed().as_secs() < 1, "it ends at once");
    // The connection goes on, and nothing was written back.
    assert_eq!(client.counters().unknown_replies, 0);
    result.map(|raw| raw.get().to_owned())
}

async fn gives(line: &str, expected: &str) {
    assert_eq!(answer(line).await.unwrap(), expected, "{line}");
}

async fn refused(line: &str, code: i32) {
    let error = answer(line).await.unwrap_err();
    assert_eq!(
        error.refusal().map(|error| error.code.0),
        Some(code),
        "{line}: {error}"
    );
}

async fn faulty(line: &str) {
    let error = answer(line).await.unwrap_err();
    let RequestError::Call(CallError::Protocol(ProtocolError::MalformedReply { .. })) = &error
    else {
        panic!("{line}: {error}")
    };
    let text = error.to_string();
    assert!(
        text.contains("session/list") && !text.contains("secret"),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn plain_meanings_are_accepted() {
    gives(r#"{"id":{id},"result":{"a":1}}"#, r#"{"a":1}"#).await;
    gives(r#"{"jsonrpc":"1.0","id":{id},"result":[]}"#, "[]").await;
    gives(
        r#"{"jsonrpc":"2.0","id":{id},"result":1,"error":null}"#,
        "1",
    )
    .await;
    gives(r#"{"jsonrpc":"2.0","id":{id},"result":null}"#, "null").await;
    gives(r#"{"jsonrpc":"2.0","id":"{id}","result":2}"#, "2").await;
    refused(
        r#"{"jsonrpc":"2.0","id":{id},"error":{"code":400,"message":"{}","data":[1]}}"#,
        400,
    )
    .await;
    refused(
        r#"{"jsonrpc":"2.0","id":{id},"result":null,"error":{"code":-32602,"message":"secret"}}"#,
        -32602,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn faults_are_named() {
    faulty(r#"{"jsonrpc":"2.0","id":{id}}"#).await;
    faulty(r#"{"jsonrpc":"2.0","id":{id},"secret":1}"#).await;
}

/// Each of these ends the request, as an error whose `Display` quotes nothing.
#[tokio::test(start_paused = true)]
async fn odd_errors_end_the_request() {
    for line in [
        r#"{"jsonrpc":"2.0","id":{id},"error":"secret"}"#,
        r#"{"jsonrpc":"2.0","id":{id},"error":{"code":"secret","message":"secret"}}"#,
        r#"{"jsonrpc":"2.0","id":{id},"error":{"code":1.5,"message":"secret"}}"#,
        r#"{"jsonrpc":"2.0","id":{id},"error":{"message":"secret"}}"#,
        r#"{"jsonrpc":"2.0","id":{id},"error":{}}"#,
        r#"{"jsonrpc":"2.0","id":{id},"error":7}"#,
        r#"{"jsonrpc":"2.0","id":{id},"error":["secret"]}"#,
    ] {
        let error = answer(line).await.unwrap_err();
        assert!(matches!(error, RequestError::Call(_)), "{line}: {error}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn deep_nesting_ends_the_request() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let line = format!(r#"{{"jsonrpc":"2.0","id":{{id}},"result":{deep}}}"#);
    gives(&line, &deep).await;
}

#[tokio::test(start_paused = true)]
async fn a_line_of_bad_utf8_costs_that_line_only() {
    let mut bad = br#"{"jsonrpc":"2.0","method":"x","params":""#.to_vec();
    bad.extend_from_slice(b"\xff\xfe\"}\n");
    let script = Script::new()
        .expect("session/list")
        .step(acp_testkit::Step::Bytes(bad))
        .reply("{}")
        .drain();
    let (client, _session, _agent) = World::Memory.open(script).await;
    assert_eq!(
        client.call("session/list", &json!({})).await.unwrap().get(),
        "{}"
    );
    assert_eq!(client.skipped().total(), 1);
}

#[tokio::test(start_paused = true)]
async fn strays_resolve_nothing() {
    let script = Script::new()
        .expect("session/list")
        .line(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#)
        .line(r#"{"jsonrpc":"2.0","id":99,"result":{}}"#)
        .line(r#"{"jsonrpc":"2.0","id":{id},"result":{"a":1}}"#)
        .line(r#"{"jsonrpc":"2.0","id":{id},"result":{"a":2}}"#)
        .expect("session/list")
        .reply("{}")
        .drain();
    let (client, _session, _agent) = World::Memory.open(script).await;
    assert_eq!(
        client.call("session/list", &json!({})).await.unwrap().get(),
        r#"{"a":1}"#
    );
    client.call("session/list", &json!({})).await.unwrap();
    let counters = client.counters();
    assert_eq!(
        (
            counters.null_replies,
            counters.unknown_replies,
            counters.repeated_replies
        ),
        (1, 1, 1)
    );
}
