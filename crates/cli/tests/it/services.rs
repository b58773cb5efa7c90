//! What the program does for an agent: nothing by itself, and what it was told to.

#![expect(
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test reads answers by name and waits for a process with a bound"
)]

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::program::{Ran, acp_in, agents};

const LONG: Duration = Duration::from_secs(30);

/// Runs a prompt against an agent that asks this, and gives its answers.
#[track_caller]
fn asked(dir: &Path, flags: &[&str], asks: &[(&str, Value)]) -> (Ran, Vec<Value>) {
    let (file, answers) = (dir.join("asks"), dir.join("answers"));
    let lines: Vec<String> = asks
        .iter()
        .enumerate()
        .map(|(id, (method, params))| {
            let mut params = params.clone();
            params["sessionId"] = json!("s1");
            json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
        })
        .collect();
    fs::write(&file, lines.join("\n") + "\n").expect("written");
    let work = dir.join("work");
    fs::create_dir_all(&work).expect("made");
    let (asks_env, answers_env) = (
        format!("ACP_TEST_ASKS={}", file.display()),
        format!("ACP_TEST_ANSWERS={}", answers.display()),
    );
    let agent = agents().join("agent.sh");
    let agent = agent.to_str().expect("UTF-8");
    let words: Vec<&str> = ["run", "hello", "--env", &asks_env, "--env", &answers_env]
        .iter()
        .chain(flags)
        .copied()
        .chain(["--", "sh", agent, "requests"])
        .collect();
    let ran = acp_in(&work, &words, "");
    let text = fs::read_to_string(answers).expect("answers");
    let answers = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    (ran, answers)
}

fn served(ran: &Ran) -> Vec<(String, String)> {
    let word = |record: &Value, name: &str| record[name].as_str().unwrap_or_default().to_owned();
    ran.stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a record"))
        .filter(|record| record["type"] == "served")
        .map(|record| (word(&record, "method"), word(&record, "class")))
        .collect()
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter()
        .map(|(method, class)| ((*method).to_owned(), (*class).to_owned()))
        .collect()
}

fn form() -> Value {
    let schema =
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    json!({"mode": "form", "message": "Who are you?", "requestedSchema": schema})
}

#[test]
fn nothing_is_served_by_itself() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("work/a");
    let (ran, answers) = asked(
        dir.path(),
        &["--json"],
        &[
            ("fs/read_text_file", json!({"path": path})),
            ("fs/write_text_file", json!({"path": path, "content": "x"})),
            ("terminal/create", json!({"command": "true"})),
            ("elicitation/create", form()),
        ],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for answer in answers {
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
    }
    assert_eq!(served(&ran), []);
}

#[test]
fn files_below_the_working_directory() {
    let dir = tempfile::tempdir().expect("a directory");
    let (inside, outside) = (dir.path().join("work/new/a"), dir.path().join("secret"));
    fs::write(&outside, "secret").expect("written");
    let asks = [
        ("fs/read_text_file", json!({"path": inside})),
        (
            "fs/write_text_file",
            json!({"path": inside, "content": "one\r\n"}),
        ),
        ("fs/read_text_file", json!({"path": inside})),
        ("fs/read_text_file", json!({"path": outside})),
        (
            "fs/write_text_file",
            json!({"path": outside, "content": "x"}),
        ),
    ];
    let (ran, answers) = asked(dir.path(), &["--json", "--fs", "rw"], &asks);
    assert_eq!(answers[0]["error"]["code"], -32002);
    assert_eq!(answers[2]["result"]["content"], "one\r\n");
    assert_eq!(fs::read_to_string(&outside).expect("there"), "secret");
    let (read, write) = ("fs/read_text_file", "fs/write_text_file");
    assert_eq!(
        served(&ran),
        pairs(&[
            (read, "missing"),
            (write, "done"),
            (read, "done"),
            (read, "outside"),
            (write, "outside"),
        ])
    );
    // No path and no text in what is told about it.
    let told: String = ran
        .stdout
        .lines()
        .filter(|line| line.contains(r#""type":"served""#))
        .collect();
    assert!(!told.contains("secret") && !told.contains("work"), "{told}");

    fs::remove_file(dir.path().join("answers")).expect("removed");
    let (_, answers) = asked(dir.path(), &["--fs", "ro"], &asks);
    assert_eq!(answers[0]["result"]["content"], "one\r\n");
    assert_eq!(answers[1]["error"]["code"], -32601);

    fs::remove_file(dir.path().join("answers")).expect("removed");
    let missing = [(
        "fs/read_text_file",
        json!({"path": dir.path().join("work/none")}),
    )];
    let flags = ["--fs", "ro", "--missing-as-empty", "--json"];
    let (ran, answers) = asked(dir.path(), &flags, &missing);
    assert_eq!(answers[0]["result"]["content"], "");
    assert_eq!(served(&ran), pairs(&[(read, "empty")]));
}

#[test]
fn commands() {
    let dir = tempfile::tempdir().expect("a directory");
    let terminal = json!({"terminalId": "term-1"});
    let (ran, answers) = asked(
        dir.path(),
        &["--terminal"],
        &[
            ("terminal/create", json!({"command": "pwd; echo two"})),
            ("terminal/wait_for_exit", terminal.clone()),
            ("terminal/output", terminal),
            // It is never released.
            (
                "terminal/create",
                json!({"command": "sleep", "args": ["1000"]}),
            ),
        ],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let work = dir.path().join("work").canonicalize().expect("there");
    assert_eq!(answers[1]["result"], json!({"exitCode": 0}));
    assert_eq!(
        answers[2]["result"]["output"],
        format!("{}\ntwo\n", work.display())
    );
    assert!(
        ran.stderr.contains("· terminal/create: shell term-1\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn answers_to_questions() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("values.json");
    fs::write(&file, r#"{"name": "Ada", "age": 36}"#).expect("written");
    let file = file.to_str().expect("UTF-8");
    for (how, action, class) in [
        (
            file,
            json!({"action": "accept", "content": {"name": "Ada"}}),
            "done",
        ),
        ("decline", json!({"action": "decline"}), "declined"),
        // There is nobody to ask.
        ("ask", json!({"action": "decline"}), "declined"),
    ] {
        drop(fs::remove_file(dir.path().join("answers")));
        let flags = ["--json", "--elicit", how];
        let (ran, answers) = asked(dir.path(), &flags, &[("elicitation/create", form())]);
        assert_eq!(answers[0]["result"], action, "{how}");
        assert_eq!(
            served(&ran),
            pairs(&[("elicitation/create", class)]),
            "{how}"
        );
    }
}

#[test]
fn a_file_of_answers_that_cannot_be_read() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("bad"), "[1]").expect("written");
    fs::write(dir.path().join("big"), vec![b' '; 70_000]).expect("written");
    for file in ["bad", "big", "missing"] {
        let ran = acp_in(dir.path(), &["run", "hello", "--elicit", file], "");
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains("--elicit"), "{}", ran.stderr);
    }
}

/// Whatever ends the program, a command that it runs for the agent ends with it.
#[cfg(target_os = "linux")]
#[test]
fn no_command_outlives_the_program() {
    for signal in ["-INT", "-TERM", "-KILL"] {
        let dir = tempfile::tempdir().expect("a directory");
        let at = |name: &str| dir.path().join(name).display().to_string();
        let script = format!("echo $$ > {}; exec sleep 1000", at("pid"));
        let params = json!({"sessionId": "s1", "command": "/bin/sh", "args": ["-c", script]});
        let wait = json!({"sessionId": "s1", "terminalId": "term-1"});
        let asks = [
            ("terminal/create", params),
            ("terminal/wait_for_exit", wait),
        ];
        let lines: String = (0..)
            .zip(asks)
            .map(|(id, (method, params))| {
                json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
                    + "\n"
            })
            .collect();
        fs::write(at("asks"), lines).expect("written");
        let mut child = crate::program::command()
            .args(["run", "hello", "--terminal", "--json", "--env"])
            .arg(format!("ACP_TEST_ASKS={}", at("asks")))
            .arg("--env")
            .arg(format!("ACP_TEST_ANSWERS={}", at("answers")))
            .args(["--", "sh", "agent.sh", "requests"])
            .current_dir(agents())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let began = Instant::now();
        let pid = loop {
            let text = fs::read_to_string(at("pid")).unwrap_or_default();
            if text.ends_with('\n') {
                break text.trim().to_owned();
            }
            assert!(began.elapsed() < LONG, "no command was run");
            std::thread::yield_now();
        };
        let sent = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .expect("kill runs");
        assert!(sent.success());
        child.wait().expect("it ends");
        let stat = format!("/proc/{pid}/stat");
        let began = Instant::now();
        // One that is dead and not yet collected by whoever adopted it counts as gone.
        while fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")) {
            assert!(began.elapsed() < LONG, "{signal}: it lives on");
            std::thread::yield_now();
        }
    }
}
