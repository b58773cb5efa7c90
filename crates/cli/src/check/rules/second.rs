//! What only version 2 has: states, whole messages, patches, open words.

mod surface;

use serde_json::{Value, json};

pub(super) use self::surface::{double_server, no_old_methods, seven_methods, unknown_server};
use crate::check::{
    peer::{Heard, Peer, QUIET, Turn},
    stand::Stand,
    verdict::{Stop, Verdict, ensure},
};

/// A turn, and what was said in it.
async fn turn<'a>(stand: &'a Stand<'_>) -> Result<(Peer<'a>, String, Turn), Stop> {
    let (mut peer, session) = stand.opened().await?;
    let turn = peer.turn(&session, &stand.setting.prompt).await?;
    if turn.reply.code().is_some() {
        return Err(Stop::Skip(String::from(
            "the prompt was refused (see PROMPT-001)",
        )));
    }
    peer.listen(QUIET).await?;
    Ok((peer, session, turn))
}

fn kind(update: &Value) -> &str {
    update
        .get("sessionUpdate")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn states<'v>(updates: &[&'v Value]) -> Vec<&'v Value> {
    updates
        .iter()
        .copied()
        .filter(|update| kind(update) == "state_update")
        .collect()
}

/// The answer to a prompt carries the id of the message.
pub(super) async fn message_id(stand: &Stand<'_>) -> Verdict {
    let (_, _, turn) = turn(stand).await?;
    let id = turn
        .reply
        .json
        .pointer("/result/messageId")
        .and_then(Value::as_str);
    ensure(
        id.is_some_and(|id| !id.is_empty()),
        "the answer to session/prompt has no messageId",
    )?;
    Ok(None)
}

/// The message of the user is echoed with that id.
pub(super) async fn echo(stand: &Stand<'_>) -> Verdict {
    let (peer, session, turn) = turn(stand).await?;
    let id = turn.reply.json.pointer("/result/messageId");
    let updates = peer.updates(&session, turn.from, peer.heard.len());
    let echoed = updates
        .iter()
        .any(|update| kind(update).starts_with("user_message") && update.get("messageId") == id);
    ensure(
        echoed,
        "the message of the user is not echoed with the id of the answer",
    )?;
    Ok(None)
}

/// Work begins with running.
pub(super) async fn running(stand: &Stand<'_>) -> Verdict {
    let (peer, session, turn) = turn(stand).await?;
    let updates = peer.updates(&session, turn.from, turn.upto + 1);
    let first = states(&updates)
        .first()
        .and_then(|state| state.get("state"))
        .cloned();
    ensure(
        first.as_ref().is_some_and(|state| state == "running"),
        "the first state of a turn is not running",
    )?;
    Ok(None)
}

/// The idle state that ends work says why, once.
pub(super) async fn idle(stand: &Stand<'_>) -> Verdict {
    let (peer, session, turn) = turn(stand).await?;
    ensure(
        turn.reason.is_some(),
        "the idle state that ends a turn has no stopReason",
    )?;
    let updates = peer.updates(&session, turn.from, peer.heard.len());
    let ends = states(&updates)
        .iter()
        .filter(|state| {
            state
                .get("stopReason")
                .is_some_and(|reason| !reason.is_null())
        })
        .count();
    ensure(ends == 1, format!("one turn ended {ends} times"))?;
    Ok(None)
}

/// Text of the agent has an id, too.
pub(super) async fn chunks_have_ids(stand: &Stand<'_>) -> Verdict {
    let (peer, session, turn) = turn(stand).await?;
    let bare = peer
        .updates(&session, turn.from, peer.heard.len())
        .into_iter()
        .any(|update| {
            let kind = kind(update);
            (kind.contains("_message") || kind.contains("_thought"))
                && !update.get("messageId").is_some_and(Value::is_string)
        });
    ensure(!bare, "a message or a piece of one has no messageId")?;
    Ok(None)
}

/// Words of version 1 are not spoken.
pub(super) async fn no_old_words(stand: &Stand<'_>) -> Verdict {
    let (peer, session, _) = turn(stand).await?;
    let old = ["tool_call", "plan", "current_mode_update"];
    let found = peer
        .updates(&session, 0, peer.heard.len())
        .into_iter()
        .map(kind)
        .find(|kind| old.contains(kind));
    ensure(
        found.is_none(),
        format!("{} is a word of version 1", found.unwrap_or_default()),
    )?;
    ensure(
        peer.setup.get("modes").is_none_or(Value::is_null),
        "session/new answers with modes, which are of version 1",
    )?;
    Ok(None)
}

/// Lists that were asked for are lists, never null.
pub(super) async fn lists_are_lists(stand: &Stand<'_>) -> Verdict {
    let (peer, _) = stand.opened().await?;
    for (place, name) in [
        (&peer.setup, "configOptions"),
        (&peer.setup, "availableCommands"),
        (&peer.agreement, "authMethods"),
    ] {
        ensure(
            place.get(name).is_none_or(Value::is_array),
            format!("{name} is there and no list"),
        )?;
    }
    Ok(None)
}

/// A tool call that has left pending does not return, and one that is final stays so.
pub(super) async fn tools_go_forward(stand: &Stand<'_>) -> Verdict {
    let (peer, session, _) = turn(stand).await?;
    let mut ranks: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for update in peer.updates(&session, 0, peer.heard.len()) {
        if kind(update) != "tool_call_update" {
            continue;
        }
        let id = update.get("toolCallId").and_then(Value::as_str);
        let Some(id) = id.filter(|id| !id.is_empty()) else {
            return Err(Stop::fail("a tool call has no id"));
        };
        let Some(status) = update.get("status").and_then(Value::as_str) else {
            ranks.entry(id.to_owned()).or_default();
            continue;
        };
        let rank = match status {
            "pending" => 0,
            "completed" | "failed" | "cancelled" => 2,
            _ => 1,
        };
        let before = ranks.insert(id.to_owned(), rank).unwrap_or_default();
        ensure(rank >= before, "a tool call went backwards")?;
    }
    if ranks.is_empty() {
        return Err(Stop::NotTested(String::from(
            "no tool was called in the turn",
        )));
    }
    Ok(None)
}

/// Words that nobody knows yet are ignored or kept, and cost nothing.
pub(super) async fn open_words(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.start()?;
    let params = json!({
        "protocolVersion": 2,
        "info": {"name": "acp-check", "version": "1", "flavour": 9},
        "capabilities": {"_acp.check": {"x": [1]}, "teleport": {}, "session": {"hologram": {}}, "elicitation": null},
    });
    let id = peer.request("initialize", params).await?;
    let what = "initialize with capabilities that nobody knows";
    drop(
        peer.reply_within(&id, what, stand.setting.startup)
            .await?
            .ok()?,
    );
    Ok(None)
}

/// Prompts that come in a turn are held, and answered each in its turn.
pub(super) async fn holds_prompts(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let first = peer.send(&session, &stand.setting.prompt).await?;
    let second = peer.send(&session, &stand.setting.prompt).await?;
    for sent in [&first, &second] {
        let reply = peer.reply(&sent.id, "one of two prompts").await?;
        if reply.wants_key() {
            return Err(Stop::Skip(String::from(
                "the agent has no key to answer a prompt with",
            )));
        }
        drop(reply.ok()?);
    }
    Ok(None)
}

/// A permission request has a title and options with different ids.
pub(super) async fn permissions(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) = stand.opened().await?;
    let text = "Write the word hello into a new file acp-check.txt; ask for permission first.";
    let turn = peer.turn(&session, text).await?;
    drop(turn);
    let mut asked = 0;
    for heard in &peer.heard {
        let Heard::Request(json) = heard else {
            continue;
        };
        if json
            .get("method")
            .is_none_or(|name| name != "session/request_permission")
        {
            continue;
        }
        asked += 1;
        let params = json.get("params").cloned().unwrap_or_default();
        ensure(
            params.get("title").is_some_and(Value::is_string),
            "a permission request has no title",
        )?;
        let options = params
            .get("options")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let mut ids: Vec<&str> = options
            .iter()
            .filter_map(|option| option.get("optionId")?.as_str())
            .collect();
        ids.sort_unstable();
        ids.dedup();
        ensure(
            !options.is_empty() && ids.len() == options.len(),
            "a permission request has no options, or two with one id",
        )?;
    }
    if asked == 0 {
        return Err(Stop::Skip(String::from(
            "the agent asked for no permission",
        )));
    }
    Ok(None)
}
