//! Requests of ours: what is still open on the wire, and what somebody still waits for. The two
//! are apart because a wait can end first (a bound, a dropped future), and the late answer must
//! still be recognised.

use std::borrow::Cow;
use std::collections::BTreeMap;

use acp_vocab::RequestId;
use serde_json::value::RawValue;

use crate::correlation::{Completion, Outgoing};
use crate::error::{CallError, UsageError};
use crate::key::{CallKey, Scope, SessionKey, TurnKey};
use crate::label::Label;

/// The answer to a request.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reply {
    /// The result as it came; `null` is a result.
    pub result: Box<RawValue>,
    /// The session that the request opened, when it was one that does.
    pub session: Option<SessionKey>,
    /// The number of the message in which it came, counted from 1.
    pub frame: u64,
}

/// What the reply of a request means to the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Nothing beyond its caller.
    Plain,
    /// The handshake, which is never cancelled on the wire.
    Handshake,
    /// It makes a session, whose id the reply tells.
    Makes,
    /// It opens a session whose id is known.
    Opens(SessionKey),
    /// It ends a session: nothing is expected for it afterwards.
    Ends(SessionKey),
    /// It is a prompt.
    Prompt(SessionKey, TurnKey),
}

/// A request that the agent has not answered.
#[derive(Debug, Clone)]
pub(crate) struct Wire {
    pub(crate) key: CallKey,
    pub(crate) method: Cow<'static, str>,
    pub(crate) scope: Scope,
    pub(crate) purpose: Purpose,
}

/// A request whose reply somebody waits for or has not taken.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) label: Label,
    pub(crate) scope: Scope,
    pub(crate) purpose: Purpose,
    result: Option<Result<Reply, CallError>>,
}

impl Slot {
    pub(crate) const fn is_waiting(&self) -> bool {
        self.result.is_none()
    }

    /// The session that an untaken reply opened.
    pub(crate) fn opened(&self) -> Option<SessionKey> {
        match &self.result {
            Some(Ok(reply)) => reply.session,
            Some(Err(_)) | None => None,
        }
    }
}

/// The table of our requests.
#[derive(Debug)]
pub(crate) struct Calls {
    wire: Outgoing<Wire>,
    slots: BTreeMap<CallKey, Slot>,
    limit: usize,
}

impl Calls {
    pub(crate) fn new(limits: &crate::Limits) -> Self {
        Self {
            wire: Outgoing::default(),
            slots: BTreeMap::new(),
            limit: limits.calls,
        }
    }

    /// Makes room for one more. For that the oldest request that nobody waits for and that was
    /// never answered may have to go: an answer to it is then a repeated one.
    pub(crate) fn reserve(&mut self) -> Result<Option<Wire>, UsageError> {
        if self.slots.len() >= self.limit {
            return Err(UsageError::TooMany {
                what: "requests in flight",
                limit: self.limit,
            });
        }
        if self.wire.len() < self.limit.saturating_mul(2) {
            return Ok(None);
        }
        let oldest = self
            .wire
            .iter()
            .find(|(_, wire)| !self.slots.contains_key(&wire.key));
        Ok(oldest
            .map(|(id, _)| id)
            .and_then(|id| self.wire.forget(&id)))
    }

    /// Registers a request under the next id.
    pub(crate) fn register(&mut self, wire: Wire) -> RequestId {
        let (key, method) = (wire.key, wire.method.clone());
        let (scope, purpose) = (wire.scope, wire.purpose);
        let id = self.wire.register(wire);
        let label = Label::new(method, Some(id.clone()));
        self.slots.insert(
            key,
            Slot {
                label,
                scope,
                purpose,
                result: None,
            },
        );
        id
    }

    /// Which open request a reply answers.
    pub(crate) fn complete(&mut self, id: &RequestId) -> Completion<Wire> {
        self.wire.complete(id)
    }

    pub(crate) fn find(&self, key: CallKey) -> Option<&Slot> {
        self.slots.get(&key)
    }

    /// Leaves the result for whoever waits. Says whether somebody does.
    pub(crate) fn finish(&mut self, key: CallKey, result: Result<Reply, CallError>) -> bool {
        match self.slots.get_mut(&key) {
            Some(slot) if slot.is_waiting() => {
                slot.result = Some(result);
                true
            }
            Some(_) | None => false,
        }
    }

    /// Takes the result out when it is there.
    pub(crate) fn take(
        &mut self,
        key: CallKey,
    ) -> Result<Option<Result<Reply, CallError>>, UsageError> {
        match self.slots.get_mut(&key) {
            None => Err(UsageError::Gone {
                what: "the request",
            }),
            Some(slot) => {
                let result = slot.result.take();
                if result.is_some() {
                    self.slots.remove(&key);
                }
                Ok(result)
            }
        }
    }

    /// Nobody waits any more; the late answer will still be recognised.
    pub(crate) fn give_up(&mut self, key: CallKey) -> Option<Slot> {
        self.slots.remove(&key)
    }

    /// Takes a request off the wire: it never went out.
    pub(crate) fn forget(&mut self, id: &RequestId) {
        self.wire.forget(id);
    }

    /// The calls that somebody may still wait for.
    pub(crate) fn waiting(&self) -> Vec<CallKey> {
        let waiting = self.slots.iter().filter(|(_, slot)| slot.is_waiting());
        waiting.map(|(&key, _)| key).collect()
    }

    /// The request of ours that has this id, if it is open.
    pub(crate) fn open(&self, id: &RequestId) -> Option<&Wire> {
        self.wire
            .iter()
            .find(|(open, _)| open == id)
            .map(|(_, wire)| wire)
    }

    /// Whether a request that can make a session is unanswered.
    pub(crate) fn is_making(&self) -> bool {
        self.wire
            .iter()
            .any(|(_, wire)| matches!(wire.purpose, Purpose::Makes))
    }
}
