//! What real agents answer, and what only looks like it.

use super::is_wanted;

#[track_caller]
fn check(error: &str, expected: bool) {
    let error = serde_json::from_str(error).expect("an error object");
    assert_eq!(is_wanted(&error), expected, "{error:?}");
}

#[test]
fn trap_18_a_login_is_recognised_by_its_code() {
    check(
        r#"{"code":-32000,"message":"Authentication required"}"#,
        true,
    );
    check(r#"{"code":-32000,"message":"log in first"}"#, true);
    check(
        r#"{"code":401,"message":"{\"error\":{\"code\":401,\"message\":\"no\",\"status\":\"INVALID_ARGUMENT\"}}"}"#,
        true,
    );
}

#[test]
fn trap_18_a_login_is_recognised_by_a_member_that_names_it() {
    check(
        r#"{"code":-32603,"message":"Internal error","data":{"errorKind":"authentication_failed"}}"#,
        true,
    );
    check(
        r#"{"code":-32603,"message":"Internal error","data":{"codexErrorInfo":"unauthorized"}}"#,
        true,
    );
    check(
        r#"{"code":-32603,"message":"x","data":{"error":{"httpStatusCode":401}}}"#,
        true,
    );
    check(
        r#"{"code":400,"message":"{\"error\":{\"code\":400,\"details\":[{\"reason\":\"API_KEY_INVALID\"}]}}"}"#,
        true,
    );
    check(
        r#"{"code":-32603,"message":"Internal error","data":{"errorKind":"server_error"}}"#,
        false,
    );
    check(
        r#"{"code":-32603,"message":"x","data":{"error":{"httpStatusCode":403}}}"#,
        false,
    );
    check(
        r#"{"code":-32603,"message":"x","data":{"retries":401}}"#,
        false,
    );
}

#[test]
fn trap_18_a_login_is_recognised_by_sentences_that_mean_nothing_else() {
    for said in [
        "Your access token could not be refreshed because you have since logged out or signed in to another account. Please sign in again.",
        "Internal error: Login expired · Run /login to sign in again, or re-authenticate",
        "API Error: 401 {\"type\":\"error\",\"error\":{\"type\":\"authentication_error\",\"message\":\"OAuth token has expired. Please obtain a new token\"}} · Please run /login",
        "Authentication required",
        "Not logged in · Please run /login",
    ] {
        let error = serde_json::json!({"code": -32603, "message": said});
        check(&error.to_string(), true);
        let error = serde_json::json!({"code": -32603, "message": "Internal error", "data": {"details": said}});
        check(&error.to_string(), true);
        // Params that are wrong are wrong, whatever the sentence.
        let error = serde_json::json!({"code": -32602, "message": said});
        check(&error.to_string(), false);
    }
}

#[test]
fn trap_18_what_only_mentions_a_login_is_none() {
    for said in [
        "API Error: 500. This is a server-side issue, check your inference gateway",
        "the file auth.rs could not be read: permission denied",
        "You have hit your usage limit; log in to another account or wait",
        "tool login_page failed: 404",
        "429 Too Many Requests",
        "Authentication required for MCP Server: 'docs'",
        "",
    ] {
        let error = serde_json::json!({"code": -32603, "message": said, "data": said});
        check(&error.to_string(), false);
    }
    check(
        r#"{"code":-32002,"message":"Session not found. Not logged in"}"#,
        false,
    );
    // Nothing is looked for without a bound.
    let long = "x".repeat(20_000) + "Authentication required";
    let error = serde_json::json!({"code": -32603, "message": long});
    check(&error.to_string(), false);
    let mut deep = serde_json::json!({"status": 401});
    for _ in 0..20 {
        deep = serde_json::json!({ "error": deep });
    }
    let error = serde_json::json!({"code": -32603, "message": "x", "data": deep});
    check(&error.to_string(), false);
}
