//! Updates of sessions: the hot path.

use std::time::Instant;

use acp_vocab::{Raw, SessionId, ShapeError, StateUpdate};
use serde_json::value::RawValue;

use super::Connection;
use super::frame::{Source, Target};
use crate::address::address;
use crate::diagnostic::{Diagnostic, fault};
use crate::event::{Chunk, Event, Received, Speaker};
use crate::key::{Scope, SessionKey};
use crate::tool::{Tool, ToolContent, ToolUpdate};
use crate::update::{self, Update};

/// What follows from an event once it was delivered.
enum After {
    /// The session is in this state, which may end turns: their ends stand behind it.
    State(Box<StateUpdate>),
    /// The history is complete.
    History,
}

impl Connection {
    pub(super) fn on_update(
        &mut self,
        now: Instant,
        params: Option<&RawValue>,
        source: Source<'_>,
    ) {
        match update::read(self.lifecycle.version(), params) {
            Ok((session, update)) => match self.target(Some(&session)) {
                Target::Session(key, child) => {
                    if source.fresh {
                        self.deadlines.heard(now, Scope::Session(key));
                    }
                    self.on_session_update(now, key, child, update, params, source);
                }
                Target::Early => {
                    self.deadlines.heard(now, Scope::Connection);
                    self.keep_early(now, &session, source.line);
                }
                Target::Foreign { inactive } => self.foreign(now, "session/update", inactive),
                Target::Connection => {}
            },
            Err(error) => self.on_broken_update(now, params, source, &error),
        }
    }

    fn on_session_update(
        &mut self,
        now: Instant,
        session: SessionKey,
        child: Option<SessionId>,
        update: Update,
        params: Option<&RawValue>,
        source: Source<'_>,
    ) {
        let mut received = match update {
            Update::Event(event) => Received::new(event),
            Update::Tool(update) => {
                let Some(tool) = self.apply_tool(session, child.as_ref(), *update) else {
                    return;
                };
                Received::new(Event::Tool(Box::new(tool)))
            }
            Update::Unknown { tag, raw } => {
                let mut received = Received::new(Event::Unknown { tag });
                received.raw = Some(raw);
                received
            }
        };
        let after = self.before_delivery(session, child.as_ref(), &received.event);
        if self.config.keep_raw && received.raw.is_none() {
            received.raw = address(params).update.map(Raw::from);
        }
        let halves = halves(params, source);
        self.deliver_update(now, session, child, source.line.len(), received);
        match after {
            Some(After::State(state)) => self.on_state(now, session, &state),
            Some(After::History) => self.sessions.history_ended(session),
            None => {}
        }
        if halves > 0 {
            self.counters.repaired += halves as u64;
            self.note(
                now,
                Scope::Session(session),
                Diagnostic::Repaired { count: halves },
            );
        }
    }

    /// What an event means to the machine itself. What it changes for the events behind it comes
    /// back.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the others mean nothing to the machine"
    )]
    fn before_delivery(
        &mut self,
        session: SessionKey,
        child: Option<&SessionId>,
        event: &Event,
    ) -> Option<After> {
        match event {
            Event::Subagent(subagent) => {
                self.sessions.adopt(session, subagent.session_id.as_str());
            }
            Event::User(Chunk {
                message: Some(message),
                ..
            }) if child.is_none() => {
                self.on_echo(session, message);
            }
            Event::Message(message) if child.is_none() && message.speaker == Speaker::User => {
                self.on_echo(session, &message.id);
            }
            Event::ReplayComplete if child.is_none() => return Some(After::History),
            Event::State(state) if child.is_none() => return Some(After::State(state.clone())),
            _ => {}
        }
        None
    }

    /// Applies a change to what is known of a tool call. Sessions that it points at are children.
    pub(super) fn apply_tool(
        &mut self,
        session: SessionKey,
        child: Option<&SessionId>,
        update: ToolUpdate,
    ) -> Option<Tool> {
        let limits = &self.config.limits;
        let tools = &mut self.sessions.find_mut(session)?.tools;
        let tool = tools.apply(child, update, limits);
        for piece in tool.change.content.pieces() {
            if let ToolContent::Session(child) = piece {
                self.sessions.adopt(session, child.as_str());
            }
        }
        Some(tool)
    }

    /// A known update with a broken body is no unknown: it is a fault, named by tag and path.
    fn on_broken_update(
        &mut self,
        now: Instant,
        params: Option<&RawValue>,
        source: Source<'_>,
        error: &ShapeError,
    ) {
        let address = address(params);
        if let (None, Some(update)) = (&address.session, address.update)
            && !self.config.strict_sessions
            && let Some(session) = self.sessions.only_one()
            && let Ok(update) = update::read_update(self.lifecycle.version(), update)
        {
            // An agent that has one session may forget to name it; a strict host takes no guess.
            self.deadlines.heard(now, Scope::Session(session));
            self.on_session_update(now, session, None, update, params, source);
            return;
        }
        self.counters.broken += 1;
        let scope = match self.target(address.session.as_deref()) {
            Target::Session(key, _) => Scope::Session(key),
            Target::Early | Target::Connection => Scope::Connection,
            Target::Foreign { inactive } => {
                self.foreign(now, "session/update", inactive);
                return;
            }
        };
        self.deadlines.heard(now, scope);
        let diagnostic = Diagnostic::BrokenUpdate {
            tag: error.tag(),
            path: error.path().into(),
            fault: fault(error),
        };
        self.note(now, scope, diagnostic);
    }
}

/// Halves of surrogate pairs in the params, which were read as U+FFFD. Most lines have none, and
/// the decoder has said so.
fn halves(params: Option<&RawValue>, source: Source<'_>) -> usize {
    if !source.halved {
        return 0;
    }
    let repaired = params.and_then(|params| acp_codec::repair_surrogates(params.get()));
    repaired.map_or(0, |repaired| repaired.count)
}
