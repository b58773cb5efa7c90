//! `acp chat` on a terminal: a person types, also while the agent works.

#![cfg(target_os = "linux")]

use crate::terminal::{Seen, screen_of};

/// Chats with the demo agent in a directory of its own.
#[track_caller]
fn chat(flags: &str, typed: &[(&str, &str)]) -> Seen {
    let folder = tempfile::tempdir().expect("a folder");
    screen_of(&format!("chat --color never {flags}"), folder.path(), typed)
}

/// In the order in which they stand on the screen.
#[track_caller]
fn shows(seen: &Seen, parts: &[&str]) {
    let mut rest = seen.screen.as_str();
    for part in parts {
        assert!(
            rest.contains(part),
            "{part:?} is not where it should be: {}",
            seen.screen
        );
        rest = rest.split_once(part).map_or("", |(_, behind)| behind);
    }
}

#[test]
fn a_turn_is_cancelled_by_a_word_and_the_chat_goes_on() {
    for version in ["1", "2"] {
        let seen = chat(
            &format!("--protocol {version}"),
            &[
                ("› ", "//long 400\n"),
                ("3 ", "are you there?\n"),
                ("the agent is working", "/cancel\n"),
                ("✗ cancelled", "/effort high\n"),
                ("effort high", "/quit\n"),
            ],
        );
        assert_eq!(seen.code, Some(0), "v{version}: {}", seen.screen);
        shows(
            &seen,
            &[
                "the agent is working; /cancel or Ctrl-C stops it",
                "cancelling the turn",
                "✗ cancelled",
                "in force: model demo-small · effort high",
            ],
        );
    }
}

#[test]
fn an_interrupt_cancels_the_turn_and_a_second_one_leaves() {
    let seen = chat(
        "",
        &[
            ("› ", "//long 400\n"),
            ("3 ", "\u{3}"),
            ("✗ cancelled", "\u{3}"),
        ],
    );
    assert_eq!(seen.code, Some(130), "{}", seen.screen);
    shows(&seen, &["cancelling the turn", "✗ cancelled"]);
}

#[test]
fn a_rule_that_is_added_decides_from_then_on() {
    let seen = chat(
        "",
        &[
            ("› ", "note this\n"),
            ("c (cancel the request): ", "n\n"),
            ("✓ end_turn", "/allow edit\n"),
            ("asked about: the rest", "note that\n"),
            ("✓ end_turn", "\u{4}"),
        ],
    );
    assert_eq!(seen.code, Some(0), "{}", seen.screen);
    shows(
        &seen,
        &[
            "denied by person",
            "allowed: edit; rejected: nothing",
            "allowed by rules (rule 1: allow edit)",
        ],
    );
}
