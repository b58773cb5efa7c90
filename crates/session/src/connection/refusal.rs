//! Answers that the machine gives at once: nobody is asked.

use std::time::Instant;

use acp_vocab::{ErrorCode, ErrorObject, RequestId};

use super::Connection;
use crate::ask::{Kind, Settled, write_default};
use crate::label::Label;
use crate::outbox::Lane;

impl Connection {
    pub(super) fn answer_by_default(
        &mut self,
        now: Instant,
        id: &RequestId,
        method: &str,
        kind: Kind,
        how: Settled,
    ) {
        self.counters.defaulted += 1;
        let label = Label::of_agent(method, id.clone());
        let sent = self.outbox.push(now, Lane::Answer, label, |out| {
            write_default(out, id, kind, how)
        });
        debug_assert!(sent.is_ok(), "our own answers can be written");
    }

    pub(super) fn refuse_at_once(
        &mut self,
        now: Instant,
        id: &RequestId,
        method: &str,
        error: &ErrorObject,
    ) {
        let label = Label::of_agent(method, id.clone());
        let sent = self.outbox.push(now, Lane::Answer, label, |out| {
            acp_codec::encode::error(out, id, error)
        });
        debug_assert!(sent.is_ok(), "our own answers can be written");
    }

    /// A question for a session that is not open is never put to the host.
    pub(super) fn refuse_foreign(&mut self, now: Instant, id: &RequestId, method: &str) {
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
