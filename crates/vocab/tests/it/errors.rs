//! What an error says, and what it keeps to itself.

use acp_vocab::{Found, Shape, ShapeError, TYPES, TypeRef, Wire, decode, v1, v2};
use serde_json::{json, value::to_raw_value};

use crate::{claims::VERSIONS, sample};

#[track_caller]
fn check<T: Wire + std::fmt::Debug>(text: &str, path: &str, tag: Option<&str>, message: &str) {
    let raw: Box<serde_json::value::RawValue> = serde_json::from_str(text).unwrap();
    let error: ShapeError = decode::<T>(&raw).unwrap_err();
    assert_eq!(error.path(), path);
    assert_eq!(error.tag(), tag);
    assert_eq!(error.to_string(), message);
}

#[test]
fn path_tag_and_expectation() {
    check::<v1::SessionNotification>(
        r#"{"sessionId":"s","update":{"sessionUpdate":"tool_call","title":"no id"}}"#,
        "update.toolCallId",
        Some("tool_call"),
        "update.toolCallId: expected a string, found nothing (in a tool_call)",
    );
    check::<v1::SessionNotification>(
        r#"{"update":{"sessionUpdate":"plan","entries":[]}}"#,
        "sessionId",
        None,
        "sessionId: expected a string, found nothing",
    );
    check::<v1::PromptRequest>(
        r#"{"sessionId":"s","prompt":[{"type":"text","text":"a"},{"type":"text","text":7}]}"#,
        "prompt[1].text",
        Some("text"),
        "prompt[1].text: expected a string, found a number (in a text)",
    );
    check::<v1::CreateTerminalRequest>(
        r#"{"sessionId":"s","command":"c","outputByteLimit":-1}"#,
        "outputByteLimit",
        None,
        "outputByteLimit: expected an unsigned 64-bit integer, found a number",
    );
    check::<v2::UpdateSessionNotification>(
        r#"{"sessionId":"s","update":{"state":"idle","sessionUpdate":"state_update","state":"idle"}}"#,
        "update.state",
        Some("state_update"),
        "update.state: expected one tag, found the tag twice (in a state_update)",
    );
    check::<v1::SessionNotification>("[]", "", None, "expected an object, found an array");
}

#[test]
fn missing_says_what_was_needed() {
    let raw = to_raw_value(&json!({"sessionId": "s", "cwd": "/"})).unwrap();
    let error = decode::<v1::LoadSessionRequest>(&raw).unwrap_err();
    assert_eq!(
        (error.path().as_str(), error.found()),
        ("mcpServers", Found::Nothing)
    );
    assert_eq!(error.expectation(), "an array");
}

/// No error of any type shows what the peer wrote.
#[test]
fn no_payload_in_any_message() {
    const SECRET: &str = "s3cret-pa55word";
    let mut failed = 0;
    for info in TYPES {
        for (version, _) in VERSIONS {
            if info.presence.within(version).is_none()
                || info.recode(&to_raw_value(&1).unwrap()).is_none()
            {
                continue;
            }
            let Shape::Struct { fields, .. } = info.shape else {
                continue;
            };
            for field in fields {
                for bad in [
                    json!(SECRET),
                    json!({SECRET: SECRET}),
                    json!([SECRET, {SECRET: 1}]),
                    json!([{"type": SECRET, SECRET: SECRET}, 7]),
                ] {
                    let mut object = sample::named(info.name, version);
                    object[field.name] = bad;
                    if let Err(error) = sample::recode(info.name, version, &object) {
                        assert!(!error.contains(SECRET), "{error}");
                        failed += 1;
                    }
                }
            }
        }
    }
    assert!(failed > 1000, "{failed}");
}

#[test]
fn error_objects_show_their_code_only() {
    let error: acp_vocab::ErrorObject =
        serde_json::from_str(r#"{"code":401,"message":"key s3cret is wrong","data":{"k":1}}"#)
            .unwrap();
    assert_eq!(error.to_string(), "the peer answered error 401");
    assert_eq!(&*error.message, "key s3cret is wrong");
    assert_eq!(error.data.unwrap().get(), r#"{"k":1}"#);
    assert_eq!(
        acp_vocab::ErrorObject::of(acp_vocab::ErrorCode::AUTH_REQUIRED).to_string(),
        "the peer answered error -32000 (Authentication required)"
    );
}

#[test]
fn types_have_names_for_people() {
    let text = |ty: TypeRef| ty.to_string();
    assert_eq!(
        text(<Vec<acp_vocab::ContentBlock> as Wire>::TYPE),
        "ContentBlock[]"
    );
    assert_eq!(
        text(TypeRef::Map(&TypeRef::Scalar("string"))),
        "map<string,string>"
    );
}
