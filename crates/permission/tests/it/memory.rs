//! What counts as the same.

use acp_permission::{Command, Decision, Kind, MAX_REMEMBERED, Memory, Request};
use acp_vocab::PermissionOptionKind;
use serde_json::value::RawValue;

fn ask() -> Request {
    Request::new("s", vec![])
        .in_directory("/ws")
        .titled("the same title")
        .of_kind(Kind::Edit)
}

fn with(input: &str) -> Request {
    ask()
        .of_kind(Kind::Other)
        .named("tool")
        .with_input(&RawValue::from_string(input.to_owned()).unwrap())
}

/// Whether `second` is answered by what was decided about `first`.
#[track_caller]
fn check(first: Request, second: &Request, same: bool) {
    let mut memory = Memory::new();
    memory.learn(&first, &PermissionOptionKind::AllowAlways);
    assert_eq!(
        memory.recall(second).map(|verdict| verdict.decision),
        same.then_some(Decision::AllowOnce),
        "{first:?}\n{second:?}"
    );
}

#[test]
fn the_same_command_in_the_same_directory() {
    let run = |line: &str| ask().with_command(Command::line(line));
    check(run("make"), &run("make"), true);
    check(run("make"), &run("make all"), false);
    check(run("make").run_in("/a"), &run("make").run_in("/b"), false);
    check(run("make").named("Bash"), &run("make").named("Sh"), false);
    check(run("make"), &run("make").titled("another title"), true);
    check(run("make"), &run("make").of_kind(Kind::Execute), false);
}

#[test]
fn the_same_command_with_more_in_its_input_is_another() {
    let run = |rest: &str| with(&format!(r#"{{"command":"make"{rest}}}"#));
    check(run(""), &run(r#","description":"d","timeout_ms":9"#), true);
    for more in [
        r#","env":{"LD_PRELOAD":"x.so"}"#,
        r#","with_escalated_permissions":true"#,
        r#","stdin":"y""#,
        &format!(r#","x":{}{}"#, "[".repeat(300), "]".repeat(300)),
    ] {
        check(run(""), &run(more), false);
        check(run(more), &run(more), true);
    }
}

#[test]
fn a_read_that_turns_out_to_change_is_another() {
    let read = || ask().of_kind(Kind::Read).with_path("a");
    check(read(), &read(), true);
    check(read(), &read().with_diff(), false);
    check(read(), &read().reaching_elsewhere(), false);
}

/// Where the tool has no name, its input alone does not say which tool it is.
#[test]
fn the_same_input_of_another_tool_is_another() {
    let call = |title: &str| {
        let raw = RawValue::from_string(r#"{"env":"prod"}"#.to_owned()).unwrap();
        ask().of_kind(Kind::Other).titled(title).with_input(&raw)
    };
    check(call("deploy"), &call("deploy"), true);
    check(call("deploy"), &call("drop"), false);
    check(call("deploy").named("x"), &call("drop").named("x"), true);
}

#[test]
fn the_same_paths() {
    check(ask().with_path("a"), &ask().with_path("/ws/./a"), true);
    check(
        ask().with_path("a").with_path("b"),
        &ask().with_path("b").with_path("a"),
        true,
    );
    check(
        ask().with_path("a"),
        &ask().with_path("a").with_path("b"),
        false,
    );
    check(ask().with_path("~/a"), &ask().with_path("~/a"), false);
    check(
        ask().with_path("a").of_kind(Kind::Read),
        &ask().with_path("a"),
        false,
    );
}

#[test]
fn the_very_same_input_where_neither_is_known() {
    check(
        with(r#"{"a":1,"b":[2]}"#),
        &with(r#"{ "b":[2], "a":1 }"#),
        true,
    );
    check(with(r#"{"a":1}"#), &with(r#"{"a":2}"#), false);
    check(
        with(r#"{"server":"s","tool":"t","path":"/a","x":1}"#),
        &with(r#"{"server":"s","tool":"t","path":"/a","x":2}"#),
        false,
    );
}

#[test]
fn never_by_kind_or_title_alone() {
    check(ask(), &ask(), false);
    check(with("{}"), &with("{}"), false);
}

#[test]
fn only_what_was_decided_for_always_and_both_ways() {
    let request = ask().with_path("a");
    let mut memory = Memory::new();
    for kind in ["allow_once", "reject_once", "allow_forever"] {
        assert!(
            !memory.learn(&request, &PermissionOptionKind::from(kind)),
            "{kind}"
        );
    }
    assert!(memory.is_empty());
    assert!(memory.learn(&request, &PermissionOptionKind::RejectAlways));
    assert_eq!(memory.recall(&request).unwrap().decision, Decision::Deny);
    assert!(
        memory.learn(&request, &PermissionOptionKind::AllowAlways),
        "a person may change their mind"
    );
    assert_eq!(
        (memory.recall(&request).unwrap().decision, memory.len()),
        (Decision::AllowOnce, 1)
    );
}

#[test]
fn it_stays_within_its_bounds() {
    let mut memory = Memory::new();
    for n in 0..MAX_REMEMBERED + 10 {
        memory.learn(
            &ask().with_path(&format!("f{n}")),
            &PermissionOptionKind::AllowAlways,
        );
    }
    assert_eq!(memory.len(), MAX_REMEMBERED);
    let huge = ask().with_command(Command::line(&"x".repeat(1 << 20)));
    assert!(!memory.learn(&huge, &PermissionOptionKind::AllowAlways));
    memory.forget(&"s".into());
    assert!(memory.is_empty());
}
