//! `acp run` against agents that behave, and agents that do not.

use std::path::Path;

use crate::program::{acp, acp_in, agents, command, with_agent};

/// Everything that is printed, as a snapshot.
#[track_caller]
fn check(name: &str, flags: &[&str], mode: &str) {
    insta::assert_snapshot!(
        name,
        with_agent(&[&["run", "hello"], flags].concat(), mode).all()
    );
}

#[test]
fn a_whole_turn() {
    check("whole-allowed", &["--allow", "edit"], "whole");
    check("whole-denied", &["--deny", "edit"], "whole");
    check(
        "whole-denied-ok",
        &["--deny", "edit", "--denied-ok"],
        "whole",
    );
    check("whole-quiet", &["--allow", "edit", "-q"], "whole");
    check("whole-verbose", &["--allow", "edit", "-v"], "whole");
}

#[test]
fn the_answer_alone_is_on_stdout() {
    let ran = with_agent(&["run", "hello", "-q"], "plain");
    assert_eq!(ran.all(), "exit 0\n--- stdout\nhello\n--- stderr\n");
}

/// What is printed around it changes nothing about the answer.
#[test]
fn the_answer_is_the_same_however_much_is_said() {
    let answer =
        |flag: &str| with_agent(&["run", "hello", "--allow", "edit", flag], "whole").stdout;
    assert_eq!(answer("-q"), "I would like to write.\n\nwritten\n");
    assert_eq!(answer("-v"), answer("-q"));
    assert_eq!(answer("-vv"), answer("-q"));
}

#[test]
fn the_wire_on_stderr() {
    let ran = with_agent(&["run", "hello", "-vv"], "noisy");
    let shown = |start: &str, part: &str| {
        ran.stderr
            .lines()
            .any(|line| line.starts_with(start) && line.contains(part))
    };
    assert!(
        shown("→ {", r#""method":"session/prompt""#),
        "{}",
        ran.stderr
    );
    assert!(shown("← {", r#""stopReason":"end_turn""#), "{}", ran.stderr);
    assert!(shown("? not JSON (8 bytes)", "a banner"), "{}", ran.stderr);
    assert!(!ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
}

#[test]
fn nobody_there_to_decide() {
    check("nobody", &[], "asks");
    check("nobody-cancelled", &[], "asks-cancelled");
    check("nobody-asked", &["--ask"], "asks");
    check("another-kind", &["--allow", "read"], "asks");
}

#[test]
fn a_rule_may_be_narrower_than_a_kind() {
    check("path-rule", &["--allow", "edit:notes.txt"], "whole");
    check("other-path-rule", &["--allow", "edit:src/**"], "whole");
}

#[test]
fn login_and_mode() {
    check("needs-login", &[], "needs-auth");
    check("login", &["--auth", "key"], "needs-auth");
    check("no-such-login", &["--auth", "carrier-pigeon"], "needs-auth");
    check("mode", &["--mode", "ask", "-v"], "plain");
    check("no-such-mode", &["--mode", "yolo"], "plain");
}

#[test]
fn text_of_an_agent_is_never_executed_on_stderr() {
    check("escapes-in-an-error", &[], "errors");
    let ran = with_agent(&["run", "hello"], "escapes");
    // A pipe gets what the agent said; what is told to a person around it is safe.
    assert!(ran.stdout.contains('\u{1b}'));
    assert!(!ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
}

#[test]
fn agents_that_misbehave() {
    for mode in [
        "crash",
        "gibberish",
        "version-string",
        "version-99",
        "refuses-initialize",
        "expired-initialize",
        "outdated",
        "expired",
        "dies-initialize",
        "noisy",
        "refuses",
        "max-tokens",
        "max-requests",
        "cancels",
        "odd-stop",
        "dies",
        "killed",
        "malformed",
        "no-stop",
        "unknown-update",
    ] {
        check(mode, &[], mode);
    }
}

#[test]
fn bounds() {
    check("silent", &["--idle-timeout", "200ms"], "silent");
    check(
        "silent-session",
        &["--idle-timeout", "200ms"],
        "silent-session",
    );
    check(
        "silent-prompt",
        &["--idle-timeout", "200ms"],
        "silent-prompt",
    );
    let ran = with_agent(&["run", "hello", "--timeout", "600ms", "-q"], "streams");
    assert_eq!(ran.code, Some(3));
    assert!(
        ran.stderr
            .contains("timeout after 0.6s in all in session/prompt (id 2)"),
        "{}",
        ran.stderr
    );
}

/// The number at the end, for each way in which a run can end.
#[test]
fn exit_codes() {
    for (mode, flags, code) in [
        ("plain", &[][..], 0),
        ("errors", &[], 1),
        ("cancels", &[], 1),
        ("odd-stop", &[], 1),
        ("plain", &["--idle-timeout", "soon"], 2),
        ("plain", &["--allow", "everything"], 2),
        ("plain", &["--mode", "yolo"], 2),
        ("plain", &["--cwd", "/no/such/directory"], 2),
        ("silent", &["--idle-timeout", "100ms"], 3),
        ("asks", &[], 5),
        ("asks", &["--denied-ok"], 0),
        ("asks", &["--deny", "edit"], 5),
        ("asks", &["--deny", "edit", "--denied-ok"], 0),
        ("asks", &["--allow", "any"], 0),
        ("asks", &["--allow", "all"], 0),
        ("asks", &["--allow", "all", "--deny", "edit"], 5),
        ("needs-auth", &[], 6),
        ("crash", &[], 7),
        ("dies", &[], 7),
        ("version-99", &[], 8),
        ("malformed", &[], 8),
        ("refuses", &[], 9),
        ("max-tokens", &[], 10),
        ("max-requests", &[], 10),
    ] {
        let ran = with_agent(&[&["run", "hello"], flags].concat(), mode);
        assert_eq!(ran.code, Some(code), "{mode} {flags:?}: {}", ran.stderr);
    }
}

#[test]
fn an_agent_that_is_not_there() {
    let ran = acp(&["run", "hello", "--", "no-such-agent-at-all"]);
    assert_eq!(ran.code, Some(7));
    assert!(
        ran.stderr
            .starts_with("✗ no-such-agent-at-all was not found: it is in none of the"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_well_known_agent_that_is_not_there_is_told_with_how_to_install_it() {
    for words in [["-a", "claude"], ["--", "claude-agent-acp"]] {
        let mut acp = command();
        acp.args(["run", "hello", words[0], words[1]]);
        let output = acp.env("PATH", "/nonexistent").output().expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let hint = "hint: it is installed so: npm install -g @agentclientprotocol/claude-agent-acp";
        assert_eq!(output.status.code(), Some(7), "{stderr}");
        assert!(stderr.contains(hint), "{stderr}");
    }
}

#[test]
fn words_reach_the_agent_as_they_are() {
    let dir = tempfile::tempdir().expect("a directory");
    let script = "printf '%s|' \"$@\" > argv; exit 0";
    acp_in(
        dir.path(),
        &[
            "run",
            "hello",
            "--",
            "sh",
            "-c",
            script,
            "sh",
            "two words",
            "$HOME",
            "*",
            "",
            "-v",
            "--json",
        ],
        "",
    );
    assert_eq!(
        std::fs::read_to_string(dir.path().join("argv")).expect("written"),
        "two words|$HOME|*||-v|--json|"
    );
}

#[test]
fn where_a_prompt_comes_from() {
    let dir = tempfile::tempdir().expect("a directory");
    let record = dir.path().join("wire.jsonl");
    let record = record.to_str().expect("UTF-8");
    std::fs::write(dir.path().join("prompt.md"), "from a file\n").expect("written");
    let sent = |word: &str, stdin: &str| {
        let ran = acp_in(
            &agents(),
            &[
                "run", word, "-q", "--record", record, "--", "sh", "agent.sh", "plain",
            ],
            stdin,
        );
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        std::fs::read_to_string(record).expect("a recording")
    };
    assert!(sent("typed", "").contains(r#"\"text\":\"typed\""#));
    assert!(sent("-", "from stdin").contains(r#"\"text\":\"from stdin\""#));
    let file = format!("@{}", dir.path().join("prompt.md").display());
    assert!(sent(&file, "").contains(r#"\"text\":\"from a file\\n\""#));
    for (word, stdin) in [("-", ""), ("", ""), ("  ", ""), ("@/no/such/file", "")] {
        let ran = acp_in(Path::new("."), &["run", word, "--", "true"], stdin);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(2), ""),
            "{word:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn the_answer_in_a_file() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("answer.txt");
    let ran = with_agent(
        &["run", "hello", "-q", "-o", file.to_str().expect("UTF-8")],
        "plain",
    );
    assert_eq!(ran.all(), "exit 0\n--- stdout\n--- stderr\n");
    assert_eq!(std::fs::read_to_string(file).expect("written"), "hello\n");
    let ran = with_agent(
        &["run", "hello", "-o", "/no/such/directory/answer"],
        "plain",
    );
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

#[test]
fn colours_only_where_they_are_wanted() {
    let coloured = |flags: &[&str]| {
        with_agent(&[&["run", "hello"], flags].concat(), "plain")
            .stderr
            .contains("\u{1b}[")
    };
    assert!(!coloured(&[]));
    assert!(coloured(&["--color", "always"]));
    assert!(!coloured(&["--color", "never"]));
    let forced = |name: &str| {
        let output = command()
            .args(["run", "hello", "--", "sh", "agent.sh", "plain"])
            .env(name, "1")
            .current_dir(agents())
            .output()
            .expect("it runs");
        output.stderr.contains(&0x1b)
    };
    assert!(forced("CLICOLOR_FORCE"));
    assert!(!forced("NO_COLOR"));
}
