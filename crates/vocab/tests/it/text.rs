//! Strings as peers write them: escapes, halves of surrogate pairs, names with escapes.

use acp_vocab::{ContentBlock, SessionId, v1};
use serde_json::json;

#[track_caller]
fn check(json: &str, text: &str) {
    let block: ContentBlock =
        serde_json::from_str(&format!(r#"{{"type":"text","text":"{json}"}}"#)).unwrap();
    assert_eq!(block.as_text(), Some(text));
}

#[test]
fn escapes() {
    check("", "");
    check(r"\\\\", r"\\");
    check(r#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t");
    check(r"\u00e4\ud83d\ude00", "ä😀");
    check("ä😀\u{7f}", "ä😀\u{7f}");
}

#[test]
fn a_lone_surrogate_costs_one_character() {
    check(r"a\ud800b", "a\u{fffd}b");
    check(r"\udc00\n", "\u{fffd}\n");
    check(r"\ud83d\ud83d\ude00", "\u{fffd}😀");
    check(r"end\ud83d", "end\u{fffd}");
    let id: SessionId = serde_json::from_str(r#""\ud800""#).unwrap();
    assert_eq!(id, "\u{fffd}");
}

#[test]
fn member_names_may_have_escapes() {
    let notification: v1::SessionNotification = serde_json::from_str(
        r#"{"session\u0049d":"s","upd\u0061te":{"session\u0055pdate":"current_mode_update","currentModeId":"m"}}"#,
    )
    .unwrap();
    assert_eq!(notification.session_id, "s");
    assert_eq!(notification.update.tag(), "current_mode_update");
}

#[test]
fn white_space_is_nothing() {
    let text = " {\n\t\"sessionId\" : \"s\" , \"update\" : { \"currentModeId\":\"m\" ,\r\n \"sessionUpdate\" : \"current_mode_update\" } } ";
    let notification: v1::SessionNotification = serde_json::from_str(text).unwrap();
    assert_eq!(notification.update.tag(), "current_mode_update");
}

#[test]
fn opaque_members_may_be_deep() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let text = format!(
        r#"{{"sessionUpdate":"tool_call_update","unheard":{deep},"toolCallId":"t","title":{deep}}}"#
    );
    let update: v1::SessionUpdate = serde_json::from_str(&text).unwrap();
    let v1::SessionUpdate::ToolCallUpdate(update) = update else {
        panic!("another update");
    };
    assert_eq!((update.tool_call_id.as_str(), update.title), ("t", None));
}

#[test]
fn of_two_members_the_last_counts() {
    let update: v1::ToolCallUpdate =
        serde_json::from_str(r#"{"toolCallId":"a","title":"x","toolCallId":"b","title":null}"#)
            .unwrap();
    assert_eq!((update.tool_call_id.as_str(), update.title), ("b", None));
}

#[test]
fn numbers() {
    #[track_caller]
    fn check(used: &str, expected: Option<u64>) {
        let text = format!(r#"{{"used":{used},"size":1}}"#);
        let read = serde_json::from_str::<acp_vocab::UsageUpdate>(&text);
        assert_eq!(read.ok().map(|usage| usage.used), expected, "{used}");
    }
    check("0", Some(0));
    check("18446744073709551615", Some(u64::MAX));
    check("18446744073709551616", None);
    check("1.0", None);
    check("1e2", None);
    check("-1", None);
    check("\"1\"", None);
}

/// The end of a string is found at any distance, and so is the first escape in it.
#[test]
fn of_any_length() {
    for length in 0..140 {
        for text in [
            "x".repeat(length),
            "\u{e9}".repeat(length),
            format!("{}\"{}", "x".repeat(length), "y".repeat(140 - length)),
            format!("{}\\", "x".repeat(length)),
        ] {
            let json = json!({"type": "text", "text": text});
            let block: ContentBlock = serde_json::from_str(&json.to_string()).unwrap();
            assert_eq!(block.as_text(), Some(text.as_str()));
            assert_eq!(serde_json::to_value(&block).unwrap(), json);
        }
    }
}
