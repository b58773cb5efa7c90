//! What is shown before a person decides, and how the typed line is read.

use acp_harness::{
    permission::{Command, Decision, Kind, Request},
    vocab::{PermissionOption, PermissionOptionId, PermissionOptionKind},
};

use super::{decision, question};

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
    insta::assert_snapshot!(question(&request()));
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
