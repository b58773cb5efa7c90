//! Cancelling, at every moment at which somebody can press the key.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::{
    peer::{Heard, Peer, QUIET, Sent, Turn, update_of},
    stand::Stand,
    verdict::{Stop, Verdict, ensure},
    version::Version,
};

/// A session with a long turn in it that has begun to say something.
pub(super) async fn running<'a>(stand: &'a Stand<'_>) -> Result<(Peer<'a>, String, Sent), Stop> {
    let prompt = stand.cancel_prompt()?;
    let (mut peer, session) = stand.opened().await?;
    let from = peer.heard.len();
    let sent = peer.send(&session, prompt).await?;
    let said = |heard: &Heard| {
        let kind = update_of(heard, &session).and_then(|update| update.get("sessionUpdate"));
        kind.and_then(Value::as_str)
            .is_some_and(|kind| kind.starts_with("agent_"))
            || matches!(heard, Heard::Reply(json) if json.get("error").is_some())
    };
    peer.wait_for(from, stand.setting.bound, said)
        .await
        .map_err(|stop| match stop {
            Stop::Fail(why) => Stop::Fail(format!(
                "the prompt began no work that could be cancelled, no message and no tool call: {why}"
            )),
            other => other,
        })?;
    still_runs(&peer, &session, &sent)?;
    Ok((peer, session, sent))
}

/// Ends the test when there is nothing left to cancel.
fn still_runs(peer: &Peer<'_>, session: &str, sent: &Sent) -> Result<(), Stop> {
    let over = peer
        .since(sent.from)
        .iter()
        .any(|heard| match (peer.version(), heard) {
            (Version::One, Heard::Reply(json)) => {
                json.get("id") == Some(&sent.id) && json.get("result").is_some()
            }
            (Version::Two, heard) => update_of(heard, session)
                .is_some_and(|update| update.get("state").is_some_and(|state| state == "idle")),
            _ => false,
        });
    if over {
        Err(Stop::Skip(String::from(
            "the turn was over before it could be cancelled: name a prompt that takes longer with --cancel-prompt",
        )))
    } else {
        Ok(())
    }
}

async fn cancel(peer: &mut Peer<'_>, session: &str) -> Result<(), Stop> {
    peer.notify("session/cancel", json!({"sessionId": session}))
        .await
}

fn cancelled(turn: &Turn) -> Result<(), Stop> {
    turn.needs_key()?;
    match (&turn.reason, turn.reply.code()) {
        (Some(reason), _) if reason == "cancelled" => Ok(()),
        (Some(reason), _) => Err(Stop::fail(format!(
            "a cancelled turn ended with {}",
            crate::safe::line(reason, 40)
        ))),
        (None, Some(code)) => Err(Stop::fail(format!(
            "a cancelled turn ended with error {code}"
        ))),
        (None, None) => Err(Stop::fail("a cancelled turn ended without a reason")),
    }
}

pub(super) async fn settles(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session, sent) = running(stand).await?;
    cancel(&mut peer, &session).await?;
    let turn = peer.finish(&sent).await?;
    cancelled(&turn)?;
    Ok(None)
}

/// Nothing of a cancelled turn comes after its end, and the session goes on.
pub(super) async fn is_over(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session, sent) = running(stand).await?;
    cancel(&mut peer, &session).await?;
    let turn = peer.finish(&sent).await?;
    turn.needs_key()?;
    peer.listen(QUIET).await?;
    let late = peer.since(turn.upto + 1).iter().any(|heard| {
        let kind = update_of(heard, &session).and_then(|update| update.get("sessionUpdate"));
        kind.and_then(Value::as_str)
            .is_some_and(|kind| kind.contains("message") || kind.contains("tool"))
    });
    ensure(!late, "something of a cancelled turn came after its end")?;
    drop(
        peer.turn(&session, &stand.setting.prompt)
            .await?
            .reply
            .ok()?,
    );
    Ok(None)
}

/// A cancel that meets nobody, in a session and outside of one.
pub(super) async fn idle(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let from = peer.heard.len();
    cancel(&mut peer, &session).await?;
    cancel(&mut peer, "no-such-session").await?;
    peer.notify("$/cancel_request", json!({"requestId": 424_242}))
        .await?;
    peer.listen(QUIET).await?;
    let answered = peer
        .since(from)
        .iter()
        .any(|heard| matches!(heard, Heard::Reply(_)));
    ensure(!answered, "a cancel was answered")?;
    let turn = peer.turn(&session, &stand.setting.prompt).await?;
    ensure(
        turn.reason.as_deref() != Some("cancelled"),
        "a cancel before the turn cancelled it",
    )?;
    drop(turn.reply.ok()?);
    Ok(None)
}

/// The cancel is in the same write as the prompt.
pub(super) async fn at_once(stand: &Stand<'_>) -> Verdict {
    let prompt = stand.cancel_prompt()?;
    let (mut peer, session) = stand.opened().await?;
    let sent = peer.send(&session, prompt).await?;
    cancel(&mut peer, &session).await?;
    let turn = match peer
        .reply(&sent.id, "a prompt that was cancelled at once")
        .await
    {
        // Version 2: a prompt that was not inserted yet is withdrawn, and there is no turn.
        Ok(reply) if stand.version == Version::Two && reply.code() == Some(-32800) => {
            return Ok(None);
        }
        Ok(_) => peer.finish(&sent).await?,
        Err(stop) => return Err(stop),
    };
    cancelled(&turn)?;
    Ok(None)
}

/// Two cancels, one end.
pub(super) async fn twice(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session, sent) = running(stand).await?;
    let from = peer.heard.len();
    cancel(&mut peer, &session).await?;
    cancel(&mut peer, &session).await?;
    let turn = peer.finish(&sent).await?;
    cancelled(&turn)?;
    peer.listen(QUIET).await?;
    let ends = peer
        .since(from)
        .iter()
        .filter(|heard| match (stand.version, heard) {
            (Version::One, Heard::Reply(json)) => json.get("id") == Some(&sent.id),
            (Version::Two, heard) => update_of(heard, &session).is_some_and(|update| {
                update
                    .get("stopReason")
                    .is_some_and(|reason| !reason.is_null())
            }),
            _ => false,
        });
    let ends = ends.count();
    ensure(
        ends == 1,
        format!("a turn that was cancelled twice ended {ends} times"),
    )?;
    Ok(None)
}

/// The cancel of one session leaves the other alone.
pub(super) async fn other_session(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session, sent) = running(stand).await?;
    let other = peer.open().await?;
    still_runs(&peer, &session, &sent)?;
    cancel(&mut peer, &other).await?;
    let ended = |heard: &Heard| {
        matches!(heard, Heard::Reply(json) if json.get("id") == Some(&sent.id) && json.pointer("/result/stopReason").is_some_and(|reason| reason == "cancelled"))
            || update_of(heard, &session).is_some_and(|update| {
                update
                    .get("stopReason")
                    .is_some_and(|reason| reason == "cancelled")
            })
    };
    let from = peer.heard.len();
    peer.listen(QUIET).await?;
    ensure(
        !peer.since(from).iter().any(ended),
        "the cancel of another session ended the turn",
    )?;
    still_runs(&peer, &session, &sent)?;
    cancel(&mut peer, &session).await?;
    cancelled(&peer.finish(&sent).await?)?;
    Ok(None)
}

/// The permission that is open is answered as the protocol says, and the turn ends.
pub(super) async fn with_permission(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    peer.answers = false;
    let text = "Write the word hello into a new file acp-check.txt; ask for permission first.";
    let sent = peer.send(&session, text).await?;
    let asks = |heard: &Heard| {
        matches!(heard, Heard::Request(json) if json.get("method").is_some_and(|name| name == "session/request_permission"))
            || matches!(heard, Heard::Reply(json) if json.get("id") == Some(&sent.id))
                && stand.version == Version::One
    };
    let waited = Duration::from_secs(10).min(stand.setting.bound);
    let asked = peer.wait_for(0, waited, asks).await;
    let Ok(Some(Heard::Request(request))) = asked.map(|at| peer.heard.get(at).cloned()) else {
        return Err(Stop::Skip(String::from(
            "the agent asked for no permission, so there was none to cancel",
        )));
    };
    cancel(&mut peer, &session).await?;
    let id = request.get("id").cloned().unwrap_or_default();
    let answer =
        json!({"jsonrpc": "2.0", "id": id, "result": {"outcome": {"outcome": "cancelled"}}});
    peer.line(&answer.to_string()).await?;
    cancelled(&peer.finish(&sent).await?)?;
    Ok(None)
}
