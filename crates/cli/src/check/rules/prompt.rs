//! Turns: how they go, how they end, what they may hold.

use serde_json::{Value, json};

use crate::check::{
    peer::{Heard, QUIET, update_of},
    stand::Stand,
    verdict::{Stop, Verdict, ensure},
    version::Version,
};

/// The reasons of both versions; others begin with an underscore.
const REASONS: [&str; 5] = [
    "end_turn",
    "max_tokens",
    "max_turn_requests",
    "refusal",
    "cancelled",
];
/// A PNG of one pixel.
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

pub(super) async fn ends(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let turn = peer.turn(&session, &stand.setting.prompt).await?;
    let reason = turn.reason.clone();
    drop(turn.reply.ok()?);
    let Some(reason) = reason else {
        return Err(Stop::fail("the turn ended without a stop reason"));
    };
    let is_open = stand.version == Version::Two && (reason == "error" || reason.starts_with('_'));
    ensure(
        REASONS.contains(&reason.as_str()) || is_open,
        format!("{} is no stop reason", crate::safe::line(&reason, 40)),
    )?;
    Ok(Some(format!("it ended with {reason}")))
}

/// Whatever belongs to a turn comes before its end, and is of its session.
pub(super) async fn order(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let turn = peer.turn(&session, &stand.setting.prompt).await?;
    peer.listen(QUIET).await?;
    let late = peer.since(turn.upto + 1).iter().any(|heard| {
        let update = update_of(heard, &session);
        let kind = update
            .and_then(|update| update.get("sessionUpdate"))
            .and_then(Value::as_str);
        matches!(
            kind,
            Some(
                "agent_message_chunk"
                    | "agent_message"
                    | "agent_thought_chunk"
                    | "tool_call"
                    | "tool_call_update"
            )
        )
    });
    ensure(!late, "text or a tool call came after the end of its turn")?;
    let strangers = peer.since(turn.from).iter().any(|heard| {
        matches!(heard, Heard::Notification(json)
            if json.get("method").is_some_and(|name| name == "session/update")
                && json.pointer("/params/sessionId").is_none_or(|id| id != session.as_str()))
    });
    ensure(
        !strangers,
        "an update came for a session that was not opened",
    )?;
    Ok(None)
}

pub(super) async fn again(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    for _ in 0..2 {
        drop(
            peer.turn(&session, &stand.setting.prompt)
                .await?
                .reply
                .ok()?,
        );
    }
    Ok(None)
}

/// A block of this kind is taken when it was declared, and refused when it was not.
async fn block(stand: &Stand<'_>, one: &str, two: &str, block: Value) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let path = if stand.version == Version::One {
        one
    } else {
        two
    };
    let declared = peer.capability(path).is_some();
    let blocks = json!([{"type": "text", "text": stand.setting.prompt}, block]);
    let sent = peer.send_blocks(&session, blocks).await?;
    let turn = peer.finish(&sent).await?;
    if declared {
        turn.needs_key()?;
        drop(turn.reply.ok()?);
        return Ok(Some(format!("{path} is declared")));
    }
    match turn.reply.code() {
        Some(-32602) => Ok(Some(format!(
            "{path} is not declared, and the block is refused"
        ))),
        _ => {
            turn.needs_key()?;
            Err(Stop::NotTested(format!(
                "{path} is not declared; the block is not refused with -32602"
            )))
        }
    }
}

pub(super) async fn image(stand: &Stand<'_>) -> Verdict {
    let json = json!({"type": "image", "mimeType": "image/png", "data": PIXEL});
    block(
        stand,
        "promptCapabilities.image",
        "session.prompt.image",
        json,
    )
    .await
}

pub(super) async fn audio(stand: &Stand<'_>) -> Verdict {
    let json = json!({"type": "audio", "mimeType": "audio/wav", "data": "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="});
    block(
        stand,
        "promptCapabilities.audio",
        "session.prompt.audio",
        json,
    )
    .await
}

pub(super) async fn embedded(stand: &Stand<'_>) -> Verdict {
    let json = json!({"type": "resource", "resource": {"uri": "file:///acp-check/note.txt", "mimeType": "text/plain", "text": "a note"}});
    block(
        stand,
        "promptCapabilities.embeddedContext",
        "session.prompt.embeddedContext",
        json,
    )
    .await
}

/// Text and links need no capability.
pub(super) async fn links(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let blocks = json!([
        {"type": "text", "text": stand.setting.prompt},
        {"type": "resource_link", "uri": "file:///acp-check/note.txt", "name": "note.txt"},
    ]);
    let sent = peer.send_blocks(&session, blocks).await?;
    let turn = peer.finish(&sent).await?;
    turn.needs_key()?;
    drop(turn.reply.ok()?);
    Ok(None)
}

pub(super) async fn unicode(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let text = "äöü 漢字 🙂👩‍👩‍👧 \u{202e}rtl \u{0} \u{7f} \u{2028} \\ \" e\u{301}";
    let prompt = format!("{}\n{text}", stand.setting.prompt);
    drop(peer.turn(&session, &prompt).await?.reply.ok()?);
    Ok(None)
}

/// An agent reads half a surrogate pair as it likes, and lives on.
pub(super) async fn lone_surrogate(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let session = Value::from(session);
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":"half","method":"session/prompt","params":{{"sessionId":{session},"prompt":[{{"type":"text","text":"half \ud83d"}}]}}}}"#
    );
    let from = peer.heard.len();
    peer.line(&line).await?;
    drop(peer.call("_acp.check/none", json!({})).await?);
    peer.listen(QUIET).await?;
    let answered = peer.since(from).iter().any(|heard| match heard {
        Heard::Reply(json) => json
            .get("id")
            .is_some_and(|id| id == "half" || id.is_null()),
        _ => false,
    });
    Ok(Some(String::from(if answered {
        "a prompt with half a surrogate pair is answered"
    } else {
        "a prompt with half a surrogate pair is not answered at once"
    })))
}

pub(super) async fn large(stand: &Stand<'_>) -> Verdict {
    sized(stand, 1 << 20).await
}

pub(super) async fn very_large(stand: &Stand<'_>) -> Verdict {
    sized(stand, 20 << 20).await
}

/// A request of that many bytes is answered, by a result or by an error, and the next one is, too.
async fn sized(stand: &Stand<'_>, bytes: usize) -> Verdict {
    let mut peer = stand.agreed().await?;
    let text = "x".repeat(bytes);
    let reply = peer.call("_acp.check/none", json!({"text": text})).await?;
    let code = reply.code();
    drop(peer.call("_acp.check/none", json!({})).await?);
    Ok(code.map(|code| format!("it is answered with error {code}")))
}
