//! Which list comes first.

use acp_harness::permission::{Decision, Kind, Policy as _, Request, Rules};

use super::Standing;
use crate::filed::Filed;

#[track_caller]
fn decides(typed: Rules, request: &Request, decision: &Decision, by: &str, why: &str) {
    let file = "version = 1\n[[rules]]\nallow = [\"edit:src/**\", \"read\"]\n[[rules]]\ndeny = \"delete\"\n";
    let file = Filed::parse(file, false).expect("it is fine");
    let verdict = Standing::new(typed, Some(file), Decision::Cancel).decide(request);
    assert_eq!(
        (&verdict.decision, &*verdict.by, &*verdict.why),
        (decision, by, why)
    );
}

#[test]
fn what_was_typed_comes_before_the_file_and_the_default_comes_last() {
    let of = |kind: Kind| Request::new("s", vec![]).in_directory("/w").of_kind(kind);
    let edit = of(Kind::Edit).with_path("/w/src/a.rs");
    decides(
        Rules::new(),
        &edit,
        &Decision::AllowOnce,
        "rules file",
        "rule 1: allow edit:src/**",
    );
    decides(
        Rules::new().deny(Kind::Edit),
        &edit,
        &Decision::Deny,
        "rules",
        "rule 1: deny edit",
    );
    decides(
        Rules::new().allow(Kind::Delete),
        &of(Kind::Delete),
        &Decision::AllowOnce,
        "rules",
        "rule 1: allow delete",
    );
    decides(
        Rules::new(),
        &of(Kind::Fetch),
        &Decision::Cancel,
        "rules file",
        "no rule matches",
    );
}
