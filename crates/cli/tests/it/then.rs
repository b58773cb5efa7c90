//! `acp run --then`: more prompts in the same session.

use std::fs;

use serde_json::Value;

use crate::{program::with_agent, records::records};

#[test]
fn prompts_follow_one_another_in_one_session() {
    let dir = tempfile::tempdir().expect("a directory");
    let wire = dir.path().join("wire.jsonl");
    let more = dir.path().join("more.md");
    fs::write(&more, "the third").expect("written");
    let ran = with_agent(
        &[
            "run",
            "the first",
            "--then",
            "the second",
            "--then",
            &format!("@{}", more.display()),
            "--record",
            wire.to_str().expect("UTF-8"),
        ],
        "plain",
    );
    insta::assert_snapshot!("then", ran.all());
    let wire = fs::read_to_string(wire).expect("a recording");
    let at = |part: &str| {
        assert_eq!(wire.matches(part).count(), 1, "{part}: {wire}");
        wire.find(part)
    };
    assert!(at("the first") < at("the second") && at("the second") < at("the third"));
    assert_eq!(wire.matches("session/new").count(), 1);
}

/// How many turns begin, the number at the end, and how many permissions are counted as given and as not given.
#[track_caller]
fn check(mode: &str, flags: &[&str], turns: usize, code: i32, given: u64, refused: u64) {
    let words = ["run", "one", "--then", "two", "--then", "three", "--json"];
    let ran = with_agent(&[&words, flags].concat(), mode);
    assert_eq!(ran.code, Some(code), "{mode}: {}", ran.stderr);
    let records = records(&ran);
    let over = records
        .iter()
        .filter(|record| record["type"] == "turn")
        .count();
    // The last turn is told by the result.
    assert_eq!(over + 1, turns, "{mode}: {}", ran.stdout);
    let count = |name: &str| {
        records
            .last()
            .and_then(|last| last.get("permissions")?.get(name)?.as_u64())
    };
    assert_eq!(
        (count("allowed"), count("denied")),
        (Some(given), Some(refused)),
        "{mode}: {}",
        records.last().unwrap_or(&Value::Null)
    );
}

#[test]
fn the_first_that_is_not_completed_is_the_last() {
    check("plain", &[], 3, 0, 0, 0);
    check("whole", &["--allow", "edit"], 3, 0, 3, 0);
    check("whole", &["--deny", "edit"], 3, 5, 0, 3);
    check("whole", &["--deny", "edit", "--denied-ok"], 3, 0, 0, 3);
    check("refuses", &[], 1, 9, 0, 0);
    check("max-tokens", &[], 1, 10, 0, 0);
    check("errors", &[], 1, 1, 0, 0);
    check("dies", &[], 1, 7, 0, 0);
}

#[test]
fn an_empty_prompt_further_on_is_a_mistake_before_anything_starts() {
    let ran = with_agent(&["run", "one", "--then", " "], "plain");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
}
