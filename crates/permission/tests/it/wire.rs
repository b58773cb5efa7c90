//! Requests of both versions as they come off the wire.

use acp_permission::{Kind, Request, ToolReports};
use acp_vocab::{v1, v2};

fn shown(request: &Request) -> String {
    let mut parts = vec![format!("{:?} {}", request.title(), request.kind())];
    parts.extend(request.tool_name().map(|name| format!("name={name}")));
    parts.extend(
        request
            .command()
            .map(|command| format!("command={}", command.text())),
    );
    parts.extend(request.command_directory().map(|dir| format!("in={dir}")));
    parts.extend(request.paths().map(|path| format!("path={path}")));
    parts.extend(
        request
            .mcp()
            .map(|mcp| format!("mcp={}/{}", mcp.server, mcp.tool)),
    );
    parts.push(
        if request.is_structured() {
            "structured"
        } else {
            "bare"
        }
        .to_owned(),
    );
    parts.join(" ")
}

#[track_caller]
fn check_v1(call: &str, expected: &str) {
    let params: v1::RequestPermissionRequest = serde_json::from_str(&format!(
        r#"{{"sessionId":"s","toolCall":{call},"options":[]}}"#
    ))
    .unwrap();
    assert_eq!(shown(&Request::from(&params)), expected, "{call}");
}

#[track_caller]
fn check_v2(subject: &str, expected: &str) {
    let params: v2::RequestPermissionRequest = serde_json::from_str(&format!(
        r#"{{"sessionId":"s","title":"May I?","subject":{subject},"options":[{{"optionId":"y","name":"Y","kind":"allow_once"}}]}}"#
    ))
    .unwrap();
    assert_eq!(shown(&Request::from(&params)), expected, "{subject}");
}

#[test]
fn v1_requests() {
    check_v1(
        r#"{"toolCallId":"t","title":"ls","kind":"execute","rawInput":{"command":"ls","cwd":"/ws"}}"#,
        r#""ls" execute command=ls in=/ws structured"#,
    );
    check_v1(
        r#"{"toolCallId":"t","title":"W","kind":"edit","locations":[{"path":"/a"}],"content":[{"type":"diff","path":"/b","oldText":null,"newText":"x"}]}"#,
        r#""W" edit path=/a path=/b structured"#,
    );
    check_v1(
        r#"{"toolCallId":"t","title":"ls","kind":"execute","locations":[],"content":[]}"#,
        r#""ls" execute bare"#,
    );
    check_v1(
        r#"{"toolCallId":"t","name":"mcp__lab__echo","kind":"quantum"}"#,
        r#""" quantum name=mcp__lab__echo mcp=lab/echo structured"#,
    );
    check_v1(r#"{"toolCallId":"t"}"#, r#""" other bare"#);
}

#[test]
fn v2_requests() {
    check_v2(
        r#"{"type":"tool_call","toolCall":{"toolCallId":"t","title":"seq 1","kind":"execute","rawInput":{"command":"seq 1"}}}"#,
        r#""May I?" execute command=seq 1 structured"#,
    );
    check_v2(
        r#"{"type":"command","command":"rm -rf x","cwd":"/ws"}"#,
        r#""May I?" execute command=rm -rf x in=/ws structured"#,
    );
    check_v2(
        r#"{"type":"tool_call","toolCall":{"toolCallId":"t","kind":"edit","content":[{"type":"diff","changes":[{"operation":"move","oldPath":"/a","path":"/b"}]}]}}"#,
        r#""May I?" edit path=/a path=/b structured"#,
    );
    check_v2("null", r#""May I?" other bare"#);
    check_v2(
        r#"{"type":"wish","command":"ls"}"#,
        r#""May I?" wish structured"#,
    );
}

#[test]
fn quirk_17_a_request_that_says_only_the_id_is_understood_by_what_was_reported() {
    let mut reports = ToolReports::new();
    for update in [
        r#"{"sessionUpdate":"tool_call","toolCallId":"t","title":"Terminal","rawInput":{}}"#,
        r#"{"sessionUpdate":"tool_call_update","toolCallId":"t","kind":"execute","title":"echo hi","rawInput":{"command":"echo hi"}}"#,
    ] {
        reports.note_v1(&"s".into(), &serde_json::from_str(update).unwrap());
    }
    let params: v1::RequestPermissionRequest =
        serde_json::from_str(r#"{"sessionId":"s","toolCall":{"toolCallId":"t"},"options":[]}"#)
            .unwrap();
    assert_eq!(
        shown(&reports.request_v1(&params)),
        r#""echo hi" execute command=echo hi structured"#
    );
    // The same id in another session is another call.
    let other = v1::RequestPermissionRequest::new("s2", params.tool_call, params.options);
    assert_eq!(shown(&reports.request_v1(&other)), r#""" other bare"#);
    reports.forget(&"s".into());
    assert!(reports.find(&"s".into(), &"t".into()).is_none());
}

#[test]
fn v2_nulls_clear_what_was_reported() {
    let mut reports = ToolReports::new();
    let update = r#"{"sessionUpdate":"tool_call_update","toolCallId":"t","kind":"execute","rawInput":{"command":"ls"},"locations":[{"path":"/a"}]}"#;
    reports.note_v2(&"s".into(), &serde_json::from_str(update).unwrap());
    let params: v2::RequestPermissionRequest = serde_json::from_str(
        r#"{"sessionId":"s","title":"T","subject":{"type":"tool_call","toolCall":{"toolCallId":"t","kind":null,"rawInput":null,"locations":null}},"options":[{"optionId":"y","name":"Y","kind":"allow_once"}]}"#,
    )
    .unwrap();
    assert_eq!(shown(&reports.request_v2(&params)), r#""T" other bare"#);
}

#[test]
fn a_change_of_an_unknown_sort_reaches_elsewhere() {
    let params: v2::RequestPermissionRequest = serde_json::from_str(
        r#"{"sessionId":"s","title":"T","subject":{"type":"tool_call","toolCall":{"toolCallId":"t","kind":"edit","content":[{"type":"diff","changes":[{"operation":"add","path":"/ws/a"},{"operation":"teleport","path":"/ws/b"}]}]}},"options":[{"optionId":"y","name":"Y","kind":"allow_once"}]}"#,
    )
    .unwrap();
    use acp_permission::{Decision, Policy, Rules};
    let inside = Rules::new().allow(Kind::Edit.inside("/ws"));
    assert_eq!(
        inside.decide(&Request::from(&params)).decision,
        Decision::Cancel
    );
}
