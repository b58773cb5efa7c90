//! What a good client does, judged by what its agent heard.

use acp_harness::vocab::{Method, ProtocolVersion, Receiver};
use serde_json::Value;

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

/// One error with this code for each of these ids.
fn refused(seen: &Seen, ids: &[Value], codes: &[i64]) -> Result<(), Stop> {
    for id in ids {
        let replies = seen.replies_to(id);
        ensure(
            replies.len() == 1,
            format!("the request {id} was answered {} times", replies.len()),
        )?;
        let code = replies
            .first()
            .and_then(|reply| reply.pointer("/error/code")?.as_i64());
        ensure(
            code.is_some_and(|code| codes.contains(&code)),
            match code {
                Some(code) => format!("the request {id} was refused with error {code}"),
                None => format!("the request {id} was accepted"),
            },
        )?;
    }
    Ok(())
}

pub(super) fn refuses_unknown(seen: &Seen, _: Version) -> Verdict {
    let ids = [
        Value::from("a"),
        Value::from(2_147_483_648_i64),
        Value::from(-1),
    ];
    refused(seen, &ids, &[-32601])?;
    Ok(None)
}

pub(super) fn keeps_large_id(seen: &Seen, _: Version) -> Verdict {
    refused(seen, &[Value::from(9_007_199_254_740_993_i64)], &[-32601])?;
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

/// The answer to our first permission request.
pub(super) fn answers_permission(seen: &Seen, _: Version) -> Verdict {
    let replies = seen.replies_to(&Value::from(0));
    ensure(
        replies.len() == 1,
        format!(
            "the permission request was answered {} times",
            replies.len()
        ),
    )?;
    let Some(reply) = replies.first() else {
        return Ok(None);
    };
    let outcome = reply
        .pointer("/result/outcome/outcome")
        .and_then(Value::as_str);
    let option = reply
        .pointer("/result/outcome/optionId")
        .and_then(Value::as_str);
    match (outcome, option) {
        (Some("cancelled"), _) => Ok(Some(String::from("it is answered with none"))),
        (Some("selected"), Some(option)) => {
            let offered = seen.events.iter().any(|event| {
                matches!(event, Event::Said(said) if said.strip_prefix("ask ").is_some_and(|options| {
                    options.contains(&format!("\"optionId\":{}", Value::from(option)))
                }))
            });
            ensure(
                offered,
                "it is answered with an option that was not offered",
            )?;
            Ok(Some(format!(
                "it is answered with {}",
                crate::safe::line(option, 40)
            )))
        }
        _ => Err(Stop::fail("the answer to the permission request is none")),
    }
}

pub(super) fn answers_all(seen: &Seen, _: Version) -> Verdict {
    for id in 0..1_000 {
        let replies = seen.replies_to(&Value::from(id)).len();
        ensure(
            replies == 1,
            format!("permission request {id} was answered {replies} times"),
        )?;
    }
    Ok(None)
}

pub(super) fn refuses_broken(seen: &Seen, _: Version) -> Verdict {
    refused(
        seen,
        &[Value::from("p"), Value::from("q")],
        &[-32602, -32600, -32603],
    )?;
    Ok(None)
}

/// What the client declares at this path.
fn declares(seen: &Seen, version: Version, path: &str) -> bool {
    version == Version::One
        && seen
            .calls("initialize")
            .last()
            .and_then(|call| call.pointer(path))
            .is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
}

fn as_declared(seen: &Seen, id: &str, declared: bool, what: &str) -> Result<(), Stop> {
    let id = Value::from(id);
    if !declared {
        return refused(seen, &[id], &[-32601]);
    }
    let replies = seen.replies_to(&id);
    ensure(
        replies.len() == 1,
        format!("the request {id} was answered {} times", replies.len()),
    )?;
    let unknown = replies.iter().any(|reply| {
        reply
            .pointer("/error/code")
            .is_some_and(|code| code == -32601)
    });
    ensure(
        !unknown,
        format!("{what} is declared, and refused with -32601"),
    )
}

pub(super) fn files_as_declared(seen: &Seen, version: Version) -> Verdict {
    let reads = declares(seen, version, "/params/clientCapabilities/fs/readTextFile");
    let writes = declares(seen, version, "/params/clientCapabilities/fs/writeTextFile");
    as_declared(seen, "r", reads, "reading files")?;
    as_declared(seen, "w", writes, "writing files")?;
    Ok(None)
}

pub(super) fn terminals_as_declared(seen: &Seen, version: Version) -> Verdict {
    let declared = declares(seen, version, "/params/clientCapabilities/terminal");
    as_declared(seen, "t", declared, "a terminal")?;
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

pub(super) fn answers_after_cancel(seen: &Seen, version: Version) -> Verdict {
    if seen.calls("session/cancel").next().is_none() {
        return Err(Stop::Skip(String::from(
            "it does not cancel (see C-CANCEL-001)",
        )));
    }
    let note = answers_permission(seen, version)?;
    ensure(
        note.as_deref() == Some("it is answered with none"),
        "a permission that was asked after the cancel is answered with an option",
    )?;
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
