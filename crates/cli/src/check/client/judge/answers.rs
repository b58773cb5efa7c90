//! The answers of a client to the requests of its agent.

use serde_json::Value;

use crate::check::{
    client::seen::{Event, Seen},
    verdict::{Stop, Verdict, ensure},
    version::Version,
};

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

pub(in crate::check::client) fn refuses_unknown(seen: &Seen, _: Version) -> Verdict {
    let ids = [
        Value::from("a"),
        Value::from(2_147_483_648_i64),
        Value::from(-1),
    ];
    refused(seen, &ids, &[-32601])?;
    Ok(None)
}

pub(in crate::check::client) fn keeps_large_id(seen: &Seen, _: Version) -> Verdict {
    refused(seen, &[Value::from(9_007_199_254_740_993_i64)], &[-32601])?;
    Ok(None)
}

/// The answer to our first permission request.
pub(in crate::check::client) fn answers_permission(seen: &Seen, _: Version) -> Verdict {
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

pub(in crate::check::client) fn answers_all(seen: &Seen, _: Version) -> Verdict {
    for id in 0..1_000 {
        let replies = seen.replies_to(&Value::from(id)).len();
        ensure(
            replies == 1,
            format!("permission request {id} was answered {replies} times"),
        )?;
    }
    Ok(None)
}

pub(in crate::check::client) fn refuses_broken(seen: &Seen, _: Version) -> Verdict {
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

pub(in crate::check::client) fn files_as_declared(seen: &Seen, version: Version) -> Verdict {
    let reads = declares(seen, version, "/params/clientCapabilities/fs/readTextFile");
    let writes = declares(seen, version, "/params/clientCapabilities/fs/writeTextFile");
    as_declared(seen, "r", reads, "reading files")?;
    as_declared(seen, "w", writes, "writing files")?;
    Ok(None)
}

pub(in crate::check::client) fn terminals_as_declared(seen: &Seen, version: Version) -> Verdict {
    let declared = declares(seen, version, "/params/clientCapabilities/terminal");
    as_declared(seen, "t", declared, "a terminal")?;
    Ok(None)
}

pub(in crate::check::client) fn answers_after_cancel(seen: &Seen, version: Version) -> Verdict {
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
