//! What somebody sees who has just cloned the project: no agent, no key, no network.

use crate::{
    program::{Ran, acp_in},
    records::records,
};

/// Runs it in an empty directory.
fn fresh(args: &[&str]) -> Ran {
    let dir = tempfile::tempdir().expect("a directory");
    acp_in(dir.path(), args, "")
}

#[test]
fn the_command_of_the_readme() {
    insta::assert_snapshot!(fresh(&["run", "say hello", "--allow", "edit"]).all());
}

#[test]
fn without_a_policy_nobody_decides_and_a_hint_says_what_to_do() {
    insta::assert_snapshot!(fresh(&["run", "say hello"]).all());
}

#[test]
fn the_answer_to_a_permission_changes_what_happens() {
    let allowed = fresh(&["run", "say hello", "--allow", "edit", "-q"]);
    let denied = fresh(&["run", "say hello", "--deny", "edit", "-q"]);
    assert_eq!((allowed.code, denied.code), (Some(0), Some(5)));
    assert_ne!(allowed.stdout, denied.stdout);
    assert_eq!(
        fresh(&["run", "say hello", "--deny", "edit", "--denied-ok", "-q"]).code,
        Some(0)
    );
}

/// Everything that a turn can have is in it once.
#[test]
fn a_whole_turn_in_records() {
    let records = records(&fresh(&["run", "say hello", "--allow", "edit", "--json"]));
    for kind in [
        "agent",
        "session",
        "thought",
        "plan",
        "tool",
        "permission",
        "agent_text",
        "usage",
        "result",
    ] {
        assert!(
            records.iter().any(|record| record["type"] == kind),
            "{kind}"
        );
    }
    let diffs = records
        .iter()
        .filter_map(|record| record["diffs"].as_array());
    assert!(diffs.flatten().any(|diff| diff["added"].as_u64() > Some(0)));
}

#[test]
fn two_runs_are_the_same() {
    let run = || fresh(&["run", "say hello", "--allow", "edit"]).all();
    assert_eq!(run(), run());
}

#[test]
fn probing_the_demo_agent() {
    let ran = fresh(&["probe"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout
            .contains("ends on           its input closed, exit status 0"),
        "{}",
        ran.stdout
    );
}
