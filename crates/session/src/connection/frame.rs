//! Messages of the agent, sorted by what they are and where they belong.

use std::borrow::Cow;
use std::time::Instant;

use acp_codec::Message;
use acp_vocab::{ErrorCode, ErrorObject, Raw, RequestId, SessionId};
use serde_json::value::RawValue;

use super::Connection;
use super::reply::Answer;
use crate::ask::{Accepted, Kind, Settled, write_default};
use crate::diagnostic::Diagnostic;
use crate::ending::EndCause;
use crate::error::ProtocolError;
use crate::event::{Ask, Event, Notification, Received};
use crate::key::{CallKey, Scope, SessionKey};
use crate::label::Label;
use crate::outbox::Lane;
use crate::session::{Place, Stage};
use crate::update::{self, Address};

/// Where a message belongs.
enum Target {
    /// To a session's stream, perhaps as news of a child of it.
    Session(SessionKey, Option<SessionId>),
    /// To no session.
    Connection,
    /// To a session that may become known.
    Early,
    /// To a session that is not open.
    Foreign { inactive: bool },
}

impl Connection {
    pub(super) fn on_frame(&mut self, now: Instant, message: Message<'_>, line: &[u8]) {
        self.counters.frames += 1;
        if !self.lifecycle.is_live() {
            self.counters.discarded += 1;
            return;
        }
        self.sort(now, message, line, true);
    }

    /// Reads an early frame again, now that its session is known.
    pub(super) fn reread(&mut self, now: Instant, line: &[u8]) {
        if let Ok(message) = acp_codec::decode(line) {
            self.sort(now, message, line, false);
        }
    }

    /// An early frame whose session never came: a request in it is still owed an answer.
    pub(super) fn refuse_early(&mut self, now: Instant, line: &[u8]) {
        if let Ok(Message::Request { id, method, .. }) = acp_codec::decode(line) {
            self.refuse_foreign(now, &id, &method);
        }
    }

    fn sort(&mut self, now: Instant, message: Message<'_>, line: &[u8], fresh: bool) {
        match message {
            Message::Notification { method, params } => match &*method {
                "session/update" => self.on_update(now, params, line, fresh),
                "$/cancel_request" => self.on_cancel_request(now, params),
                _ => self.on_notification(now, &method, params, line, fresh),
            },
            Message::Request { id, method, params } => {
                self.on_request(now, id, &method, params, line, fresh);
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

    fn target(&self, session: Option<&str>) -> Target {
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

    fn keep_early(&mut self, now: Instant, session: &str, line: &[u8]) {
        for frame in self.early.keep(session, line) {
            self.counters.early_dropped += 1;
            self.refuse_early(now, &frame.line);
        }
    }

    fn foreign(&mut self, now: Instant, method: &str, inactive: bool) {
        self.counters.foreign += 1;
        let method = method.into();
        self.note(
            now,
            Scope::Connection,
            Diagnostic::ForeignSession { method, inactive },
        );
    }

    fn on_update(&mut self, now: Instant, params: Option<&RawValue>, line: &[u8], fresh: bool) {
        let address = update::address(params);
        let session = address.session.as_deref();
        match self.target(session) {
            Target::Session(key, child) => {
                if fresh {
                    self.deadlines.heard(now, Scope::Session(key));
                }
                let received = Received::new(Event::Notification(Notification {
                    method: "session/update".into(),
                    params: params.map(Raw::from),
                }));
                self.deliver_update(now, key, child, line.len(), received);
            }
            Target::Early => {
                self.deadlines.heard(now, Scope::Connection);
                self.keep_early(now, session.unwrap_or_default(), line);
            }
            Target::Foreign { inactive } => self.foreign(now, "session/update", inactive),
            Target::Connection => {
                self.deadlines.heard(now, Scope::Connection);
            }
        }
    }

    /// Delivers what came for a session, with its circumstances.
    fn deliver_update(
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
        received.late = state.had_turn && !state.is_running();
        received.replay = matches!(state.stage, Stage::Opening(_));
        received.child = child;
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
        line: &[u8],
        fresh: bool,
    ) {
        let address = update::address(params);
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
                if fresh {
                    self.deadlines.heard(now, Scope::Session(key));
                }
                self.deliver_update(now, key, child, line.len(), event(params));
            }
            Target::Early => {
                self.deadlines.heard(now, Scope::Connection);
                self.keep_early(now, session.unwrap_or_default(), line);
            }
            Target::Foreign { inactive } => self.foreign(now, method, inactive),
            Target::Connection => {
                self.deadlines.heard(now, Scope::Connection);
                self.deliver_general(now, line.len(), event(params));
            }
        }
    }

    /// The agent takes a question back: it is still answered once, and a later decision is
    /// refused as too late.
    fn on_cancel_request(&mut self, now: Instant, params: Option<&RawValue>) {
        let Some(id) = update::address(params).request else {
            return;
        };
        if let Some(ask) = self.asks.find(&id) {
            self.settle_ask(now, ask, Settled::Withdrawn);
        }
    }

    fn on_request(
        &mut self,
        now: Instant,
        id: RequestId,
        method: &str,
        params: Option<&RawValue>,
        line: &[u8],
        fresh: bool,
    ) {
        let address = update::address(params);
        let target = self.target(address.session.as_deref());
        if fresh {
            let scope = match &target {
                Target::Session(key, _) => Some(Scope::Session(*key)),
                Target::Connection | Target::Early => Some(Scope::Connection),
                Target::Foreign { .. } => None,
            };
            scope
                .into_iter()
                .for_each(|scope| self.deadlines.heard(now, scope));
        }
        let handled = self.handled.contains(method);
        let known =
            handled || method == "session/request_permission" || self.streamed.contains(method);
        if !known {
            self.counters.unsupported += 1;
            let error = ErrorObject::new(ErrorCode::METHOD_NOT_FOUND, "method not found");
            self.refuse_at_once(now, &id, method, &error);
            let scope = match target {
                Target::Session(key, _) => Scope::Session(key),
                Target::Connection | Target::Early | Target::Foreign { .. } => Scope::Connection,
            };
            self.note(
                now,
                scope,
                Diagnostic::Unsupported {
                    method: method.into(),
                    id,
                },
            );
            return;
        }
        match target {
            Target::Session(key, child) => {
                self.accept(
                    now,
                    id,
                    method,
                    params,
                    Some(key),
                    (child, address),
                    line,
                    handled,
                );
            }
            Target::Connection => {
                self.accept(
                    now,
                    id,
                    method,
                    params,
                    None,
                    (None, address),
                    line,
                    handled,
                );
            }
            Target::Early => {
                self.keep_early(now, address.session.as_deref().unwrap_or_default(), line);
            }
            Target::Foreign { inactive } => {
                self.foreign(now, method, inactive);
                self.refuse_foreign(now, &id, method);
                if self.config.strict_sessions && !inactive {
                    let error = ProtocolError::ForeignSession {
                        method: method.into(),
                    };
                    self.break_off(now, EndCause::Protocol(error));
                }
            }
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one message, taken apart once"
    )]
    fn accept(
        &mut self,
        now: Instant,
        id: RequestId,
        method: &str,
        params: Option<&RawValue>,
        session: Option<SessionKey>,
        (child, address): (Option<SessionId>, Address<'_>),
        line: &[u8],
        handled: bool,
    ) {
        let kind = Kind::of(method);
        if !self.asks.has_room(session) {
            self.counters.refused += 1;
            let error = ErrorObject::new(ErrorCode::INTERNAL_ERROR, "too many open requests");
            self.refuse_at_once(now, &id, method, &error);
            let scope = session.map_or(Scope::Connection, Scope::Session);
            self.note(
                now,
                scope,
                Diagnostic::TooManyRequests {
                    method: method.into(),
                    id,
                },
            );
            return;
        }
        let state = session.and_then(|session| self.sessions.find(session));
        if matches!(kind, Kind::Permission | Kind::Elicitation)
            && state.is_some_and(|state| state.is_cancelling())
        {
            self.answer_by_default(now, &id, method, kind, Settled::Cancelled);
            return;
        }
        let ask = Ask {
            key: self.keys.ask(),
            id: id.clone(),
            method: method.into(),
            session: address.session.as_deref().map(SessionId::new),
            params: Raw::from(params.unwrap_or(RawValue::NULL)),
        };
        let accepted = Accepted {
            method: Cow::Owned(method.to_owned()),
            kind,
            session,
            pauses: self.pauses(session, address.request.as_ref()),
            arrived: now,
            handed: None,
            for_handler: handled,
        };
        self.asks.accept(ask.key, id, accepted);
        let received = Received::new(Event::Request(ask));
        if handled {
            self.deliver_handler(now, line.len(), received);
        } else if let Some(session) = session {
            self.deliver_update(now, session, child, line.len(), received);
        } else {
            self.deliver_general(now, line.len(), received);
        }
    }

    /// Whose idle clock a question pauses (rule 7): everything of its session; without a session
    /// the one call that it is scoped to.
    fn pauses(
        &self,
        session: Option<SessionKey>,
        request: Option<&RequestId>,
    ) -> Option<(Scope, Option<CallKey>)> {
        if let Some(session) = session {
            return Some((Scope::Session(session), None));
        }
        let wire = self.calls.open(request?)?;
        Some((wire.scope, Some(wire.key)))
    }

    fn answer_by_default(
        &mut self,
        now: Instant,
        id: &RequestId,
        method: &str,
        kind: Kind,
        how: Settled,
    ) {
        self.counters.defaulted += 1;
        let label = Label::new(Cow::Owned(method.to_owned()), Some(id.clone()));
        let sent = self.outbox.push(now, Lane::Answer, label, |out| {
            write_default(out, id, kind, how)
        });
        debug_assert!(sent.is_ok(), "our own answers can be written");
    }

    fn refuse_at_once(&mut self, now: Instant, id: &RequestId, method: &str, error: &ErrorObject) {
        let label = Label::new(Cow::Owned(method.to_owned()), Some(id.clone()));
        let sent = self.outbox.push(now, Lane::Answer, label, |out| {
            acp_codec::encode::error(out, id, error)
        });
        debug_assert!(sent.is_ok(), "our own answers can be written");
    }

    /// A question for a session that is not open is never put to the host.
    fn refuse_foreign(&mut self, now: Instant, id: &RequestId, method: &str) {
        match Kind::of(method) {
            kind @ (Kind::Permission | Kind::Elicitation) => {
                self.answer_by_default(now, id, method, kind, Settled::Cancelled);
            }
            Kind::TerminalExit | Kind::Other => {
                let error = ErrorObject::new(ErrorCode::INVALID_PARAMS, "unknown session");
                self.refuse_at_once(now, id, method, &error);
            }
        }
    }
}
