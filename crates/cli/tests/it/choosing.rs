//! `acp options`, and `--model`, `--effort`, `--mode` and `--set` of `acp run`: on the demo agent, in both versions.

use std::fs;

use crate::program::{Ran, acp, acp_in};

fn in_both(words: &[&str], check: impl Fn(&Ran, &str)) {
    for version in ["1", "2"] {
        let mut all = words.to_vec();
        all.extend(["--protocol", version]);
        let ran = acp(&all);
        check(&ran, version);
    }
}

#[test]
fn what_a_session_offers_is_a_table() {
    insta::assert_snapshot!("options-list", acp(&["options", "list"]).all());
    // Only clients that say so are offered options that are on or off in v1.
    insta::assert_snapshot!(
        "options-list-v1",
        acp(&["options", "list", "--protocol", "1"]).all()
    );
}

#[test]
fn what_is_set_is_in_force_afterwards() {
    in_both(
        &["options", "set", "effort=high", "--json"],
        |ran, version| {
            assert_eq!(ran.code, Some(0), "v{version}: {}", ran.stderr);
            let record = ran
                .stdout
                .lines()
                .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a record"))
                .find(|record| record["type"] == "options")
                .expect("options");
            assert_eq!(record["data"]["current_effort"], "high", "v{version}");
        },
    );
}

#[test]
fn a_wish_that_is_not_offered_is_misuse_and_lists_the_nearest() {
    in_both(&["run", "hello", "--effort", "hgih"], |ran, version| {
        assert_eq!(ran.code, Some(2), "v{version}: {}", ran.stderr);
        assert!(ran.stderr.contains("`high`"), "v{version}: {}", ran.stderr);
        assert_eq!(ran.stdout, "");
    });
    insta::assert_snapshot!(
        "no-option",
        acp(&["run", "hello", "--set", "nosuch=1"]).all()
    );
    insta::assert_snapshot!("no-assignment", acp(&["options", "set", "effort"]).all());
}

#[test]
fn a_run_is_told_what_is_in_force() {
    in_both(
        &["run", "hello", "--effort", "high", "-v", "--allow", "all"],
        |ran, version| {
            assert_eq!(ran.code, Some(0), "v{version}: {}", ran.stderr);
            assert!(
                ran.stderr.contains("effort high"),
                "v{version}: {}",
                ran.stderr
            );
        },
    );
}

#[test]
fn a_version_that_is_none_is_misuse() {
    insta::assert_snapshot!(
        "no-protocol",
        acp(&["run", "hello", "--protocol", "3"]).all()
    );
}

#[test]
fn a_chat_goes_on_from_line_to_line() {
    for version in ["1", "2"] {
        let folder = tempfile::tempdir().expect("a folder");
        let lines = "/help\nhello\ny\n/effort high\n/effort hgih\n/set x\n/nope\n/cancel\n/allow all\nhello again\n/history\n/quit\n";
        let ran = acp_in(folder.path(), &["chat", "--protocol", version], lines);
        assert_eq!(ran.code, Some(0), "v{version}: {}", ran.stderr);
        let here = fs::canonicalize(folder.path()).expect("it is there");
        let shown = ran.all().replace(&*here.to_string_lossy(), "HERE");
        insta::assert_snapshot!(format!("chat-v{version}"), shown);
    }
}

/// A script that ends its input ends the chat.
#[test]
fn the_end_of_the_input_is_the_end_of_the_chat() {
    let ran = acp_in(std::path::Path::new("."), &["chat", "--json"], "hello\n");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let last: serde_json::Value =
        serde_json::from_str(ran.stdout.lines().last().expect("a line")).expect("a record");
    assert_eq!(
        (&last["type"], &last["outcome"]),
        (&"result".into(), &"completed".into())
    );
    let turns = ran
        .stdout
        .lines()
        .filter(|line| line.contains(r#""type":"turn""#));
    assert_eq!(turns.count(), 1, "{}", ran.stdout);
}
