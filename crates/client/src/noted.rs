//! What the events that a host has read say about what it may do: options to choose from, and
//! tool calls and terminals that can be cancelled.

use std::collections::{BTreeMap, BTreeSet};

use acp_session::{Conversation, Event, Received, SessionKey};
use acp_thinking::Options;
use acp_vocab::{Patch, ProtocolVersion, SessionId, TerminalId, ToolCallId, ToolCallStatus, v2};
use serde::Serialize;

use crate::offered;

/// How many tool calls and terminals are remembered, and how long their ids may be together, with those of their sessions;
/// beyond it new ones cannot be cancelled.
const MOST: usize = 4096;
const MOST_BYTES: usize = 1024 * 1024;

/// A tool call or a terminal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Entity {
    Tool(ToolCallId),
    Terminal(TerminalId),
}

impl Entity {
    /// The length of its id, which is as long as the agent likes.
    fn bytes(&self) -> usize {
        match self {
            Self::Tool(id) => id.as_str().len(),
            Self::Terminal(id) => id.as_str().len(),
        }
    }
}

/// What a session offers.
#[derive(Debug)]
struct Offered {
    key: SessionKey,
    options: Options,
    /// The answers that said so last, of the options and of the mode. Events may be read long after
    /// they came, and what one says that came before the answer is over.
    said: Said,
}

#[derive(Clone, Copy, Debug)]
struct Said {
    options: u64,
    mode: u64,
}

/// What an answer settles even where it says nothing: the agent did what it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settles {
    Nothing,
    Options,
    Mode,
}

/// An answer that may say what a session offers, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer<'a> {
    pub(crate) text: &'a str,
    /// The number of its message.
    pub(crate) frame: u64,
    pub(crate) version: ProtocolVersion,
}

/// What is known of the sessions of one connection.
#[derive(Debug, Default)]
pub(crate) struct Noted {
    options: BTreeMap<SessionId, Offered>,
    cancellable: BTreeSet<(SessionId, Entity)>,
    /// The lengths of the ids in it.
    cancellable_bytes: usize,
    /// What was said, where the host wants that to be kept.
    states: Option<BTreeMap<SessionId, Conversation>>,
}

impl Noted {
    pub(crate) fn new(keep_state: bool) -> Self {
        Self {
            states: keep_state.then(BTreeMap::new),
            ..Self::default()
        }
    }

    /// Whether [`note`](Self::note) has anything to do with an event.
    pub(crate) const fn concerns(event: &Event) -> bool {
        matches!(
            event,
            Event::Options(_) | Event::Mode(_) | Event::Tool(_) | Event::Terminal(_)
        )
    }

    /// Changes what was said in a session, where it is kept.
    pub(crate) fn say(&mut self, session: &SessionId, act: impl FnOnce(&mut Conversation)) {
        if let Some(states) = &mut self.states {
            act(states.entry(session.clone()).or_default());
        }
    }

    /// Folds in what an event says, unless that is over.
    pub(crate) fn hear(&mut self, session: &SessionId, received: &Received) {
        if received.child.is_some() || !self.is_over(session, &received.event, received.frame) {
            self.say(session, |state| state.apply(received));
        }
    }

    /// What was said in a session.
    pub(crate) fn state<T>(
        &self,
        session: &SessionId,
        look: impl FnOnce(&Conversation) -> T,
    ) -> Option<T> {
        let states = self.states.as_ref()?;
        Some(match states.get(session) {
            Some(state) => look(state),
            None => look(&Conversation::default()),
        })
    }

    /// A session was opened by this result.
    pub(crate) fn opened(&mut self, id: &SessionId, key: SessionKey, setup: Answer<'_>) {
        let offered = Offered {
            key,
            options: Options::read(setup.text),
            said: Said {
                options: setup.frame,
                mode: setup.frame,
            },
        };
        self.options.insert(id.clone(), offered);
        self.say_offered(id, setup);
    }

    /// Where it is kept what was said in a session, an answer is a part of it.
    fn say_offered(&mut self, id: &SessionId, answer: Answer<'_>) {
        let options = offered::options(answer.version, answer.text);
        let mode = offered::mode(answer.text);
        if let Some(known) = self.options.get_mut(id) {
            let said = |last: &mut u64| *last = answer.frame.max(*last);
            if options.is_some() {
                said(&mut known.said.options);
            }
            if mode.is_some() {
                said(&mut known.said.mode);
            }
        }
        self.say(id, |state| {
            if let Some(options) = options {
                state.set_options(options);
            }
            if let Some(mode) = mode {
                state.set_mode(mode);
            }
        });
    }

    /// Nobody holds the session any more.
    pub(crate) fn dropped(&mut self, id: &SessionId, key: SessionKey) {
        if self.options.get(id).is_some_and(|known| known.key == key) {
            self.options.remove(id);
            if let Some(states) = &mut self.states {
                states.remove(id);
            }
            self.forget_entities(id);
        }
    }

    fn forget_entities(&mut self, id: &SessionId) {
        self.cancellable.retain(|(session, _)| session != id);
        self.cancellable_bytes = self.cancellable.iter().map(weight).sum();
    }

    /// What a session offers.
    pub(crate) fn options(&self, id: &SessionId) -> Options {
        self.options
            .get(id)
            .map(|known| known.options.clone())
            .unwrap_or_default()
    }

    /// Takes what an answer says of what a session offers.
    pub(crate) fn answered<T>(
        &mut self,
        id: &SessionId,
        answer: Answer<'_>,
        settles: Settles,
        act: impl FnOnce(&mut Options) -> T,
    ) -> Option<T> {
        self.say_offered(id, answer);
        let known = self.options.get_mut(id)?;
        match settles {
            Settles::Nothing => {}
            Settles::Options => known.said.options = answer.frame.max(known.said.options),
            Settles::Mode => known.said.mode = answer.frame.max(known.said.mode),
        }
        Some(act(&mut known.options))
    }

    /// Whether an event says what an answer has said better since.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "no answer says what all other events say, those to come included"
    )]
    fn is_over(&self, id: &SessionId, event: &Event, frame: u64) -> bool {
        self.options.get(id).is_some_and(|known| match event {
            Event::Options(_) => frame < known.said.options,
            Event::Mode(_) => frame < known.said.mode,
            _ => false,
        })
    }

    /// Takes what an event says of what a session offers.
    fn change(&mut self, id: &SessionId, text: &str) {
        if let Some(known) = self.options.get_mut(id) {
            known.options.update(text);
        }
    }

    /// Whether the agent said of this tool call or terminal that it can be cancelled.
    pub(crate) fn is_cancellable(&self, session: &SessionId, entity: Entity) -> bool {
        self.cancellable.contains(&(session.clone(), entity))
    }

    /// Takes what an event of a session says.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "all other events say nothing of it, those to come included"
    )]
    pub(crate) fn note(&mut self, session: &SessionId, event: &Event, frame: u64) {
        if self.is_over(session, event, frame) {
            return;
        }
        match event {
            Event::Options(list) => {
                #[derive(Serialize)]
                #[serde(rename_all = "camelCase")]
                struct Update<'a> {
                    config_options: &'a [v2::SessionConfigOption],
                }
                let update = Update {
                    config_options: list,
                };
                if let Ok(text) = serde_json::to_string(&update) {
                    self.change(session, &text);
                }
            }
            Event::Mode(mode) => {
                let update = BTreeMap::from([("currentModeId", mode)]);
                if let Ok(text) = serde_json::to_string(&update) {
                    self.change(session, &text);
                }
            }
            Event::Tool(tool) => {
                let entity = Entity::Tool(tool.id.clone());
                let can = match &tool.change.capabilities {
                    Patch::Absent => None,
                    Patch::Null => Some(false),
                    Patch::Value(capabilities) => Some(capabilities.cancel.is_some()),
                };
                let is_over = matches!(
                    tool.status,
                    ToolCallStatus::Completed | ToolCallStatus::Failed | ToolCallStatus::Cancelled
                );
                self.set(session, entity, if is_over { Some(false) } else { can });
            }
            Event::Terminal(update) => {
                let entity = Entity::Terminal(update.terminal_id.clone());
                let can = match &update.capabilities {
                    Patch::Absent => None,
                    Patch::Null => Some(false),
                    Patch::Value(capabilities) => Some(capabilities.cancel.is_some()),
                };
                let is_over = matches!(update.exit_status, Patch::Value(_));
                self.set(session, entity, if is_over { Some(false) } else { can });
            }
            _ => {}
        }
    }

    fn set(&mut self, session: &SessionId, entity: Entity, can: Option<bool>) {
        let Some(can) = can else { return };
        let key = (session.clone(), entity);
        let bytes = weight(&key);
        if !can {
            if self.cancellable.remove(&key) {
                self.cancellable_bytes -= bytes;
            }
        } else if self.cancellable.len() < MOST
            && self.cancellable_bytes.saturating_add(bytes) <= MOST_BYTES
            && self.cancellable.insert(key)
        {
            self.cancellable_bytes += bytes;
        }
    }
}

fn weight((session, entity): &(SessionId, Entity)) -> usize {
    session.as_str().len() + entity.bytes()
}

#[cfg(test)]
mod tests;
