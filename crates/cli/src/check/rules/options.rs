//! Modes, config options, and what a client has to offer first.

use serde_json::{Value, json};

use crate::check::{
    peer::{Heard, Peer, QUIET},
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

/// The modes and the current one.
fn modes(peer: &Peer<'_>) -> Result<(Vec<String>, String), Stop> {
    let Some(all) = list(&peer.setup, "/modes/availableModes") else {
        return Err(Stop::NotTested(String::from("the session has no modes")));
    };
    let ids = all
        .iter()
        .filter_map(|mode| text(mode, "id"))
        .map(ToOwned::to_owned)
        .collect();
    let current = peer
        .setup
        .pointer("/modes/currentModeId")
        .and_then(Value::as_str);
    Ok((ids, current.unwrap_or_default().to_owned()))
}

pub(super) async fn modes_are_whole(stand: &Stand<'_>) -> Verdict {
    let (peer, _) = stand.opened().await?;
    let (ids, current) = modes(&peer)?;
    ensure(
        ids.contains(&current),
        "the current mode is none of those that are available",
    )?;
    let mut once = ids.clone();
    once.sort_unstable();
    once.dedup();
    ensure(once.len() == ids.len(), "two modes have the same id")?;
    Ok(None)
}

pub(super) async fn modes_can_be_set(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let (ids, current) = modes(&peer)?;
    let wanted = ids
        .iter()
        .find(|id| **id != current)
        .unwrap_or(&current)
        .clone();
    let params = json!({"sessionId": session, "modeId": wanted});
    drop(peer.call("session/set_mode", params).await?.ok()?);
    let params = json!({"sessionId": session, "modeId": "acp-check/no-such-mode"});
    peer.call("session/set_mode", params).await?.refused()?;
    Ok(None)
}

/// An option of the session.
pub(super) struct Choice {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) current: Value,
    pub(super) values: Vec<String>,
}

impl Choice {
    /// A value that it does not have now; of a list only.
    pub(super) fn other(&self) -> Option<&String> {
        let mut others = self.values.iter().filter(|value| self.current != **value);
        others.next().filter(|_| self.kind == "select")
    }
}

pub(super) fn choices(version: Version, options: &[Value]) -> Vec<Choice> {
    let name = match version {
        Version::One => "id",
        Version::Two => "configId",
    };
    let values = |option: &Value| {
        let all = list(option, "/options").cloned().unwrap_or_default();
        all.iter()
            .flat_map(|value| match list(value, "/options") {
                Some(group) => group.clone(),
                None => vec![value.clone()],
            })
            .filter_map(|value| text(&value, "value").map(ToOwned::to_owned))
            .collect()
    };
    options
        .iter()
        .map(|option| Choice {
            id: text(option, name).unwrap_or_default().to_owned(),
            kind: text(option, "type").unwrap_or_default().to_owned(),
            current: option.get("currentValue").cloned().unwrap_or_default(),
            values: values(option),
        })
        .collect()
}

pub(super) fn options(peer: &Peer<'_>) -> Result<Vec<Choice>, Stop> {
    match list(&peer.setup, "/configOptions") {
        Some(all) if !all.is_empty() => Ok(choices(peer.version(), all)),
        _ => Err(Stop::NotTested(String::from(
            "the session has no config options",
        ))),
    }
}

pub(super) fn whole(choices: &[Choice]) -> Result<(), Stop> {
    for choice in choices {
        let id = crate::safe::line(&choice.id, 40);
        ensure(!choice.id.is_empty(), "a config option has no id")?;
        if choice.kind != "select" {
            continue;
        }
        let current = choice.current.as_str().unwrap_or_default();
        ensure(
            choice.values.iter().any(|value| value == current),
            format!("the current value of option {id} is none of its values"),
        )?;
    }
    let mut ids: Vec<&str> = choices.iter().map(|choice| choice.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    ensure(
        ids.len() == choices.len(),
        "two config options have the same id",
    )
}

pub(super) async fn options_are_whole(stand: &Stand<'_>) -> Verdict {
    let (peer, _) = stand.opened().await?;
    whole(&options(&peer)?)?;
    Ok(None)
}

fn set(version: Version, session: &str, id: &str, value: &str) -> Value {
    match version {
        Version::One => json!({"sessionId": session, "configId": id, "value": value}),
        Version::Two => json!({"sessionId": session, "configId": id, "type": "id", "value": value}),
    }
}

/// The answer is the whole list, with the new value in it.
pub(super) async fn options_can_be_set(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let before = options(&peer)?;
    let selectable = before
        .iter()
        .find_map(|choice| Some((choice.id.clone(), choice.other()?.clone())));
    let Some((id, value)) = selectable else {
        return Err(Stop::NotTested(String::from(
            "no config option has a second value",
        )));
    };
    let params = set(stand.version, &session, &id, &value);
    let result = peer.call("session/set_config_option", params).await?.ok()?;
    let Some(after) = list(&result, "/configOptions") else {
        return Err(Stop::fail(
            "session/set_config_option does not answer with the options",
        ));
    };
    let after = choices(stand.version, after);
    whole(&after)?;
    let now = after.iter().find(|choice| choice.id == id);
    ensure(
        now.is_some_and(|choice| choice.current == *value),
        "the option does not have the value that was set",
    )?;
    let missing = before
        .iter()
        .find(|old| !after.iter().any(|new| new.id == old.id));
    // One change may take others away, but an answer of one option is not the list.
    ensure(
        missing.is_none() || after.len() > 1,
        "session/set_config_option answers with a part of the options",
    )?;
    Ok(None)
}

pub(super) async fn options_refuse(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let all = options(&peer)?;
    let params = set(stand.version, &session, "acp-check/no-such-option", "x");
    peer.call("session/set_config_option", params)
        .await?
        .refused()?;
    if let Some(choice) = all.iter().find(|choice| choice.kind == "select") {
        let params = set(
            stand.version,
            &session,
            &choice.id,
            "acp-check/no-such-value",
        );
        peer.call("session/set_config_option", params)
            .await?
            .refused()?;
    }
    Ok(None)
}

/// The methods that an agent called in a session and a turn, of a client that offered nothing.
async fn called(stand: &Stand<'_>, prefix: &str, what: &str) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let turn = peer.turn(&session, &stand.setting.prompt).await;
    peer.listen(QUIET).await?;
    let called = peer.heard.iter().any(|heard| {
        matches!(heard, Heard::Request(json) if text(json, "method").is_some_and(|name| name.starts_with(prefix)))
    });
    ensure(
        !called,
        format!("the agent asked for {what}, which was not offered"),
    )?;
    match turn {
        Ok(_) => Ok(None),
        Err(Stop::Skip(why)) => Ok(Some(format!("without a turn: {why}"))),
        Err(stop) => Err(stop.elsewhere("PROMPT-001")),
    }
}

pub(super) async fn no_files(stand: &Stand<'_>) -> Verdict {
    called(stand, "fs/", "files").await
}

pub(super) async fn no_terminals(stand: &Stand<'_>) -> Verdict {
    called(stand, "terminal/", "a terminal").await
}

/// Neither forms nor, in version 1, options that are switches.
pub(super) async fn nothing_gated(stand: &Stand<'_>) -> Verdict {
    let note = called(stand, "elicitation/", "an elicitation").await?;
    let (peer, _) = stand.opened().await?;
    let switches =
        options(&peer).is_ok_and(|all| all.iter().any(|choice| choice.kind == "boolean"));
    ensure(
        stand.version == Version::Two || !switches,
        "an option that is a switch is offered to a client that did not offer them",
    )?;
    Ok(note)
}
