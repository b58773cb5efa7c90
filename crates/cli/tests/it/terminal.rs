//! The program on a terminal: a person is asked, and nothing that an agent says is executed.
//!
//! `script` (util-linux) makes the terminal.

#![cfg(target_os = "linux")]

use std::{
    io::{Read as _, Write as _},
    path::Path,
    process::Stdio,
};

use crate::program::agents;

/// What a person sees, and how it ended.
pub(crate) struct Seen {
    pub(crate) screen: String,
    pub(crate) code: Option<i32>,
}

/// Runs a prompt on a terminal; types each text as soon as the screen shows what it waits for.
#[track_caller]
fn on_terminal(flags: &str, mode: &str, typed: &[(&str, &str)]) -> Seen {
    let line = format!("run hello {flags} --color never -- sh agent.sh {mode}");
    screen_of(&line, &agents(), typed)
}

/// Runs these words on a terminal, in this directory.
#[track_caller]
pub(crate) fn screen_of(words: &str, dir: &Path, typed: &[(&str, &str)]) -> Seen {
    let line = format!("{} {words}", env!("CARGO_BIN_EXE_acp"));
    let mut child = std::process::Command::new("script")
        .args(["-qefc", &line, "/dev/null"])
        .env("ACP_TEST_CLOCK", "1")
        .env("TERM", "xterm")
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script starts");
    let mut keyboard = child.stdin.take().expect("a pipe");
    let mut out = child.stdout.take().expect("a pipe");
    let mut seen = Vec::new();
    let mut bytes = [0; 4_096];
    let mut from = 0;
    let mut typed = typed.iter();
    let mut next = typed.next();
    loop {
        let shown = String::from_utf8_lossy(seen.get(from..).unwrap_or_default()).into_owned();
        if let Some((wait_for, text)) = next
            && shown.contains(wait_for)
        {
            from = seen.len();
            keyboard.write_all(text.as_bytes()).expect("typed");
            next = typed.next();
        }
        match out.read(&mut bytes).expect("readable") {
            0 => break,
            count => seen.extend_from_slice(bytes.get(..count).expect("in range")),
        }
    }
    drop(keyboard);
    let code = child.wait().expect("it ends").code();
    Seen {
        screen: String::from_utf8_lossy(&seen).replace("\r\n", "\n"),
        code,
    }
}

const QUESTION: &str = "(cancel the request): ";

#[test]
fn a_person_allows() {
    let seen = on_terminal("", "whole", &[(QUESTION, "2\n")]);
    assert_eq!(seen.code, Some(0), "{}", seen.screen);
    assert!(
        seen.screen
            .contains("allowed by person (chosen when asked)"),
        "{}",
        seen.screen
    );
    assert!(
        seen.screen
            .contains("I would like to write.\n? edit  Write notes.txt\n"),
        "{}",
        seen.screen
    );
    assert!(seen.screen.contains("\nwritten\n"), "{}", seen.screen);
}

#[test]
fn a_person_refuses_after_thinking_aloud() {
    let seen = on_terminal(
        "",
        "asks",
        &[(QUESTION, "hm\n"), ("that is no answer: ", "n\n")],
    );
    assert_eq!(seen.code, Some(5), "{}", seen.screen);
    assert!(seen.screen.contains("denied by person"), "{}", seen.screen);
}

#[test]
fn rules_come_before_the_person() {
    let seen = on_terminal("--ask --allow edit", "asks", &[]);
    assert_eq!(seen.code, Some(0), "{}", seen.screen);
    assert!(
        seen.screen
            .contains("allowed by rules (rule 1: allow edit)"),
        "{}",
        seen.screen
    );
    let seen = on_terminal("--ask --allow read", "asks", &[(QUESTION, "y\n")]);
    assert_eq!(seen.code, Some(0), "{}", seen.screen);
    assert!(seen.screen.contains("allowed by person"), "{}", seen.screen);
}

/// Whoever names rules and does not ask to be asked is not asked.
#[test]
fn a_policy_without_ask_asks_nobody() {
    let seen = on_terminal("--allow read", "asks", &[]);
    assert_eq!(seen.code, Some(5), "{}", seen.screen);
    assert!(
        seen.screen.contains("cancelled by rules (no rule matches)"),
        "{}",
        seen.screen
    );
}

#[test]
fn an_interrupt_takes_the_question_away() {
    let seen = on_terminal("", "asks", &[(QUESTION, "\u{3}")]);
    assert_eq!(seen.code, Some(130), "{}", seen.screen);
    assert!(
        seen.screen
            .contains("the question is over: its turn was cancelled"),
        "{}",
        seen.screen
    );
}

#[test]
fn nothing_that_an_agent_says_is_executed() {
    for mode in ["escapes", "errors", "whole"] {
        let seen = on_terminal("--allow edit", mode, &[]);
        assert!(
            !seen
                .screen
                .contains(['\u{1b}', '\u{9b}', '\u{202e}', '\u{7}']),
            "{}",
            seen.screen
        );
    }
}

/// A person answers a form of the agent, field by field; what does not fit is asked again.
#[test]
fn a_person_answers_a_form() {
    let dir = tempfile::tempdir().expect("a directory");
    let (asks, answers) = (dir.path().join("asks"), dir.path().join("answers"));
    let form = r#"{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{"sessionId":"s1","mode":"form","message":"Who\u001b[2J?","requestedSchema":{"type":"object","properties":{"age":{"type":"integer"},"name":{"type":"string"}},"required":["name"]}}}"#;
    std::fs::write(&asks, format!("{form}\n")).expect("written");
    let flags = format!(
        "--elicit ask --env ACP_TEST_ASKS={} --env ACP_TEST_ANSWERS={}",
        asks.display(),
        answers.display()
    );
    let typed = [
        ("age (an integer), may be empty: ", "old\n"),
        ("age (an integer), may be empty: ", "36\n"),
        ("name: ", "Ada\n"),
        ("c (cancel): ", "y\n"),
    ];
    let seen = on_terminal(&flags, "requests", &typed);
    assert_eq!(seen.code, Some(0), "{}", seen.screen);
    assert!(!seen.screen.contains('\u{1b}'), "{}", seen.screen);
    let answer = std::fs::read_to_string(&answers).expect("answered");
    assert!(
        answer.contains(r#""result":{"action":"accept","content":{"age":36,"name":"Ada"}}"#),
        "{answer}"
    );
}
