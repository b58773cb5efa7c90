//! A served agent as a process: standard output protected, signals obeyed, memory flat.
#![cfg(unix)]

use std::{
    env,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    path::PathBuf,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::time::Instant;

/// An example, which cargo has built beside the tests.
fn example(name: &str) -> PathBuf {
    let mut path = env::current_exe().expect("this test");
    path.pop();
    if path.ends_with("deps") {
        path.pop();
    }
    path.join("examples").join(name)
}

struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<std::process::ChildStdout>,
}

impl Process {
    fn start() -> Self {
        Self::of(Command::new(example("noisy")))
    }

    fn of(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the example was built");
        Self {
            stdin: child.stdin.take(),
            stdout: BufReader::new(child.stdout.take().expect("a pipe")),
            child,
        }
    }

    fn send(&mut self, frame: &Value) {
        let stdin = self.stdin.as_mut().expect("open");
        writeln!(stdin, "{frame}").expect("sent");
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("not a frame: {line:?}"))
    }

    fn answer(&mut self, id: i64) -> Value {
        loop {
            let frame = self.receive();
            if frame["id"] == id && frame.get("method").is_none() {
                return frame;
            }
        }
    }

    /// Opens a session and sends a prompt with id 2.
    fn prompt(&mut self, text: &str) -> String {
        let params = json!({"protocolVersion": 1});
        self.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}));
        self.answer(0);
        let params = json!({"cwd": "/", "mcpServers": []});
        self.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": params}));
        let session = self.answer(1)["result"]["sessionId"]
            .as_str()
            .expect("an id")
            .to_owned();
        let params = json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]});
        self.send(
            &json!({"jsonrpc": "2.0", "id": 2, "method": "session/prompt", "params": params}),
        );
        session
    }

    fn ends_within(&mut self, bound: Duration) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(start.elapsed() < bound, "still running");
            std::thread::park_timeout(Duration::from_millis(5));
        }
    }

    fn stderr(&mut self) -> String {
        let mut text = String::new();
        let mut stderr = self.child.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut text).expect("text");
        text
    }

    /// A figure of the kernel about the process, in KiB.
    #[cfg(target_os = "linux")]
    fn memory(&self, name: &str) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let text = std::fs::read_to_string(path).expect("the process runs");
        let line = text.lines().find(|line| line.starts_with(name));
        let mut words = line.expect("the figure").split_whitespace();
        words.nth(1).expect("a number").parse().expect("a number")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The example prints to standard output from Rust, and through a child of its own.
#[test]
fn nothing_but_frames_reaches_standard_output() {
    let mut process = Process::start();
    process.prompt("print");
    assert_eq!(process.answer(2)["result"]["stopReason"], "end_turn");
    process.stdin = None;
    let status = process.ends_within(Duration::from_secs(10));
    assert!(status.success());
    let mut rest = String::new();
    process.stdout.read_to_string(&mut rest).expect("text");
    assert_eq!(rest, "");
    let stderr = process.stderr();
    for printed in ["printed before", "printed in a turn", "printed by a child"] {
        assert!(stderr.contains(printed), "{printed}: {stderr}");
    }
    let count: u64 = [
        "printed before\n",
        "printed in a turn\n",
        "printed by a child\n",
    ]
    .iter()
    .map(|line| line.len() as u64)
    .sum();
    // What was printed before the server began is counted, too.
    assert!(
        stderr.contains(&format!("stray output: {count} bytes")),
        "{stderr}"
    );
}

#[test]
fn signals_end_it_with_its_work() {
    for signal in ["INT", "TERM", "HUP"] {
        let mut process = Process::start();
        process.prompt("wait");
        // It is in the turn: it has said so.
        while process.receive()["params"]["update"]["content"]["text"] != "waiting" {}
        let pid = process.child.id().to_string();
        let sent = Command::new("kill")
            .args([&format!("-{signal}"), &pid])
            .status();
        assert!(sent.expect("kill").success());
        let answer = process.answer(2);
        assert_eq!(answer["result"]["stopReason"], "cancelled", "{signal}");
        let status = process.ends_within(Duration::from_secs(10));
        assert!(status.success(), "{signal}: {status}");
        assert!(process.stderr().contains("cleaned up"), "{signal}");
    }
}

#[test]
fn the_end_of_the_input_ends_it() {
    let mut process = Process::start();
    process.prompt("wait");
    while process.receive()["params"]["update"]["content"]["text"] != "waiting" {}
    process.stdin = None;
    assert!(process.ends_within(Duration::from_secs(10)).success());
    assert!(process.stderr().contains("cleaned up"));
}

/// A handler that never gives its thread back does not keep the process alive.
#[test]
fn a_handler_that_blocks_its_thread_is_left_behind() {
    let mut process = Process::of(Command::new(example("blocking")));
    process.prompt("block");
    while process.receive()["params"]["update"]["content"]["text"] != "waiting" {}
    process.stdin = None;
    assert_eq!(process.answer(2)["result"]["stopReason"], "cancelled");
    assert!(process.ends_within(Duration::from_secs(60)).success());
    assert!(process.stderr().contains("abandoned: 1"));
}

/// The process that started it is killed, and somebody else holds the other ends of its pipes.
#[test]
fn an_orphan_ends() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec 3<&0; \"$0\" <&3 & wait"]);
    shell.arg(example("blocking"));
    let mut process = Process::of(shell);
    process.prompt("wait");
    while process.receive()["params"]["update"]["content"]["text"] != "waiting" {}
    process.child.kill().expect("killed");
    assert_eq!(process.answer(2)["result"]["stopReason"], "cancelled");
    let mut rest = String::new();
    // The end of its output is its end.
    process.stdout.read_to_string(&mut rest).expect("text");
    assert_eq!(rest, "");
}

/// A cancel reaches a handler that waits for a pipe that nobody reads.
#[test]
fn a_cancel_reaches_a_blocked_handler_over_pipes() {
    let mut process = Process::start();
    let session = process.prompt("blast 1000000");
    let mut stderr = BufReader::new(process.child.stderr.take().expect("a pipe"));
    let params = json!({"sessionId": session});
    process.send(&json!({"jsonrpc": "2.0", "method": "session/cancel", "params": params}));
    let number = loop {
        let mut line = String::new();
        stderr.read_line(&mut line).expect("a line");
        if let Some(number) = line.trim_end().strip_prefix("stopped at ") {
            break number.to_owned();
        }
    };
    // 64 KiB of pipe, the queue, the writer and the hand: no more was produced.
    assert!(
        number.parse::<u64>().expect("a number") < 16 + 8 + 4,
        "{number}"
    );
    assert_eq!(process.answer(2)["result"]["stopReason"], "cancelled");
}

/// 4 KiB events to a client that stops reading in the middle. `ACP_EVENTS` sets how many; a quarter
/// of a million are a GiB.
#[cfg(target_os = "linux")]
#[test]
fn memory_stays_flat_behind_a_client_that_stops_reading() {
    let events: u64 = env::var("ACP_EVENTS").map_or(4000, |text| text.parse().expect("a number"));
    let mut process = Process::start();
    process.prompt(&format!("blast {events}"));
    let mut next = 0;
    let mut take = |process: &mut Process, upto: u64| {
        while next < upto {
            let frame = process.receive();
            if let Some(text) = frame["params"]["update"]["content"]["text"].as_str() {
                assert_eq!(text.len(), 4096);
                let number: u64 = text.trim_end_matches('x').parse().expect("a number");
                assert_eq!(number, next, "in order, without a gap");
                next += 1;
            }
        }
    };
    take(&mut process, 10);
    let idle = process.memory("VmRSS");
    // The pipe holds 64 KiB, so the handler is far behind what it has to say.
    let before = process.memory("VmHWM");
    let pause = Instant::now();
    let bound = if events > 10_000 { 20 } else { 1 };
    while pause.elapsed() < Duration::from_secs(bound) {
        std::thread::park_timeout(Duration::from_millis(5));
    }
    assert!(
        process.memory("VmHWM") <= before + 1024,
        "it grew while nobody read"
    );
    take(&mut process, events);
    let peak = process.memory("VmHWM");
    assert_eq!(process.answer(2)["result"]["stopReason"], "end_turn");
    assert!(peak <= idle + 8 * 1024, "peak {peak} KiB, idle {idle} KiB");
}
