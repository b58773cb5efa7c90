//! Agreeing on a version, and what an agent says about itself.

use acp_harness::vocab::{LossReason, Method, ProtocolVersion, Receiver, TypeInfo};
use serde_json::{Value, json, value::to_raw_value};

use crate::check::{
    peer::{Heard, Peer, QUIET, initialize},
    stand::Stand,
    verdict::{Stop, Verdict, ensure},
    version::Version,
};

/// Asks for a version and gives back the answer.
async fn ask(stand: &Stand<'_>, params: Value) -> Result<Value, Stop> {
    let mut peer = stand.start()?;
    let id = peer.request("initialize", params).await?;
    let reply = peer
        .reply_within(&id, "initialize", stand.setting.startup)
        .await?;
    Ok(reply.json)
}

fn version_of(answer: &Value) -> Option<u64> {
    answer
        .pointer("/result/protocolVersion")
        .and_then(Value::as_u64)
}

fn code_of(answer: &Value) -> Option<i64> {
    answer.pointer("/error/code").and_then(Value::as_i64)
}

pub(super) async fn agrees(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.start()?;
    peer.initialize().await?;
    Ok(None)
}

/// It never answers above what was asked for, and never by an error.
pub(super) async fn newer_version(stand: &Stand<'_>) -> Verdict {
    let mut params = initialize(stand.version, 65_535);
    if stand.version == Version::One {
        // A client that can do more than we know of says so in both shapes.
        let newer = initialize(Version::Two, 65_535);
        for (name, value) in newer.as_object().into_iter().flatten() {
            if let Some(members) = params.as_object_mut() {
                members.insert(name.clone(), value.clone());
            }
        }
    }
    let answer = ask(stand, params).await?;
    if let Some(code) = code_of(&answer) {
        return Err(Stop::fail(format!(
            "asked for version 65535 it answers error {code} and not its own latest version"
        )));
    }
    let version = version_of(&answer);
    ensure(
        version.is_some_and(|version| (1..65_535).contains(&version)),
        "asked for version 65535 it answers no version of its own",
    )?;
    Ok(version.map(|version| format!("asked for version 65535 it answers {version}")))
}

pub(super) async fn capabilities(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.start()?;
    peer.initialize()
        .await
        .map_err(|stop| stop.elsewhere("INIT-001"))?;
    decodes(
        "InitializeResponse",
        &peer.agreement,
        stand.version,
        "the result of initialize",
    )?;
    Ok(None)
}

pub(super) async fn before_initialize(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.start()?;
    let params = peer.setup_params();
    let id = peer.request("session/new", params).await?;
    let what = "session/new before initialize";
    let reply = peer.reply_within(&id, what, stand.setting.startup).await?;
    reply.refused_with(&[-32600])?;
    // The agent has to be usable after it.
    peer.initialize().await?;
    Ok(None)
}

pub(super) async fn requests_one(stand: &Stand<'_>) -> Verdict {
    let answer = ask(stand, initialize(Version::One, 1)).await?;
    match (version_of(&answer), code_of(&answer)) {
        (Some(1), _) | (None, Some(-32022)) => Ok(None),
        (Some(version), _) => Err(Stop::fail(format!(
            "asked for version 1 it answers {version}"
        ))),
        (None, code) => Err(Stop::fail(format!(
            "asked for version 1 it answers error {}",
            code.unwrap_or_default()
        ))),
    }
}

pub(super) async fn requests_zero(stand: &Stand<'_>) -> Verdict {
    let answer = ask(stand, initialize(stand.version, 0)).await?;
    ensure(
        code_of(&answer) == Some(-32022),
        "asked for version 0 it does not answer error -32022",
    )?;
    let supported = answer
        .pointer("/error/data/supported")
        .and_then(Value::as_array);
    let holds_two = supported.is_some_and(|all| all.iter().any(|version| version == 2));
    ensure(holds_two, "the error lists no versions that are supported")?;
    Ok(None)
}

pub(super) async fn info_is_needed(stand: &Stand<'_>) -> Verdict {
    let answer = ask(stand, json!({"protocolVersion": 2, "capabilities": {}})).await?;
    ensure(
        code_of(&answer) == Some(-32602),
        "asked for version 2 without info it does not answer error -32602",
    )?;
    Ok(None)
}

pub(super) async fn info_is_given(stand: &Stand<'_>) -> Verdict {
    let peer = stand.agreed().await?;
    for name in ["name", "version"] {
        let text = peer.agreement.get("info").and_then(|info| info.get(name));
        ensure(
            text.and_then(Value::as_str)
                .is_some_and(|text| !text.is_empty()),
            format!("info.{name} is missing"),
        )?;
    }
    Ok(None)
}

/// Version 2: once agreed, it is not left for a lower one.
pub(super) async fn repeats(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    let reply = peer.call("initialize", initialize(Version::One, 1)).await?;
    reply.refused_with(&[-32600, -32022])?;
    Ok(None)
}

/// Version 2: capabilities are objects.
pub(super) async fn markers(stand: &Stand<'_>) -> Verdict {
    let peer = stand.agreed().await?;
    let found = peer
        .agreement
        .get("capabilities")
        .and_then(|value| scalar(value, "capabilities"));
    ensure(
        found.is_none(),
        format!("{} is no object", found.unwrap_or_default()),
    )?;
    Ok(None)
}

fn scalar(value: &Value, path: &str) -> Option<String> {
    match value {
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| *name != "_meta")
            .find_map(|(name, value)| scalar(value, &format!("{path}.{name}"))),
        Value::Null => None,
        _ => Some(path.to_owned()),
    }
}

/// Whether a value is one of this type, with nothing in it that had to be left out.
pub(in crate::check) fn decodes(
    name: &str,
    value: &Value,
    version: Version,
    what: &str,
) -> Result<(), Stop> {
    let version = ProtocolVersion(version.number());
    let Some(known) = TypeInfo::find(name, version) else {
        return Ok(());
    };
    let raw = to_raw_value(value).map_err(|error| Stop::Skip(error.to_string()))?;
    let losses = known
        .losses(&raw, version)
        .map_err(|error| Stop::fail(format!("{what} is no {name}: {error}")))?;
    let worst = losses.iter().find(|loss| {
        matches!(
            loss.reason,
            LossReason::IllTyped | LossReason::BadItem | LossReason::Changed
        )
    });
    match worst {
        None => Ok(()),
        Some(loss) => Err(Stop::fail(format!(
            "{what} is wrong at {}",
            crate::safe::line(&loss.path, 80)
        ))),
    }
}

pub(super) async fn results_decode(stand: &Stand<'_>) -> Verdict {
    let (peer, _) = stand.opened().await?;
    decodes(
        "InitializeResponse",
        &peer.agreement,
        stand.version,
        "the result of initialize",
    )?;
    decodes(
        "NewSessionResponse",
        &peer.setup,
        stand.version,
        "the result of session/new",
    )?;
    Ok(None)
}

/// What the agent sent by itself, in a session and a turn if there can be one.
pub(super) async fn messages_decode(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let turn = peer.turn(&session, &stand.setting.prompt).await;
    peer.listen(QUIET).await?;
    check_messages(&peer, stand.version)?;
    match turn {
        Ok(_) => Ok(None),
        Err(Stop::Skip(why)) => Ok(Some(format!("without a turn: {why}"))),
        Err(stop) => Err(stop.elsewhere("PROMPT-001")),
    }
}

fn check_messages(peer: &Peer<'_>, version: Version) -> Result<(), Stop> {
    for heard in &peer.heard {
        let (Heard::Request(json) | Heard::Notification(json)) = heard else {
            continue;
        };
        let name = json
            .get("method")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if name.starts_with('_') || name.starts_with("$/") {
            continue;
        }
        let spec = Method::find(name)
            .and_then(|method| method.spec(ProtocolVersion(version.number()), Receiver::Client));
        let Some(spec) = spec else {
            return Err(Stop::fail(format!(
                "{} is no method of a client in version {}",
                crate::safe::line(name, 60),
                version.number()
            )));
        };
        let params = json.get("params").cloned().unwrap_or_default();
        decodes(spec.params, &params, version, name)?;
    }
    Ok(())
}
