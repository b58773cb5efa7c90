//! Messages of the agent, sorted by what they are and where they belong.

use std::borrow::Cow;
use std::time::Instant;

use acp_codec::Message;
use acp_vocab::{ErrorCode, ErrorObject, Raw, RequestId, SessionId, ShapeError};
use serde_json::value::RawValue;

use super::Connection;
use super::reply::Answer;
use crate::ask::{Accepted, Kind, Settled, write_default};
use crate::diagnostic::Diagnostic;
use crate::ending::EndCause;
use crate::error::ProtocolError;
use crate::event::{Ask, Elicitation, Event, Notification, Received};
use crate::key::{CallKey, Scope, SessionKey};
use crate::label::Label;
use crate::outbox::Lane;
use crate::question;
use crate::session::{Place, Stage};
use crate::tool::{ContentChange, Tool, ToolContent, ToolUpdate};
use crate::update::{self, Address, Update};

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

/// A request of the agent, taken apart.
struct Question<'a> {
    id: RequestId,
    method: &'a str,
    params: Option<&'a RawValue>,
    address: Address<'a>,
    frame: usize,
    handled: bool,
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

    #[expect(clippy::wildcard_enum_match_arm, reason = "JSON-RPC has no other kinds of message")]
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
        match update::read(self.lifecycle.version(), params) {
            Ok((session, update)) => match self.target(Some(session.as_str())) {
                Target::Session(key, child) => {
                    if fresh {
                        self.deadlines.heard(now, Scope::Session(key));
                    }
                    self.on_session_update(now, key, child, update, params, line);
                }
                Target::Early => {
                    self.deadlines.heard(now, Scope::Connection);
                    self.keep_early(now, session.as_str(), line);
                }
                Target::Foreign { inactive } => self.foreign(now, "session/update", inactive),
                Target::Connection => {}
            },
            Err(error) => self.on_broken_update(now, params, line, &error),
        }
    }

    fn on_session_update(
        &mut self,
        now: Instant,
        session: SessionKey,
        child: Option<SessionId>,
        update: Update,
        params: Option<&RawValue>,
        line: &[u8],
    ) {
        let mut received = match update {
            Update::Event(event) => Received::new(event),
            Update::Tool(update) => {
                let Some(tool) = self.apply_tool(session, *update) else {
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
        if let Event::Subagent(subagent) = &received.event {
            self.sessions.adopt(session, subagent.session_id.as_str());
        }
        if self.config.keep_raw && received.raw.is_none() {
            received.raw = update::address(params).update.map(Raw::from);
        }
        let halves = halves(params, line);
        self.deliver_update(now, session, child, line.len(), received);
        if halves > 0 {
            self.counters.repaired += halves as u64;
            self.note(
                now,
                Scope::Session(session),
                Diagnostic::Repaired { count: halves },
            );
        }
    }

    /// Applies a change to what is known of a tool call. Sessions that it points at are children.
    fn apply_tool(&mut self, session: SessionKey, update: ToolUpdate) -> Option<Tool> {
        let limit = self.config.limits.tool_calls;
        let tool = self.sessions.find_mut(session)?.tools.apply(update, limit);
        let pieces = match &tool.change.content {
            ContentChange::Keep => &[][..],
            ContentChange::Replace(list) => list,
            ContentChange::Append(one) => std::slice::from_ref(&**one),
        };
        for piece in pieces {
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
        line: &[u8],
        error: &ShapeError,
    ) {
        let address = update::address(params);
        if let (None, Some(update)) = (&address.session, address.update)
            && let Some(session) = self.sessions.only_one()
            && let Ok(update) = update::read_update(self.lifecycle.version(), update)
        {
            // An agent that has one session may forget to name it.
            self.deadlines.heard(now, Scope::Session(session));
            self.on_session_update(now, session, None, update, params, line);
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
        let session = match target {
            Target::Session(key, child) => Some((key, child)),
            Target::Connection => None,
            Target::Early => {
                self.keep_early(now, address.session.as_deref().unwrap_or_default(), line);
                return;
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
                return;
            }
        };
        let question = Question {
            id,
            method,
            params,
            address,
            frame: line.len(),
            handled,
        };
        self.accept(now, session, question);
    }

    /// Accepts a question within the bounds: from here on it is owed exactly one answer.
    fn accept(
        &mut self,
        now: Instant,
        session: Option<(SessionKey, Option<SessionId>)>,
        question: Question<'_>,
    ) {
        let Question {
            id,
            method,
            params,
            address,
            frame,
            handled,
        } = question;
        let kind = Kind::of(method);
        let (session, child) = session.map_or((None, None), |(key, child)| (Some(key), child));
        let scope = session.map_or(Scope::Connection, Scope::Session);
        if !self.asks.has_room(session, self.outbox.slots()) {
            self.counters.refused += 1;
            let error = ErrorObject::new(ErrorCode::INTERNAL_ERROR, "too many open requests");
            self.refuse_at_once(now, &id, method, &error);
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
        let key = ask.key;
        let event = match self.read_question(session, kind, ask, handled) {
            Ok(event) => event,
            Err(error) => {
                self.counters.broken += 1;
                let refusal = ErrorObject::new(ErrorCode::INVALID_PARAMS, "invalid params");
                self.refuse_at_once(now, &id, method, &refusal);
                let diagnostic = Diagnostic::BrokenRequest {
                    method: method.into(),
                    id,
                    path: error.path().into(),
                    fault: fault(&error),
                };
                self.note(now, scope, diagnostic);
                return;
            }
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
        self.asks.accept(key, id, accepted);
        let received = Received::new(event);
        if handled {
            self.deliver_handler(now, frame, received);
        } else if let Some(session) = session {
            self.deliver_update(now, session, child, frame, received);
        } else {
            self.deliver_general(now, frame, received);
        }
    }

    /// What a question says. One for a handler is not decoded: its handler does that.
    fn read_question(
        &mut self,
        session: Option<SessionKey>,
        kind: Kind,
        ask: Ask,
        handled: bool,
    ) -> Result<Event, ShapeError> {
        match kind {
            _ if handled => Ok(Event::Request(ask)),
            Kind::Permission => {
                let mut draft = question::permission(self.lifecycle.version(), ask)?;
                let tool = draft.tool.take();
                if let (Some(session), Some(update)) = (session, tool) {
                    let tool = self.apply_tool(session, update);
                    draft.permission.tool = tool;
                }
                Ok(Event::Permission(Box::new(draft.finish())))
            }
            Kind::Elicitation => {
                let request = acp_vocab::decode(&ask.params)?;
                Ok(Event::Elicitation(Box::new(Elicitation { ask, request })))
            }
            Kind::TerminalExit | Kind::Other => Ok(Event::Request(ask)),
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

/// What was expected and what was found, in words of the protocol.
fn fault(error: &ShapeError) -> Box<str> {
    format!("expected {}, found {}", error.expectation(), error.found()).into()
}

/// Halves of surrogate pairs in the params, which were read as U+FFFD. Most lines have no such
/// escape and cost a search for backslashes.
fn halves(params: Option<&RawValue>, line: &[u8]) -> usize {
    let escapes = memchr::memchr_iter(b'\\', line);
    let suspicious = |at: usize| matches!(line.get(at + 1..at + 3), Some(b"ud" | b"uD"));
    if !escapes.into_iter().any(suspicious) {
        return 0;
    }
    let repaired = params.and_then(|params| acp_codec::repair_surrogates(params.get()));
    repaired.map_or(0, |repaired| repaired.count)
}
