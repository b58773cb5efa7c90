//! Calls whose shape is the method's.

use acp_handshake::{Call, CallError, cancel};
use acp_vocab::{Method, RequestId, SessionId};

#[derive(Debug, serde::Serialize)]
struct Nothing {}

#[test]
fn cancel_is_a_notification() {
    let text = serde_json::to_string(&cancel(SessionId::new("s1"))).expect("JSON");
    assert_eq!(
        text,
        r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}"#
    );
}

#[test]
fn cancel_refuses_an_id() {
    let error = Call::new(
        Method::SESSION_CANCEL,
        Some(RequestId::Number(7)),
        Nothing {},
    )
    .expect_err("refused");
    assert_eq!(
        error,
        CallError::NotificationWithId {
            method: Method::SESSION_CANCEL,
            id: RequestId::Number(7)
        }
    );
    assert_eq!(
        error.to_string(),
        "session/cancel is a notification and takes no id (got 7)"
    );
}

#[test]
fn a_request_needs_an_id() {
    let error = Call::new(Method::SESSION_PROMPT, None, Nothing {}).expect_err("refused");
    assert_eq!(
        error.to_string(),
        "session/prompt is a request and needs an id"
    );
    let call = Call::new(
        Method::SESSION_PROMPT,
        Some(RequestId::Number(0)),
        Nothing {},
    )
    .expect("a request");
    assert_eq!(
        serde_json::to_string(&call).expect("JSON"),
        r#"{"jsonrpc":"2.0","id":0,"method":"session/prompt","params":{}}"#
    );
}
