//! What runs on node: the agent and the client on the official TypeScript SDK, compiled by `npm ci && npm run build`.

use std::path::Path;
use std::process::Command;

/// The command line of one of the compiled programs.
pub fn command(program: &str, args: &[&str]) -> Vec<String> {
    let compiled = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../typescript/dist")
        .join(program);
    assert!(
        compiled.is_file(),
        "run `npm ci && npm run build` in interop/typescript"
    );
    let program = compiled.to_str().unwrap();
    ["node", program]
        .iter()
        .chain(args)
        .map(|arg| (*arg).to_owned())
        .collect()
}

/// A run of `acp`, and the records that it printed.
fn run(args: &[&str], agent: &str) -> (Option<i32>, Vec<serde_json::Value>) {
    let out = Command::new(crate::program::acp())
        .args(["run", "--json"])
        .args(args)
        .arg("--")
        .args(command("agent.js", &[agent]))
        .output()
        .unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    let records = said.lines().map(|line| serde_json::from_str(line).unwrap());
    (out.status.code(), records.collect())
}

fn said(records: &[serde_json::Value]) -> Vec<&str> {
    let texts = records
        .iter()
        .filter(|record| record["type"] == "agent_text");
    texts
        .map(|record| record["text"].as_str().unwrap())
        .collect()
}

/// The program over the agent: what it says, and by which code it ends.
#[track_caller]
fn check(args: &[&str], agent: &str, exit: i32, texts: &[&str], outcome: &str) {
    let (code, records) = run(args, agent);
    let result = records.last().unwrap();
    assert_eq!(code, Some(exit), "{result}");
    assert_eq!(said(&records), texts);
    assert_eq!(
        (&result["type"], &result["outcome"]),
        (&"result".into(), &outcome.into())
    );
    assert_eq!(records[0]["name"], "sdk-agent");
    let version = if agent == "1" { 1 } else { 2 };
    assert_eq!(records[0]["protocol_version"], version);
}

#[test]
fn the_program_drives_the_agent() {
    for agent in ["1", "2", "both"] {
        check(&["hello world"], agent, 0, &["hello", "world"], "completed");
        check(
            &["--allow", "all", "ask"],
            agent,
            0,
            &["selected:yes"],
            "completed",
        );
        check(
            &["--deny", "delete", "ask"],
            agent,
            5,
            &["selected:no"],
            "denied",
        );
        check(&["ask"], agent, 5, &["undecided"], "denied");
        check(&["no refuse"], agent, 9, &["no"], "refused");
        check(&["--model", "large", "hi"], agent, 0, &["hi"], "completed");
    }
}

#[test]
fn the_client_drives_our_agent() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../typescript/dist");
    let ran = Command::new("node")
        .args(["--test", "--test-reporter", "tap"])
        .arg(tests)
        .env("ACP", crate::program::acp())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}");
    let passed = said
        .lines()
        .find_map(|line| line.strip_prefix("# pass "))
        .unwrap();
    assert!(passed.parse::<u32>().unwrap() >= 21, "{said}");
}
