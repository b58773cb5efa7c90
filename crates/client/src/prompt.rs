//! What the user says, and the start of the turn that follows.

use acp_handshake::Agreement;
use acp_vocab::{ContentBlock, Meta, Method, ProtocolVersion, SessionId, v2::IdempotencyKey};
use serde::Serialize;

use crate::{budget::Budget, error::RequestError, session::Session, turn::Turn};

/// The content of a prompt: text, or any blocks.
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    blocks: Vec<ContentBlock>,
}

impl Prompt {
    /// A prompt of these blocks.
    pub fn new(blocks: impl IntoIterator<Item = ContentBlock>) -> Self {
        Self {
            blocks: blocks.into_iter().collect(),
        }
    }

    /// The same with one more block behind the others.
    #[must_use]
    pub fn with(mut self, block: ContentBlock) -> Self {
        self.blocks.push(block);
        self
    }

    pub(crate) fn into_blocks(self) -> Vec<ContentBlock> {
        self.blocks
    }

    /// Whether every block may be sent. An empty prompt may not: some agents never answer again.
    fn check(&self, agreement: Option<&Agreement>) -> Result<(), RequestError> {
        if self.blocks.is_empty() {
            return Err(RequestError::EmptyPrompt);
        }
        let Some(agreement) = agreement else {
            return Ok(());
        };
        let v1 = agreement.version().0 < 2;
        for block in &self.blocks {
            let (what, at_v1, at_v2) = match block {
                ContentBlock::Image(_) => (
                    "an image",
                    "promptCapabilities.image",
                    "session.prompt.image",
                ),
                ContentBlock::Audio(_) => {
                    ("audio", "promptCapabilities.audio", "session.prompt.audio")
                }
                ContentBlock::Resource(_) => (
                    "an embedded resource",
                    "promptCapabilities.embeddedContext",
                    "session.prompt.embeddedContext",
                ),
                // v1 has no such block, so no agent can advertise it there.
                ContentBlock::Skill(_) => (
                    "a skill",
                    "promptCapabilities.skill",
                    "session.prompt.skill",
                ),
                ContentBlock::Text(_)
                | ContentBlock::ResourceLink(_)
                | ContentBlock::Unknown { .. }
                | _ => continue,
            };
            let capability = if v1 { at_v1 } else { at_v2 };
            if !agreement.advertises(capability) {
                return Err(RequestError::Unsupported { what, capability });
            }
        }
        Ok(())
    }
}

impl From<&str> for Prompt {
    fn from(text: &str) -> Self {
        Self::new([ContentBlock::text(text)])
    }
}

impl From<String> for Prompt {
    fn from(text: String) -> Self {
        Self::new([ContentBlock::text(text)])
    }
}

impl From<&String> for Prompt {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<ContentBlock> for Prompt {
    fn from(block: ContentBlock) -> Self {
        Self::new([block])
    }
}

impl From<Vec<ContentBlock>> for Prompt {
    fn from(blocks: Vec<ContentBlock>) -> Self {
        Self { blocks }
    }
}

/// A prompt about to be sent. Made by [`Session::prompt`].
#[derive(Debug)]
#[must_use = "a prompt does nothing until it starts"]
pub struct StartPrompt<'a> {
    session: &'a Session,
    prompt: Prompt,
    key: Option<IdempotencyKey>,
    meta: Option<Meta>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    session_id: &'a SessionId,
    prompt: &'a [ContentBlock],
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotency_key: Option<&'a IdempotencyKey>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

impl<'a> StartPrompt<'a> {
    pub(crate) const fn new(session: &'a Session, prompt: Prompt) -> Self {
        Self {
            session,
            prompt,
            key: None,
            meta: None,
        }
    }

    /// What makes this the same prompt when it is sent again, for example after the connection on
    /// which the agent held it was lost: the agent inserts it once (v2 section 6.6). Version 1 has
    /// no such key, and a prompt with one is refused there.
    pub fn idempotency_key(mut self, key: IdempotencyKey) -> Self {
        self.key = Some(key);
        self
    }

    /// Metadata of the request.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Sends the prompt, within the default bounds of a turn (idle 10 min, absolute 6 h).
    ///
    /// It returns when the line is in the outgoing queue and never waits for the agent, whose
    /// answer is the end of the turn.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally, before anything was sent.
    pub fn start(self) -> Result<Turn, RequestError> {
        self.start_within(&Budget::defaults())
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally, before anything was sent.
    pub fn start_within(self, budget: &Budget) -> Result<Turn, RequestError> {
        let shared = self.session.shared();
        self.prompt.check(shared.agreement().as_deref())?;
        let v1 = self.session.version() == ProtocolVersion::V1;
        if v1 && self.key.is_some() {
            return Err(RequestError::Unsupported {
                what: "an idempotency key",
                capability: "protocolVersion 2",
            });
        }
        let params = Params {
            session_id: self.session.id(),
            prompt: &self.prompt.blocks,
            idempotency_key: self.key.as_ref(),
            meta: self.meta.as_ref(),
        };
        tracing::debug!(method = Method::SESSION_PROMPT.name(), "request");
        let key = shared.with(|inner, now| {
            inner
                .machine
                .start_prompt(now, self.session.key(), &params, budget.for_turn())
        })?;
        // v2 agents repeat a prompt once it is in the conversation; v1 agents do not.
        if v1 {
            shared.noted(|noted| {
                noted.say(self.session.id(), |state| {
                    state.prompted(&self.prompt.blocks);
                });
            });
        }
        Ok(Turn::new(
            std::sync::Arc::clone(shared),
            key,
            self.session.id().clone(),
        ))
    }
}
