//! Sessions: opening them, working in them.

use serde_json::{Value, json};

use crate::check::{
    stand::Stand,
    verdict::{Stop, Verdict, ensure},
    version::Version,
};

pub(super) async fn opens(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.login().await?;
    let reply = peer.call("session/new", peer.setup_params()).await?;
    if reply.wants_key() {
        return Err(Stop::Skip(String::from(
            "the agent wants a login before a session",
        )));
    }
    let setup = reply.ok()?;
    let id = setup.get("sessionId").and_then(Value::as_str);
    ensure(
        id.is_some_and(|id| !id.is_empty()),
        "session/new gives no sessionId that is text",
    )?;
    Ok(None)
}

pub(super) async fn ids_differ(stand: &Stand<'_>) -> Verdict {
    let (mut peer, first) = stand.opened().await?;
    let second = peer.open().await?;
    ensure(first != second, "two sessions have the same id")?;
    Ok(None)
}

pub(super) async fn relative_cwd(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.login().await?;
    let reply = peer
        .call(
            "session/new",
            json!({"cwd": "some/where", "mcpServers": []}),
        )
        .await?;
    if reply.wants_key() {
        return Err(Stop::Skip(String::from(
            "the agent wants a login before a session",
        )));
    }
    reply.refused_with(&[-32602])?;
    Ok(None)
}

pub(super) async fn unknown_session(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    let params =
        json!({"sessionId": "no-such-session", "prompt": [{"type": "text", "text": "hello"}]});
    let reply = peer.call("session/prompt", params).await?;
    let code = reply.refused()?;
    Ok(Some(format!(
        "a prompt in an unknown session is refused with error {code}"
    )))
}

pub(super) async fn additional_directories(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.needs(
        "sessionCapabilities.additionalDirectories",
        "session.additionalDirectories",
    )?;
    peer.login().await?;
    let directory = std::env::temp_dir().to_string_lossy().into_owned();
    let mut params = peer.setup_params();
    if let Some(members) = params.as_object_mut() {
        members.insert(String::from("additionalDirectories"), json!([directory]));
    }
    let reply = peer.call("session/new", params).await?;
    if reply.wants_key() {
        return Err(Stop::Skip(String::from(
            "the agent wants a login before a session",
        )));
    }
    drop(reply.ok()?);
    Ok(None)
}

pub(super) async fn two_at_once(stand: &Stand<'_>) -> Verdict {
    let (mut peer, first) = stand.opened().await?;
    let second = peer.open().await?;
    let one = peer.send(&first, &stand.setting.prompt).await?;
    let two = peer.send(&second, &stand.setting.prompt).await?;
    for sent in [&two, &one] {
        let turn = peer.finish(sent).await?;
        turn.needs_key()?;
        turn.reply.ok()?;
    }
    Ok(None)
}

/// Version 2: an empty prompt is refused before it is inserted.
pub(super) async fn empty_prompt(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let sent = peer.send_blocks(&session, json!([])).await?;
    let reply = peer.reply(&sent.id, "an empty prompt").await?;
    match stand.version {
        Version::Two => reply.refused_with(&[-32602])?,
        Version::One => drop(reply),
    }
    peer.turn(&session, &stand.setting.prompt)
        .await?
        .reply
        .ok()?;
    Ok(None)
}
