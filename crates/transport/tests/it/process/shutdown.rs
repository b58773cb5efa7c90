//! The ladder on real processes, from every place where a child can be given up.

use std::{sync::mpsc, time::Duration};

use acp_transport::{Connector, Exit, Grace, Reaper, Stage};
use tokio::io::AsyncWriteExt;

use super::{Lines, millis, script, start};
use crate::soon;

const STUBBORN: &str = "trap '' TERM HUP INT; echo ready; sleep 600 & sleep 600; sleep 600";
const OBEDIENT: &str =
    "trap 'echo term; exit 8' TERM; echo ready; while :; do sleep 600 & wait; done";

/// Shuts a script down once it is ready; gives how it ended, what it still printed, and how long
/// that took.
#[track_caller]
fn check(text: &str, grace: (u64, u64), exit: Exit, printed: &str) -> Duration {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let command = script(text).grace(Grace::new(millis(grace.0), millis(grace.1)));
        let (reader, writer, peer) = command.spawn().unwrap().into_link().into_parts();
        let mut lines = Lines::of(reader);
        assert_eq!(lines.next().await, "ready");
        let started = tokio::time::Instant::now();
        let ended = soon(peer.shutdown()).await;
        let took = started.elapsed();
        assert_eq!(ended.exit(), Some(exit));
        assert_eq!(lines.rest().await, printed);
        drop(writer);
        took
    })
}

const LONG: u64 = 60_000;

#[test]
fn a_polite_agent_ends_at_the_end_of_its_input() {
    check(
        "echo ready; cat; echo bye; exit 7",
        (LONG, LONG),
        Exit::Code(7),
        "bye\n",
    );
}

#[test]
fn an_agent_that_ignores_the_end_of_its_input_is_terminated() {
    let took = check(OBEDIENT, (200, LONG), Exit::Code(8), "term\n");
    assert!(took >= millis(200), "{took:?}");
}

#[test]
fn an_agent_that_ignores_everything_is_killed_with_its_children() {
    let took = check(STUBBORN, (200, 200), Exit::Signal(9), "");
    assert!(took >= millis(400), "{took:?}");
}

#[test]
fn what_the_leader_leaves_behind_is_terminated_at_once() {
    check(
        "sleep 600 & echo ready; read line; exit 0",
        (LONG, LONG),
        Exit::Code(0),
        "",
    );
}

#[test]
fn what_the_leader_leaves_behind_is_killed_when_it_ignores_that() {
    let text = "(trap '' TERM HUP; echo ready; sleep 600; sleep 600) & read line; exit 0";
    check(text, (LONG, 200), Exit::Code(0), "");
}

#[test]
fn a_leader_that_obeys_first_does_not_cut_the_time_of_the_others() {
    let worker = "trap \"sleep 0.3; echo saved; exit\" TERM; echo ready; \
        while :; do sleep 600 & wait; done";
    let text = format!("trap 'exit 0' TERM; sh -c '{worker}' & wait; wait");
    check(&text, (50, LONG), Exit::Code(0), "saved\n");
}

#[tokio::test]
async fn the_stages_are_seen_one_after_the_other() {
    let child = start(STUBBORN);
    let handle = child.handle().clone();
    let (reader, _writer, peer) = child.into_link().into_parts();
    let mut lines = Lines::of(reader);
    assert_eq!(lines.next().await, "ready");
    drop(peer);
    for stage in [Stage::Closing, Stage::Terminating, Stage::Killing] {
        soon(handle.reached(stage)).await;
        assert_eq!(handle.stage(), stage);
    }
    soon(handle.gone()).await;
    assert_eq!(handle.stage(), Stage::Gone);
    assert_eq!(handle.ending().now().unwrap().exit(), Some(Exit::Signal(9)));
    assert_eq!(lines.rest().await, "");
}

#[tokio::test]
async fn the_ladder_closes_the_input_also_under_a_writer_that_waits() {
    let (reader, mut writer, peer) = start("echo ready; exec sleep 600").into_link().into_parts();
    let mut lines = Lines::of(reader);
    assert_eq!(lines.next().await, "ready");
    let handle = peer.process().unwrap().clone();
    let writing = tokio::spawn(async move { writer.write_all(&vec![b'x'; 1 << 20]).await });
    // The pipe is full and nobody reads it.
    assert!(
        tokio::time::timeout(millis(50), handle.reached(Stage::Closing))
            .await
            .is_err()
    );
    assert!(!writing.is_finished());
    handle.shut_down();
    let error = soon(writing).await.unwrap().unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
    soon(peer.shutdown()).await;
}

#[tokio::test]
async fn a_handle_kills_at_once() {
    let child = script(STUBBORN)
        .grace(Grace::new(millis(LONG), millis(LONG)))
        .spawn()
        .unwrap();
    let handle = child.handle().clone();
    let (reader, _writer, peer) = child.into_link().into_parts();
    let mut lines = Lines::of(reader);
    assert_eq!(lines.next().await, "ready");
    handle.kill();
    assert_eq!(soon(peer.ended()).await.exit(), Some(Exit::Signal(9)));
    assert_eq!(lines.rest().await, "", "its children, too");
    soon(handle.gone()).await;
    handle.kill();
    handle.shut_down();
    drop(peer);
}

#[tokio::test]
async fn shutting_down_what_has_ended_is_done_at_once() {
    let command = script("exit 3").grace(Grace::new(millis(LONG), millis(LONG)));
    let child = command.spawn().unwrap();
    soon(child.ended()).await;
    assert_eq!(soon(child.shutdown()).await.exit(), Some(Exit::Code(3)));
}

#[tokio::test]
async fn a_shutdown_that_nobody_awaits_goes_on() {
    let (reader, _writer, peer) = start(STUBBORN).into_link().into_parts();
    let mut lines = Lines::of(reader);
    assert_eq!(lines.next().await, "ready");
    let impatient = tokio::time::timeout(millis(20), peer.shutdown()).await;
    assert!(impatient.is_err());
    assert_eq!(lines.rest().await, "");
}

/// Tells by its hang-up that nothing of a child is left: no thread, no handle.
fn tracked(text: &str) -> (acp_transport::Command, mpsc::Receiver<()>) {
    let (alive, over) = mpsc::channel::<()>();
    (script(text).on_stderr(move |_| drop(alive.clone())), over)
}

#[track_caller]
fn assert_over(over: &mpsc::Receiver<()>) {
    let end = over.recv_timeout(Duration::from_secs(20));
    assert_eq!(end, Err(mpsc::RecvTimeoutError::Disconnected));
}

#[tokio::test]
async fn a_child_that_is_dropped_at_once_leaves_nothing() {
    let (command, over) = tracked(STUBBORN);
    drop(command.spawn().unwrap());
    drop(command);
    assert_over(&over);
}

/// Tools run in sessions of their own; whoever is killed cannot end them any more.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_kill_takes_along_what_has_left_the_group() {
    let child = script("trap '' TERM; setsid sh -c 'echo ready; exec sleep 600' & wait; wait")
        .grace(Grace::new(millis(LONG), millis(LONG)))
        .spawn()
        .unwrap();
    let handle = child.handle().clone();
    let (reader, _writer, peer) = child.into_link().into_parts();
    let mut lines = Lines::of(reader);
    assert_eq!(lines.next().await, "ready");
    handle.kill();
    assert_eq!(soon(peer.ended()).await.exit(), Some(Exit::Signal(9)));
    assert_eq!(lines.rest().await, "", "it held the pipe");
    drop(peer);
}

/// The documented limit: a process that has left the group lives on when the agent ended without
/// being killed. It holds the pipe of standard
/// error, and yet no thread of ours stays with it.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_has_left_the_group_escapes_and_holds_nothing_of_ours() {
    use rustix::process::{Pid, Signal, kill_process, test_kill_process};
    let (command, over) = tracked("setsid sh -c 'echo $$; exec sleep 600' & wait");
    let (reader, _writer, peer) = command.spawn().unwrap().into_link().into_parts();
    let pid = Lines::of(reader).next().await.parse().unwrap();
    let escaped = Pid::from_raw(pid).unwrap();
    drop(command);
    soon(peer.shutdown()).await;
    assert_over(&over);
    assert!(test_kill_process(escaped).is_ok());
    kill_process(escaped, Signal::KILL).unwrap();
}

#[tokio::test]
async fn a_connection_that_is_given_up_while_it_is_made_leaves_nothing() {
    for polls in 0..2 {
        let (mut command, over) = tracked(STUBBORN);
        let mut connecting = command.connect();
        for _ in 0..polls {
            let waker = std::task::Waker::noop();
            drop(
                connecting
                    .as_mut()
                    .poll(&mut std::task::Context::from_waker(waker)),
            );
        }
        drop(connecting);
        drop(command);
        assert_over(&over);
    }
}

#[test]
fn a_child_outlives_its_runtime_only_until_it_is_dropped() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (command, over) = tracked(STUBBORN);
    let child = runtime.block_on(async { command.spawn().unwrap() });
    drop(command);
    drop(runtime);
    drop(child);
    Reaper::join(Duration::from_secs(20)).unwrap();
    assert_over(&over);
}

#[test]
fn the_reaper_says_how_many_it_could_not_wait_for() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let command = script(STUBBORN).grace(Grace::new(millis(300), millis(300)));
    let held = runtime.block_on(async { start("read line") });
    let (child, handle) = runtime.block_on(async {
        let child = command.spawn().unwrap();
        let handle = child.handle().clone();
        (child, handle)
    });
    drop(child);
    assert!(Reaper::join(Duration::ZERO).unwrap_err().left >= 1);
    runtime.block_on(soon(handle.gone()));
    assert_eq!(
        held.handle().stage(),
        Stage::Running,
        "an owned child is not waited for"
    );
}
