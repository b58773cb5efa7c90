//! The traces of sessions: what names a session goes into its file.

use acp_codec::Message;
use acp_vocab::SessionId;
use serde_json::value::RawValue;

use super::Connection;
use crate::extension::member;

impl Connection {
    /// The session that params name, where traces are kept.
    pub(super) fn traced(&self, params: Option<&RawValue>) -> Option<SessionId> {
        self.host.traces.as_ref()?;
        let id = member(params?, "sessionId")?;
        serde_json::from_str::<String>(id.get())
            .ok()
            .map(SessionId::from)
    }

    pub(super) fn trace_received(&mut self, message: &Message<'_>, line: &[u8]) {
        let params = match message {
            Message::Request { params, .. } | Message::Notification { params, .. } => *params,
            Message::Response { .. } | Message::Malformed { .. } | _ => return,
        };
        if let Some(id) = self.traced(params)
            && let Some(trace) = self
                .sessions
                .get_mut(&id)
                .and_then(|session| session.trace.as_mut())
        {
            trace.line(false, line);
        }
    }

    /// The line written last belongs to this session.
    pub(super) fn trace_sent(&mut self, id: &SessionId) {
        if self.host.traces.is_none() {
            return;
        }
        if let Some(trace) = self
            .sessions
            .get_mut(id)
            .and_then(|session| session.trace.as_mut())
        {
            trace.line(true, self.outbox.last_line());
        }
    }
}
