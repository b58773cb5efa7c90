//! Lines, ids and envelopes.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::{
    peer::{Heard, Peer, QUIET, initialize},
    stand::Stand,
    verdict::{Stop, Verdict, ensure},
};

/// Fails when something on stdout was no message.
pub(super) fn no_noise(peer: &Peer<'_>) -> Result<(), Stop> {
    let noise = peer.heard.iter().find_map(|heard| match heard {
        Heard::Noise(line) => Some(line),
        _ => None,
    });
    match noise {
        None => Ok(()),
        Some(line) => Err(Stop::fail(format!(
            "a line on stdout is no message: {}",
            crate::safe::line(line, 80)
        ))),
    }
}

pub(super) async fn only_messages(stand: &Stand<'_>) -> Verdict {
    let (mut peer, _) = stand.opened().await?;
    peer.listen(QUIET).await?;
    no_noise(&peer)?;
    Ok(None)
}

/// Requests that come in pieces, and two in one write.
pub(super) async fn frames_by_lines(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    let line = |id: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"_acp.check/none","params":{{}}}}"#)
    };
    let whole = format!("{}\n", line("cut"));
    let (head, tail) = whole.split_at(30);
    peer.bytes(head.as_bytes()).await?;
    peer.listen(Duration::from_millis(50)).await?;
    peer.bytes(tail.as_bytes()).await?;
    peer.reply(&Value::from("cut"), "a request in two pieces")
        .await?;
    let both = format!("{}\r\n\n{}\n", line("one"), line("two"));
    peer.bytes(both.as_bytes()).await?;
    for id in ["one", "two"] {
        peer.reply(&Value::from(id), "one of two requests in one write")
            .await?;
    }
    Ok(None)
}

pub(super) async fn envelope(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    drop(peer.call("_acp.check/none", json!({})).await?);
    for heard in &peer.heard {
        let (Heard::Reply(json) | Heard::Request(json) | Heard::Notification(json)) = heard else {
            continue;
        };
        ensure(
            json.get("jsonrpc").is_some_and(|version| version == "2.0"),
            "a message lacks \"jsonrpc\":\"2.0\"",
        )?;
        if matches!(heard, Heard::Reply(_)) {
            let outcomes = usize::from(json.get("result").is_some())
                + usize::from(json.get("error").is_some());
            ensure(
                outcomes == 1,
                format!("an answer has {outcomes} of result and error"),
            )?;
        }
    }
    Ok(None)
}

/// Sends a request with this id, as JSON, and waits for it to come back.
async fn echo(peer: &mut Peer<'_>, id: &str) -> Result<(), Stop> {
    let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"_acp.check/none","params":{{}}}}"#);
    peer.line(&line).await?;
    let id: Value = serde_json::from_str(id).unwrap_or_default();
    peer.reply(&id, &format!("a request with the id {id}"))
        .await?;
    Ok(())
}

pub(super) async fn string_ids(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    for id in [r#""abc-1""#, r#""0""#] {
        echo(&mut peer, id).await?;
    }
    Ok(None)
}

pub(super) async fn number_ids(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    for id in ["0", "-7", "2147483648", "9007199254740991"] {
        echo(&mut peer, id).await?;
    }
    Ok(None)
}

pub(super) async fn large_ids(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    for id in ["9007199254740993", "9223372036854775807"] {
        echo(&mut peer, id).await?;
    }
    Ok(None)
}

pub(super) async fn unknown_method(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    let reply = peer.call("no/such_method", json!({})).await?;
    reply.refused_with(&[-32601])?;
    Ok(None)
}

pub(super) async fn invalid_params(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.start()?;
    let id = peer
        .request("initialize", json!({"protocolVersion": "1"}))
        .await?;
    let bound = stand.setting.startup;
    let reply = peer
        .reply_within(&id, "initialize with a version that is text", bound)
        .await?;
    reply.refused_with(&[-32602])?;
    Ok(None)
}

/// A request after them shows that they were read.
pub(super) async fn notifications(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    let from = peer.heard.len();
    peer.notify("no/such_notification", json!({})).await?;
    peer.notify("_acp.check/news", json!([1])).await?;
    peer.notify("session/cancel", json!({"sessionId": "no-such-session"}))
        .await?;
    let reply = peer.call("_acp.check/none", json!({})).await?;
    peer.listen(QUIET).await?;
    let answers = peer.since(from).iter().filter(|heard| match heard {
        Heard::Reply(json) => json.get("id") != reply.json.get("id"),
        _ => false,
    });
    ensure(answers.count() == 0, "a notification was answered")?;
    Ok(None)
}

/// An unknown method of an extension is refused, not answered with null.
pub(super) async fn extension_method(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    let reply = peer.call("_acp.check/none", json!({"a": 1})).await?;
    reply.refused_with(&[-32601])?;
    Ok(None)
}

pub(super) async fn error_shape(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    let reply = peer.call("_acp.check/none", json!({})).await?;
    let Some(error) = reply.json.get("error") else {
        return Err(Stop::fail(
            "an unknown method was answered with a result, and should have been refused with an error",
        ));
    };
    let code = error.get("code").and_then(Value::as_i64);
    ensure(
        code.is_some_and(|code| i32::try_from(code).is_ok()),
        "error.code is no 32-bit integer",
    )?;
    ensure(
        error.get("message").is_some_and(Value::is_string),
        "error.message is no text",
    )?;
    Ok(None)
}

/// What it does with a line that is no JSON, after which it must still answer.
pub(super) async fn parse_error(stand: &Stand<'_>) -> Verdict {
    observe(stand, "{\"jsonrpc\":\"2.0\",", "a line that is no JSON").await
}

/// What it does with JSON that is no message.
pub(super) async fn invalid_request(stand: &Stand<'_>) -> Verdict {
    observe(stand, r#"{"foo":"bar"}"#, "an object that is no message").await
}

async fn observe(stand: &Stand<'_>, line: &str, what: &str) -> Verdict {
    let mut peer = stand.agreed().await?;
    let from = peer.heard.len();
    peer.line(line).await?;
    let reply = peer.call("_acp.check/none", json!({})).await?;
    peer.listen(QUIET).await?;
    let code = peer.since(from).iter().find_map(|heard| match heard {
        Heard::Reply(json) if json.get("id") != reply.json.get("id") => {
            json.pointer("/error/code").and_then(Value::as_i64)
        }
        _ => None,
    });
    Ok(Some(match code {
        Some(code) => format!("{what} is answered with error {code}"),
        None => format!("{what} is dropped"),
    }))
}

/// An array is never executed; one error with a null id answers it.
pub(super) async fn batch(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    let from = peer.heard.len();
    let inner = r#"{"jsonrpc":"2.0","id":"in-batch","method":"_acp.check/none","params":{}}"#;
    peer.line(&format!("[{inner},{inner}]")).await?;
    peer.line("[]").await?;
    drop(peer.call("_acp.check/none", json!({})).await?);
    peer.listen(QUIET).await?;
    let null_ids = peer.since(from).iter().filter(|heard| match heard {
        Heard::Reply(json) => {
            json.get("id") == Some(&Value::Null)
                && json.pointer("/error/code").and_then(Value::as_i64) == Some(-32600)
        }
        _ => false,
    });
    let count = null_ids.count();
    ensure(
        count == 2,
        format!("two arrays were answered with {count} errors -32600 with a null id"),
    )?;
    Ok(None)
}

pub(super) async fn null_id(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    let from = peer.heard.len();
    peer.line(r#"{"jsonrpc":"2.0","id":1.5,"method":"_acp.check/none"}"#)
        .await?;
    drop(peer.call("_acp.check/none", json!({})).await?);
    peer.listen(QUIET).await?;
    let refused = peer.since(from).iter().any(|heard| match heard {
        Heard::Reply(json) => json.pointer("/error/code").and_then(Value::as_i64) == Some(-32600),
        _ => false,
    });
    ensure(
        refused,
        "a request whose id is a fraction is not refused with -32600",
    )?;
    Ok(None)
}

/// Members that begin with an underscore, and ones that nobody knows, change nothing.
pub(super) async fn meta(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.start()?;
    let mut params = initialize(stand.version, stand.version.number());
    if let Some(members) = params.as_object_mut() {
        members.insert(String::from("_meta"), json!({"acp.check": {"deep": [1]}, "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}));
        members.insert(String::from("futureMember"), json!(true));
    }
    let id = peer.request("initialize", params).await?;
    let bound = stand.setting.startup;
    let what = "initialize with _meta and a member of the future";
    drop(peer.reply_within(&id, what, bound).await?.ok()?);
    Ok(None)
}
