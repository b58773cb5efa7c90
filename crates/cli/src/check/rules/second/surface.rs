//! Which methods there are in version 2, and which servers for tools are taken.

use serde_json::{Value, json};

use crate::check::{
    stand::Stand,
    verdict::{Stop, Verdict, ensure},
};

/// Old methods are gone.
pub(in crate::check::rules) async fn no_old_methods(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    for method in ["session/load", "session/set_mode", "authenticate"] {
        let mut params = peer.setup_params();
        if let Some(members) = params.as_object_mut() {
            members.insert(String::from("sessionId"), Value::from(session.as_str()));
            members.insert(String::from("modeId"), Value::from("x"));
            members.insert(String::from("methodId"), Value::from("x"));
        }
        peer.call(method, params).await?.refused_with(&[-32601])?;
    }
    Ok(None)
}

/// A server for tools of a kind that nobody knows is refused, not left out.
pub(in crate::check::rules) async fn unknown_server(stand: &Stand<'_>) -> Verdict {
    servers(
        stand,
        json!([{"type": "_acp.check/pigeon", "name": "p"}]),
        "a server of an unknown type",
    )
    .await
}

/// Names of servers are unique.
pub(in crate::check::rules) async fn double_server(stand: &Stand<'_>) -> Verdict {
    let server =
        json!({"type": "stdio", "name": "same", "command": "/bin/true", "args": [], "env": []});
    servers(stand, json!([server, server]), "two servers of one name").await
}

async fn servers(stand: &Stand<'_>, servers: Value, what: &str) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.login().await?;
    let params = json!({"cwd": peer.cwd(), "mcpServers": servers});
    let reply = peer.call("session/new", params).await?;
    if reply.wants_key() {
        return Err(Stop::Skip(String::from(
            "the agent wants a login before a session",
        )));
    }
    match reply.code() {
        Some(-32602) => Ok(None),
        Some(code) => Err(Stop::fail(format!(
            "{what} is refused with error {code} and not with -32602"
        ))),
        None => Err(Stop::fail(format!("{what} is accepted"))),
    }
}

/// Without `session` there are no sessions, and with it all seven methods exist.
pub(in crate::check::rules) async fn seven_methods(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    peer.needs("", "session")?;
    drop(peer.call("session/list", json!({})).await?.ok()?);
    let mut params = peer.setup_params();
    if let Some(members) = params.as_object_mut() {
        members.insert(String::from("sessionId"), Value::from(session.as_str()));
    }
    for method in ["session/resume", "session/close"] {
        let reply = peer.call(method, params.clone()).await?;
        ensure(
            reply.code() != Some(-32601),
            format!("{method} does not exist, and capabilities.session declares it"),
        )?;
    }
    Ok(None)
}
