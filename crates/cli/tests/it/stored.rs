//! Stored sessions, logins and single calls: on the demo agent, in both versions.

use std::{fs, path::Path};

use serde_json::Value;

use crate::program::{Ran, acp, acp_in, with_agent};

/// Runs a verb on a demo agent that keeps its sessions here.
fn kept(state: &Path, version: &str, words: &[&str]) -> Ran {
    let state = state.to_string_lossy();
    let program = env!("CARGO_BIN_EXE_acp");
    let mut all = words.to_vec();
    all.extend([
        "--protocol",
        version,
        "--",
        program,
        "demo-agent",
        "--state",
        &state,
    ]);
    acp_in(Path::new(&*state), &all, "")
}

/// The one record of this type.
#[track_caller]
fn record(ran: &Ran, kind: &str) -> Value {
    let mut records = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a record"));
    let found = records.find(|record| record["type"] == kind);
    assert!(found.is_some(), "no {kind}: {}{}", ran.stdout, ran.stderr);
    found.unwrap_or_default()
}

#[test]
fn a_session_lives_on_and_is_listed_shown_loaded_and_deleted() {
    for version in ["1", "2"] {
        let state = tempfile::tempdir().expect("a folder");
        let run = kept(
            state.path(),
            version,
            &["run", "remember me", "--json", "--allow", "all"],
        );
        assert_eq!(run.code, Some(0), "v{version}: {}", run.stderr);
        let id = record(&run, "result")["session_id"]
            .as_str()
            .expect("an id")
            .to_owned();
        let list = kept(state.path(), version, &["sessions", "list", "--json"]);
        let listed = record(&list, "sessions")["data"].clone();
        assert_eq!(listed[0]["sessionId"], *id, "v{version}: {}", list.stderr);
        let show = kept(state.path(), version, &["sessions", "show", &id]);
        assert_eq!(show.code, Some(0), "v{version}: {}", show.stderr);
        assert!(
            show.stdout.contains("> remember me"),
            "v{version}: {}",
            show.stdout
        );
        for how in ["--load", "--resume"] {
            let again = kept(
                state.path(),
                version,
                &["run", "hello", how, &id, "--json", "--allow", "all"],
            );
            assert_eq!(again.code, Some(0), "v{version} {how}: {}", again.stderr);
            assert_eq!(record(&again, "result")["session_id"], *id);
        }
        let delete = kept(state.path(), version, &["sessions", "delete", &id]);
        assert_eq!(
            (delete.code, delete.stdout.as_str()),
            (Some(0), "deleted\n"),
            "{}",
            delete.stderr
        );
        let empty = kept(state.path(), version, &["sessions", "list", "--json"]);
        assert_eq!(
            record(&empty, "sessions")["data"].as_array().map(Vec::len),
            Some(0)
        );
        let gone = kept(state.path(), version, &["run", "hello", "--load", &id]);
        assert_eq!(gone.code, Some(4), "v{version}: {}", gone.stderr);
    }
}

#[test]
fn a_call_prints_its_result_and_is_gated() {
    for version in ["1", "2"] {
        let ran = acp(&["call", "session/list", "{}", "--protocol", version]);
        assert_eq!(ran.code, Some(0), "v{version}: {}", ran.stderr);
        let result: Value = serde_json::from_str(&ran.stdout).expect("JSON on stdout");
        assert!(result["sessions"].is_array());
    }
    // An agent with nothing beyond the baseline.
    let plain = |words: &[&str]| {
        let tail = ["--", env!("CARGO_BIN_EXE_acp"), "mock"];
        acp(&[words, &tail].concat())
    };
    insta::assert_snapshot!(
        "call-unadvertised",
        plain(&["call", "providers/list"]).all()
    );
    let unchecked = plain(&["call", "providers/list", "--unchecked"]);
    assert_eq!(unchecked.code, Some(1), "{}", unchecked.stderr);
    insta::assert_snapshot!("call-no-json", acp(&["call", "session/list", "{"]).all());
    insta::assert_snapshot!("call-no-params", acp(&["call", "session/list", "7"]).all());
    let stdin = acp_in(Path::new("."), &["call", "session/list", "-"], "{}");
    assert_eq!(stdin.code, Some(0), "{}", stdin.stderr);
}

#[test]
fn logging_in_is_asked_of_the_agent() {
    let program = env!("CARGO_BIN_EXE_acp");
    for version in ["1", "2"] {
        let demo = |words: &[&str]| {
            let mut all = words.to_vec();
            all.extend([
                "--protocol",
                version,
                "--",
                program,
                "demo-agent",
                "--login",
            ]);
            acp(&all)
        };
        let list = demo(&["auth", "list"]);
        assert!(
            list.stdout.starts_with("demo-login"),
            "v{version}: {}{}",
            list.stdout,
            list.stderr
        );
        let login = demo(&["auth", "login", "demo-login"]);
        assert_eq!(
            (login.code, login.stdout.as_str()),
            (Some(0), "logged in\n"),
            "{}",
            login.stderr
        );
        let refused = demo(&["run", "hello"]);
        assert_eq!(refused.code, Some(6), "v{version}: {}", refused.stderr);
        let run = demo(&["run", "hello", "--auth", "demo-login", "--allow", "all"]);
        assert_eq!(run.code, Some(0), "v{version}: {}", run.stderr);
    }
    let unknown = acp(&["auth", "login", "nope"]);
    assert_eq!(unknown.code, Some(2), "{}", unknown.stderr);
    assert_eq!(acp(&["auth", "login"]).code, Some(2));
}

#[test]
fn tools_and_images_are_checked_before_anything_is_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("it is written");
        path.to_string_lossy().into_owned()
    };
    let bad = write(
        "bad.json",
        br#"{"mcpServers":{"files":{"command":"npx","args":["sk-secret"]}}}"#,
    );
    let ran = acp(&["run", "hello", "--mcp-config", &bad]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("acp-tools-not-absolute"),
        "{}",
        ran.stderr
    );
    assert!(
        !ran.stderr.contains("sk-secret") && !ran.stderr.contains("npx"),
        "{}",
        ran.stderr
    );
    let text = write("note.png", b"no image");
    let ran = acp(&["run", "hello", "--image", &text]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("is no PNG"), "{}", ran.stderr);
    let good = write("dot.png", b"\x89PNG\r\n\x1a\n");
    for version in ["1", "2"] {
        let words = [
            "run",
            "hello",
            "--image",
            &good,
            "--allow",
            "all",
            "--protocol",
            version,
        ];
        let ran = acp_in(folder.path(), &words, "");
        assert_eq!(ran.code, Some(0), "v{version}: {}", ran.stderr);
    }
    // The scripted agent advertised no images: refused here, by name.
    let ran = with_agent(&["run", "hello", "--image", &good], "whole");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("promptCapabilities.image"),
        "{}",
        ran.stderr
    );
}

#[test]
fn history_behind_the_answer_is_history() {
    let run = with_agent(&["run", "hello", "--load", "s1"], "replays-late");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!run.stdout.contains("old"), "{}", run.stdout);
    let show = with_agent(&["sessions", "show", "s1"], "replays-late");
    assert_eq!(show.code, Some(0), "{}", show.stderr);
    assert_eq!(show.stdout.trim(), "> old question\n\nold answer");
}

#[test]
fn a_session_that_cannot_be_had_is_told_with_the_cause_and_with_what_can_be_done() {
    let gone = with_agent(&["run", "hello", "--load", "s1"], "loses");
    assert_eq!(gone.code, Some(4), "{}", gone.stderr);
    assert!(
        gone.stderr.contains("details: no session s1"),
        "{}",
        gone.stderr
    );
    // It does not list sessions.
    assert!(!gone.stderr.contains("hint"), "{}", gone.stderr);
    let other = with_agent(&["run", "hello", "--resume", "s1"], "whole");
    assert_eq!(other.code, Some(2), "{}", other.stderr);
    let hint = "hint: it can load a session instead: --load";
    assert!(other.stderr.contains(hint), "{}", other.stderr);
}
