//! Prompts, and the turns that they begin.

use serde_json::{Value, json};

use super::{Heard, Peer, Reply, update_of};
use crate::check::{verdict::Stop, version::Version};

/// How a turn ended.
#[derive(Debug)]
pub(crate) struct Turn {
    /// The reason, when one was given.
    pub(crate) reason: Option<String>,
    /// The answer to the request.
    pub(crate) reply: Reply,
    /// How much had been heard when it began, and when it had ended.
    pub(crate) from: usize,
    pub(crate) upto: usize,
}

/// A prompt that was sent.
#[derive(Debug, Clone)]
pub(crate) struct Sent {
    pub(crate) id: Value,
    session: String,
    /// How much had been heard when it was sent.
    pub(crate) from: usize,
}

impl Peer<'_> {
    /// Sends a prompt of one text.
    pub(crate) async fn send(&mut self, session: &str, text: &str) -> Result<Sent, Stop> {
        self.send_blocks(session, json!([{"type": "text", "text": text}]))
            .await
    }

    pub(crate) async fn send_blocks(&mut self, session: &str, blocks: Value) -> Result<Sent, Stop> {
        let from = self.heard.len();
        let params = json!({"sessionId": session, "prompt": blocks});
        let id = self.request("session/prompt", params).await?;
        Ok(Sent {
            id,
            session: session.to_owned(),
            from,
        })
    }

    /// Waits for the end of the turn of a prompt, however it ends.
    pub(crate) async fn finish(&mut self, sent: &Sent) -> Result<Turn, Stop> {
        let reply = self.reply(&sent.id, "session/prompt").await?;
        let replied = self.heard.iter().rposition(
            |heard| matches!(heard, Heard::Reply(json) if json.get("id") == Some(&sent.id)),
        );
        let mut upto = replied.unwrap_or_default();
        let mut reason = reply
            .json
            .pointer("/result/stopReason")
            .and_then(Value::as_str)
            .map(ToOwned::to_owned);
        if self.version() == Version::Two && reply.code().is_none() {
            let message = reply.json.pointer("/result/messageId").cloned();
            let inserted = self.heard.iter().position(|heard| {
                update_of(heard, &sent.session)
                    .is_some_and(|update| update.get("messageId") == message.as_ref())
            });
            let from = inserted.unwrap_or(upto).min(upto);
            let is_idle = |heard: &Heard| {
                update_of(heard, &sent.session).is_some_and(|update| {
                    update
                        .get("sessionUpdate")
                        .is_some_and(|kind| kind == "state_update")
                        && update.get("state").is_some_and(|state| state == "idle")
                })
            };
            let bound = self.stand.setting.bound;
            let at = self
                .wait_for(from, bound, is_idle)
                .await
                .map_err(|stop| match stop {
                    Stop::Fail(why) => Stop::Fail(format!("the turn did not become idle: {why}")),
                    other => other,
                })?;
            upto = upto.max(at);
            let idle = self
                .heard
                .get(at)
                .and_then(|heard| update_of(heard, &sent.session));
            reason = idle
                .and_then(|update| update.get("stopReason"))
                .and_then(Value::as_str)
                .map(ToOwned::to_owned);
        }
        Ok(Turn {
            reason,
            reply,
            from: sent.from,
            upto,
        })
    }

    /// A whole turn that has to be possible: without a key it is not.
    pub(crate) async fn turn(&mut self, session: &str, text: &str) -> Result<Turn, Stop> {
        let sent = self.send(session, text).await?;
        let turn = self.finish(&sent).await?;
        turn.needs_key()?;
        Ok(turn)
    }
}

impl Turn {
    /// Ends the test when the agent has no key to work with.
    pub(crate) fn needs_key(&self) -> Result<(), Stop> {
        if self.reply.wants_key() {
            return Err(Stop::Skip(format!(
                "the agent has no key to answer a prompt with (error {}): nothing that needs a prompt is tested",
                self.reply.code().unwrap_or_default()
            )));
        }
        Ok(())
    }
}
