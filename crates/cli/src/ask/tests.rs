//! What is shown before a person decides, and how the typed line is read.

use acp_harness::{
    permission::{Command, Decision, Kind, Request},
    vocab::{PermissionOption, PermissionOptionId, PermissionOptionKind},
};

use super::{decision, question};
use crate::render::diff::Diff;

fn request() -> Request {
    let options = vec![
        PermissionOption::new(
            "proceed_always",
            "Always",
            PermissionOptionKind::AllowAlways,
        ),
        PermissionOption::new("proceed_once", "Allow", PermissionOptionKind::AllowOnce),
        PermissionOption::new("cancel", "Reject", PermissionOptionKind::RejectOnce),
    ];
    Request::new("s", options)
        .titled("Run \u{1b}[8mrm -rf /\u{1b}[0m")
        .of_kind(Kind::Execute)
        .with_command(Command::line("ls\u{202e}"))
        .with_path("src/lib.rs")
}

#[test]
fn what_is_shown_cannot_hide_anything() {
    insta::assert_snapshot!(question(&request(), &[]));
}

#[track_caller]
fn check(line: &str, expected: Option<Decision>) {
    assert_eq!(decision(&request(), line), expected, "{line:?}");
}

#[test]
fn what_is_typed() {
    let select = |id: &str| Some(Decision::Select(PermissionOptionId::from(id)));
    check("1\n", select("proceed_always"));
    check(" 3 ", select("cancel"));
    check("y", Some(Decision::AllowOnce));
    check("no", Some(Decision::Deny));
    check("c", Some(Decision::Cancel));
    for unclear in ["", "0", "4", "yes please", "allow", "-1"] {
        check(unclear, None);
    }
}

#[test]
fn what_is_not_shown_is_said() {
    let long = Request::new("s", Vec::new())
        .with_command(Command::line(&format!("ls {}; rm x", "a".repeat(3000))))
        .run_in("/work");
    let long = (0..20).fold(long, |long, n| long.with_path(&format!("f{n}")));
    let change = Diff::between("notes.txt", Some("old\n"), &"new\n".repeat(30));
    let shown = question(&long, &[change]);
    assert!(
        shown.contains("    change +30 −1  notes.txt\n    -old\n    +new\n"),
        "{shown}"
    );
    assert!(shown.contains("and 7 more lines"), "{shown}");
    assert!(shown.contains("and 1009 more characters"), "{shown}");
    assert!(shown.contains("    in     /work\n"), "{shown}");
    assert!(shown.contains("and 4 more paths"), "{shown}");
}

/// A yes that could mean two things is asked again: only a number says which.
#[test]
fn a_yes_among_several_is_no_answer() {
    let option = |id: &str| PermissionOption::new(id, id, PermissionOptionKind::AllowOnce);
    let several = Request::new("s", vec![option("a"), option("b")]);
    assert_eq!(decision(&several, "y"), None);
    assert_eq!(
        decision(&several, "2"),
        Some(Decision::Select(PermissionOptionId::from("b")))
    );
}
