//! Rules in a file, and decisions in a log.

use std::fs;

use serde_json::Value;

use crate::program::{Ran, acp_in, agents, with_agent};

/// Runs a turn that asks to edit notes.txt, with a file of rules.
fn ruled(name: &str, text: &str, flags: &[&str]) -> Ran {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join(name);
    fs::write(&file, text).expect("written");
    let file = file.to_str().expect("UTF-8");
    with_agent(
        &[&["run", "hello", "--rules", file], flags].concat(),
        "whole",
    )
}

#[test]
fn a_file_decides_what_the_flags_leave_open() {
    let allows = "version = 1\n[[rules]]\nallow = \"edit:notes.txt\"\n";
    let denies = r#"{"version":1,"rules":[{"deny":["edit"]}]}"#;
    for (name, text, flags, code) in [
        ("r.toml", allows, &[][..], 0),
        ("r.toml", allows, &["--deny", "edit"], 5),
        ("r.toml", allows, &["--deny", "execute"], 0),
        ("r.json", denies, &[], 5),
        ("r.JSON", denies, &["--allow", "edit"], 0),
        ("r.toml", "version = 1\n", &[], 5),
        ("r.toml", "version = 1\notherwise = \"allow\"\n", &[], 0),
        (
            "r.toml",
            "version = 1\notherwise = \"allow\"\n",
            &["--ask"],
            5,
        ),
    ] {
        let ran = ruled(name, text, flags);
        assert_eq!(ran.code, Some(code), "{text} {flags:?}: {}", ran.stderr);
    }
    let ran = ruled("r.toml", allows, &[]);
    assert!(
        ran.stderr
            .contains("allowed by rules file (rule 1: allow edit:notes.txt)"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_file_that_cannot_be_used_starts_no_agent_and_is_not_quoted() {
    let long = format!("version = 1\n#{}", "x".repeat(64 << 10));
    for (name, text, why) in [
        ("r.toml", "version = 1\n\n[[rules\n", "line 3: "),
        (
            "r.toml",
            "version = \"hunter2\"\n",
            "line 1: invalid type, expected u32",
        ),
        ("r.json", "version = 1\n", "line 1: "),
        ("r.toml", &long, "more than 64 KiB"),
    ] {
        let ran = ruled(name, text, &[]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
        assert!(ran.stderr.contains(name), "{}", ran.stderr);
        assert!(ran.stderr.contains(why), "{why}: {}", ran.stderr);
        assert!(!ran.stderr.contains("hunter2"), "{}", ran.stderr);
    }
    let ran = with_agent(&["run", "hello", "--rules", "/no/such/file"], "whole");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

#[test]
fn every_decision_is_appended_to_the_log() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("audit.jsonl");
    let audit = path.to_str().expect("UTF-8");
    for flags in [&["--allow", "edit"][..], &["--deny", "edit"], &[]] {
        with_agent(
            &[&["run", "hello", "--audit", audit], flags].concat(),
            "whole",
        );
    }
    let lines: Vec<Value> = fs::read_to_string(&path)
        .expect("a log")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let found: Vec<_> = lines
        .iter()
        .map(|line| {
            assert_eq!((&line["v"], &line["session"]), (&1.into(), &"s1".into()));
            let word = |name: &str| line[name].as_str().unwrap_or_default();
            (word("decision"), word("by"), word("outcome"))
        })
        .collect();
    assert_eq!(
        found,
        [
            ("allow_once", "rules", "selected"),
            ("deny", "rules", "selected"),
            ("cancel", "nobody", "cancelled"),
        ]
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(&path).expect("a log").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let ran = with_agent(&["run", "hello", "--audit", "/no/such/dir/a"], "whole");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

/// A rule that is typed in the chat comes before the file from then on.
#[test]
fn a_chat_decides_by_a_file_and_writes_it_down() {
    let dir = tempfile::tempdir().expect("a directory");
    let (rules, audit) = (dir.path().join("r.toml"), dir.path().join("audit.jsonl"));
    fs::write(&rules, "version = 1\n[[rules]]\nallow = \"edit\"\n").expect("written");
    let words = [
        "chat",
        "--rules",
        rules.to_str().expect("UTF-8"),
        "--audit",
        audit.to_str().expect("UTF-8"),
        "--",
        "sh",
        "agent.sh",
        "whole",
    ];
    let ran = acp_in(&agents(), &words, "one\n/deny edit\ntwo\n");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let log = fs::read_to_string(audit).expect("a log");
    let found: Vec<_> = log
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).expect("JSON");
            (line["decision"].clone(), line["by"].clone())
        })
        .collect();
    assert_eq!(
        found,
        [
            ("allow_once".into(), "rules file".into()),
            ("deny".into(), "rules".into())
        ]
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_with_a_hole_does_not_look_like_success() {
    let ran = with_agent(
        &["run", "hello", "--allow", "edit", "--audit", "/dev/full"],
        "whole",
    );
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("--audit cannot be written"),
        "{}",
        ran.stderr
    );
}

/// The mock asks to edit `notes.txt`; here that is a link which leads out of the directory.
#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out_of_what_is_allowed() {
    let dir = tempfile::tempdir().expect("a directory");
    let (inside, outside) = (dir.path().join("in"), dir.path().join("out"));
    for folder in [&inside, &outside] {
        fs::create_dir(folder).expect("made");
    }
    let program = env!("CARGO_BIN_EXE_acp");
    let words = |flag: &'static str, rule: &'static str| {
        let words = [
            "run", "hello", flag, rule, "--", program, "mock", "--mode", "asks",
        ];
        acp_in(&inside, &words, "")
    };
    assert_eq!(words("--allow", "edit:**").code, Some(0), "a file to be");
    std::os::unix::fs::symlink("../out/secret", inside.join("notes.txt")).expect("linked");
    let ran = words("--allow", "edit:**");
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("rule 1: allow edit:** does not cover"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        words("--allow", "edit:notes.txt").code,
        Some(0),
        "whoever names it means it"
    );
    let denied = words("--deny", "path:../out");
    assert!(
        denied.stderr.contains("denied by rules"),
        "{}",
        denied.stderr
    );
}
