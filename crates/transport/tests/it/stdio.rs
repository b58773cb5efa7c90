//! A program's own standard streams, over pipes and over what is no pipe.

use std::{fs::File, io::Write, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::Command,
};

use crate::soon;

/// This very test program, told to echo: its standard output carries the harness's words, too, so
/// the echo goes between marks.
fn echo() -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        "stdio::echo_program",
        "--nocapture",
        "--test-threads=1",
    ]);
    command
        .env("ACP_TRANSPORT_ECHO", "1")
        .stdout(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// Runs only as the child of another test.
#[test]
fn echo_program() {
    if std::env::var_os("ACP_TRANSPORT_ECHO").is_none() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (mut reader, mut writer, _peer) = acp_transport::stdio().unwrap().into_parts();
        writer.write_all(b"<<<").await.unwrap();
        tokio::io::copy(&mut reader, &mut writer).await.unwrap();
        writer.write_all(b">>>").await.unwrap();
        writer.flush().await.unwrap();
    });
}

fn echoed(output: &[u8]) -> &[u8] {
    let start = output
        .windows(3)
        .position(|window| window == b"<<<")
        .unwrap()
        + 3;
    let end = output
        .windows(3)
        .rposition(|window| window == b">>>")
        .unwrap();
    &output[start..end]
}

fn pattern() -> Vec<u8> {
    (0..1_000_000).map(|at| b'a' + (at % 23) as u8).collect()
}

#[tokio::test]
async fn over_pipes() {
    let mut child = echo().stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let sent = pattern();
    let bytes = sent.clone();
    tokio::spawn(async move { input.write_all(&bytes).await.unwrap() });
    let mut output = Vec::new();
    soon(child.stdout.take().unwrap().read_to_end(&mut output))
        .await
        .unwrap();
    assert!(echoed(&output) == sent);
    assert!(soon(child.wait()).await.unwrap().success());
}

#[tokio::test]
async fn over_a_file_and_a_pipe() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("input");
    File::create(&path).unwrap().write_all(&pattern()).unwrap();
    let child = echo().stdin(File::open(&path).unwrap()).spawn().unwrap();
    let output = soon(child.wait_with_output()).await.unwrap();
    assert!(echoed(&output.stdout) == pattern());
}

#[tokio::test]
async fn over_a_socket_as_some_hosts_do() {
    use std::os::fd::OwnedFd;
    let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    let mut ours = tokio::net::UnixStream::from_std(ours).unwrap();
    let mut child = echo()
        .stdin(OwnedFd::from(theirs.try_clone().unwrap()))
        .stdout(OwnedFd::from(theirs))
        .spawn()
        .unwrap();
    let mut output = Vec::new();
    while !output.ends_with(b"<<<") {
        output.push(soon(ours.read_u8()).await.unwrap());
    }
    soon(ours.write_all(b"hello")).await.unwrap();
    ours.shutdown().await.unwrap();
    soon(ours.read_to_end(&mut output)).await.unwrap();
    assert_eq!(echoed(&output), b"hello");
    assert!(soon(child.wait()).await.unwrap().success());
}

#[tokio::test]
async fn a_runtime_that_ends_does_not_wait_for_its_input() {
    // Output to a file makes no difference here; the input is a socket that never says a word.
    let (_ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "stdio::impatient_program", "--nocapture"])
        .env("ACP_TRANSPORT_IMPATIENT", "1")
        .stdin(std::os::fd::OwnedFd::from(theirs))
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    assert!(soon(child.wait()).await.unwrap().success());
}

/// Runs only as the child of another test.
#[test]
fn impatient_program() {
    if std::env::var_os("ACP_TRANSPORT_IMPATIENT").is_none() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (mut reader, _writer, _peer) = acp_transport::stdio().unwrap().into_parts();
        let read = tokio::time::timeout(Duration::from_millis(100), reader.read_u8()).await;
        assert!(read.is_err(), "nobody has written");
    });
}
