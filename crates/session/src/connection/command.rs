//! What the host asks for.

use std::borrow::Cow;
use std::time::Instant;

use acp_vocab::RequestId;
use serde::Serialize;

use super::Connection;
use crate::call::{Purpose, Reply, Wire};
use crate::clock::Clock;
use crate::error::{CallError, UsageError};
use crate::key::{CallKey, Scope, WaitKey};
use crate::label::Label;
use crate::outbox::Lane;

/// Requests.
impl Connection {
    /// Sends a request. Waiting for its reply is a separate matter: see
    /// [`take_reply`](Self::take_reply) and [`park`](Self::park).
    ///
    /// # Errors
    /// A [`UsageError`] when the state does not allow it or a bound on what the host has in flight
    /// is reached. Nothing was sent then.
    pub fn request(
        &mut self,
        now: Instant,
        method: impl Into<Cow<'static, str>>,
        params: &(impl Serialize + ?Sized),
        scope: Scope,
        clock: Clock,
    ) -> Result<CallKey, UsageError> {
        let method = method.into();
        let purpose = if method == "initialize" {
            Purpose::Handshake
        } else {
            Purpose::Plain
        };
        self.send_request(now, method, params, scope, purpose, clock)
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// As [`request`](Self::request).
    pub fn notify(
        &mut self,
        now: Instant,
        method: impl Into<Cow<'static, str>>,
        params: &(impl Serialize + ?Sized),
    ) -> Result<(), UsageError> {
        let method = method.into();
        self.lifecycle.permit(&method)?;
        self.permit_bytes()?;
        let label = Label::new(method.clone(), None);
        self.outbox
            .push(now, Lane::Command, label, |out| {
                acp_codec::encode::notification(out, &method, params)
            })
            .map_err(|_| UsageError::Encode {
                method: method.into(),
            })
    }

    pub(super) fn permit_bytes(&self) -> Result<(), UsageError> {
        if self.outbox.has_room() {
            Ok(())
        } else {
            Err(UsageError::Backlog {
                pending: self.outbox.pending().len(),
            })
        }
    }

    pub(super) fn send_request(
        &mut self,
        now: Instant,
        method: Cow<'static, str>,
        params: &(impl Serialize + ?Sized),
        scope: Scope,
        purpose: Purpose,
        clock: Clock,
    ) -> Result<CallKey, UsageError> {
        let (key, id) = self.register_request(method.clone(), scope, purpose)?;
        let label = Label::new(method.clone(), Some(id.clone()));
        let pushed = self.outbox.push(now, Lane::Command, label, |out| {
            acp_codec::encode::request(out, &id, &method, params)
        });
        if pushed.is_err() {
            self.unregister_request(key, &id);
            return Err(UsageError::Encode {
                method: method.into(),
            });
        }
        self.watch(now, key, scope, clock);
        Ok(key)
    }

    /// Gives a request its id, within the bounds.
    pub(super) fn register_request(
        &mut self,
        method: Cow<'static, str>,
        scope: Scope,
        purpose: Purpose,
    ) -> Result<(CallKey, RequestId), UsageError> {
        self.lifecycle.permit(&method)?;
        self.permit_bytes()?;
        let forgotten = self.calls.reserve()?;
        if let Some(Purpose::Prompt(session, _)) = forgotten.map(|wire| wire.purpose) {
            self.prompt_answered(session);
        }
        let key = self.keys.call();
        let id = self.calls.register(Wire {
            key,
            method,
            scope,
            purpose,
        });
        Ok((key, id))
    }

    /// Takes back a request that could not be written.
    pub(super) fn unregister_request(&mut self, key: CallKey, id: &RequestId) {
        self.calls.give_up(key);
        self.calls.forget(id);
    }

    /// Starts the bounds of a request.
    pub(super) fn watch(&mut self, now: Instant, key: CallKey, scope: Scope, clock: Clock) {
        let holds = self.asks.holds(scope);
        self.deadlines
            .start(now, key, scope, clock, holds, self.skipped);
    }

    /// Takes the reply of a request when it is there. It can be taken once.
    ///
    /// # Errors
    /// [`UsageError::Gone`] when it was taken or abandoned before.
    pub fn take_reply(
        &mut self,
        key: CallKey,
    ) -> Result<Option<Result<Reply, CallError>>, UsageError> {
        let taken = self.calls.take(key)?;
        if taken.is_some() {
            self.waits.unpark(WaitKey::Call(key));
        }
        Ok(taken)
    }

    /// Nobody will take the reply: the future that owned the request was dropped (rule 17). An
    /// unanswered request is cancelled on the wire with `$/cancel_request`, and a session that it
    /// opens all the same is closed, if the agent can, and drained.
    pub fn abandon(&mut self, now: Instant, key: CallKey) {
        self.waits.unpark(WaitKey::Call(key));
        self.deadlines.stop(key);
        let Some(slot) = self.calls.give_up(key) else {
            return;
        };
        if let Some(session) = slot.opened() {
            self.close_late(now, session);
        } else if slot.is_waiting() {
            match slot.purpose {
                Purpose::Opens(session) => self.drop_session(now, session),
                Purpose::Ends(session) => self.not_ending(session, key),
                Purpose::Plain | Purpose::Handshake | Purpose::Makes | Purpose::Prompt(..) => {}
            }
            self.cancel_request(now, slot.purpose, slot.label.id());
        }
        self.progress(now);
    }

    /// Tells the agent that nobody waits for an answer any more.
    pub(super) fn cancel_request(
        &mut self,
        now: Instant,
        purpose: Purpose,
        id: Option<&RequestId>,
    ) {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct CancelRequest<'a> {
            request_id: &'a RequestId,
        }
        let (Some(id), false) = (id, purpose == Purpose::Handshake) else {
            return;
        };
        self.send_reserved(now, "$/cancel_request", &CancelRequest { request_id: id });
    }

    /// A notification that is never refused for fullness: a slot was reserved for it.
    pub(super) fn send_reserved(
        &mut self,
        now: Instant,
        method: &'static str,
        params: &impl Serialize,
    ) {
        if self.lifecycle.is_live() {
            let label = Label::new(method.into(), None);
            let sent = self.outbox.push(now, Lane::Reserved, label, |out| {
                acp_codec::encode::notification(out, method, params)
            });
            debug_assert!(sent.is_ok(), "our own params can be written");
        }
    }
}
