//! What a request that opens a session may bring beside a directory: values for options,
//! instructions of the host, servers that the client hosts.

use serde_json::{Value, json};

use super::options::{Choice, choices, options, whole};
use crate::check::{
    peer::{Peer, Reply},
    stand::Stand,
    verdict::{Stop, Verdict, ensure},
    version::Version,
};

/// Asks for a session with one more member in the request.
async fn open_with(peer: &mut Peer<'_>, name: &str, value: Value) -> Result<Reply, Stop> {
    peer.login().await?;
    let mut params = peer.setup_params();
    if let Some(members) = params.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
    let reply = peer.call("session/new", params).await?;
    if reply.wants_key() {
        return Err(Stop::Skip(String::from(
            "the agent wants a login before a session: name a method with --auth-method",
        )));
    }
    Ok(reply)
}

fn listed(version: Version, result: &Value, what: &str) -> Result<Vec<Choice>, Stop> {
    let options = result.get("configOptions").and_then(Value::as_array);
    let options = options.ok_or_else(|| Stop::fail(format!("{what} has no configOptions")))?;
    let listed = choices(version, options);
    whole(&listed)?;
    Ok(listed)
}

/// The options that a session has are those that were shown before there was one.
pub(super) async fn options_are_shown(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.needs("sessionCapabilities.options", "session.options")?;
    peer.open().await?;
    let cwd = stand.setting.cwd.to_string_lossy().into_owned();
    let result = peer
        .call("session/options", json!({"cwd": cwd}))
        .await?
        .ok()?;
    let shown = listed(stand.version, &result, "the answer to session/options")?;
    let ids = |choices: &[Choice]| {
        let mut ids: Vec<String> = choices.iter().map(|choice| choice.id.clone()).collect();
        ids.sort_unstable();
        ids
    };
    ensure(
        ids(&shown) == ids(&options(&peer)?),
        "session/options shows other options than a session in the same directory has",
    )?;
    Ok(None)
}

fn initial(version: Version, id: &str, value: &str) -> Value {
    match version {
        Version::One => json!([{"configId": id, "value": value}]),
        Version::Two => json!([{"configId": id, "type": "id", "value": value}]),
    }
}

/// A value that comes with the request is in force when it is answered; one that the option does not
/// have is no session.
pub(super) async fn options_are_set(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.needs("sessionCapabilities.options", "session.options")?;
    peer.open().await?;
    let has = options(&peer)?;
    let mut selectable = has
        .iter()
        .filter_map(|choice| Some((choice.id.clone(), choice.other()?.clone())));
    let Some((id, value)) = selectable.next() else {
        return Err(Stop::NotTested(String::from(
            "no config option has a second value",
        )));
    };
    let values = initial(stand.version, &id, &value);
    let result = open_with(&mut peer, "configOptions", values).await?.ok()?;
    let now = listed(stand.version, &result, "the answer to session/new")?;
    let now = now.iter().find(|choice| choice.id == id);
    ensure(
        now.is_some_and(|choice| choice.current == *value),
        "a value that came with session/new is not in force",
    )?;
    let values = initial(stand.version, &id, "acp-check/no-such-value");
    open_with(&mut peer, "configOptions", values)
        .await?
        .refused()?;
    Ok(None)
}

fn instructions(mode: &str) -> Value {
    json!({"mode": mode, "content": [{"type": "text", "text": "Answer in one sentence."}]})
}

pub(super) async fn instructions_are_taken(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.needs("sessionCapabilities.systemPrompt", "session.systemPrompt")?;
    let reply = open_with(&mut peer, "systemPrompt", instructions("append")).await?;
    drop(reply.ok()?);
    let replaces = peer.needs(
        "sessionCapabilities.systemPrompt.mode.override",
        "session.systemPrompt.mode.override",
    );
    if replaces.is_err() {
        return Ok(Some(String::from("it only adds them to its own")));
    }
    let reply = open_with(&mut peer, "systemPrompt", instructions("override")).await?;
    drop(reply.ok()?);
    Ok(Some(String::from(
        "it adds them, and puts them in the place of its own",
    )))
}

/// Instructions that it cannot follow are refused: who gave them would think that they are in force.
pub(super) async fn instructions_are_not_ignored(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    let (one, two) = ("sessionCapabilities.systemPrompt", "session.systemPrompt");
    let mode = if peer.needs(one, two).is_err() {
        "append"
    } else if peer
        .needs(
            &format!("{one}.mode.override"),
            &format!("{two}.mode.override"),
        )
        .is_err()
    {
        "override"
    } else {
        "_acp.check/none"
    };
    let reply = open_with(&mut peer, "systemPrompt", instructions(mode)).await?;
    reply.refused_with(&[-32602])?;
    Ok(None)
}

pub(super) async fn hosted_servers_are_taken(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.needs("mcpCapabilities.acp", "session.mcp.acp")?;
    let servers = json!([{"type": "acp", "name": "acp-check", "serverId": "acp-check-1"}]);
    let reply = open_with(&mut peer, "mcpServers", servers).await?;
    drop(reply.ok()?);
    Ok(None)
}
