//! Reports of tool calls stay within their bounds, and what had to be forgotten makes nothing look harmless.

use acp_permission::{
    Decision, Kind, MAX_REPORTED_BYTES, MAX_TOOL_REPORTS, Policy, Rules, ToolReports,
};
use acp_vocab::{SessionId, ToolCallId, v1, v2};

fn note(reports: &mut ToolReports, id: &str, input: usize) {
    let update = format!(
        r#"{{"sessionUpdate":"tool_call","toolCallId":"{id}","title":"T","kind":"edit","locations":[{{"path":"/etc/x"}}],"rawInput":"{}"}}"#,
        "x".repeat(input)
    );
    reports.note_v1(&"s".into(), &serde_json::from_str(&update).unwrap());
}

fn is_known(reports: &ToolReports, id: &str) -> bool {
    reports
        .find(&SessionId::from("s"), &ToolCallId::from(id))
        .is_some()
}

#[test]
fn the_oldest_make_room_by_count() {
    let mut reports = ToolReports::new();
    for n in 0..=MAX_TOOL_REPORTS {
        note(&mut reports, &format!("t{n}"), 0);
    }
    assert!(!is_known(&reports, "t0") && is_known(&reports, "t1"));
    reports.forget(&"s".into());
    assert_eq!(reports.bytes(), 0);
}

#[test]
fn the_oldest_make_room_by_bytes_and_a_large_one_stands_alone() {
    let mut reports = ToolReports::new();
    let third = MAX_REPORTED_BYTES / 3;
    for id in ["a", "b", "c", "d"] {
        note(&mut reports, id, third);
        assert!(reports.bytes() <= MAX_REPORTED_BYTES);
    }
    assert!(!is_known(&reports, "a") && is_known(&reports, "d"));
    // The same call again replaces what it took.
    note(&mut reports, "d", third);
    assert!(is_known(&reports, "c") && reports.bytes() <= MAX_REPORTED_BYTES);
    note(&mut reports, "huge", 2 * MAX_REPORTED_BYTES);
    assert!(!is_known(&reports, "d") && is_known(&reports, "huge"));
    note(&mut reports, "small", 0);
    assert!(!is_known(&reports, "huge") && is_known(&reports, "small"));
}

// An id is as long as its agent likes, too.
#[test]
fn long_ids_make_room() {
    let mut reports = ToolReports::new();
    for letter in ["a", "b", "c", "d"] {
        note(&mut reports, &letter.repeat(MAX_REPORTED_BYTES / 3), 0);
        assert!(reports.bytes() <= MAX_REPORTED_BYTES);
    }
    assert!(!is_known(&reports, &"a".repeat(MAX_REPORTED_BYTES / 3)));
    reports.forget(&"s".into());
    assert_eq!(reports.bytes(), 0);
}

#[test]
fn a_request_about_a_forgotten_call_reaches_elsewhere() {
    let params: v1::RequestPermissionRequest = serde_json::from_str(
        r#"{"sessionId":"s","toolCall":{"toolCallId":"lost","kind":"edit"},"options":[]}"#,
    )
    .unwrap();
    let rules = Rules::from_flags(&["path:/etc"], &[], &["edit"]).unwrap();
    let mut reports = ToolReports::new();
    assert_eq!(
        rules.decide(&reports.request_v1(&params)).decision,
        Decision::AllowOnce
    );
    let mut reports = ToolReports::new();
    note(&mut reports, "lost", 0);
    assert_eq!(
        rules.decide(&reports.request_v1(&params)).decision,
        Decision::Deny
    );
    let mut reports = ToolReports::new();
    note(&mut reports, "lost", 0);
    note(&mut reports, "huge", 2 * MAX_REPORTED_BYTES);
    assert!(!is_known(&reports, "lost"));
    assert_eq!(
        rules.decide(&reports.request_v1(&params)).decision,
        Decision::Deny
    );
}

#[test]
fn pieces_of_content_add_their_changes() {
    let mut reports = ToolReports::new();
    let piece = |path: &str| {
        let update = format!(
            r#"{{"sessionUpdate":"tool_call_content_chunk","toolCallId":"t","content":{{"type":"diff","changes":[{{"operation":"modify","path":"{path}"}}]}}}}"#
        );
        serde_json::from_str::<v2::SessionUpdate>(&update).unwrap()
    };
    reports.note_v2(&"s".into(), &piece("/ws/a"));
    reports.note_v2(&"s".into(), &piece("/etc/b"));
    let params: v2::RequestPermissionRequest = serde_json::from_str(
        r#"{"sessionId":"s","title":"T","subject":{"type":"tool_call","toolCall":{"toolCallId":"t","kind":"edit"}},"options":[{"optionId":"y","name":"Y","kind":"allow_once"}]}"#,
    )
    .unwrap();
    let request = reports.request_v2(&params);
    assert_eq!(request.paths().collect::<Vec<_>>(), ["/ws/a", "/etc/b"]);
    assert_eq!(
        Rules::new()
            .allow(Kind::Edit.inside("/ws"))
            .decide(&request)
            .decision,
        Decision::Cancel
    );
}
