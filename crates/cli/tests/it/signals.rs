//! Interrupts, in one stage and in two, and readers that go away.

use std::{
    io::{BufRead as _, BufReader, Read as _},
    path::Path,
    process::{Child, Command, Stdio},
};

use crate::{
    program::{Ran, agents, command},
    records::records,
};

fn kill(signal: &str, pid: u32) -> bool {
    Command::new("kill")
        .args([signal, &pid.to_string()])
        .stderr(Stdio::null())
        .status()
        .expect("kill runs")
        .success()
}

fn start(flags: &[&str], mode: &str, pid_file: &Path) -> Child {
    command()
        .args(["run", "hello", "--json"])
        .args(flags)
        .args([
            "--env",
            &format!("ACP_TEST_PID={}", pid_file.display()),
            "--",
            "sh",
            "agent.sh",
            mode,
        ])
        .current_dir(agents())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

/// Sends the signals one after the other, each after the line that it waits for, and gives back how the run ended.
#[track_caller]
fn interrupted(mode: &str, signals: &[(&str, &str)]) -> Ran {
    let dir = tempfile::tempdir().expect("a directory");
    let pid_file = dir.path().join("pid");
    let mut child = start(&[], mode, &pid_file);
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut err = BufReader::new(child.stderr.take().expect("a pipe"));
    let (mut stdout, mut stderr) = (String::new(), String::new());
    for (wait_for, signal) in signals {
        let (stream, seen) = if wait_for.starts_with("! ") {
            (&mut err as &mut dyn std::io::BufRead, &mut stderr)
        } else {
            (&mut out as _, &mut stdout)
        };
        let wait_for = wait_for.trim_start_matches("! ");
        loop {
            let mut line = String::new();
            assert!(
                stream.read_line(&mut line).expect("readable") > 0,
                "ended before {wait_for}: {seen}"
            );
            seen.push_str(&line);
            if line.contains(wait_for) {
                break;
            }
        }
        assert!(kill(signal, child.id()));
    }
    out.read_to_string(&mut stdout).expect("readable");
    err.read_to_string(&mut stderr).expect("readable");
    let code = child.wait().expect("it ends").code();
    let agent: u32 = std::fs::read_to_string(&pid_file)
        .expect("written")
        .trim()
        .parse()
        .expect("a number");
    assert!(!kill("-0", agent), "the agent is still there");
    Ran {
        code,
        stdout,
        stderr,
    }
}

#[track_caller]
fn check(mode: &str, signals: &[(&str, &str)], code: i32, outcome: &str) {
    let ran = interrupted(mode, signals);
    let records = records(&ran);
    let last = records.last().expect("a result");
    assert_eq!(
        (ran.code, last["outcome"].as_str()),
        (Some(code), Some(outcome)),
        "{last}"
    );
}

#[test]
fn the_first_interrupt_cancels_the_turn() {
    check("slow-cancel", &[("working", "-INT")], 130, "cancelled");
    check("slow-cancel", &[("working", "-TERM")], 143, "cancelled");
    check("slow-cancel", &[("working", "-HUP")], 143, "cancelled");
}

#[test]
fn the_second_interrupt_ends_the_agent() {
    check(
        "ignores-cancel",
        &[("working", "-INT"), ("! cancelling the turn", "-INT")],
        130,
        "interrupted",
    );
}

#[test]
fn an_interrupt_before_there_is_a_turn() {
    check(
        "silent-session",
        &[("\"type\":\"agent\"", "-INT")],
        130,
        "interrupted",
    );
}

#[test]
fn a_reader_that_goes_away_is_no_drama() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut child = start(&[], "many-lines", &dir.path().join("pid"));
    let mut first = String::new();
    BufReader::new(child.stdout.take().expect("a pipe"))
        .read_line(&mut first)
        .expect("readable");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// A run with an answer without end, which nobody reads, once its pipe is full.
#[cfg(target_os = "linux")]
fn unread(flags: &[&str]) -> Child {
    let child = command()
        .args(["run", "hello", "--json"])
        .args(flags)
        .args(["--", env!("CARGO_BIN_EXE_acp"), "mock", "--mode", "flood"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let out = child.stdout.as_ref().expect("a pipe");
    // A pipe holds 64 KiB, less what does not fit behind a record.
    while rustix::io::ioctl_fionread(out).expect("a pipe") < 48 << 10 {
        std::thread::yield_now();
    }
    child
}

#[cfg(target_os = "linux")]
#[test]
fn a_reader_that_reads_nothing_holds_up_no_bound() {
    let mut child = unread(&["--timeout", "3s"]);
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
}

#[cfg(target_os = "linux")]
#[test]
fn a_reader_that_reads_nothing_holds_up_no_signal() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 143)] {
        let mut child = unread(&[]);
        assert!(kill(signal, child.id()));
        assert_eq!(child.wait().expect("it ends").code(), Some(code));
    }
}

// What had to wait for the reader comes, to the last record.
#[cfg(target_os = "linux")]
#[test]
fn a_reader_that_reads_again_gets_the_result() {
    let child = unread(&[]);
    assert!(kill("-TERM", child.id()));
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(143));
    let text = String::from_utf8(output.stdout).expect("text");
    let records: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("whole records"))
        .collect();
    let last = records.last().expect("a result");
    assert_eq!(
        (last["type"].as_str(), last["exit"].as_i64()),
        (Some("result"), Some(143))
    );
}
