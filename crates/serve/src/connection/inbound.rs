//! What comes in: lines to messages, messages to what they ask for.

use acp_codec::{Item, Message, SkipKind, repair_surrogates};
use acp_session::Completion;
use acp_vocab::{
    CancelRequestNotification, ErrorCode, ErrorObject, MessageMcpNotification, Method, MethodKind,
    Receiver, RequestId, Wire, decode_params,
};
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::{Connection, Pending};
use crate::{
    command::RequestKey,
    error::{AskError, ServeError},
    refusal::{internal, no_method, shape},
    shared::lock,
};

impl Connection {
    /// Takes what the decoder found.
    ///
    /// # Errors
    /// When the connection has to end: a bound was passed.
    pub(crate) fn handle_item(&mut self, now: Instant, item: Item<'_>) -> Result<(), ServeError> {
        match item {
            Item::Frame(frame) => {
                self.received(frame.raw.len())?;
                self.trace_received(&frame.message, frame.raw);
                self.handle_message(now, frame.message);
                Ok(())
            }
            Item::Skipped { kind, len, .. } => {
                self.received(len)?;
                self.report.skipped += 1;
                let code = match kind {
                    SkipKind::NotJson | SkipKind::NotUtf8 => ErrorCode::PARSE_ERROR,
                    SkipKind::Partial => return Ok(()),
                    SkipKind::Scalar
                    | SkipKind::Array
                    | SkipKind::Object
                    | SkipKind::RequestId
                    | SkipKind::ResponseId
                    | SkipKind::TooLong
                    | _ => ErrorCode::INVALID_REQUEST,
                };
                self.complain(now, code, "not a message");
                Ok(())
            }
            Item::TooLong { limit, seen, .. } => {
                self.complain(
                    now,
                    ErrorCode::INVALID_REQUEST,
                    "the line is over the bound",
                );
                Err(ServeError::LineTooLong { limit, seen })
            }
            _ => Ok(()),
        }
    }

    /// Counts what a client sends that has not asked for anything yet.
    fn received(&mut self, len: usize) -> Result<(), ServeError> {
        if self.proven {
            return Ok(());
        }
        self.bytes += len as u64;
        self.messages += 1;
        let config = &self.host.config;
        if self.bytes > config.unproven_bytes || self.messages > config.unproven_messages {
            return Err(ServeError::Unproven {
                bytes: self.bytes,
                messages: self.messages,
            });
        }
        Ok(())
    }

    fn handle_message(&mut self, now: Instant, message: Message<'_>) {
        match message {
            Message::Request { id, method, params } => {
                self.handle_request(now, id, &method, params);
            }
            Message::Notification { method, params } => {
                self.handle_notification(now, &method, params);
            }
            Message::Response { id, outcome } => {
                let answer = outcome.map(acp_vocab::Raw::from).map_err(AskError::Refused);
                self.handle_response(now, &id, answer);
            }
            Message::Malformed { id, .. } => {
                self.handle_response(now, &id, Err(AskError::Malformed));
            }
            _ => {}
        }
    }

    fn handle_request(
        &mut self,
        now: Instant,
        id: RequestId,
        name: &str,
        params: Option<&RawValue>,
    ) {
        if name == Method::INITIALIZE.name() {
            return self.initialize(now, &id, params);
        }
        let version = match self.responder.other_request() {
            Ok(version) => version,
            Err(error) => return self.refuse(now, &id, &error),
        };
        let method = Method::find(name).filter(|method| {
            method
                .spec(version, Receiver::Agent)
                .is_some_and(|spec| spec.kind == MethodKind::Request)
        });
        let Some(method) = method else {
            return self.refuse(now, &id, &no_method());
        };
        let bytes = params.map_or(0, |params| params.get().len());
        if let Err(error) = self.admit(bytes) {
            return self.refuse(now, &id, &error);
        }
        tracing::debug!(%method, %id, "request");
        let key = self.next_request;
        self.next_request += 1;
        let pending = Pending {
            task: None,
            opens: None,
            bytes,
            session: self.traced(params),
        };
        self.requests.accept(key, id, pending);
        if let Err(error) = self.dispatch(now, key, method, params) {
            self.respond(now, key, &Err::<(), _>(error));
        }
    }

    /// Whether one more request, of this many bytes, may be taken.
    fn admit(&self, bytes: usize) -> Result<(), ErrorObject> {
        let config = &self.host.config;
        if self.requests.len() >= config.requests {
            return Err(internal("too many requests are open"));
        }
        // Handlers of requests that were withdrawn may still be on their way out.
        if self.tasks.len() >= config.requests + config.sessions {
            return Err(internal("too many handlers have not ended yet"));
        }
        let turns = self
            .sessions
            .values()
            .filter_map(|session| session.running.as_ref());
        let held: usize = self
            .requests
            .iter()
            .map(|(.., pending)| pending.bytes)
            .chain(turns.map(|running| running.bytes))
            .sum();
        // One that is larger than the bound is taken alone.
        if held > 0 && held.saturating_add(bytes) > config.request_bytes {
            return Err(internal("too many bytes of requests are in hand"));
        }
        Ok(())
    }

    fn dispatch(
        &mut self,
        now: Instant,
        key: RequestKey,
        method: Method,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        match method {
            Method::SESSION_PROMPT => self.prompt(now, key, params),
            Method::SESSION_NEW => self.new_session(key, params),
            Method::SESSION_LOAD => self.load_session(key, params),
            Method::SESSION_RESUME => self.resume_session(key, params),
            Method::SESSION_FORK => self.fork_session(key, params),
            Method::SESSION_LIST => self.list_sessions(now, key, params),
            Method::SESSION_CLOSE => self.close_session(now, key, params),
            Method::SESSION_DELETE => self.delete_session(now, key, params),
            Method::SESSION_SET_MODE => self.set_mode(key, params),
            Method::SESSION_SET_CONFIG_OPTION => self.set_option(key, params),
            Method::TOOL_CALL_CANCEL => self.cancel_tool(now, key, params),
            Method::TERMINAL_CANCEL => self.cancel_terminal(now, key, params),
            Method::SESSION_STATUS => self.session_status(now, key, params),
            Method::SESSION_OPTIONS => self.session_options(key, params),
            _ => self
                .delegate(key, method, params)
                .unwrap_or_else(|| Err(no_method())),
        }
    }

    fn handle_notification(&mut self, now: Instant, name: &str, params: Option<&RawValue>) {
        if self.shared.is_none() {
            return;
        }
        match Method::find(name) {
            Some(Method::SESSION_CANCEL) => {
                if let Ok(cancel) = read::<acp_vocab::CancelNotification>(params) {
                    self.cancel_session(now, &cancel.session_id);
                }
            }
            Some(Method::CANCEL_REQUEST) => {
                if let Ok(cancel) = read::<CancelRequestNotification>(params) {
                    self.withdraw(now, &cancel.request_id);
                }
            }
            Some(Method::MCP_MESSAGE) => {
                if let Ok(notice) = read(params) {
                    self.hosted_notice(notice);
                }
            }
            _ => tracing::debug!("a notification was ignored"),
        }
    }

    /// A server of the client has something to say beside an answer.
    fn hosted_notice(&mut self, notice: MessageMcpNotification) {
        let Some(shared) = &self.shared else {
            return;
        };
        let call = lock(&shared.inner).get(&notice.request_id).cloned();
        match call {
            Some(call) if call.server == notice.server_id => {
                if call.notices.try_send(notice).is_err() {
                    self.report.unheard += 1;
                }
            }
            _ => self.report.stray += 1,
        }
    }

    fn handle_response(
        &mut self,
        now: Instant,
        id: &RequestId,
        answer: Result<acp_vocab::Raw, AskError>,
    ) {
        match self.asks.complete(id) {
            Completion::Matched { waiter, .. } => self.answered(now, waiter, answer),
            // The reply to what was withdrawn meanwhile.
            Completion::Answered => {}
            Completion::Unknown | Completion::Null | _ => self.report.stray += 1,
        }
    }
}

/// Reads params, once more when half a surrogate pair was in the way.
pub(super) fn read<T: Wire>(params: Option<&RawValue>) -> Result<T, ErrorObject> {
    decode_params::<T>(params).or_else(|fault| {
        let repaired = params.and_then(|params| repair_surrogates(params.get()));
        let repaired = repaired.and_then(|repaired| {
            let raw: Box<RawValue> = serde_json::from_str(&repaired.text).ok()?;
            decode_params::<T>(Some(&raw)).ok()
        });
        repaired.ok_or_else(|| shape(&fault))
    })
}
