//! Replies to our requests: matched by id first, whatever their shape.

use std::time::Instant;

use acp_codec::Fault;
use acp_vocab::{ErrorObject, RequestId};
use serde_json::value::RawValue;

use super::Connection;
use crate::call::{Purpose, Reply, Wire};
use crate::correlation::Completion;
use crate::diagnostic::Diagnostic;
use crate::error::{CallError, ProtocolError};
use crate::event::{Event, Received};
use crate::key::{Scope, SessionKey};
use crate::label::Label;
use crate::session::{Place, Stage};
use crate::update;

/// What a reply says.
pub(super) enum Answer<'a> {
    Result(&'a RawValue),
    Error(ErrorObject),
    Malformed(Fault),
}

impl Connection {
    pub(super) fn on_reply(&mut self, now: Instant, id: &RequestId, answer: Answer<'_>) {
        let wire = match self.calls.complete(id) {
            Completion::Matched { waiter, coerced } => {
                self.deadlines.heard(now, waiter.scope);
                if coerced {
                    self.counters.coerced_replies += 1;
                    self.note(
                        now,
                        waiter.scope,
                        Diagnostic::CoercedReply { id: id.clone() },
                    );
                }
                waiter
            }
            stray @ (Completion::Answered | Completion::Unknown | Completion::Null) => {
                self.deadlines.heard(now, Scope::Connection);
                self.on_stray_reply(now, stray, id, &answer);
                return;
            }
        };
        let label = Label::new(wire.method.clone(), Some(id.clone()));
        let result = match answer {
            Answer::Result(result) => Ok(result),
            Answer::Error(error) => Err(CallError::Refused { label, error }),
            Answer::Malformed(fault) => {
                self.counters.malformed_replies += 1;
                let method = wire.method.as_ref().into();
                let error = ProtocolError::MalformedReply {
                    method,
                    id: id.clone(),
                    fault,
                };
                Err(CallError::Protocol(error))
            }
        };
        self.complete(now, &wire, id, result);
    }

    fn on_stray_reply(
        &mut self,
        now: Instant,
        completion: Completion<Wire>,
        id: &RequestId,
        answer: &Answer<'_>,
    ) {
        let id = id.clone();
        let diagnostic = match completion {
            Completion::Null => {
                self.counters.null_replies += 1;
                let code = match answer {
                    Answer::Error(error) => Some(error.code),
                    Answer::Result(_) | Answer::Malformed(_) => None,
                };
                Diagnostic::NullReply { code }
            }
            Completion::Answered => {
                self.counters.repeated_replies += 1;
                Diagnostic::RepeatedReply { id }
            }
            Completion::Unknown | Completion::Matched { .. } => {
                self.counters.unknown_replies += 1;
                Diagnostic::UnknownReply { id }
            }
        };
        self.note(now, Scope::Connection, diagnostic);
    }

    /// Keeps a diagnostic, counts it, and tells the stream that it concerns.
    pub(super) fn note(&mut self, now: Instant, scope: Scope, diagnostic: Diagnostic) {
        tracing::debug!(%diagnostic, "the agent broke a rule");
        self.diagnostics.note(diagnostic.clone());
        let received = Received::new(Event::Diagnostic(Box::new(diagnostic)));
        match scope {
            Scope::Session(session) => self.deliver(now, session, 0, received),
            Scope::Connection => self.deliver_general(now, 0, received),
        }
    }

    fn complete(
        &mut self,
        now: Instant,
        wire: &Wire,
        id: &RequestId,
        result: Result<&RawValue, CallError>,
    ) {
        match wire.purpose {
            Purpose::Plain | Purpose::Handshake => self.leave(now, wire, id, result, None),
            Purpose::Makes => self.on_made(now, wire, id, result),
            Purpose::Opens(session) => self.on_opened(now, wire, id, session, result),
            Purpose::Ends(session) => {
                if result.is_ok() || is_unavailable(&result) {
                    self.sessions.deactivate(session);
                    self.settle_asks_of(now, session, crate::ask::Settled::Closed);
                    let stream = crate::key::Stream::Session(session);
                    self.waits.wake(crate::key::WaitKey::Stream(stream));
                }
                self.leave(now, wire, id, result, None);
            }
            Purpose::Prompt(session, turn) => {
                self.on_prompted(now, wire, id, (session, turn), result);
            }
        }
    }

    /// Leaves a reply for whoever waits; when nobody does it is a late one.
    fn leave(
        &mut self,
        now: Instant,
        wire: &Wire,
        id: &RequestId,
        result: Result<&RawValue, CallError>,
        session: Option<SessionKey>,
    ) {
        let result = result.map(|result| Reply {
            result: result.to_owned(),
            session,
        });
        if !self.finish_call(wire.key, result) {
            self.counters.repeated_replies += 1;
            self.note(
                now,
                wire.scope,
                Diagnostic::RepeatedReply { id: id.clone() },
            );
        }
    }

    /// A session was made. What came for it before is delivered now, in order, behind the reply.
    fn on_made(
        &mut self,
        now: Instant,
        wire: &Wire,
        id: &RequestId,
        result: Result<&RawValue, CallError>,
    ) {
        let made = result.and_then(|result| {
            let session = update::session_of_result(result).map_err(|error| {
                let method = wire.method.as_ref().into();
                let detail = error.to_string().into();
                ProtocolError::BadResult {
                    method,
                    id: id.clone(),
                    detail,
                }
            })?;
            if matches!(self.sessions.place(session.as_str()), Place::Own(_)) {
                let method = wire.method.as_ref().into();
                return Err(ProtocolError::SessionTaken {
                    method,
                    id: id.clone(),
                }
                .into());
            }
            Ok((result, session))
        });
        match made {
            Ok((result, session)) => {
                let key = self.keys.session();
                let early = self.early.take(session.as_str());
                self.sessions.add(key, session, Stage::Open);
                let waited = self
                    .calls
                    .find(wire.key)
                    .is_some_and(|slot| slot.is_waiting());
                self.leave(now, wire, id, Ok(result), Some(key));
                if !waited {
                    self.close_late(now, key);
                }
                for frame in early {
                    self.reread(now, &frame.line);
                }
            }
            Err(error) => self.leave(now, wire, id, Err(error), None),
        }
        self.forget_early(now);
    }

    /// Without a request that can make a session nothing early can find its place any more.
    pub(super) fn forget_early(&mut self, now: Instant) {
        if !self.calls.is_making() {
            for frame in self.early.take_all() {
                self.counters.early_dropped += 1;
                self.refuse_early(now, &frame.line);
            }
        }
    }

    fn on_opened(
        &mut self,
        now: Instant,
        wire: &Wire,
        id: &RequestId,
        session: SessionKey,
        result: Result<&RawValue, CallError>,
    ) {
        match result {
            Ok(result) => {
                if let Some(state) = self.sessions.find_mut(session)
                    && matches!(state.stage, Stage::Opening { .. })
                {
                    state.stage = Stage::Open;
                }
                let waited = self
                    .calls
                    .find(wire.key)
                    .is_some_and(|slot| slot.is_waiting());
                self.leave(now, wire, id, Ok(result), Some(session));
                if !waited {
                    self.close_late(now, session);
                }
            }
            Err(error) => {
                if self
                    .calls
                    .find(wire.key)
                    .is_some_and(|slot| slot.is_waiting())
                {
                    self.fail_call(now, wire.key, wire.purpose, error);
                } else {
                    self.leave(now, wire, id, Err(error), None);
                    self.sessions.deactivate(session);
                    self.drain(now, session);
                }
            }
        }
    }
}

/// Whether an error says that there is no such session: to close one that is gone is done.
fn is_unavailable(result: &Result<&RawValue, CallError>) -> bool {
    matches!(result, Err(CallError::Refused { error, .. }) if error.code.0 == -32002)
}
