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
                    self.end_session_here(now, session);
                }
                self.not_ending(session, wire.key);
                self.leave(now, wire, id, result, None);
            }
            Purpose::Prompt(session, turn) => {
                self.on_prompted(now, wire, id, (session, turn), result);
            }
        }
    }

    /// Leaves a reply for whoever waits; when nobody does it is a late one.
    pub(super) fn leave(
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
            frame: self.counters.frames,
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
}

/// Whether an error says that there is no such session: to close one that is gone is done.
fn is_unavailable(result: &Result<&RawValue, CallError>) -> bool {
    matches!(result, Err(CallError::Refused { error, .. }) if error.code.0 == -32002)
}
