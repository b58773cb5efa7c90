//! What a good client does, judged by what its agent heard.

mod answers;

use acp_harness::vocab::{Method, ProtocolVersion, Receiver};
use serde_json::Value;

pub(super) use self::answers::{
    answers_after_cancel, answers_all, answers_permission, files_as_declared, keeps_large_id,
    refuses_broken, refuses_unknown, terminals_as_declared,
};
use super::seen::{Event, Seen};
use crate::check::{
    rules::decodes,
    verdict::{Stop, Verdict, ensure},
    version::Version,
};

pub(super) fn initializes_first(seen: &Seen, _: Version) -> Verdict {
    let first = seen.messages().next();
    let Some(first) =
        first.filter(|json| json.get("method").is_some_and(|name| name == "initialize"))
    else {
        return Err(Stop::fail("its first message is not initialize"));
    };
    let asked = first.pointer("/params/protocolVersion");
    ensure(
        asked.is_some_and(|asked| asked.as_u64().is_some_and(|asked| asked >= 1)),
        "protocolVersion is no version",
    )?;
    let asked = asked.and_then(Value::as_u64).unwrap_or_default();
    if asked >= 2 {
        ensure(
            first
                .pointer("/params/info/name")
                .is_some_and(Value::is_string),
            "it asks for version 2 without info",
        )?;
    }
    Ok(Some(format!("it asks for version {asked}")))
}

pub(super) fn stops_at_version(seen: &Seen, _: Version) -> Verdict {
    for method in [
        "session/new",
        "session/load",
        "session/resume",
        "session/prompt",
    ] {
        ensure(
            seen.calls(method).next().is_none(),
            format!("it went on with {method}"),
        )?;
    }
    Ok(None)
}

pub(super) fn waits_for_agreement(seen: &Seen, _: Version) -> Verdict {
    let agreed = seen
        .events
        .iter()
        .position(|event| *event == Event::Said(String::from("initialize")));
    let before = seen
        .events
        .get(..agreed.unwrap_or_default())
        .unwrap_or_default();
    let heard = before
        .iter()
        .filter(|event| matches!(event, Event::Heard(_)))
        .count();
    ensure(agreed.is_some(), "it left before initialize was answered")?;
    ensure(
        heard == 1,
        format!("{heard} lines came before initialize was answered"),
    )?;
    Ok(None)
}

pub(super) fn lines_are_messages(seen: &Seen, _: Version) -> Verdict {
    let mut ids: Vec<String> = Vec::new();
    for event in &seen.events {
        let json = match event {
            Event::Heard(Ok(json)) => json,
            Event::Heard(Err(_)) => return Err(Stop::fail("a line is no JSON")),
            Event::Said(_) | Event::End => continue,
        };
        ensure(
            json.is_object(),
            "a line is no object: a batch, or a scalar",
        )?;
        ensure(
            json.get("jsonrpc").is_some_and(|version| version == "2.0"),
            "a message lacks \"jsonrpc\":\"2.0\"",
        )?;
        if json.get("method").is_some()
            && let Some(id) = json.get("id")
        {
            ensure(!id.is_null(), "a request has null for its id")?;
            ids.push(id.to_string());
        }
    }
    if seen.agents == 1 {
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        ensure(ids.len() == count, "two requests have the same id")?;
    }
    Ok(None)
}

pub(super) fn answers_nothing(seen: &Seen, _: Version) -> Verdict {
    let replies = seen.replies().count();
    ensure(
        replies == 0,
        format!("{replies} answers came where nothing was asked"),
    )?;
    ended_turn(seen)?;
    Ok(None)
}

pub(super) fn requests_decode(seen: &Seen, version: Version) -> Verdict {
    for json in seen.messages() {
        let Some(name) = json.get("method").and_then(Value::as_str) else {
            continue;
        };
        // The first message is in the shape of the version that is asked for, which may be another.
        if name.starts_with('_') || name == "initialize" {
            continue;
        }
        let spec = Method::find(name)
            .and_then(|method| method.spec(ProtocolVersion(version.number()), Receiver::Agent));
        let Some(spec) = spec else {
            if name.starts_with("$/") {
                continue;
            }
            return Err(Stop::fail(format!(
                "{} is no method of an agent in version {}",
                crate::safe::line(name, 60),
                version.number()
            )));
        };
        let params = json.get("params").cloned().unwrap_or_default();
        decodes(spec.params, &params, version, name)?;
    }
    ensure(
        seen.calls("session/prompt").next().is_some(),
        "no prompt came",
    )?;
    Ok(None)
}

fn ended_turn(seen: &Seen) -> Result<(), Stop> {
    ensure(seen.turn_ended(), "it left before the turn was over")
}

/// It stays to the end, and ends as if nothing had been.
pub(super) fn tolerates(seen: &Seen, _: Version) -> Verdict {
    ended_turn(seen)?;
    match seen.exit {
        Some(exit) if !exit.is_success() => Err(Stop::fail(format!("it ended with {exit}"))),
        Some(_) => Ok(None),
        None => Ok(Some(String::from("it did not end by itself"))),
    }
}

pub(super) fn cancels(seen: &Seen, _: Version) -> Verdict {
    let cancels: Vec<&Value> = seen.calls("session/cancel").collect();
    ensure(!cancels.is_empty(), "no session/cancel came")?;
    let session = cancels
        .first()
        .and_then(|cancel| cancel.pointer("/params/sessionId"));
    ensure(
        session.is_some_and(|session| session == "s1"),
        "session/cancel does not name the session",
    )?;
    ensure(
        cancels.iter().all(|cancel| cancel.get("id").is_none()),
        "session/cancel has an id, and is a notification",
    )?;
    ended_turn(seen)?;
    ensure(seen.exit.is_some(), "it did not end after the interrupt")?;
    Ok(None)
}

pub(super) fn no_prompt(seen: &Seen, _: Version) -> Verdict {
    ensure(
        seen.calls("session/prompt").next().is_none(),
        "it sent a prompt without a session",
    )?;
    Ok(None)
}

pub(super) fn notices_death(seen: &Seen, _: Version) -> Verdict {
    match seen.exit {
        None => Err(Stop::fail("it did not end when its agent had died")),
        Some(exit) => {
            ensure(
                !exit.is_success(),
                "it ended with status 0 when its agent had died",
            )?;
            Ok(Some(format!("it ended with {exit}")))
        }
    }
}

pub(super) fn leaves_nothing(seen: &Seen, _: Version) -> Verdict {
    if !cfg!(target_os = "linux") {
        return Err(Stop::Skip(String::from(
            "processes can be found by their mark on Linux only",
        )));
    }
    ensure(seen.exit.is_some(), "it did not end")?;
    ensure(
        seen.left == 0,
        format!("{} processes of its agent are left", seen.left),
    )?;
    Ok(None)
}
