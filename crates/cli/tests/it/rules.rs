//! `acp rules`: files of rules are checked, and tried on what real agents asked.

use std::{fs, path::Path};

use serde_json::Value;

use crate::program::{Ran, acp, acp_in, command};

const RULES: &str = "\
version = 1
otherwise = \"deny\"

[[rules]]
deny = [\"path:/etc\", \"path:**/.git\"]
[[rules]]
ask = \"execute:python3\"
[[rules]]
allow = [
  \"read\",
  \"edit:**\",
  \"execute:echo hi\",
]
";

/// Runs it beside the recorded conversations, with these rules in a file.
fn tried(rules: &str, words: &[&str]) -> Ran {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("rules.toml");
    fs::write(&file, rules).expect("written");
    let file = file.to_str().expect("UTF-8");
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/transcripts");
    acp_in(
        &here,
        &[&["rules", "try", "--rules", file], words].concat(),
        "",
    )
}

fn checked(name: &str, text: &str) -> Ran {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join(name), text).expect("written");
    acp_in(dir.path(), &["rules", "check", name], "")
}

/// The recordings in which something was asked, of every agent and both versions.
fn recordings() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/transcripts");
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("fixtures")
        .map(|entry| entry.expect("an entry").file_name().into_string())
        .map(|name| name.expect("UTF-8"))
        .filter(|name| {
            ["-perm-", "-fs", "-mcp.", "-read-outside", "-two-tools"]
                .iter()
                .any(|part| name.contains(part))
        })
        .collect();
    names.sort();
    names
}

#[test]
fn what_rules_would_have_decided_about_what_real_agents_asked() {
    let names = recordings();
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let ran = tried(RULES, &words);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!("tried", ran.stdout);
}

#[test]
fn one_document_for_scripts_holds_the_same() {
    let name = "claude-0.101.0-v1-perm-allow-sh.ndjson";
    let ran = tried(RULES, &[name, "--json"]);
    let document: Value = serde_json::from_str(&ran.stdout).expect("one document");
    let row = &document["recordings"][0]["requests"][0];
    assert_eq!(document["recordings"][0]["recording"], name);
    assert_eq!(
        (&row["kind"], &row["command"], &row["decision"]),
        (
            &"execute".into(),
            &"echo hi > hi.txt".into(),
            &"deny".into()
        )
    );
    assert_eq!(
        (&row["recorded"], &row["same"], &row["approved"]),
        (&"allow_once".into(), &false.into(), &false.into())
    );
    assert_eq!(
        (&document["requests"], &document["differing"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn an_expectation_is_a_number_for_the_shell() {
    let file = "codex-2.6.0-v1-fs.ndjson";
    for (rules, flags, code) in [
        (RULES, &[][..], 0),
        (RULES, &["--expect"], 0),
        (RULES, &["--expect", "--deny", "edit"], 1),
        ("version = 1\n", &["--expect"], 1),
        ("version = 1\notherwise = \"ask\"\n", &["--expect"], 0),
    ] {
        let ran = tried(rules, &[&[file], flags].concat());
        assert_eq!(ran.code, Some(code), "{rules} {flags:?}: {}", ran.stdout);
    }
}

/// What `--record` writes is what `rules try` reads; so do bare messages on stdin.
#[test]
fn a_run_is_recorded_and_tried() {
    let dir = tempfile::tempdir().expect("a directory");
    let program = env!("CARGO_BIN_EXE_acp");
    let ran = command()
        .args(["run", "hello", "--record", "run.jsonl", "--allow", "all"])
        .args(["--", program, "mock", "--mode", "asks"])
        .current_dir(dir.path())
        .output()
        .expect("it runs");
    assert_eq!(ran.status.code(), Some(0));
    let tried = |flags: &[&str], stdin: &str| {
        acp_in(
            dir.path(),
            &[&["rules", "try", "--expect"], flags].concat(),
            stdin,
        )
    };
    let same = tried(&["run.jsonl", "--allow", "edit:notes.txt"], "");
    assert_eq!(same.code, Some(0), "{}{}", same.stdout, same.stderr);
    assert!(
        same.stdout.contains("= edit") && same.stdout.contains("it was allow_once"),
        "{}",
        same.stdout
    );
    let other = tried(&["run.jsonl", "--deny", "all"], "");
    assert_eq!(other.code, Some(1), "{}", other.stdout);
    let bare: String = fs::read_to_string(dir.path().join("run.jsonl"))
        .expect("a recording")
        .lines()
        .filter_map(|line| {
            let line: Value = serde_json::from_str(line).ok()?;
            Some(format!("{}\n", line.get("raw")?.as_str()?))
        })
        .collect();
    let piped = tried(&["-", "--allow", "edit"], &bare);
    assert_eq!(piped.code, Some(0), "{}{}", piped.stdout, piped.stderr);
}

#[test]
fn a_file_is_checked_line_by_line() {
    let late = "version = 1\n\n[[rules]]\nallow = \"execute:git\"\n[[rules]]\ndeny = [\n  \"execute:git push\",\n  \"edit\",\n]\n[[rules]]\nallow = \"edit:src/**\"\n";
    let ran = checked("late.toml", late);
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!("checked", ran.all());
    assert_eq!(checked("fine.toml", RULES).code, Some(0));
    let json = checked(
        "r.json",
        "{\"version\":1,\"rules\":[{\"allow\":\"any\"},\n{\"deny\":\"any\"}]}",
    );
    assert!(
        json.stdout.contains(
            "! line 2: rule 2 (deny any) is never reached: rule 1 on line 1 (allow any) decides first"
        ),
        "{}",
        json.stdout
    );
    for (name, text, why) in [
        ("a.toml", "version = 1\n[[rules]\n", "! line 2: "),
        (
            "b.toml",
            "version = 1\n\n[[rules]]\nallow = \"raed\"\n",
            "! line 3: rule 1: `raed` is no kind",
        ),
        (
            "c.json",
            "{\"version\":1,\n\"rulez\":[]}",
            "! line 2: unknown field",
        ),
    ] {
        let ran = checked(name, text);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""), "{text}");
        assert!(ran.stdout.contains(why), "{}", ran.stdout);
    }
}

#[test]
fn a_check_for_scripts() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(
        dir.path().join("r.toml"),
        "version = 1\nrules = [{ allow = \"read,read\" }]\n",
    )
    .expect("written");
    let ran = acp_in(dir.path(), &["rules", "check", "r.toml", "--json"], "");
    let document: Value = serde_json::from_str(&ran.stdout).expect("one document");
    let finding = &document["findings"][0];
    assert_eq!(
        (&finding["class"], &finding["line"], &finding["by"]),
        (&"unreached".into(), &2.into(), &1.into())
    );
    assert_eq!(document["rules"][1]["scope"], "read");
}

#[test]
fn what_cannot_be_done_is_misuse() {
    for words in [
        &["rules", "check", "/no/such/file"][..],
        &["rules", "try", "/no/such/file", "--allow", "all"],
        &["rules", "try", "Cargo.toml", "--allow", "all"],
        &["rules", "try", "Cargo.toml"],
        &["rules", "try", "Cargo.toml", "--allow", "raed"],
        &["rules", "try", "Cargo.toml", "--rules", "/no/such/file"],
    ] {
        let ran = acp(words);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{words:?}");
    }
}
