//! Every permission request has one record, in `--json` and in the log, and the counts of the last record add up with them.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::{Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::Value;

/// The modes of `acp mock` in which an agent asks for permissions, in all ways that are known to go wrong.
const MODES: [&str; 14] = [
    "asks",
    "permission-always",
    "permission-broken",
    "permission-empty",
    "permission-flood",
    "permission-late",
    "permission-named",
    "permission-odd",
    "permission-stray",
    "permission-twice",
    "permission-withdrawn",
    "dies-in-permission",
    SILENT,
    "early-requests",
];
/// Those that wait for Ctrl-C.
const INTERRUPTED: [&str; 1] = ["cancel-asks"];
/// The one that ends by our bound.
const SILENT: &str = "silent-after-permission";
const POLICIES: [&[&str]; 3] = [&[], &["--allow", "all"], &["--deny", "all"]];

/// What is on record of one run.
struct Books {
    records: Vec<Value>,
    log: Vec<Value>,
    wire: Vec<(String, Value)>,
}

fn lines(path: &std::path::Path) -> Vec<Value> {
    fs::read_to_string(path)
        .unwrap_or_default()
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn run(mode: &str, version: &str, policy: &[&str]) -> Books {
    let dir = tempfile::tempdir().expect("a directory");
    let (log, trace) = (dir.path().join("log"), dir.path().join("trace"));
    let program = env!("CARGO_BIN_EXE_acp");
    let mut child = Command::new(program)
        .args(["run", "hello", "--json", "--idle-timeout"])
        .args([if mode == SILENT { "1s" } else { "60s" }, "--audit"])
        .args([&log, std::path::Path::new("--record"), &trace])
        .args(policy)
        .args(["--", program, "mock", "--protocol", version, "--mode", mode])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut records = Vec::new();
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        let line = line.expect("UTF-8");
        if INTERRUPTED.contains(&mode) && line.contains("working") {
            let sent = Command::new("kill")
                .args(["-INT", &child.id().to_string()])
                .status();
            assert!(sent.expect("kill runs").success());
        }
        records.push(serde_json::from_str(&line).expect("JSON"));
    }
    child.wait().expect("it ends");
    let frames = lines(&trace).into_iter().filter_map(|line| {
        let frame = serde_json::from_str(line.get("raw")?.as_str()?).ok()?;
        Some((line.get("dir")?.as_str()?.to_owned(), frame))
    });
    Books {
        records,
        log: lines(&log),
        wire: frames.collect(),
    }
}

fn ids<'a>(requests: impl Iterator<Item = &'a Value>) -> Vec<String> {
    let mut ids: Vec<String> = requests.map(ToString::to_string).collect();
    ids.sort();
    ids
}

/// Says what does not add up.
fn audit(mode: &str, version: &str, policy: &[&str]) -> Result<(), String> {
    let books = run(mode, version, policy);
    let decided: Vec<&Value> = books
        .records
        .iter()
        .filter(|record| record["type"] == "permission")
        .collect();
    let shown = ids(decided.iter().map(|record| &record["request"]));
    let logged = ids(books.log.iter().map(|record| &record["request"]));
    if shown != logged {
        return Err(format!("shown {shown:?}, logged {logged:?}"));
    }
    let last = books.records.last().ok_or("no record at all")?;
    if last["type"] != "result" {
        return Err(format!("the last is {last}"));
    }
    let count = |is: &dyn Fn(&Value) -> bool| decided.iter().filter(|one| is(one)).count() as u64;
    let of = |outcome: &'static str| count(&|one: &Value| one["outcome"] == outcome);
    let allowed = count(&|one: &Value| one["approved"] == true);
    let found = [
        ("allowed", allowed),
        ("denied", of("selected") - allowed),
        ("cancelled", of("cancelled")),
        ("withdrawn", of("withdrawn")),
    ];
    for (name, number) in found {
        let counts = &last["permissions"];
        if counts[name] != number {
            return Err(format!("{number} {name} on record, counted {counts}"));
        }
    }
    // What came behind the turn is nobody's any more, and what is no request has no decision.
    if mode == "permission-late" {
        return Ok(());
    }
    // On a busy machine the bound may elapse before the agent has asked.
    if mode == SILENT && shown.is_empty() {
        return Ok(());
    }
    let broken = |id: &Value| {
        books.wire.iter().any(|(dir, frame)| {
            dir == "c2a"
                && frame["id"] == *id
                && frame.pointer("/error/code") == Some(&(-32602).into())
        })
    };
    // What is asked before there is a session is asked in none of ours.
    let is_ours = |frame: &Value, at: &str| {
        frame
            .pointer(at)
            .is_some_and(|id| *id == last["session_id"])
    };
    let opens = |(_, frame): &&(String, Value)| !is_ours(frame, "/result/sessionId");
    let asked = books.wire.iter().skip_while(opens).filter(|(dir, frame)| {
        dir == "a2c"
            && frame["method"] == "session/request_permission"
            && is_ours(frame, "/params/sessionId")
            && !broken(&frame["id"])
    });
    let asked = ids(asked.map(|(_, frame)| &frame["id"]));
    if asked == shown {
        Ok(())
    } else {
        Err(format!("asked {asked:?}, shown {shown:?}"))
    }
}

#[test]
fn report_12_every_permission_request_has_one_record_and_the_counts_add_up() {
    let modes = MODES.iter().chain(&INTERRUPTED);
    let cases: Vec<(&str, &str, &[&str])> = modes
        .flat_map(|mode| ["1", "2"].map(|version| (*mode, version)))
        .flat_map(|(mode, version)| POLICIES.map(|policy| (mode, version, policy)))
        .collect();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                while let Some((mode, version, policy)) =
                    cases.get(next.fetch_add(1, Ordering::SeqCst))
                {
                    if let Err(why) = audit(mode, version, policy) {
                        let line = format!("{mode} v{version} {policy:?}: {why}");
                        wrong.lock().expect("sound").push(line);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("sound");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
