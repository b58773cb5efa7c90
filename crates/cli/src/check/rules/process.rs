//! The process: how it ends, what it leaves, how fast it is, how much it holds.

use std::{fs, time::Duration};

use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use super::transport::no_noise;
use crate::check::{
    peer::{Heard, Peer, QUIET},
    stand::Stand,
    survivors,
    verdict::{Stop, Verdict, ensure},
};

/// How long an agent may take to leave when its input is closed.
const LEAVE: Duration = Duration::from_secs(3);
/// How long its children may stay after it.
const CHILDREN: Duration = Duration::from_secs(2);
/// How many requests are sent at once, and how many sessions are opened.
const MANY: usize = 100;
const SESSIONS: usize = 20;
/// What a median of small requests takes at most in a good agent.
const FAST: Duration = Duration::from_millis(100);

/// Closes its input and waits until it is gone; how long that took.
async fn leave(peer: &mut Peer<'_>, when: &str) -> Result<Duration, Stop> {
    let began = Instant::now();
    peer.close().await;
    let ending = peer.handle.ending().clone();
    let listened = async {
        while !peer.has_ended() {
            peer.listen(LEAVE).await?;
        }
        Ok::<(), Stop>(())
    };
    let ended = timeout(LEAVE, async {
        listened.await?;
        Ok::<_, Stop>(ending.wait().await)
    });
    match ended.await {
        Ok(Ok(_)) => Ok(began.elapsed()),
        Ok(Err(stop)) => Err(stop),
        Err(_) => Err(Stop::fail(format!(
            "it is still there {} after its input was closed {when}",
            crate::duration::show(LEAVE)
        ))),
    }
}

pub(super) async fn exits(stand: &Stand<'_>) -> Verdict {
    let (mut peer, _) = stand.opened().await?;
    let took = leave(&mut peer, "while it was idle").await?;
    Ok(Some(format!("it took {}", crate::duration::show(took))))
}

pub(super) async fn exits_in_a_turn(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let prompt = stand
        .setting
        .cancel_prompt
        .as_deref()
        .unwrap_or(&stand.setting.prompt);
    drop(peer.send(&session, prompt).await?);
    peer.listen(QUIET).await?;
    leave(&mut peer, "in a turn").await?;
    Ok(None)
}

/// Status 0, and only messages to the very end.
pub(super) async fn leaves_well(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let turn = peer.turn(&session, &stand.setting.prompt).await;
    leave(&mut peer, "after a turn").await?;
    no_noise(&peer)?;
    let exit = peer.handle.ending().now().and_then(|ended| ended.exit());
    ensure(
        exit.is_none_or(|exit| exit.is_success()),
        "it does not end with status 0 when its input is closed",
    )?;
    match turn {
        Ok(_) => Ok(None),
        Err(Stop::Skip(why)) => Ok(Some(format!("without a turn: {why}"))),
        Err(stop) => Err(stop.elsewhere("PROMPT-001")),
    }
}

/// What is said on stderr is nobody's protocol, and the agent does not wait for a reader of it.
pub(super) async fn stderr_is_free(stand: &Stand<'_>) -> Verdict {
    let (mut peer, _) = stand.opened().await?;
    peer.listen(QUIET).await?;
    let tail = peer.handle.stderr_tail();
    let text = String::from_utf8_lossy(&tail);
    ensure(
        !text.contains(r#""jsonrpc":"2.0""#),
        "messages of the protocol are printed on stderr",
    )?;
    Ok(None)
}

/// A mark in the environment finds what an agent has started, wherever it went.
pub(super) async fn leaves_nothing(stand: &Stand<'_>) -> Verdict {
    if !cfg!(target_os = "linux") {
        return Err(Stop::Skip(String::from(
            "processes can be found by their mark on Linux only",
        )));
    }
    let mark = format!("{}-{:?}", std::process::id(), Instant::now());
    let mut peer = stand.start_with(&[(survivors::MARK, &mark)])?;
    peer.initialize()
        .await
        .map_err(|stop| stop.elsewhere("INIT-001"))?;
    let session = peer.open().await?;
    let turn = peer.turn(&session, &stand.setting.prompt).await;
    leave(&mut peer, "after a turn")
        .await
        .map_err(|stop| stop.elsewhere("SHUTDOWN-001"))?;
    let deadline = Instant::now() + CHILDREN;
    loop {
        let left = survivors::marked(&mark).len();
        if left == 0 {
            break;
        }
        if Instant::now() >= deadline {
            return Err(Stop::fail(format!(
                "{left} processes are left when it has ended"
            )));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(match turn {
        Err(Stop::Skip(why)) => Some(format!("without a turn: {why}")),
        _ => None,
    })
}

pub(super) async fn terminates(stand: &Stand<'_>) -> Verdict {
    if !cfg!(unix) {
        return Err(Stop::Skip(String::from(
            "there is no SIGTERM on this system",
        )));
    }
    let (peer, _) = stand.opened().await?;
    let pid = peer.handle.pid().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-TERM", &pid])
        .status();
    ensure_sent(sent.is_ok_and(|status| status.success()))?;
    let ended = peer.handle.ending().clone();
    match timeout(CHILDREN, ended.wait()).await {
        Ok(_) => Ok(None),
        Err(_) => Err(Stop::fail("it is still there 2.0s after SIGTERM")),
    }
}

fn ensure_sent(sent: bool) -> Result<(), Stop> {
    if sent {
        Ok(())
    } else {
        Err(Stop::Skip(String::from("SIGTERM cannot be sent here")))
    }
}

/// Each of many requests that are sent at once is answered once.
pub(super) async fn many_requests(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    let from = peer.heard.len();
    let mut ids = Vec::new();
    for _ in 0..MANY {
        ids.push(peer.request("_acp.check/none", json!({})).await?);
    }
    for id in &ids {
        drop(peer.reply(id, "one of many requests").await?);
    }
    peer.listen(QUIET).await?;
    let answers = peer
        .since(from)
        .iter()
        .filter(|heard| matches!(heard, Heard::Reply(_)))
        .count();
    ensure(
        answers == MANY,
        format!("{MANY} requests were answered {answers} times"),
    )?;
    Ok(None)
}

pub(super) async fn many_sessions(stand: &Stand<'_>) -> Verdict {
    let (mut peer, first) = stand.opened().await?;
    let mut ids = vec![first];
    for _ in 1..SESSIONS {
        let id = peer.open().await?;
        ensure(!ids.contains(&id), "two sessions have the same id")?;
        ids.push(id);
    }
    Ok(None)
}

pub(super) async fn latency(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    let mut times = Vec::new();
    for _ in 0..21 {
        let began = Instant::now();
        drop(peer.call("_acp.check/none", json!({})).await?);
        times.push(began.elapsed());
    }
    times.sort_unstable();
    let median = times.get(10).copied().unwrap_or_default();
    ensure(
        median <= FAST,
        format!(
            "half of small requests take more than {} ms",
            median.as_millis()
        ),
    )?;
    Ok(Some(format!("median {} µs", median.as_micros())))
}

/// Files and memory after many sessions that came and went.
pub(super) async fn holds_on_to_nothing(stand: &Stand<'_>) -> Verdict {
    if !cfg!(target_os = "linux") {
        return Err(Stop::Skip(String::from(
            "open files can be counted on Linux only",
        )));
    }
    let mut peer = stand.agreed().await?;
    peer.needs("sessionCapabilities.close", "session")?;
    let round = async |peer: &mut Peer<'_>| -> Result<(), Stop> {
        let session = peer.open().await?;
        drop(
            peer.call("session/close", json!({"sessionId": session}))
                .await?,
        );
        Ok(())
    };
    for _ in 0..3 {
        round(&mut peer).await?;
    }
    let before = open_files(&peer);
    for _ in 0..SESSIONS {
        round(&mut peer).await?;
    }
    let after = open_files(&peer);
    ensure(
        after < before + SESSIONS,
        format!(
            "{SESSIONS} sessions that were closed left {} open files",
            after.saturating_sub(before)
        ),
    )?;
    Ok(Some(format!("{before} open files before, {after} after")))
}

fn open_files(peer: &Peer<'_>) -> usize {
    fs::read_dir(format!("/proc/{}/fd", peer.handle.pid())).map_or(0, Iterator::count)
}

/// The whole conversation, a turn included, holds nothing but messages.
pub(super) async fn pure(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let turn = peer.turn(&session, &stand.setting.prompt).await;
    peer.listen(QUIET).await?;
    no_noise(&peer)?;
    let strange = peer
        .heard
        .iter()
        .any(|heard| matches!(heard, Heard::Reply(json) if json.get("id") == Some(&Value::Null)));
    ensure(
        !strange,
        "an error without an id answers what was a good message",
    )?;
    match turn {
        Ok(_) => Ok(None),
        Err(Stop::Skip(why)) => Ok(Some(format!("without a turn: {why}"))),
        Err(stop) => Err(stop.elsewhere("PROMPT-001")),
    }
}
