//! Requests of the agent: accepted within bounds, or refused at once.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Instant;

use acp_vocab::{ErrorCode, ErrorObject, Raw, RequestId, SessionId, ShapeError};
use serde_json::value::RawValue;

use super::Connection;
use super::frame::Target;
use crate::address::{Address, address};
use crate::ask::{Accepted, Kind, Settled};
use crate::beside::Subject;
use crate::diagnostic::{Diagnostic, fault};
use crate::event::{Event, Received};
use crate::inquiry::{Ask, Elicitation, SettledAsk};
use crate::key::{CallKey, Scope, SessionKey};
use crate::question;

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
    pub(super) fn on_request(
        &mut self,
        now: Instant,
        id: RequestId,
        method: &str,
        params: Option<&RawValue>,
        line: &[u8],
        fresh: bool,
    ) {
        let address = address(params);
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
                self.refuse_foreign(now, &id, method);
                self.foreign(now, method, inactive);
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
        let ask = Ask {
            key: self.keys.ask(),
            id: id.clone(),
            method: method.into(),
            session: address.session.as_deref().map(SessionId::new),
            params: Raw::from(params.unwrap_or(RawValue::NULL)),
        };
        let key = ask.key;
        let event = match self.read_question(session, child.as_ref(), kind, ask, handled) {
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
        let state = session.and_then(|session| self.sessions.find(session));
        let subject = state.map_or_else(Subject::default, |state| {
            let mut subject = subject(&event, child.clone());
            if let (None, Some(tool)) = (&child, &subject.tool) {
                subject.terminals.extend(state.tools.terminals(tool));
            }
            subject
        });
        let is_cancelled = state.is_some_and(|state| state.cancels(&subject));
        if is_cancelled && matches!(kind, Kind::Permission | Kind::Elicitation) {
            self.answer_by_default(now, &id, method, kind, Settled::Cancelled);
            if let Some(session) = session {
                // It was never handed over, and whoever keeps the books must know of it all the same.
                let settled = SettledAsk {
                    key,
                    id,
                    method: method.into(),
                    how: Settled::Cancelled,
                    was_handed_over: false,
                };
                let received = Received::new(Event::Settled(Box::new(settled)));
                self.deliver_update(now, session, child, frame, received);
            }
            return;
        }
        let accepted = Accepted {
            method: Cow::Owned(method.to_owned()),
            kind,
            session,
            subject,
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
        child: Option<&SessionId>,
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
                    let tool = self.apply_tool(session, child, update);
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
}

/// What a question says that it is about: a tool call, or a command of one, or in a terminal.
fn subject(event: &Event, child: Option<SessionId>) -> Subject {
    let mut subject = Subject {
        child,
        tool: event.tool().map(|tool| tool.id.clone()),
        terminals: BTreeSet::new(),
    };
    if let Event::Permission(permission) = event
        && let Some(command) = &permission.command
    {
        subject.tool.clone_from(&command.tool_call_id);
        subject.terminals.extend(command.terminal_id.clone());
    }
    subject
}
