//! Sessions that are kept: coming back to them, listing them, closing and deleting them.

use serde_json::{Value, json};

use super::cancel::running;
use crate::check::{
    peer::Peer,
    stand::Stand,
    verdict::{Stop, Verdict, ensure},
};

/// A text that a history can be searched for.
const MARK: &str = "acp-check-7f3a";

/// A session with a turn in it.
pub(super) async fn with_history<'a>(
    stand: &'a Stand<'_>,
    one: &str,
    two: &str,
) -> Result<(Peer<'a>, String), Stop> {
    let mut peer = stand.agreed().await?;
    peer.needs(one, two)?;
    let session = peer.open().await?;
    let prompt = format!("{} {MARK}", stand.setting.prompt);
    peer.turn(&session, &prompt)
        .await
        .map_err(|stop| stop.elsewhere("PROMPT-001"))?;
    Ok((peer, session))
}

fn reopen_params(peer: &Peer<'_>, session: &str) -> Value {
    let mut params = peer.setup_params();
    if let Some(members) = params.as_object_mut() {
        members.insert(String::from("sessionId"), Value::from(session));
    }
    params
}

fn replay_params(peer: &Peer<'_>, session: &str) -> Value {
    let mut params = reopen_params(peer, session);
    if let Some(members) = params.as_object_mut() {
        members.insert(String::from("replayFrom"), json!({"type": "start"}));
    }
    params
}

/// Whether the text of the first prompt is in these updates.
fn holds_mark(updates: &[&Value]) -> bool {
    updates.iter().any(|update| {
        let kind = update.get("sessionUpdate").and_then(Value::as_str);
        kind.is_some_and(|kind| kind.starts_with("user_message"))
            && update.to_string().contains(MARK)
    })
}

pub(super) async fn load_replays(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = with_history(stand, "loadSession", "").await?;
    let from = peer.heard.len();
    let params = reopen_params(&peer, &session);
    let reply = peer.call("session/load", params).await?;
    drop(reply.ok()?);
    let updates = peer.updates(&session, from, peer.heard.len());
    ensure(
        holds_mark(&updates),
        "session/load did not replay the prompt before it was answered",
    )?;
    Ok(None)
}

pub(super) async fn load_unknown(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.needs("loadSession", "")?;
    let params = reopen_params(&peer, "no-such-session");
    let reply = peer.call("session/load", params).await?;
    let code = reply.refused()?;
    Ok(Some(format!(
        "an unknown session is refused with error {code}"
    )))
}

pub(super) async fn load_continues(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = with_history(stand, "loadSession", "").await?;
    let params = reopen_params(&peer, &session);
    drop(peer.call("session/load", params).await?.ok()?);
    peer.turn(&session, &stand.setting.prompt)
        .await?
        .reply
        .ok()?;
    Ok(None)
}

pub(super) async fn resume_is_silent(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = with_history(stand, "sessionCapabilities.resume", "session").await?;
    let from = peer.heard.len();
    let params = reopen_params(&peer, &session);
    drop(peer.call("session/resume", params).await?.ok()?);
    let updates = peer.updates(&session, from, peer.heard.len());
    ensure(
        !holds_mark(&updates),
        "session/resume replayed the history, which was not asked for",
    )?;
    peer.turn(&session, &stand.setting.prompt)
        .await?
        .reply
        .ok()?;
    Ok(None)
}

pub(super) async fn resume_unknown(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.needs("sessionCapabilities.resume", "session")?;
    let params = reopen_params(&peer, "no-such-session");
    let code = peer.call("session/resume", params).await?.refused()?;
    Ok(Some(format!(
        "an unknown session is refused with error {code}"
    )))
}

/// Version 2: history, then one marker, then a state, then the answer.
pub(super) async fn resume_replays(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = with_history(stand, "", "session").await?;
    let from = peer.heard.len();
    let params = replay_params(&peer, &session);
    drop(peer.call("session/resume", params).await?.ok()?);
    let updates = peer.updates(&session, from, peer.heard.len());
    ensure(holds_mark(&updates), "the history was not replayed")?;
    let kinds: Vec<&str> = updates
        .iter()
        .filter_map(|update| update.get("sessionUpdate").and_then(Value::as_str))
        .collect();
    let markers: Vec<usize> = (0..kinds.len())
        .filter(|at| kinds.get(*at) == Some(&"replay_complete"))
        .collect();
    ensure(markers.len() <= 1, "replay_complete came more than once")?;
    if let Some(marker) = markers.first() {
        let after = kinds.get(*marker..).unwrap_or_default();
        ensure(
            after.contains(&"state_update"),
            "no state_update came between the replay and the answer",
        )?;
    }
    Ok(markers
        .is_empty()
        .then(|| String::from("the replay has no replay_complete")))
}

/// Version 2: a place to replay from that it does not know is refused, and no other is taken instead.
pub(super) async fn resume_odd_cursor(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let mut params = reopen_params(&peer, &session);
    if let Some(members) = params.as_object_mut() {
        members.insert(
            String::from("replayFrom"),
            json!({"type": "_acp.check/nowhere"}),
        );
    }
    peer.call("session/resume", params)
        .await?
        .refused_with(&[-32602])?;
    Ok(None)
}

pub(super) async fn listed(peer: &mut Peer<'_>, params: Value) -> Result<Vec<String>, Stop> {
    let result = peer.call("session/list", params).await?.ok()?;
    let Some(rows) = result.get("sessions").and_then(Value::as_array) else {
        return Err(Stop::fail("session/list gives no list of sessions"));
    };
    let mut ids = Vec::new();
    for row in rows {
        let text = |name: &str| {
            row.get(name)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty())
        };
        let (Some(id), Some(_)) = (text("sessionId"), text("cwd")) else {
            return Err(Stop::fail("a listed session has no sessionId or no cwd"));
        };
        ids.push(id.to_owned());
    }
    Ok(ids)
}

pub(super) async fn list_is_whole(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.needs("sessionCapabilities.list", "session")?;
    peer.login().await?;
    let ids = listed(&mut peer, json!({})).await?;
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    ensure(sorted.len() == ids.len(), "a session is listed twice")?;
    Ok(Some(format!("{} sessions", ids.len())))
}

pub(super) async fn list_filters(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.needs("sessionCapabilities.list", "session")?;
    let session = peer.open().await?;
    let elsewhere = json!({"cwd": "/acp-check/no/such/directory"});
    let ids = listed(&mut peer, elsewhere).await?;
    ensure(
        !ids.contains(&session),
        "a session is listed for a directory that is not its own",
    )?;
    Ok(None)
}

pub(super) async fn list_without_params(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.needs("sessionCapabilities.list", "session")?;
    peer.login().await?;
    peer.line(r#"{"jsonrpc":"2.0","id":"bare","method":"session/list"}"#)
        .await?;
    drop(
        peer.reply(&Value::from("bare"), "session/list without params")
            .await?
            .ok()?,
    );
    Ok(None)
}

pub(super) async fn delete_removes(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) =
        with_history(stand, "sessionCapabilities.delete", "session.delete").await?;
    drop(
        peer.call("session/delete", json!({"sessionId": session}))
            .await?
            .ok()?,
    );
    if peer.needs("sessionCapabilities.list", "session").is_err() {
        return Ok(Some(String::from("it cannot list what is left")));
    }
    let ids = listed(&mut peer, json!({})).await?;
    ensure(!ids.contains(&session), "a deleted session is still listed")?;
    Ok(None)
}

pub(super) async fn delete_unknown(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.needs("sessionCapabilities.delete", "session.delete")?;
    let reply = peer
        .call("session/delete", json!({"sessionId": "no-such-session"}))
        .await?;
    drop(reply.ok()?);
    Ok(None)
}

pub(super) async fn close_closes(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.needs("sessionCapabilities.close", "session")?;
    let session = peer.open().await?;
    drop(
        peer.call("session/close", json!({"sessionId": session}))
            .await?
            .ok()?,
    );
    let sent = peer.send(&session, &stand.setting.prompt).await?;
    let reply = peer.reply(&sent.id, "a prompt in a closed session").await?;
    reply.refused()?;
    Ok(None)
}

pub(super) async fn close_cancels(stand: &Stand<'_>) -> Verdict {
    let peer = stand.agreed().await?;
    peer.needs("sessionCapabilities.close", "session")?;
    drop(peer);
    let (mut peer, session, sent) = running(stand).await?;
    let id = peer
        .request("session/close", json!({"sessionId": session}))
        .await?;
    drop(peer.reply(&id, "session/close in a turn").await?.ok()?);
    let turn = peer.finish(&sent).await?;
    turn.needs_key()?;
    let settled = turn.reason.as_deref() == Some("cancelled") || turn.reply.code().is_some();
    ensure(
        settled,
        "a turn was not cancelled when its session was closed",
    )?;
    Ok(None)
}
