//! What is wrong with an agent, and what to do about it.

use std::{fs, path::Path};

use crate::{
    configured::User,
    program::{Ran, agents},
};

/// A healthy agent that the shell plays.
fn script() -> String {
    agents().join("agent.sh").display().to_string()
}

fn doctor(user: &User, words: &[&str]) -> Ran {
    user.runs(&[&["agents", "doctor"], words].concat())
}

/// Whether a finding about this stands there, with this mark and with these words in it.
#[track_caller]
fn found(ran: &Ran, mark: char, about: &str, words: &str) {
    let start = format!("  {mark} {about} ");
    let is = |line: &str| line.starts_with(&start) && line.contains(words);
    assert!(
        ran.stdout.lines().any(is),
        "{start}… {words}:\n{}",
        ran.all()
    );
}

#[test]
fn a_healthy_agent_is_told_apart_from_one_that_is_not_there() {
    let user = User::new();
    let ran = doctor(&user, &["--", "sh", &script(), "whole"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    found(&ran, '✓', "program", "/sh");
    found(&ran, '✓', "starts", "ACP v");
    found(&ran, '✓', "leaves", "at the end of its input");
    assert!(
        ran.stdout.contains("next: acp probe -- sh "),
        "{}",
        ran.stdout
    );
    user.says("[agents.gone]\ncommand = [\"no-such-program-at-all\"]\ninstall = \"build it\"\n");
    let ran = doctor(&user, &["gone"]);
    insta::assert_snapshot!("doctor-gone", ran.all());
}

#[test]
fn it_is_a_verb_of_its_own() {
    let user = User::new();
    let ran = user.runs(&["doctor", "--", "sh", &script(), "whole"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    found(&ran, '✓', "starts", "ACP v");
    user.says("[agents.gone]\ncommand = [\"no-such-program-at-all\"]\ninstall = \"build it\"\n");
    assert_eq!(
        user.runs(&["doctor", "-a", "gone"]),
        doctor(&user, &["gone"])
    );
    assert_eq!(user.runs(&["doctor"]), doctor(&user, &[]));
    user.says("agent = \"gone\"\n[agents.gone]\ncommand = [\"no-such-program-at-all\"]\n");
    assert_eq!(
        user.runs(&["doctor"]).code,
        Some(7),
        "the agent that is meant"
    );
}

#[test]
fn an_agent_that_dies_has_said_why() {
    let ran = doctor(&User::new(), &["--", "sh", "-c", "echo no key >&2; exit 3"]);
    assert_eq!(ran.code, Some(7), "{}", ran.all());
    found(&ran, '✗', "starts", "stderr: no key");
    assert!(ran.stdout.contains("next: "), "{}", ran.stdout);
}

#[test]
fn noise_and_overstaying_are_warnings() {
    let acp = env!("CARGO_BIN_EXE_acp");
    let ran = doctor(&User::new(), &["--", acp, "mock", "--mode", "noise-before"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    found(&ran, '!', "noise", "no message");
}

#[test]
fn a_version_that_is_not_spoken_is_the_number_at_the_end() {
    let acp = env!("CARGO_BIN_EXE_acp");
    let ran = doctor(
        &User::new(),
        &["--json", "--", acp, "mock", "--mode", "wrong-version"],
    );
    assert_eq!(ran.code, Some(8), "{}", ran.all());
    let last = ran.stdout.lines().last().expect("a record");
    let last: serde_json::Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(
        (&last["type"], &last["exit"]),
        (&"result".into(), &8.into())
    );
}

#[cfg(unix)]
fn program(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::write(path, text).expect("it is written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it can be run");
}

#[cfg(unix)]
#[test]
fn report_22_what_is_fetched_at_each_start_is_a_warning() {
    let user = User::new();
    program(
        &user.project().join("npx"),
        &format!("#!/bin/sh\nexec sh {} whole\n", script()),
    );
    let path = format!(
        "{}:{}",
        user.project().display(),
        std::env::var("PATH").expect("a path")
    );
    // Two ways to one file are one.
    let link = user.project().join("link");
    std::os::unix::fs::symlink(user.project(), &link).expect("a link");
    let path = format!("{}:{path}", link.display());
    let words = ["agents", "doctor", "--", "npx", "-y", "some-agent"];
    let ran = user.runs_with(&[("PATH", &path), ("npm_config_cache", "/nowhere")], &words);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    found(
        &ran,
        '!',
        "launcher",
        "npx looks for some-agent at each start",
    );
    found(&ran, '!', "variables", "passes on npm_config_cache");
    found(&ran, '✓', "program", "/link/npx");
    assert!(!ran.stdout.contains("~/project/npx"), "{}", ran.stdout);
    assert!(
        ran.stdout
            .contains("→ install it once (`npm install -g some-agent`)"),
        "{}",
        ran.stdout
    );
}

#[cfg(unix)]
#[test]
fn a_script_that_runs_on_nothing() {
    let user = User::new();
    let path = user.project().join("agent");
    program(&path, "#!/usr/bin/env no-such-node\n");
    let ran = doctor(&user, &["--", &path.display().to_string()]);
    assert_eq!(ran.code, Some(7), "{}", ran.all());
    found(&ran, '✗', "runs on", "no-such-node, which is not there");
    assert!(
        ran.stdout.contains("next: install no-such-node\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn report_22_all_agents_at_once_and_none_is_started() {
    let user = User::new();
    let marker = user.project().join("started");
    user.says(&format!(
        "[agents.here]\ncommand = [\"sh\", \"-c\", \"touch '{}'\"]\n[agents.gone]\ncommand = [\"no-such-program-at-all\"]\n",
        marker.display()
    ));
    let ran = doctor(&user, &["--json"]);
    assert_eq!(ran.code, Some(1), "one cannot work: {}", ran.all());
    let all: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let of = |name: &str| {
        let all = all.as_array().expect("a list");
        let one = all.iter().find(|one| one["agent"] == name).expect(name);
        one["findings"][0]["weight"].clone()
    };
    assert_eq!((of("here"), of("gone")), ("good".into(), "bad".into()));
    assert!(!marker.exists());
}
