//! What is wished for and cannot be had: an error by itself, and a word about it where less will do.

use std::path::Path;

use serde_json::{Value, json};

use crate::{
    program::{Ran, acp_in, with_agent},
    records::records,
};

/// The last record.
#[track_caller]
fn result(ran: &Ran) -> Value {
    records(ran).pop().expect("a result")
}

/// The notices about this.
fn notices(ran: &Ran, about: &str) -> Vec<String> {
    records(ran)
        .iter()
        .filter(|record| record["type"] == "notice" && record["about"] == about)
        .filter_map(|record| record["text"].as_str().map(ToOwned::to_owned))
        .collect()
}

#[test]
fn report_14_what_cannot_be_chosen_is_left_out_when_that_was_allowed() {
    let wishes = ["--effort", "hgih", "--model", "small", "--set", "nosuch=1"];
    let strict = with_agent(&[&["run", "hello"], &wishes[..]].concat(), "choosy");
    assert_eq!(strict.code, Some(2), "{}", strict.stderr);
    let flags = [&["run", "hello", "--best-effort"], &wishes[..]].concat();
    let ran = with_agent(&flags, "choosy");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    insta::assert_snapshot!("best-effort", ran.all());
    let ran = with_agent(&[&flags[..], &["--json"]].concat(), "choosy");
    let last = result(&ran);
    let unapplied = last["unapplied"].as_array().expect("a list");
    let wishes: Vec<&Value> = unapplied.iter().map(|wish| &wish["wish"]).collect();
    assert_eq!(wishes, [&json!("effort=hgih"), &json!("nosuch=1")]);
    assert!(
        unapplied[0]["why"]
            .as_str()
            .is_some_and(|why| why.contains("`high`"))
    );
    assert_eq!(notices(&ran, "choose").len(), 2);
    let session = records(&ran)
        .into_iter()
        .find(|record| record["type"] == "session")
        .expect("a session");
    assert_eq!(
        (&session["model"], &session["effort"]),
        (&json!("small"), &json!("low"))
    );
}

/// The agent accepts a model and does something else; nothing is said to be in force that is not.
#[test]
fn report_14_a_choice_that_is_not_honoured_is_told() {
    let flags = ["run", "hello", "--model", "small"];
    let strict = with_agent(&flags, "choosy-stubborn");
    assert_eq!(strict.code, Some(2), "{}", strict.stderr);
    let ran = with_agent(
        &[&flags[..], &["--best-effort", "--json"]].concat(),
        "choosy-stubborn",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(result(&ran)["unapplied"][0]["wish"], "model=small");
}

/// What was met leaves no trace.
#[test]
fn report_14_nothing_is_told_of_what_is_in_force() {
    let flags = [
        "run",
        "hello",
        "--best-effort",
        "--effort",
        "high",
        "--json",
    ];
    let ran = with_agent(&flags, "choosy");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(result(&ran)["unapplied"], Value::Null);
    assert_eq!(notices(&ran, "choose"), Vec::<String>::new());
}

/// Runs a prompt on a demo agent that keeps its sessions here.
fn kept(state: &Path, version: &str, flags: &[&str]) -> Ran {
    let shown = state.to_string_lossy();
    let program = env!("CARGO_BIN_EXE_acp");
    let words = [
        "run",
        "hello",
        "--json",
        "--allow",
        "all",
        "--protocol",
        version,
    ];
    let tail = ["--", program, "demo-agent", "--state", &shown];
    acp_in(state, &[&words, flags, &tail].concat(), "")
}

#[test]
fn report_15_a_session_that_is_gone_is_a_new_one_when_that_was_allowed() {
    for version in ["1", "2"] {
        for how in ["--load", "--resume"] {
            let folder = tempfile::tempdir().expect("a folder");
            let strict = kept(folder.path(), version, &[how, "gone"]);
            assert_eq!(strict.code, Some(4), "v{version} {how}: {}", strict.stderr);
            let ran = kept(folder.path(), version, &[how, "gone", "--resume-or-new"]);
            assert_eq!(ran.code, Some(0), "v{version} {how}: {}", ran.stderr);
            let last = result(&ran);
            assert_eq!(last["reopened"]["how"], "new", "{last}");
            assert_eq!(last["reopened"]["session_id"], "gone");
            assert_ne!(last["session_id"], "gone");
            assert!(last["reopened"]["why"].is_string());
            let told = notices(&ran, "session").join("\n");
            assert!(told.contains("this is a new session"), "{told}");
        }
    }
}

#[test]
fn report_15_a_session_that_is_there_is_reopened_as_it_was_asked_for() {
    for version in ["1", "2"] {
        let folder = tempfile::tempdir().expect("a folder");
        let first = kept(folder.path(), version, &[]);
        let id = result(&first)["session_id"]
            .as_str()
            .expect("an id")
            .to_owned();
        for (how, word) in [("--load", "loaded"), ("--resume", "resumed")] {
            let ran = kept(folder.path(), version, &[how, &id, "--resume-or-new"]);
            assert_eq!(ran.code, Some(0), "v{version} {how}: {}", ran.stderr);
            let last = result(&ran);
            assert_eq!(last["reopened"], json!({"session_id": id, "how": word}));
            assert_eq!(last["session_id"], *id);
            assert_eq!(notices(&ran, "session"), Vec::<String>::new());
        }
    }
}

/// An agent that loads and cannot resume; and one that can do neither.
#[test]
fn report_15_the_other_way_comes_before_a_new_session() {
    let flags = ["run", "hello", "--resume", "s1", "--resume-or-new"];
    insta::assert_snapshot!("resume-by-loading", with_agent(&flags, "loads").all());
    insta::assert_snapshot!("resume-by-new", with_agent(&flags, "plain-loads-not").all());
    // It is not a way out of other failures.
    let ran = with_agent(&[&flags[..], &["--json"]].concat(), "load-wants-login");
    assert_eq!(ran.code, Some(6), "{}", ran.stderr);
    let alone = acp_in(Path::new("."), &["run", "hello", "--resume-or-new"], "");
    assert_eq!(alone.code, Some(2), "{}", alone.stderr);
}

#[test]
fn what_came_too_early_to_be_kept_is_told() {
    let ran = with_agent(&["run", "hello", "--json"], "early");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(result(&ran)["early_dropped"], 1);
    assert_eq!(notices(&ran, "early").len(), 1);
    let none = with_agent(&["run", "hello", "--json"], "plain");
    assert_eq!(result(&none)["early_dropped"], Value::Null);
}
