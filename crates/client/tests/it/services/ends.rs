//! Whatever ends, no process survives it.

use std::time::Duration;

use acp_client::{Pump, Terminals};
use rustix::process::{Pid, test_kill_process};
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::*;

/// Waits until there is no such process any more.
#[track_caller]
pub(super) fn gone(pid: i32) -> impl Future<Output = ()> {
    let at = std::panic::Location::caller();
    async move {
        let pid = Pid::from_raw(pid).unwrap();
        let began = Instant::now();
        while test_kill_process(pid).is_ok() && !is_zombie(pid) {
            assert!(began.elapsed() < Duration::from_secs(20), "{at}: it lives");
            sleep(Duration::from_millis(10)).await;
        }
    }
}

/// A grandchild whose parent is gone waits for whoever adopted it, which need not hurry.
fn is_zombie(pid: Pid) -> bool {
    std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).is_ok_and(|stat| {
        stat.rsplit(')')
            .next()
            .is_some_and(|rest| rest.starts_with(" Z"))
    })
}

/// A command that ignores polite words, and its child.
async fn stubborn(peer: &mut Peer) -> Vec<i32> {
    let script = "trap '' TERM; echo $$; sleep 1000 & echo $!; while :; do sleep 1000; done";
    let params = json!({"sessionId": "s", "command": "/bin/sh", "args": ["-c", script]});
    let id = peer.ask("terminal/create", params).await.unwrap();
    let made = peer.expect_answer(id).await.unwrap();
    let params = json!({"sessionId": "s", "terminalId": made["result"]["terminalId"]});
    loop {
        let id = peer.ask("terminal/output", params.clone()).await.unwrap();
        let output = peer.expect_answer(id).await.unwrap();
        let text = output["result"]["output"].as_str().unwrap();
        if text.lines().count() == 2 && text.ends_with('\n') {
            return text.lines().map(|line| line.parse().unwrap()).collect();
        }
    }
}

async fn all_gone(pids: Vec<i32>, terminals: &Terminals) {
    for pid in pids {
        gone(pid).await;
    }
    let began = Instant::now();
    while terminals.open() > 0 {
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "a terminal is left"
        );
        sleep(Duration::from_millis(10)).await;
    }
}

async fn started() -> (Rig, Vec<i32>, Terminals) {
    let terminals = Terminals::new();
    let count = terminals.clone();
    let mut rig = Rig::open(builder().handler(terminals), Path::new("/")).await;
    let pids = stubborn(&mut rig.peer).await;
    (rig, pids, count)
}

#[tokio::test]
async fn release() {
    let (mut rig, pids, count) = started().await;
    rig.result("terminal/release", json!({"terminalId": "term-1"}))
        .await;
    all_gone(pids, &count).await;
}

#[tokio::test]
async fn the_session_is_closed() {
    let (mut rig, pids, count) = started().await;
    let wait = rig
        .start("terminal/wait_for_exit", json!({"terminalId": "term-1"}))
        .await;
    let (session, peer) = (rig.session.clone(), &mut rig.peer);
    let agent = async {
        let call = peer.expect("session/close").await.unwrap();
        peer.reply(&call, json!({})).await.unwrap();
        peer.expect_answer(wait).await.unwrap()
    };
    let (closed, answer) = tokio::join!(session.close(), agent);
    closed.unwrap();
    assert!(answer["error"]["code"].is_i64(), "{answer}");
    all_gone(pids, &count).await;
}

#[tokio::test]
async fn the_session_is_let_go() {
    let (rig, pids, count) = started().await;
    drop(rig.session);
    all_gone(pids, &count).await;
}

// The session's last turn holds it, too.
#[tokio::test]
async fn the_session_is_let_go_in_the_middle_of_a_turn() {
    let (mut rig, pids, count) = started().await;
    let turn = rig.session.prompt("go").start().unwrap();
    let call = rig.peer.expect("session/prompt").await.unwrap();
    drop(rig.session);
    let output = json!({"sessionId": "s", "terminalId": "term-1"});
    let id = rig.peer.ask("terminal/output", output).await.unwrap();
    let output = rig.peer.expect_answer(id).await.unwrap();
    assert!(output["result"]["exitStatus"].is_null(), "it runs on");
    rig.peer.end_turn(&call).await.unwrap();
    turn.finish().await.unwrap();
    all_gone(pids, &count).await;
}

#[tokio::test]
async fn the_client_is_closed() {
    let (rig, pids, count) = started().await;
    rig.client.close().await;
    all_gone(pids, &count).await;
}

#[tokio::test]
async fn the_client_is_dropped() {
    let (rig, pids, count) = started().await;
    drop(rig.client);
    all_gone(pids, &count).await;
}

#[tokio::test]
async fn the_agent_is_gone() {
    let (rig, pids, count) = started().await;
    drop(rig.peer);
    all_gone(pids, &count).await;
}

#[tokio::test]
async fn the_pump_is_dropped() {
    let terminals = Terminals::new();
    let count = terminals.clone();
    let (host, agent) = pipe(4096);
    let (client, pump): (_, Pump) = builder()
        .handler(terminals)
        .connect_with_pump(Link::new(host.reader, host.writer))
        .unwrap();
    let pump = tokio::spawn(pump);
    let (_session, mut peer) = open(&client, Peer::from(agent), Path::new("/")).await;
    let pids = stubborn(&mut peer).await;
    pump.abort();
    all_gone(pids, &count).await;
}

#[test]
fn the_runtime_is_dropped() {
    let runtime = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
    };
    let first = runtime();
    let (rig, pids, count) = first.block_on(started());
    drop(first);
    runtime().block_on(all_gone(pids, &count));
    drop(rig);
}

// A request that is given up while its command is being started leaves nothing.
#[tokio::test]
async fn the_request_is_withdrawn() {
    let terminals = Terminals::new();
    let count = terminals.clone();
    let mut rig = Rig::open(builder().handler(terminals), Path::new("/")).await;
    let params = json!({"command": "/bin/sh", "args": ["-c", "exec sleep 1000"]});
    let id = rig.start("terminal/create", params).await;
    let withdrawal = json!({"requestId": id});
    rig.peer
        .notify("$/cancel_request", withdrawal)
        .await
        .unwrap();
    let answer = rig.peer.expect_answer(id).await.unwrap();
    // Whichever was first: when nobody knows a terminal, there is none.
    if answer.get("result").is_some() {
        let terminal = json!({"terminalId": answer["result"]["terminalId"]});
        rig.result("terminal/release", terminal).await;
    }
    all_gone(Vec::new(), &count).await;
}
