//! What a child is given and what is seen of it.

use std::{
    fs,
    sync::{Arc, Mutex},
};

use acp_transport::{Direction, Ended, Exit, Link, Observer, Stage};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{Lines, millis, script, start};
use crate::soon;

#[tokio::test]
async fn bytes_go_in_and_out_and_the_exit_is_seen() {
    let (mut reader, mut writer, peer) =
        start("cat; echo oops >&2; exit 3").into_link().into_parts();
    soon(writer.write_all(b"hello\n")).await.unwrap();
    soon(writer.shutdown()).await.unwrap();
    let mut all = String::new();
    soon(reader.read_to_string(&mut all)).await.unwrap();
    assert_eq!(all, "hello\n");
    let ended = soon(peer.ended()).await;
    assert_eq!(ended.exit(), Some(Exit::Code(3)));
    assert_eq!(ended.stderr_tail(), b"oops\n");
}

#[tokio::test]
async fn a_child_that_dies_at_once_has_said_why() {
    for _ in 0..20 {
        let child = start("echo no api key >&2; exit 78");
        let ended = soon(child.ended()).await;
        assert_eq!(ended, Ended::exited(Exit::Code(78), *b"no api key\n"));
    }
}

#[tokio::test]
async fn a_signal_is_told_as_one() {
    assert_eq!(
        soon(start("kill -9 $$").ended()).await.exit(),
        Some(Exit::Signal(9))
    );
}

#[tokio::test]
async fn what_it_wrote_before_its_end_can_be_read_afterwards() {
    let child = start("printf 'last words'; exit 1");
    soon(child.ended()).await;
    soon(child.handle().gone()).await;
    let (reader, _writer, _peer) = child.into_link().into_parts();
    assert_eq!(Lines::of(reader).rest().await, "last words");
}

#[tokio::test]
async fn a_child_that_closes_its_output_still_lives() {
    let child = start("exec >&-; read line; exit 5");
    let (mut reader, writer, peer) = child.into_link().into_parts();
    assert_eq!(soon(reader.read(&mut [0; 8])).await.unwrap(), 0);
    assert_eq!(
        (peer.ending().now(), peer.process().unwrap().stage()),
        (None, Stage::Running)
    );
    drop(writer);
    assert_eq!(soon(peer.ended()).await.exit(), Some(Exit::Code(5)));
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipe_does_not_hide_the_exit() {
    let child = start("sleep 600 & exit 4");
    let ended = soon(child.ended()).await;
    assert_eq!(ended.exit(), Some(Exit::Code(4)));
    // Nobody has asked for an end; the group without its leader is swept by itself.
    let (reader, _writer, peer) = child.into_link().into_parts();
    assert_eq!(Lines::of(reader).rest().await, "");
    soon(peer.process().unwrap().gone()).await;
}

/// As long as anybody may still be signalled, the number of the group must not be given away.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_child_is_not_reaped_before_its_group_is_gone() {
    let long = acp_transport::Grace::new(millis(60_000), millis(60_000));
    let child = script("sleep 600 & exit 4").grace(long).spawn().unwrap();
    soon(child.ended()).await;
    let stat = format!("/proc/{}/stat", child.pid());
    let state = |stat: String| stat.rsplit(')').next().unwrap().trim().chars().next();
    assert_eq!(child.handle().stage(), Stage::Closing);
    assert_eq!(state(fs::read_to_string(&stat).unwrap()), Some('Z'));
    let handle = child.handle().clone();
    drop(child);
    soon(handle.gone()).await;
    assert!(fs::read_to_string(&stat).is_err(), "reaped at last");
}

#[tokio::test]
async fn arguments_directory_and_environment_arrive_as_given() {
    let directory = tempfile::tempdir().unwrap();
    let text = r#"pwd -P; printf '%s|' "$0" "$@"; echo; echo "$ADDED,${HOME-none},${PATH+path}""#;
    let command = script(text)
        .args(["zero", "two words", "$HOME", "", "'"])
        .cwd(directory.path())
        .env("ADDED", "a b")
        .env_remove("HOME");
    let (reader, _writer, _peer) = command.spawn().unwrap().into_link().into_parts();
    let mut lines = Lines::of(reader);
    assert_eq!(
        lines.next().await,
        directory.path().canonicalize().unwrap().to_str().unwrap()
    );
    assert_eq!(lines.next().await, "zero|two words|$HOME||'|");
    assert_eq!(lines.next().await, "a b,none,path");
}

#[tokio::test]
async fn a_cleared_environment_holds_what_was_set_and_nothing_else() {
    // The shell itself adds PWD and the like; `env` is started by absolute path, so no PATH is
    // needed.
    let command = script("exec /usr/bin/env")
        .env("BEFORE", "1")
        .env_clear()
        .env("ONLY", "this");
    let (reader, _writer, _peer) = command.spawn().unwrap().into_link().into_parts();
    let all = Lines::of(reader).rest().await;
    assert!(all.lines().any(|line| line == "ONLY=this"), "{all}");
    for inherited in ["BEFORE", "HOME", "CARGO"] {
        assert!(
            !all.lines().any(|line| line.starts_with(inherited)),
            "{all}"
        );
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn it_leads_its_group_and_does_not_hold_the_pipe_of_its_guard() {
    let child = start("echo ready; read line");
    let pid = child.pid();
    let (reader, _writer, _peer) = child.into_link().into_parts();
    assert_eq!(Lines::of(reader).next().await, "ready");
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let group: u32 = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .nth(2)
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(group, pid);
    let guards = super::survivors::guards_of(std::process::id());
    let pipes: Vec<_> = guards
        .iter()
        .filter_map(|guard| fs::read_link(format!("/proc/{guard}/fd/0")).ok())
        .collect();
    assert!(!pipes.is_empty());
    for descriptor in fs::read_dir(format!("/proc/{pid}/fd")).unwrap() {
        let target = fs::read_link(descriptor.unwrap().path()).unwrap();
        assert!(
            !pipes.contains(&target),
            "a child that holds the guard's pipe would keep it from its end"
        );
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_flood_of_standard_error_costs_the_tail_and_no_more() {
    fn resident() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status
            .lines()
            .find(|line| line.starts_with("VmRSS:"))
            .unwrap();
        line.split_whitespace()
            .nth(1)
            .unwrap()
            .parse::<u64>()
            .unwrap()
            / 1024
    }
    let before = resident();
    let child = script("head -c 67108864 /dev/zero >&2; printf end >&2; echo done; read line")
        .stderr_tail(1000)
        .spawn()
        .unwrap();
    let handle = child.handle().clone();
    let (reader, writer, peer) = child.into_link().into_parts();
    assert_eq!(Lines::of(reader).next().await, "done");
    assert!(
        resident() < before + 16,
        "{before} MiB before, {} MiB after",
        resident()
    );
    drop(writer);
    let ended = soon(peer.ended()).await;
    assert_eq!(ended.stderr_tail().len(), 1000);
    assert!(ended.stderr_tail().ends_with(b"\0\0end"));
    assert_eq!(handle.stderr_tail().len(), 1000);
}

#[test]
fn standard_error_is_drained_while_the_runtime_sleeps() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("done");
    let (tell, told) = std::sync::mpsc::channel();
    let seen = Mutex::new(0);
    let _child = runtime.block_on(async {
        script("head -c 1000000 /dev/zero >&2; read line")
            .env("DONE", &path)
            .on_stderr(move |bytes| {
                let mut seen = seen.lock().unwrap();
                *seen += bytes.len();
                if *seen == 1_000_000 {
                    tell.send(()).unwrap();
                }
            })
            .spawn()
            .unwrap()
    });
    // Nothing drives the runtime here.
    told.recv_timeout(std::time::Duration::from_secs(20))
        .unwrap();
}

#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Observer for Notes {
    fn line(&self, direction: Direction, line: &[u8]) {
        self.0
            .lock()
            .unwrap()
            .push(format!("{direction:?} {}", String::from_utf8_lossy(line)));
    }

    fn stderr(&self, bytes: &[u8]) {
        self.0
            .lock()
            .unwrap()
            .push(format!("stderr {}", String::from_utf8_lossy(bytes)));
    }

    fn ended(&self, ended: &Ended) {
        self.0.lock().unwrap().push(ended.to_string());
    }
}

#[tokio::test]
async fn an_observer_of_a_child_sees_all_three_streams_and_the_end() {
    let text = r#"printf early >&2; echo '{"method":"a"}'; read line; printf late >&2; exit 2"#;
    let notes = Arc::new(Notes::default());
    let link: Link = start(text).into();
    let (reader, mut writer, peer) = link.observed(notes.clone()).into_parts();
    let mut lines = Lines::of(reader);
    assert_eq!(lines.next().await, r#"{"method":"a"}"#);
    soon(writer.write_all(b"{\"method\":\"b\"}\n"))
        .await
        .unwrap();
    soon(peer.ended()).await;
    let mut seen = notes.0.lock().unwrap().clone();
    let end = seen
        .iter()
        .position(|note| note == "ended with exit status 2")
        .unwrap();
    seen.remove(end);
    let (stderr, lines): (Vec<_>, Vec<_>) = seen
        .into_iter()
        .partition(|note| note.starts_with("stderr "));
    assert_eq!(
        lines,
        [r#"Received {"method":"a"}"#, r#"Sent {"method":"b"}"#]
    );
    assert_eq!(
        stderr.concat().replace("stderr ", ""),
        "earlylate",
        "in pieces of any size"
    );
}

#[tokio::test]
async fn a_command_connects_again_and_again() {
    use acp_transport::Connector;
    let mut command = script("echo $$; read line");
    let first = soon(command.connect()).await.unwrap();
    let second = soon(command.connect()).await.unwrap();
    assert_ne!(first.peer().pid(), second.peer().pid());
    assert_eq!(&**first.peer().name(), "sh");
    for link in [first, second] {
        let pid = link.peer().pid().unwrap().to_string();
        let (reader, _writer, _peer) = link.into_parts();
        assert_eq!(Lines::of(reader).next().await, pid);
    }
}

#[test]
fn debug_output_has_no_secrets() {
    let command = script("argument-secret")
        .env("NAME", "value-secret")
        .env_remove("GONE");
    let text = format!("{command:?}");
    assert!(!text.contains("secret"), "{text}");
    assert!(
        text.contains("NAME") && text.contains("GONE") && text.contains("sh"),
        "{text}"
    );
}

#[tokio::test]
async fn the_stages_of_a_child_that_is_left_alone() {
    let child = start("read line");
    assert_eq!(child.handle().stage(), Stage::Running);
    let nothing = tokio::time::timeout(millis(50), child.handle().reached(Stage::Closing)).await;
    assert!(nothing.is_err(), "nobody has asked for its end");
}
