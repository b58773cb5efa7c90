//! Messages of the agent, sorted by what they are and where they belong.

use std::time::Instant;

use acp_codec::{Frame, Message};
use acp_vocab::{Raw, SessionId};
use serde_json::value::RawValue;

use super::Connection;
use super::reply::Answer;
use crate::address::address;
use crate::ask::{Kind, Settled};
use crate::diagnostic::Diagnostic;
use crate::ending::EndCause;
use crate::error::ProtocolError;
use crate::event::{Event, Notification, Received};
use crate::key::{Scope, SessionKey};
use crate::session::Stage;
use crate::sessions::Place;

/// Where a message belongs.
pub(super) enum Target {
    /// To a session's stream, perhaps as news of a child of it.
    Session(SessionKey, Option<SessionId>),
    /// To no session.
    Connection,
    /// To a session that may become known.
    Early,
    /// To a session that is not open.
    Foreign { inactive: bool },
}

/// The line that a message came in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) line: &'a [u8],
    /// Read for the first time: no early frame that is read again.
    pub(super) fresh: bool,
    /// Whether halves of surrogate pairs may stand in it.
    pub(super) halved: bool,
}

impl Connection {
    pub(super) fn on_frame(&mut self, now: Instant, frame: Frame<'_>) {
        self.counters.frames += 1;
        if !self.lifecycle.is_live() {
            self.counters.discarded += 1;
            return;
        }
        let source = Source {
            line: frame.raw,
            fresh: true,
            halved: frame.lone_surrogates > 0,
        };
        self.sort(now, frame.message, source);
    }

    /// Reads an early frame again, now that its session is known.
    pub(super) fn reread(&mut self, now: Instant, line: &[u8]) {
        if let Ok(message) = acp_codec::decode(line) {
            let source = Source {
                line,
                fresh: false,
                halved: true,
            };
            self.sort(now, message, source);
        }
    }

    /// An early frame whose session never came: a request in it is still owed an answer.
    pub(super) fn refuse_early(&mut self, now: Instant, line: &[u8]) {
        if let Ok(Message::Request { id, method, .. }) = acp_codec::decode(line) {
            self.refuse_foreign(now, &id, &method);
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "JSON-RPC has no other kinds of message"
    )]
    fn sort(&mut self, now: Instant, message: Message<'_>, source: Source<'_>) {
        match message {
            Message::Notification { method, params } => match &*method {
                "session/update" => self.on_update(now, params, source),
                "$/cancel_request" => self.on_cancel_request(now, params),
                _ => self.on_notification(now, &method, params, source),
            },
            Message::Request { id, method, params } => {
                self.on_request(now, id, &method, params, source.line, source.fresh);
            }
            Message::Response {
                id,
                outcome: Ok(result),
            } => {
                self.on_reply(now, &id, Answer::Result(result));
            }
            Message::Response {
                id,
                outcome: Err(error),
            } => {
                self.on_reply(now, &id, Answer::Error(error));
            }
            Message::Malformed { id, fault } => {
                self.on_reply(now, &id, Answer::Malformed(fault));
            }
            _ => {}
        }
    }

    pub(super) fn target(&self, session: Option<&str>) -> Target {
        let Some(session) = session else {
            return Target::Connection;
        };
        match self.sessions.place(session) {
            Place::Own(key) => Target::Session(key, None),
            Place::Child(key) => Target::Session(key, Some(SessionId::new(session))),
            Place::Inactive => Target::Foreign { inactive: true },
            Place::Unknown if self.calls.is_making() => Target::Early,
            Place::Unknown => Target::Foreign { inactive: false },
        }
    }

    pub(super) fn keep_early(&mut self, now: Instant, session: &str, line: &[u8]) {
        for frame in self.early.keep(session, line) {
            self.counters.early_dropped += 1;
            self.refuse_early(now, &frame.line);
        }
    }

    /// Something came for a session that is not open: it is never activity of another one.
    pub(super) fn foreign(&mut self, now: Instant, method: &str, inactive: bool) {
        self.counters.foreign += 1;
        if self.config.strict_sessions && !inactive {
            let error = ProtocolError::ForeignSession {
                method: method.into(),
            };
            self.break_off(now, EndCause::Protocol(error));
        }
        let method = method.into();
        self.note(
            now,
            Scope::Connection,
            Diagnostic::ForeignSession { method, inactive },
        );
    }

    /// Delivers what came for a session, with its circumstances.
    pub(super) fn deliver_update(
        &mut self,
        now: Instant,
        session: SessionKey,
        child: Option<SessionId>,
        frame: usize,
        mut received: Received,
    ) {
        let Some(state) = self.sessions.find(session) else {
            return;
        };
        received.late = state.is_late();
        received.replay = state.stage == Stage::Opening { replays: true };
        received.child = child;
        received.frame = self.counters.frames;
        if received.late {
            self.counters.late += 1;
        }
        self.deliver(now, session, frame, received);
    }

    fn on_notification(
        &mut self,
        now: Instant,
        method: &str,
        params: Option<&RawValue>,
        source: Source<'_>,
    ) {
        let address = address(params);
        let session = address.session.as_deref();
        let event = |params: Option<&RawValue>| {
            let params = params.map(Raw::from);
            Received::new(Event::Notification(Notification {
                method: method.into(),
                params,
            }))
        };
        match self.target(session) {
            Target::Session(key, child) => {
                if source.fresh {
                    self.deadlines.heard(now, Scope::Session(key));
                }
                self.deliver_update(now, key, child, source.line.len(), event(params));
            }
            Target::Early => {
                self.deadlines.heard(now, Scope::Connection);
                self.keep_early(now, session.unwrap_or_default(), source.line);
            }
            Target::Foreign { inactive } => self.foreign(now, method, inactive),
            Target::Connection => {
                self.deadlines.heard(now, Scope::Connection);
                self.deliver_general(now, source.line.len(), event(params));
            }
        }
    }

    /// The agent takes a question back: it is still answered once, and a later decision is
    /// refused as too late.
    fn on_cancel_request(&mut self, now: Instant, params: Option<&RawValue>) {
        let id = address(params).request;
        let ask = id.as_ref().and_then(|id| self.asks.find(id));
        let session = ask.and_then(|ask| self.asks.session(ask));
        let scope = session.map_or(Scope::Connection, Scope::Session);
        self.deadlines.heard(now, scope);
        if let Some(ask) = ask {
            self.settle_ask(now, ask, Settled::Withdrawn);
        } else if let Some(id) = id
            && let Some(method) = self.early.take_request(&id)
        {
            // Its session is not known yet, and nobody will be asked any more.
            let kind = Kind::of(&method);
            self.answer_by_default(now, &id, &method, kind, Settled::Withdrawn);
        }
    }
}
