//! `acp chat` on a terminal with colours: Markdown as it streams, plans, changes, questions and commands.

#![cfg(target_os = "linux")]

use std::fs;

use crate::terminal::{Seen, screen_of};

/// An agent that answers in Markdown, in pieces that end in the middle of things, has a plan, changes a file and asks first.
const AGENT: &str = r##"
instead."session/prompt" = [
  { say = "# Pl" },
  { say = "an\n\nI will **chan" },
  { say = "ge** `notes.txt`:\n\n- one\n- t" },
  { say = "wo\n\n```rust\nfn main() { let x = \"**not bold**\"; }\n``" },
  { say = "`\n" },
  { update = '{"sessionUpdate":"plan","entries":[{"content":"Change the notes","priority":"high","status":"in_progress"},{"content":"Look \u001b[31mback","priority":"low","status":"pending"}]}' },
  { update = '{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Write notes.txt","kind":"edit","status":"pending","content":[{"type":"diff","path":"notes.txt","oldText":"old\nkept\n","newText":"new\nkept\n"}]}' },
  { ask = '[{"optionId":"always","name":"Always","kind":"allow_always"},{"optionId":"once","name":"Once","kind":"allow_once"},{"optionId":"no","name":"No","kind":"reject_once"}]' },
  "answers",
  { update = '{"sessionUpdate":"tool_call_update","toolCallId":"t1","status":"completed"}' },
  { say = "All *done*, see [the page](https://example.org/a).\n" },
  { stop = "end_turn" },
]
"##;

/// Chats with an agent of this program.
#[track_caller]
fn chat(agent: &str, flags: &str, typed: &[(&str, &str)]) -> Seen {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("agent.toml"), AGENT).expect("written");
    let program = env!("CARGO_BIN_EXE_acp");
    let words = format!("chat --color always {flags} -- {program} mock {agent}");
    let seen = screen_of(&words, dir.path(), typed);
    Seen {
        screen: seen
            .screen
            .replace(&*dir.path().to_string_lossy(), "HERE")
            .replace('\u{1b}', "␛"),
        code: seen.code,
    }
}

#[test]
fn markdown_plans_changes_and_a_question() {
    let seen = chat(
        "--protocol 1 --script agent.toml",
        "",
        &[
            ("› ", "write it\n"),
            ("(cancel the request): ", "y\n"),
            ("› ", "/history\n"),
            ("› ", "/quit\n"),
        ],
    );
    assert_eq!(seen.code, Some(0), "{}", seen.screen);
    insta::assert_snapshot!("markdown", seen.screen);
}

#[test]
fn commands_between_the_turns_and_while_the_agent_works() {
    let seen = chat(
        "--protocol 2",
        "",
        &[
            ("› ", "/model large\n"),
            ("› ", "/mode ask\n"),
            ("› ", "/model lagre\n"),
            ("› ", "/allow edit\n"),
            ("› ", "with permission\n"),
            ("› ", "slowly\n"),
            ("One. ", "/cancel\n"),
            ("› ", "/history\n"),
            ("› ", "\u{4}"),
        ],
    );
    assert_eq!(seen.code, Some(0), "{}", seen.screen);
    insta::assert_snapshot!("commands", seen.screen);
}
