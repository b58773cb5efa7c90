//! The forms of an answer, on stdout and in a file.

use std::{fs, path::Path};

use serde_json::Value;

use crate::program::{Ran, acp_in, command};

/// One run of the demo agent in this form.
fn run(form: &str, flags: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let words = [&["run", "say hello", "--format", form], flags].concat();
    acp_in(folder.path(), &words, "")
}

#[track_caller]
fn one(text: &str) -> Value {
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn text_is_the_answer_and_nothing_else() {
    let text = run("text", &["--allow", "edit"]);
    assert_eq!(text.code, Some(0));
    let folder = tempfile::tempdir().expect("a folder");
    let plain = acp_in(folder.path(), &["run", "say hello", "--allow", "edit"], "");
    assert_eq!(plain, text);
}

#[test]
fn a_page_shows_what_was_done() {
    let ran = run("md", &["--allow", "edit"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    insta::assert_snapshot!("forms-md", ran.stdout);
    let tools = |text: &str| text.lines().filter(|line| line.starts_with("  ⏺")).count();
    assert!(tools(&ran.stderr) > 0, "people see it, too: {}", ran.stderr);
    insta::assert_snapshot!(
        "forms-md-denied",
        run("md", &["--deny", "all", "--then", "again"]).stdout
    );
}

#[test]
fn one_document_has_the_answer_and_the_result() {
    let text = run("text", &["--allow", "edit"]).stdout;
    let ran = run("json", &["--allow", "edit"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let document = one(&ran.stdout);
    assert_eq!(
        document["answer"].as_str().map(str::trim_end),
        Some(text.trim_end())
    );
    assert_eq!(document["result"]["stop_reason"], "end_turn");
    assert_eq!(document["result"]["permissions"]["allowed"], 1);
    assert_eq!(document["agent"]["protocol_version"], 2);
    assert!(document["session"]["session_id"].is_string());
    assert!(document.get("answers").is_none());
    let ran = run("json", &["--allow", "edit", "--then", "again"]);
    let document = one(&ran.stdout);
    let answers = document["answers"].as_array().expect("two");
    assert_eq!((answers.len(), &answers[1]), (2, &document["answer"]));
}

#[test]
fn whatever_happens_there_is_a_document() {
    let check = |words: &[&str], code: i32, outcome: &str| {
        let ran = acp_in(Path::new("."), words, "");
        assert_eq!(ran.code, Some(code), "{}", ran.all());
        assert_eq!(one(&ran.stdout)["result"]["outcome"], outcome);
        assert!(!ran.stderr.is_empty(), "people are told");
    };
    check(&["run", "hello", "--format", "json"], 5, "denied");
    check(
        &["run", "hello", "--format", "json", "--", "/nowhere/agent"],
        7,
        "spawn_failed",
    );
    check(
        &["run", "hello", "--format", "json", "--no-such-flag"],
        2,
        "usage",
    );
    check(&["run", "--format=json"], 2, "usage");
}

#[test]
fn json_lines_are_what_json_is() {
    let lines = run("jsonl", &["--allow", "edit"]);
    let folder = tempfile::tempdir().expect("a folder");
    let json = acp_in(
        folder.path(),
        &["run", "say hello", "--json", "--allow", "edit"],
        "",
    );
    let kinds = |ran: &Ran| -> Vec<String> {
        let lines = ran.stdout.lines();
        lines
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["type"].to_string())
            .collect()
    };
    assert_eq!(kinds(&lines), kinds(&json));
    assert_eq!(kinds(&lines).last().map(String::as_str), Some("\"result\""));
    let both = run("md", &["--json"]);
    assert_eq!(both.code, Some(2), "two forms at once: {}", both.all());
}

#[test]
fn the_wire_is_what_a_recording_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wire.jsonl");
    let ran = run(
        "wire",
        &["--allow", "edit", "--record", &file.display().to_string()],
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout, fs::read_to_string(&file).expect("it is there"));
    let lines: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines[0]["type"], "acp-trace");
    assert_eq!(
        (&lines[1]["dir"], &lines[1]["seq"]),
        (&"c2a".into(), &0.into())
    );
    assert_eq!(lines.last().expect("a line")["type"], "exit");
}

#[test]
fn every_form_goes_into_a_file() {
    for form in ["text", "md", "json", "jsonl", "wire"] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("answer");
        let ran = run(
            form,
            &["--allow", "edit", "-o", &file.display().to_string()],
        );
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{form}");
        let written = fs::read_to_string(&file).expect("it is there");
        assert!(
            written.ends_with('\n') && written.len() > 20,
            "{form}: {written}"
        );
    }
}

#[test]
fn a_form_may_be_set_beforehand_and_json_wins() {
    let with = |flags: &[&str]| {
        let output = command()
            .args([&["run", "hello", "--allow", "edit"], flags].concat())
            .env("ACP_FORMAT", "json")
            .output()
            .expect("it runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(one(&with(&[])).get("answer").is_some());
    assert!(with(&["--json"]).lines().count() > 1);
    assert!(with(&["--format", "md"]).starts_with("## Prompt\n"));
}
