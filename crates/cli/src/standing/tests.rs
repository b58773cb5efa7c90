//! Files of rules: what is read, what is refused, and which list comes first.

use std::path::Path;

use acp_harness::permission::{Decision, Kind, Policy as _, Request, Rules};

use super::{Filed, Standing};

#[track_caller]
fn refused(text: &str, is_json: bool, why: &str) {
    let message = Filed::parse(text, is_json, Path::new("/w")).expect_err(text);
    assert_eq!(message, why);
    assert!(!message.contains("hunter2"), "{message}");
}

#[test]
fn a_mistake_is_named_with_its_line_and_no_value_is_quoted() {
    refused(
        "version = 1\nversoin = 2\n",
        false,
        "line 2: unknown field `versoin`, expected one of `version`, `otherwise`, `root`, `trust_titles`, `rules`",
    );
    refused(
        "\nversion = \"hunter2\"\n",
        false,
        "line 2: invalid type, expected u32",
    );
    refused(
        "{\"version\":\n\"hunter2\"}",
        true,
        "line 2: invalid type, expected u32",
    );
    refused(
        "{\"version\":2}",
        true,
        "rules of version 2 are not known here; this program reads version 1",
    );
    refused(
        "version = 1\n[[rules]]\nallow = \"read\"\n[[rules]]\nallow = \"a\"\ndeny = \"b\"\n",
        false,
        "rule 2 must hold exactly one of allow, deny and ask; it holds 2",
    );
}

#[track_caller]
fn decides(typed: Rules, request: &Request, decision: &Decision, by: &str, why: &str) {
    let file = "version = 1\n[[rules]]\nallow = [\"edit:src/**\", \"read\"]\n[[rules]]\ndeny = \"delete\"\n";
    let file = Filed::parse(file, false, Path::new("/w")).expect("it is fine");
    let verdict = Standing::new(typed, Some(file), Decision::Cancel).decide(request);
    assert_eq!(
        (&verdict.decision, &*verdict.by, &*verdict.why),
        (decision, by, why)
    );
}

#[test]
fn what_was_typed_comes_before_the_file_and_the_default_comes_last() {
    let of = |kind: Kind| Request::new("s", vec![]).of_kind(kind);
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
