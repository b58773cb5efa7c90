//! Ways to log in and out.

use serde_json::{Value, json};

use crate::check::{
    peer::Peer,
    stand::Stand,
    verdict::{Stop, Verdict, ensure},
    version::Version,
};

fn list<'v>(value: &'v Value, path: &str) -> Option<&'v Vec<Value>> {
    value.pointer(path).and_then(Value::as_array)
}

fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str)
}

fn methods<'p>(peer: &'p Peer<'_>) -> Result<&'p Vec<Value>, Stop> {
    match list(&peer.agreement, "/authMethods") {
        Some(all) if !all.is_empty() => Ok(all),
        _ => Err(Stop::NotTested(String::from(
            "the agent lists no way to log in",
        ))),
    }
}

fn method_id(version: Version) -> &'static str {
    match version {
        Version::One => "id",
        Version::Two => "methodId",
    }
}

pub(super) async fn methods_are_whole(stand: &Stand<'_>) -> Verdict {
    let peer = stand.agreed().await?;
    let name = method_id(stand.version);
    let all = methods(&peer)?;
    let mut ids: Vec<&str> = Vec::new();
    for method in all {
        let (id, title) = (text(method, name), text(method, "name"));
        ensure(
            id.is_some_and(|id| !id.is_empty()) && title.is_some(),
            format!("an auth method has no {name} or no name"),
        )?;
        ids.extend(id);
    }
    ids.sort_unstable();
    ids.dedup();
    ensure(ids.len() == all.len(), "two auth methods have the same id")?;
    Ok(None)
}

pub(super) async fn unknown_method_is_refused(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    methods(&peer)?;
    let name = peer.login_method();
    let reply = peer
        .call(name, json!({"methodId": "acp-check/no-such-method"}))
        .await?;
    reply.refused()?;
    Ok(None)
}

fn named<'s>(stand: &'s Stand<'_>) -> Result<&'s str, Stop> {
    stand.setting.auth_method.as_deref().ok_or_else(|| {
        Stop::Skip(String::from(
            "no method to log in with was named: use --auth-method",
        ))
    })
}

pub(super) async fn logs_in(stand: &Stand<'_>) -> Verdict {
    let method = named(stand)?.to_owned();
    let mut peer = stand.agreed().await?;
    let name = peer.login_method();
    drop(peer.call(name, json!({"methodId": method})).await?.ok()?);
    drop(peer.call("session/new", peer.setup_params()).await?.ok()?);
    Ok(None)
}

pub(super) async fn logs_out(stand: &Stand<'_>) -> Verdict {
    if !stand.setting.allow_logout {
        return Err(Stop::Skip(String::from(
            "logging out would last: allow it with --allow-logout",
        )));
    }
    let mut peer = stand.agreed().await?;
    let name = match stand.version {
        Version::One => {
            peer.needs("auth.logout", "")?;
            "logout"
        }
        Version::Two => {
            methods(&peer)?;
            "auth/logout"
        }
    };
    peer.login().await?;
    drop(peer.call(name, json!({})).await?.ok()?);
    Ok(None)
}

/// A login in a terminal is offered to clients that can do it, and to no others.
pub(super) async fn no_terminal_login(stand: &Stand<'_>) -> Verdict {
    let peer = stand.agreed().await?;
    let all = methods(&peer)?;
    let terminal = all
        .iter()
        .any(|method| text(method, "type") == Some("terminal"));
    ensure(
        !terminal,
        "a login in a terminal is offered to a client that did not offer one",
    )?;
    Ok(None)
}

/// Version 2: without a method to log in there is nothing to log in with.
pub(super) async fn no_login_without_methods(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    if methods(&peer).is_ok() {
        return Err(Stop::NotTested(String::from(
            "the agent lists ways to log in",
        )));
    }
    let name = peer.login_method();
    peer.call(name, json!({"methodId": "x"})).await?.refused()?;
    Ok(None)
}

/// Version 2: a method has a type.
pub(super) async fn methods_have_types(stand: &Stand<'_>) -> Verdict {
    let peer = stand.agreed().await?;
    let bare = methods(&peer)?
        .iter()
        .any(|method| text(method, "type").is_none());
    ensure(!bare, "an auth method has no type")?;
    Ok(None)
}
