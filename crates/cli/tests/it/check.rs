//! `acp check`: every row of docs/check.md is run against an agent that keeps it and one that breaks it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::Value;

use crate::program::{Ran, acp, acp_in};

/// How many cases run at once.
const AT_ONCE: usize = 6;
const PROGRAM: &str = env!("CARGO_BIN_EXE_acp");

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    id: String,
    tier: String,
    versions: Vec<String>,
    what: String,
    kept_by: String,
    broken_by: String,
    with: Vec<String>,
}

fn rows() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/check.md");
    let page = fs::read_to_string(path).expect("docs/check.md");
    let table = page
        .split("| id | tier |")
        .nth(1)
        .expect("the table of agents");
    let table = table.split("\n\n").next().expect("a table");
    let plain = |cell: &str| cell.trim().trim_matches('`').to_owned();
    let words = |cell: &str| {
        plain(cell)
            .split_whitespace()
            .map(ToOwned::to_owned)
            .collect()
    };
    table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
            let cells: [&str; 7] = cells.try_into().expect("seven cells");
            let [id, tier, versions, what, kept_by, broken_by, with] = cells;
            Row {
                id: plain(id),
                tier: plain(tier),
                versions: words(versions),
                what: plain(what),
                kept_by: plain(kept_by),
                broken_by: plain(broken_by),
                with: words(with),
            }
        })
        .collect()
}

/// Tests one rule in one version against the mock in these modes.
fn test(row: &Row, version: &str, modes: &str) -> (Ran, Value) {
    let mut words = vec![
        "check",
        "--json",
        "--timeout",
        "2s",
        "--protocol",
        version,
        "--only",
        &row.id,
    ];
    words.extend(row.with.iter().map(String::as_str));
    words.extend(["--", PROGRAM, "mock", "--protocol", version]);
    if !modes.is_empty() {
        words.extend(["--mode", modes]);
    }
    let ran = acp(&words);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    let result = report
        .get("results")
        .and_then(Value::as_array)
        .and_then(|results| {
            results
                .iter()
                .find(|result| result.get("id").is_some_and(|id| id == row.id.as_str()))
        })
        .cloned()
        .unwrap_or_default();
    (ran, result)
}

fn case(row: &Row, version: &str, modes: &str, status: &str, exit: i32) -> Result<(), String> {
    let (ran, result) = test(row, version, modes);
    let part = |name: &str| result.get(name).cloned().unwrap_or_default();
    if part("status") == status && ran.code == Some(exit) {
        return Ok(());
    }
    let modes = if modes.is_empty() { "no mode" } else { modes };
    Err(format!(
        "{} v{version} with {modes}: exit {:?}, {} and not {status}: {} {}",
        row.id,
        ran.code,
        part("status"),
        part("reason"),
        ran.stderr
    ))
}

#[test]
fn every_rule_is_kept_by_one_agent_and_broken_by_another() {
    let rows = rows();
    let cases: Vec<(&Row, &str, &str, &str, i32)> = rows
        .iter()
        .flat_map(|row| {
            row.versions.iter().flat_map(move |version| {
                [
                    (row, version.as_str(), row.kept_by.as_str(), "PASS", 0),
                    (row, version.as_str(), row.broken_by.as_str(), "FAIL", 1),
                ]
            })
        })
        .collect();
    let next = AtomicUsize::new(0);
    let ran = AtomicUsize::new(0);
    let again = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((row, version, modes, status, exit)) =
                    cases.get(next.fetch_add(1, Ordering::SeqCst))
                {
                    if case(row, version, modes, status, *exit).is_err() {
                        let which = (*row, *version, *modes, *status, *exit);
                        again.lock().expect("sound").push(which);
                    }
                    ran.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
    });
    // The bounds of a rule are short; a case that met one in the crowd is run alone.
    let failures: Vec<String> = again
        .into_inner()
        .expect("sound")
        .into_iter()
        .filter_map(|(row, version, modes, status, exit)| {
            case(row, version, modes, status, exit).err()
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(ran.into_inner(), cases.len(), "a row did not run");
    assert!(cases.len() > 300, "{} cases", cases.len());
}

#[test]
fn the_table_and_the_program_list_the_same() {
    let listed: Value =
        serde_json::from_str(&acp(&["check", "--list", "--json"]).stdout).expect("JSON");
    let of_program: Vec<String> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|rule| {
            let protocols: Vec<String> = rule["protocols"]
                .as_array()
                .expect("a list")
                .iter()
                .map(Value::to_string)
                .collect();
            format!(
                "{} {} {} {}",
                rule["id"],
                rule["tier"],
                protocols.join(" "),
                rule["what"]
            )
            .replace('"', "")
        })
        .collect();
    let of_page: Vec<String> = rows()
        .iter()
        .map(|row| {
            format!(
                "{} {} {} {}",
                row.id,
                row.tier,
                row.versions.join(" "),
                row.what
            )
        })
        .collect();
    assert_eq!(of_page, of_program);
}

/// The demo agent keeps every rule of both versions; what it does not have is named here.
#[test]
fn the_demo_agent_conforms() {
    let dir = tempfile::tempdir().expect("a directory");
    let ran = acp_in(
        dir.path(),
        &[
            "check",
            "--json",
            "--protocol",
            "both",
            "--cancel-prompt",
            "/long",
            "--auth-method",
            "demo-login",
            "--allow-logout",
            "--",
            PROGRAM,
            "demo-agent",
        ],
        "",
    );
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let results = report["results"].as_array().expect("results");
    let rules = rows().iter().map(|row| row.versions.len()).sum::<usize>();
    assert_eq!(results.len(), rules, "a row was not run");
    let not_passed: Vec<String> = results
        .iter()
        .filter(|result| result["status"] != "PASS")
        .map(|result| {
            format!(
                "v{} {} {}",
                result["protocol"], result["id"], result["status"]
            )
            .replace('"', "")
        })
        .collect();
    assert_eq!(not_passed, ["v2 AUTH-202 NOT_TESTED"], "{}", ran.stderr);
    assert_eq!(
        (ran.code, &report["conformant"]),
        (Some(0), &Value::Bool(true))
    );
}

/// What needs a key that is not there is skipped and says so, and nothing of it counts as broken.
#[test]
fn without_a_key_prompts_are_skipped() {
    let ran = acp(&[
        "check",
        "--json",
        "--protocol",
        "1",
        "--",
        PROGRAM,
        "mock",
        "--mode",
        "needs-login",
    ]);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["conformant"], true, "{}", ran.stdout);
    let skipped: BTreeMap<&str, &str> = report["results"]
        .as_array()
        .expect("results")
        .iter()
        .filter(|result| result["status"] == "SKIPPED")
        .map(|result| {
            (
                result["id"].as_str().expect("an id"),
                result["reason"].as_str().expect("a reason"),
            )
        })
        .collect();
    for id in [
        "SESSION-001",
        "PROMPT-001",
        "CANCEL-001",
        "LOAD-001",
        "RACE-004",
    ] {
        assert!(
            skipped
                .get(id)
                .is_some_and(|reason| reason.contains("login")),
            "{id}: {skipped:?}"
        );
    }
}

/// A run has a bound as a whole; what it did not come to is skipped, and nothing is called conformant.
#[test]
fn a_run_that_is_cut_off_says_so() {
    let ran = acp(&[
        "check",
        "--json",
        "--protocol",
        "1",
        "--startup-timeout",
        "1s",
        "--timeout",
        "1s",
        "--max-time",
        "2s",
        "--",
        PROGRAM,
        "mock",
        "--mode",
        "silent",
    ]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["complete"], false);
    assert_eq!(report["conformant"], false);
    let results = report["results"].as_array().expect("results");
    let rules = rows()
        .iter()
        .filter(|row| row.versions.contains(&String::from("1")))
        .count();
    assert_eq!(results.len(), rules, "a row is not in the report");
    let last = results.last().expect("a result");
    assert_eq!(last["status"], "SKIPPED");
    let reason = last["reason"].as_str().expect("a reason");
    assert!(reason.contains("--max-time"), "{reason}");
}

/// An agent that never answers initialize is not waited for by every rule anew.
#[test]
fn an_agent_that_never_starts_is_found_out_twice() {
    let ran = acp(&[
        "check",
        "--json",
        "--protocol",
        "2",
        "--startup-timeout",
        "1s",
        "-k",
        "JSONRPC-00",
        "-k",
        "SESSION-00",
        "-k",
        "INIT-001",
        "--",
        PROGRAM,
        "mock",
        "--mode",
        "silent",
    ]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["complete"], true);
    let told = report["results"]
        .as_array()
        .expect("results")
        .iter()
        .filter(|result| {
            let reason = result["reason"].as_str().unwrap_or_default();
            reason.contains("was started 2 times")
        })
        .count();
    // All but the two that were waited for, the one that starts it by itself, and INIT-001.
    assert_eq!(told, report["results"].as_array().map_or(0, Vec::len) - 4);
}

#[test]
fn the_text_for_people() {
    let ran = acp(&[
        "check",
        "--protocol",
        "1",
        "-k",
        "JSONRPC-003",
        "-k",
        "ADDDIRS",
        "-k",
        "LATENCY",
        "-k",
        "AUTH-003",
        "--",
        PROGRAM,
        "mock",
        "--mode",
        "null-for-unknown,bare",
    ]);
    assert_eq!(ran.code, Some(1));
    let text = ran.stdout.replace(PROGRAM, "acp");
    let text: Vec<&str> = text
        .lines()
        .filter(|line| !line.contains("median"))
        .collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn the_reports_for_machines() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = |name: &str| -> PathBuf { dir.path().join(name) };
    let (json, junit, sarif) = (file("r.json"), file("r.xml"), file("r.sarif"));
    let path = |file: &PathBuf| file.to_str().expect("UTF-8").to_owned();
    let words = [
        "check",
        "--protocol",
        "both",
        "-k",
        "JSONRPC-003",
        "-k",
        "LIST-201",
        "-k",
        "AUTH-004",
        "--report-json",
        &path(&json),
        "--junit",
        &path(&junit),
        "--sarif",
        &path(&sarif),
        "--",
        PROGRAM,
        "mock",
        "--mode",
        "null-for-unknown",
    ];
    assert_eq!(acp(&words).code, Some(1));
    let read = |file: &PathBuf| {
        fs::read_to_string(file)
            .expect("written")
            .replace(PROGRAM, "acp")
    };
    insta::assert_snapshot!("report-junit", read(&junit));
    let json: Value = serde_json::from_str(&read(&json)).expect("JSON");
    assert_eq!(
        (&json["v"], &json["conformant"]),
        (&Value::from(1), &Value::Bool(false))
    );
    assert_eq!(
        json["summary"],
        serde_json::json!({"pass": 1, "fail": 2, "skipped": 2, "not_tested": 0})
    );
    let failed = &json["results"][0];
    assert!(
        failed["evidence"]
            .as_array()
            .is_some_and(|lines| !lines.is_empty()),
        "{failed}"
    );
    let sarif: Value = serde_json::from_str(&read(&sarif)).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 2);
    for result in results {
        let index =
            usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
        assert_eq!(
            run["tool"]["driver"]["rules"][index]["id"],
            result["ruleId"]
        );
        assert_eq!(
            (&result["ruleId"], &result["level"]),
            (&Value::from("JSONRPC-003"), &Value::from("error"))
        );
    }
}

/// Advice that was not followed is no failure: an agent that conforms does not fail a test runner.
#[test]
fn advice_fails_no_test_runner() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("r.xml");
    let junit = file.to_str().expect("UTF-8");
    let ran = acp(&[
        "check",
        "--protocol",
        "1",
        "-k",
        "INIT-00",
        "--junit",
        junit,
        "--",
        PROGRAM,
        "mock",
        "--mode",
        "takes-any-order",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("advice not followed: 1"),
        "{}",
        ran.stdout
    );
    let report = fs::read_to_string(&file).expect("written");
    assert!(report.contains("failures=\"0\""), "{report}");
    assert!(
        report.contains("<system-out>ADVISORY not followed"),
        "{report}"
    );
}

#[test]
fn mistakes_are_usage() {
    for words in [
        &["check"][..],
        &["check", "--only", "NONSENSE", "--", PROGRAM, "mock"],
        &["check", "--timeout", "soon", "--", PROGRAM, "mock"],
        &["check", "--protocol", "3", "--", PROGRAM, "mock"],
        &[
            "check",
            "--agent-cwd",
            "/no/such/directory",
            "--",
            PROGRAM,
            "mock",
        ],
    ] {
        let ran = acp(words);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(2), ""),
            "{words:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn an_agent_that_is_not_there_conforms_to_nothing() {
    let ran = acp(&["check", "-k", "INIT-001", "--", "no-such-agent-at-all"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stdout.contains("cannot be started"), "{}", ran.stdout);
}

/// The rules for clients: id, tier, sentence, and the mode of `agents/client.sh` that breaks it.
fn client_rows() -> Vec<[String; 4]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/check.md");
    let page = fs::read_to_string(path).expect("docs/check.md");
    let table = page
        .split("| id | tier | what a good client does |")
        .nth(1)
        .expect("the table of clients");
    table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<String> = line
                .trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().trim_matches('`').to_owned())
                .collect();
            <[String; 4]>::try_from(cells).expect("four cells")
        })
        .collect()
}

#[test]
fn every_rule_for_clients_is_broken_by_a_client() {
    let rows = client_rows();
    let listed: Value =
        serde_json::from_str(&acp(&["check", "--client", "--list", "--json"]).stdout)
            .expect("JSON");
    let of_program: Vec<String> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|rule| format!("{} {} {}", rule["id"], rule["tier"], rule["what"]).replace('"', ""))
        .collect();
    let of_page: Vec<String> = rows
        .iter()
        .map(|[id, tier, what, _]| format!("{id} {tier} {what}"))
        .collect();
    assert_eq!(of_page, of_program);
    let script = crate::program::agents().join("client.sh");
    let script = script.to_str().expect("UTF-8");
    let cases: Vec<(&str, &str, &str)> = rows
        .iter()
        .flat_map(|[id, _, _, mode]| {
            [
                (id.as_str(), mode.as_str(), "1"),
                (id.as_str(), mode.as_str(), "2"),
            ]
        })
        .collect();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((id, mode, version)) = cases.get(next.fetch_add(1, Ordering::SeqCst))
                {
                    let ran = acp(&[
                        "check",
                        "--client",
                        "--json",
                        "--timeout",
                        "3s",
                        "--protocol",
                        version,
                        "--only",
                        id,
                        "--",
                        "sh",
                        script,
                        mode,
                        version,
                        "{agent}",
                    ]);
                    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
                    let result = &report["results"][0];
                    if result["status"] != "FAIL" || ran.code != Some(1) {
                        let why = format!("{id} v{version} by {mode}: {result} {}", ran.stderr);
                        failures.lock().expect("sound").push(why);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("sound");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A client that is simple and does no wrong is not blamed.
#[test]
fn a_simple_client_is_not_blamed() {
    let script = crate::program::agents().join("client.sh");
    let script = script.to_str().expect("UTF-8");
    for version in ["1", "2"] {
        let ran = acp(&[
            "check",
            "--client",
            "--json",
            "--protocol",
            version,
            "-k",
            "C-INIT",
            "-k",
            "C-JSONRPC-001",
            "-k",
            "C-SCHEMA",
            "-k",
            "C-CANCEL-001",
            "-k",
            "C-AUTH",
            "-k",
            "C-EXIT-002",
            "--",
            "sh",
            script,
            "strict",
            version,
            "{agent}",
        ]);
        let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(report["summary"]["pass"], 9, "{}", ran.stdout);
    }
}

#[test]
fn acp_run_keeps_every_rule_for_clients() {
    let dir = tempfile::tempdir().expect("a directory");
    let ran = acp_in(
        dir.path(),
        &[
            "check", "--client", "--json", "--", PROGRAM, "run", "hello", "--", "{agent}",
        ],
        "",
    );
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let results = report["results"].as_array().expect("results");
    assert_eq!(results.len(), 2 * client_rows().len(), "a row was not run");
    // What met a bound while others ran beside it is run alone, with more time.
    for result in results.iter().filter(|result| result["status"] != "PASS") {
        let id = result["id"].as_str().expect("an id");
        let ran = acp_in(
            dir.path(),
            &[
                "check",
                "--client",
                "--timeout",
                "60s",
                "--only",
                id,
                "--",
                PROGRAM,
                "run",
                "hello",
                "--",
                "{agent}",
            ],
            "",
        );
        assert_eq!(ran.code, Some(0), "{result} {}", ran.stderr);
    }
}

#[test]
fn a_client_has_to_take_its_agent_somewhere() {
    let ran = acp(&["check", "--client", "--", "true"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(2), ""),
        "{}",
        ran.stderr
    );
    let ran = acp(&[
        "check",
        "--client",
        "-k",
        "C-INIT-001",
        "--",
        "true",
        "{agent}",
    ]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stdout.contains("the client started no agent"),
        "{}",
        ran.stdout
    );
}
