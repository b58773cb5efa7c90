//! Which option a decision picks, by table.

use acp_permission::{Answer, Decision, Note, pick};
use acp_vocab::{PermissionOption, PermissionOptionKind};

/// Options from `id:kind` words.
pub(crate) fn offer(words: &str) -> Vec<PermissionOption> {
    words
        .split_whitespace()
        .map(|word| {
            let (id, kind) = word.split_once(':').unwrap();
            PermissionOption::new(
                id,
                format!("Name of {id}"),
                PermissionOptionKind::from(kind),
            )
        })
        .collect()
}

pub(crate) fn shown(answer: &Answer) -> String {
    let outcome = answer.option_id().map_or("cancelled", |id| id.as_str());
    answer.note.map_or_else(
        || outcome.to_owned(),
        |note| format!("{outcome} ({})", note.as_str()),
    )
}

#[track_caller]
fn check(offered: &str, decision: Decision, expected: &str) {
    assert_eq!(
        shown(&pick(&offer(offered), &decision)),
        expected,
        "{decision:?} of {offered}"
    );
}

#[test]
fn trap_09_quirk_20_by_kind_whatever_the_order_and_the_ids() {
    let gemini = "proceed_always:allow_always proceed_once:allow_once cancel:reject_once";
    check(gemini, Decision::AllowOnce, "proceed_once");
    check(gemini, Decision::AllowAlways, "proceed_always");
    check(gemini, Decision::Deny, "cancel");
    check(gemini, Decision::Cancel, "cancelled");
    check(
        "reject:allow_once allow:reject_once",
        Decision::AllowOnce,
        "reject",
    );
    check(
        "reject:allow_once allow:reject_once",
        Decision::Deny,
        "allow",
    );
}

#[test]
fn nothing_wider_than_decided() {
    check(
        "a:allow_always r:reject_once",
        Decision::AllowOnce,
        "cancelled (none_of_kind)",
    );
    check(
        "a:allow_once r:reject_once",
        Decision::AllowAlways,
        "cancelled (none_of_kind)",
    );
    check(
        "a:allow_always b:allow_always c:allow_once",
        Decision::AllowAlways,
        "cancelled (several_always)",
    );
    check(
        "a:allow_forever",
        Decision::AllowOnce,
        "cancelled (none_of_kind)",
    );
    check(
        "a:allow_forever",
        Decision::AllowAlways,
        "cancelled (none_of_kind)",
    );
}

#[test]
fn for_always_only_where_once_is_not_offered_and_it_was_asked_for() {
    check(
        "A:allow_always a:allow_once",
        Decision::AllowOnceOrAlways,
        "a",
    );
    check(
        "A:allow_always r:reject_once",
        Decision::AllowOnceOrAlways,
        "A",
    );
    check(
        "A:allow_always B:allow_always r:reject_once",
        Decision::AllowOnceOrAlways,
        "cancelled (several_always)",
    );
    check(
        "r:reject_once",
        Decision::AllowOnceOrAlways,
        "cancelled (none_of_kind)",
    );
}

#[test]
fn field_12_refusing_goes_down_to_cancelled() {
    check(
        "a:allow_once n:reject_always r:reject_once",
        Decision::Deny,
        "r",
    );
    check(
        "a:allow_once n:reject_always",
        Decision::Deny,
        "n (refused_always)",
    );
    check(
        "a:allow_once x:deny_softly",
        Decision::Deny,
        "cancelled (nothing_refuses)",
    );
    check("n:reject_always r:reject_once", Decision::DenyAlways, "n");
    check("r:reject_once", Decision::DenyAlways, "r (refused_once)");
    check(
        "n:reject_always m:reject_always r:reject_once",
        Decision::DenyAlways,
        "r (refused_once)",
    );
    check(
        "a:allow_once",
        Decision::DenyAlways,
        "cancelled (nothing_refuses)",
    );
}

#[test]
fn quirk_22_a_person_may_choose_what_was_offered_and_is_understood() {
    let exit_plan =
        "bypass:allow_always edits:allow_always manual:allow_once plan:reject_once odd:maybe";
    check(exit_plan, Decision::Select("edits".into()), "edits");
    check(
        exit_plan,
        Decision::Select("nope".into()),
        "cancelled (not_offered)",
    );
    check(
        exit_plan,
        Decision::Select("odd".into()),
        "cancelled (unknown_kind)",
    );
}

#[test]
fn trap_52_nobody_decided_and_nothing_offered_are_cancelled() {
    check("a:allow_once", Decision::Ask, "cancelled (undecided)");
    check("a:allow_once", Decision::Defer, "cancelled (undecided)");
    for decision in [
        Decision::AllowOnce,
        Decision::AllowAlways,
        Decision::Deny,
        Decision::Cancel,
        Decision::Select("a".into()),
    ] {
        check("", decision, "cancelled (no_options)");
    }
}

#[test]
fn an_id_that_names_two_options_names_none() {
    check(
        "x:allow_once x:reject_once",
        Decision::AllowOnce,
        "cancelled (shared_id)",
    );
    check(
        "x:allow_always x:reject_once",
        Decision::Deny,
        "cancelled (shared_id)",
    );
    check(
        "x:allow_once x:reject_once y:allow_once",
        Decision::Select("x".into()),
        "cancelled (shared_id)",
    );
}

#[test]
fn only_the_allowing_kinds_approve() {
    let offered = offer("a:allow_once A:allow_always r:reject_once R:reject_always");
    let approves = |id: &str| pick(&offered, &Decision::Select(id.into())).approves();
    assert!(approves("a") && approves("A") && !approves("r") && !approves("R"));
    assert!(!pick(&offered, &Decision::Cancel).approves());
    assert_eq!(Note::NoOptions.to_string(), "the agent offered no option");
}

/// Answers to a question, say, all of kind `allow_once`: none of them is simply "yes".
#[test]
fn of_several_that_allow_once_none_is_guessed() {
    let several = "a:allow_once b:allow_once r:reject_once";
    check(several, Decision::AllowOnce, "cancelled (several_once)");
    check(
        several,
        Decision::AllowOnceOrAlways,
        "cancelled (several_once)",
    );
    check(several, Decision::Select("b".into()), "b");
    check(several, Decision::Deny, "r");
}
