//! `acp mock`: the table in docs/mock.md is run row by row, and a row that cannot be run fails.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::Value;

use crate::program::acp;

/// How many rows run at once: most of them wait.
const AT_ONCE: usize = 12;
/// The address space of each process, in KiB: what a peer can make us hold is bounded well below.
const MEMORY: usize = 1 << 20;

/// A row of the table.
#[derive(Debug, Clone)]
struct Row {
    mode: String,
    what: String,
    /// Flags, with "Ctrl-C" and "a long prompt" among them.
    with: Vec<String>,
    exit: i32,
    record: BTreeMap<String, String>,
}

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mock.md");
    fs::read_to_string(path).expect("docs/mock.md")
}

fn rows() -> Vec<Row> {
    let page = page();
    let cells = page.lines().filter_map(|line| {
        let inner = line.strip_prefix("| `")?.strip_suffix(" |")?;
        Some(inner.split(" | ").map(str::trim).collect::<Vec<_>>())
    });
    cells
        .map(|cells| {
            let cells: [&str; 5] = cells.try_into().expect("five cells");
            let [mode, what, with, exit, record] = cells;
            Row {
                mode: mode.trim_matches('`').to_owned(),
                what: what.to_owned(),
                with: words(with),
                exit: exit.parse().expect("a number"),
                record: record
                    .trim_matches('`')
                    .split(' ')
                    .map(|pair| pair.split_once('=').expect("name=value"))
                    .map(|(name, value)| (name.to_owned(), value.to_owned()))
                    .collect(),
            }
        })
        .collect()
}

fn words(cell: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in cell.split(", ").filter(|part| !part.is_empty()) {
        match part
            .strip_prefix('`')
            .and_then(|part| part.strip_suffix('`'))
        {
            Some(flags) => words.extend(flags.split(' ').map(ToOwned::to_owned)),
            None => words.push(part.to_owned()),
        }
    }
    words
}

/// The modes of the program, by name, with their sentence and the version that they are for.
fn modes() -> BTreeMap<String, (String, Option<u64>)> {
    let listed: Value =
        serde_json::from_str(&acp(&["mock", "--list", "--json"]).stdout).expect("JSON");
    let listed = listed.as_array().expect("a list");
    let entry = |row: &Value| {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        (text("mode"), (text("what"), row["protocol"].as_u64()))
    };
    listed
        .iter()
        .filter(|row| row["group"] != "rules")
        .map(entry)
        .collect()
}

/// Runs a row and says what was not as promised.
fn run(row: &Row, version: &str, mark: &str) -> Result<(), String> {
    let interrupts = row.with.iter().any(|word| word == "Ctrl-C");
    let prompt = if row.with.iter().any(|word| word == "a long prompt") {
        "x".repeat(400_000)
    } else {
        String::from("hello")
    };
    let program = env!("CARGO_BIN_EXE_acp");
    let mut words = vec!["run", "-", "--json"];
    words.extend(
        row.with
            .iter()
            .map(String::as_str)
            .filter(|word| *word != "Ctrl-C" && *word != "a long prompt"),
    );
    words.extend([
        "--",
        program,
        "mock",
        "--protocol",
        version,
        "--mode",
        &row.mode,
    ]);
    let mut child = Command::new("sh")
        .args([
            "-c",
            &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\""),
            program,
        ])
        .args(&words)
        .env("ACP_TEST_CLOCK", "1")
        .env("ACP_TEST_MARK", mark)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin
        .write_all(prompt.as_bytes())
        .map_err(|error| error.to_string())?;
    drop(stdin);
    let mut last = String::new();
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        last = line.map_err(|error| error.to_string())?;
        if interrupts && last.contains("working") {
            let sent = Command::new("kill")
                .args(["-INT", &child.id().to_string()])
                .status();
            assert!(sent.expect("kill runs").success());
        }
    }
    let code = child.wait().map_err(|error| error.to_string())?.code();
    let record: Value =
        serde_json::from_str(&last).map_err(|_| format!("the last line is no record: {last}"))?;
    let part = |name: &str| record.get(name).cloned().unwrap_or_default();
    if code != Some(row.exit) || part("exit") != row.exit {
        return Err(format!("ended with {code:?}: {last}"));
    }
    if part("type") != "result" {
        return Err(format!("the last record is no result: {last}"));
    }
    for (name, promised) in &row.record {
        let found = part(name);
        let found = found
            .as_str()
            .map_or_else(|| found.to_string(), ToOwned::to_owned);
        if found != *promised {
            return Err(format!("{name} is {found} and not {promised}: {last}"));
        }
    }
    if !row.record.contains_key("stop_reason") && !part("stop_reason").is_null() {
        return Err(format!("a stop reason that nobody promised: {last}"));
    }
    match survivors(mark) {
        0 => Ok(()),
        many => Err(format!("{many} processes are left")),
    }
}

/// How many processes with this mark in their environment there are.
fn survivors(mark: &str) -> usize {
    let needle = format!("ACP_TEST_MARK={mark}\0");
    let Ok(processes) = fs::read_dir("/proc") else {
        return 0;
    };
    processes
        .filter_map(|entry| fs::read(entry.ok()?.path().join("environ")).ok())
        .filter(|environment| {
            environment
                .windows(needle.len())
                .any(|window| window == needle.as_bytes())
        })
        .count()
}

#[test]
fn every_mode_ends_as_the_table_promises() {
    let (rows, modes) = (rows(), modes());
    let is_of = |row: &Row, version: u64| {
        let only = |mode: &str| modes.get(mode).and_then(|(_, only)| *only);
        row.mode
            .split(',')
            .all(|mode| only(mode).is_none_or(|only| only == version))
    };
    let cases: Vec<(&Row, u64)> = rows
        .iter()
        .flat_map(|row| [(row, 1), (row, 2)])
        .filter(|(row, version)| is_of(row, *version))
        .collect();
    let next = AtomicUsize::new(0);
    let again = Mutex::new(Vec::new());
    let ran = Mutex::new(BTreeSet::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((row, version)) = cases.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let mark = format!("{}-{version}-{}", std::process::id(), row.mode);
                    if run(row, &version.to_string(), &mark).is_err() {
                        again.lock().expect("sound").push((*row, *version));
                    }
                    ran.lock().expect("sound").insert(row.mode.clone());
                }
            });
        }
    });
    // Rows have bounds of a second or so; a row that met one in the crowd is run alone.
    let failures: Vec<String> = again
        .into_inner()
        .expect("sound")
        .into_iter()
        .filter_map(|(row, version)| {
            let mark = format!("{}-{version}-{}-alone", std::process::id(), row.mode);
            let why = run(row, &version.to_string(), &mark).err()?;
            Some(format!("{} v{version}: {why}", row.mode))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(
        ran.into_inner().expect("sound").len(),
        rows.len(),
        "a row did not run"
    );
}

/// Every mode has its row with its sentence, and every row its modes.
#[test]
fn the_table_and_the_program_list_the_same() {
    let modes = modes();
    let rows = rows();
    let listed: BTreeMap<&str, &str> = rows
        .iter()
        .filter(|row| !row.mode.contains(','))
        .map(|row| (row.mode.as_str(), row.what.as_str()))
        .collect();
    let known: BTreeMap<&str, &str> = modes
        .iter()
        .map(|(name, (what, _))| (name.as_str(), what.as_str()))
        .collect();
    assert_eq!(listed, known);
    for row in &rows {
        for mode in row.mode.split(',') {
            assert!(modes.contains_key(mode), "{mode}");
        }
    }
}

#[test]
fn the_script_in_the_page_does_what_it_says() {
    let page = page();
    let script = page
        .split("```toml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("a script");
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("doomed.toml");
    fs::write(&file, script).expect("written");
    let file = file.to_str().expect("UTF-8");
    let program = env!("CARGO_BIN_EXE_acp");
    let ran = acp(&[
        "run", "hello", "--json", "--allow", "edit", "--", program, "mock", "--script", file,
    ]);
    assert_eq!(ran.code, Some(7), "{}", ran.stderr);
    let last: Value =
        serde_json::from_str(ran.stdout.lines().last().expect("a record")).expect("JSON");
    assert_eq!(last["permissions"]["allowed"], 1, "{last}");
    assert_eq!(last["skipped_lines"], 1, "{last}");
    assert_eq!(last["error"]["stderr"], "out of luck", "{last}");
}

/// What the mock answers to these lines, then to the end of its input.
fn answers(flags: &[&str], lines: &[&str]) -> Vec<Value> {
    let words = [&["mock"], flags].concat();
    let ran = crate::program::acp_in(Path::new("."), &words, &format!("{}\n", lines.join("\n")));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

const INITIALIZE_2: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":2,"info":{"name":"t","version":"1"},"capabilities":{}}}"#;
const NEW: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}"#;
const PROMPT: &str = r#"{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"hello"}]}}"#;

#[test]
fn the_proper_agent_speaks_the_second_version() {
    let heard = answers(&[], &[INITIALIZE_2, NEW, PROMPT]);
    assert_eq!(heard[0]["result"]["protocolVersion"], 2);
    assert_eq!(heard[1]["result"]["sessionId"], "s1");
    let said: Vec<&str> = heard[2..]
        .iter()
        .map(|line| {
            line["params"]["update"]["sessionUpdate"]
                .as_str()
                .unwrap_or("answer")
        })
        .collect();
    let message = "agent_message_chunk";
    assert_eq!(
        said,
        [
            "state_update",
            "user_message",
            "answer",
            message,
            message,
            "state_update"
        ]
    );
    assert_eq!(
        heard[4]["result"]["messageId"],
        heard[3]["params"]["update"]["messageId"]
    );
    assert_eq!(
        heard.last().expect("a line")["params"]["update"]["stopReason"],
        "end_turn"
    );
}

#[test]
fn mistakes_are_named() {
    for (words, said) in [
        (
            &["mock", "--mode", "crfl"][..],
            "acp: there is no mode crfl; `acp mock --list` shows them\n",
        ),
        (
            &["mock", "--script", "/no/such/file"],
            "acp: /no/such/file cannot be read: No such file or directory (os error 2)\n",
        ),
    ] {
        let ran = acp(words);
        assert_eq!(
            (ran.code, ran.stderr.as_str(), ran.stdout.as_str()),
            (Some(2), said, "")
        );
    }
}
