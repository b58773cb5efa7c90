//! What the program does for an agent: nothing by itself, and what it was told to.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::program::{Ran, acp_in, agents};

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
        .chain(["--", "sh", agent, "asks"])
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
            ("terminal/output", terminal.clone()),
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
