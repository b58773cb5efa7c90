//! `--json`: every line is a record, and the last one is the result, however it ends.

use serde_json::Value;

use crate::program::{Ran, acp, acp_in, agents, with_agent};

/// Reads the records of a run and checks what may be relied on.
#[track_caller]
pub(crate) fn records(ran: &Ran) -> Vec<Value> {
    assert!(ran.stdout.ends_with('\n'), "{}", ran.stdout);
    let records: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect();
    for (index, record) in records.iter().enumerate() {
        let number = |name: &str| record.get(name).and_then(Value::as_u64);
        assert_eq!(
            (number("v"), number("seq")),
            (Some(1), Some(index as u64)),
            "{record}"
        );
        let is_result = record.get("type").is_some_and(|kind| kind == "result");
        assert_eq!(is_result, index + 1 == records.len(), "{record}");
    }
    let last = records.last().expect("a result");
    assert_eq!(
        last.get("exit").and_then(Value::as_i64),
        ran.code.map(i64::from),
        "{last}"
    );
    records
}

/// The word, the phase and the stop reason of the last record.
#[track_caller]
fn check(flags: &[&str], mode: &str, outcome: &str, phase: &str, stop_reason: Option<&str>) {
    let ran = with_agent(&[&["run", "hello", "--json"], flags].concat(), mode);
    let records = records(&ran);
    let last = records.last().expect("a result");
    let found = (
        last["outcome"].as_str(),
        last["phase"].as_str(),
        last["stop_reason"].as_str(),
    );
    assert_eq!(
        found,
        (Some(outcome), Some(phase), stop_reason),
        "{mode}: {last}"
    );
}

#[test]
fn the_last_record_says_how_it_ended() {
    check(&[], "plain", "completed", "done", Some("end_turn"));
    check(
        &["--allow", "edit"],
        "whole",
        "completed",
        "done",
        Some("end_turn"),
    );
    check(&[], "whole", "denied", "done", Some("end_turn"));
    check(&[], "asks-cancelled", "denied", "done", Some("cancelled"));
    check(&[], "refuses", "refused", "done", Some("refusal"));
    check(
        &[],
        "max-tokens",
        "limit_reached",
        "done",
        Some("max_tokens"),
    );
    check(&[], "cancels", "cancelled", "done", Some("cancelled"));
    check(&[], "odd-stop", "failed", "done", Some("teapot"));
    check(&[], "errors", "error", "prompt", None);
    check(&[], "dies", "agent_died", "prompt", None);
    check(&[], "malformed", "protocol_error", "prompt", None);
    check(&[], "needs-auth", "auth_required", "session", None);
    check(&["--mode", "yolo"], "plain", "not_offered", "choose", None);
    check(&[], "version-99", "unsupported_version", "initialize", None);
    check(&[], "crash", "agent_died", "initialize", None);
    check(
        &["--idle-timeout", "100ms"],
        "silent",
        "timeout",
        "initialize",
        None,
    );
    check(
        &["--idle-timeout", "100ms"],
        "silent-session",
        "timeout",
        "session",
        None,
    );
    check(
        &["--timeout", "400ms"],
        "streams",
        "timeout",
        "prompt",
        None,
    );
    check(
        &["--idle-timeout", "never"],
        "plain",
        "usage",
        "usage",
        None,
    );
}

#[test]
fn also_when_nothing_was_started() {
    for words in [
        &["run", "hello", "--json", "--", "no-such-agent-at-all"][..],
        &["run", "--json"],
        &["run", "hello", "--json", "--bogus"],
        &["probe", "--json", "--bogus"],
        &["--json", "run", "", "--", "true"],
    ] {
        let ran = acp(words);
        records(&ran);
    }
}

#[test]
fn a_whole_turn() {
    insta::assert_snapshot!(
        with_agent(&["run", "hello", "--json", "--allow", "edit"], "whole").stdout
    );
}

#[test]
fn records_hold_what_the_agent_said_as_it_said_it() {
    let ran = with_agent(&["run", "hello", "--json"], "escapes");
    let records = records(&ran);
    let text: Vec<&str> = records
        .iter()
        .filter(|record| record["type"] == "agent_text")
        .filter_map(|record| record["text"].as_str())
        .collect();
    assert_eq!(text, ["\u{1b}[2Jred \u{202e}txt.exe"]);
    assert!(!ran.stdout.contains('\u{1b}'), "JSON escapes controls");
}

#[test]
fn a_decision_is_recorded_once_and_counted() {
    let ran = with_agent(&["run", "hello", "--json", "--allow", "edit"], "whole");
    let records = records(&ran);
    let decisions: Vec<&Value> = records
        .iter()
        .filter(|record| record["type"] == "permission")
        .collect();
    assert_eq!(decisions.len(), 1);
    assert_eq!(decisions[0]["option_kind"], "allow_once");
    let result = records.last().expect("a result");
    assert_eq!(result["permissions"]["allowed"], 1);
    assert_eq!(
        result["permissions"]["decisions"][0]["why"],
        "rule 1: allow edit"
    );
    assert_eq!(
        result["usage"],
        serde_json::json!({ "used": 12_400, "size": 200_000, "cost": null })
    );
}

#[test]
fn times_are_there_unless_unwanted() {
    let with_times = |flags: &[&str]| {
        let words: Vec<&str> = ["run", "hello", "--json"]
            .iter()
            .chain(flags)
            .copied()
            .chain(["--", "sh", "agent.sh", "plain"])
            .collect();
        let output = crate::program::command()
            .env_remove("ACP_TEST_CLOCK")
            .args(words)
            .current_dir(agents())
            .output()
            .expect("it runs");
        String::from_utf8(output.stdout)
            .expect("UTF-8")
            .contains("\"t_ms\":")
    };
    assert!(with_times(&[]));
    assert!(!with_times(&["--no-timestamps"]));
}

#[test]
fn a_recording_is_the_wire() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("run.acp.jsonl");
    let ran = acp_in(
        &agents(),
        &[
            "run",
            "hello",
            "-q",
            "--record",
            file.to_str().expect("UTF-8"),
            "--",
            "sh",
            "agent.sh",
            "noisy",
        ],
        "",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let text = std::fs::read_to_string(&file).expect("a recording");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines[0]["type"], "acp-trace");
    let first = acp(&["initialize-request"]).stdout;
    assert_eq!(
        lines[1]["raw"],
        first.trim_end(),
        "what is shown is what is sent"
    );
    assert_eq!(lines[1]["dir"], "c2a");
    let noise: Vec<&str> = lines
        .iter()
        .filter(|line| line["type"] == "noise")
        .filter_map(|line| line["raw"].as_str())
        .collect();
    assert_eq!(noise, ["a banner", "[1]"]);
    assert_eq!(lines.last().expect("a line")["type"], "exit");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(
            std::fs::metadata(&file)
                .expect("there")
                .permissions()
                .mode()
                & 0o777,
            0o600
        );
    }
}
