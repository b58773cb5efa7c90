//! Writing lines: answers, notifications, updates.

use acp_codec::encode;
use acp_vocab::{ErrorCode, ErrorObject, MessageId, Meta, Method, RequestId, SessionId, v2};
use serde::Serialize;
use tokio::time::Instant;

use super::Connection;
use crate::{
    command::{Body, Chunk, RequestKey},
    refusal::internal,
};

/// The params of an update, with what the extension adds.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a, U> {
    session_id: &'a SessionId,
    update: &'a U,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

/// A chunk of text, in the form of both versions.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TextChunk<'a> {
    session_update: &'static str,
    message_id: &'a MessageId,
    content: Text<'a>,
}

#[derive(Serialize)]
struct Text<'a> {
    r#type: &'static str,
    text: &'a str,
}

impl Connection {
    /// Answers a request that nobody keeps: refused before it was accepted.
    pub(super) fn refuse(&mut self, now: Instant, id: &RequestId, error: &ErrorObject) {
        tracing::debug!(code = error.code.0, "refused");
        if self.write_error(now, id, error) {
            return;
        }
        // What the handler said of it is too long, or the client's id is.
        let bare = ErrorObject::of(error.code);
        if !self.write_error(now, id, &bare) && !self.write_error(now, &RequestId::Null, &bare) {
            tracing::error!("an error could not be written");
        }
    }

    fn write_error(&mut self, now: Instant, id: &RequestId, error: &ErrorObject) -> bool {
        let limit = self.host.config.max_line_out;
        let written = self.outbox.append(now, |out| {
            encode::within(limit, out, |out| encode::error(out, id, error))
        });
        written.is_ok()
    }

    /// Answers an accepted request, once.
    pub(super) fn respond(
        &mut self,
        now: Instant,
        key: RequestKey,
        result: &Result<impl Serialize, ErrorObject>,
    ) {
        let Some((id, pending)) = self.requests.settle(key) else {
            return;
        };
        if let Some(opened) = &pending.opens {
            self.opening.remove(opened);
        }
        let error = match result {
            Ok(result) => {
                let limit = self.host.config.max_line_out;
                let written = self.outbox.append(now, |out| {
                    encode::within(limit, out, |out| encode::result(out, &id, result))
                });
                match written {
                    Ok(()) => {
                        if let Some(session) = &pending.session {
                            self.trace_sent(session);
                        }
                        return;
                    }
                    Err(_) => internal("the result is over the line bound"),
                }
            }
            Err(error) => error.clone(),
        };
        self.refuse(now, &id, &error);
    }

    /// Sends a notification that is no event: it waits for nothing.
    pub(super) fn notify(&mut self, now: Instant, method: Method, params: &impl Serialize) {
        let written = self
            .outbox
            .append(now, |out| encode::notification(out, method.name(), params));
        if written.is_err() {
            tracing::error!(%method, "a notification could not be written");
        }
    }

    /// Writes an update of a session, and its trace.
    pub(super) fn write_update(
        &mut self,
        now: Instant,
        session: &SessionId,
        body: &Body,
        meta: Option<&Meta>,
    ) {
        match body {
            Body::V1(update) => self.write_params(now, session, update, meta),
            Body::V2(update) => self.write_params(now, session, update, meta),
            Body::Options(options) => {
                let update = v2::SessionUpdate::ConfigOptionUpdate(v2::ConfigOptionUpdate::new(
                    options.clone(),
                ));
                self.write_params(now, session, &update, meta);
            }
            Body::Chunk(Chunk {
                speaker,
                message,
                text,
            }) => {
                let chunk = TextChunk {
                    session_update: speaker.tag(),
                    message_id: message,
                    content: Text {
                        r#type: "text",
                        text,
                    },
                };
                self.write_params(now, session, &chunk, meta);
            }
        }
    }

    fn write_params(
        &mut self,
        now: Instant,
        session: &SessionId,
        update: &impl Serialize,
        meta: Option<&Meta>,
    ) {
        let params = Params {
            session_id: session,
            update,
            meta,
        };
        let limit = self.host.config.max_line_out;
        let written = self.outbox.append(now, |out| {
            encode::within(limit, out, |out| {
                encode::notification(out, Method::SESSION_UPDATE.name(), &params)
            })
        });
        match written {
            Ok(()) => self.trace_sent(session),
            Err(_) => tracing::error!("an update could not be written"),
        }
    }

    /// What cannot be read is answered once, with a null id.
    pub(super) fn complain(&mut self, now: Instant, code: ErrorCode, what: &str) {
        let error = ErrorObject::new(code, what);
        self.refuse(now, &RequestId::Null, &error);
    }
}
