//! What a rule allows, run by real shells: nothing but the allowed program may start.
//!
//! The programs are functions of the shell and nothing else is in its path, so the lines do no harm.

#![cfg(unix)]

use std::process::{Command as Process, Stdio};

use acp_permission::{Command, Decision, Kind, Policy, Request, Rules};
use proptest::{collection::vec, prelude::*, sample::select};

const PIECES: [&str; 36] = [
    "git", "git ", "evil", " evil", "\nevil\n", "; evil", " ", " ", ";", "&&", "||", "|", "&",
    "\n", "'", "\"", "\\", "#", " #", "$(", "`", ")", "(", "{ ", "}", "$'", "$", "a", "=", "<",
    ">", "<<a\n", "${", "!", "if ", "*",
];

/// Whether the shell starts `evil`, in a directory where it can do nothing.
fn starts_evil(shell: &str, line: &str) -> bool {
    let folder = tempfile::tempdir().expect("a directory");
    let script = format!("git() {{ :; }}\nevil() {{ echo EVIL; }}\n{line}");
    let ran = Process::new(shell)
        .args(["-c", &script])
        .env_clear()
        .env("PATH", folder.path())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    ran.is_ok_and(|ran| String::from_utf8_lossy(&ran.stdout).contains("EVIL"))
}

fn is_allowed(line: &str) -> bool {
    let request = Request::new("s", vec![])
        .in_directory("/ws")
        .of_kind(Kind::Execute)
        .with_command(Command::line(line));
    let rules = Rules::new().allow(Kind::Execute.command("git"));
    rules.decide(&request).decision == Decision::AllowOnce
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn an_allowed_line_starts_nothing_else(pieces in vec(select(&PIECES[..]), 1..14)) {
        let line = format!("git {}", pieces.concat());
        if is_allowed(&line) {
            for shell in ["/bin/sh", "/bin/bash"] {
                prop_assert!(!starts_evil(shell, &line), "{shell} starts it: {line:?}");
            }
        }
    }
}

#[test]
fn the_shells_are_what_they_are_taken_for() {
    assert!(starts_evil("/bin/sh", "git a; evil"));
    assert!(!starts_evil("/bin/sh", "git evil"));
    assert!(is_allowed("git evil") && !is_allowed("git a; evil"));
}
