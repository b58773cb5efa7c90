//! Replies that open sessions.

use std::time::Instant;

use acp_vocab::RequestId;
use serde_json::value::RawValue;

use super::Connection;
use crate::call::Wire;
use crate::error::{CallError, ProtocolError};
use crate::key::SessionKey;
use crate::result;
use crate::session::Stage;
use crate::sessions::Place;

impl Connection {
    /// A session was made. What came for it before is delivered now, in order, behind the reply.
    pub(super) fn on_made(
        &mut self,
        now: Instant,
        wire: &Wire,
        id: &RequestId,
        result: Result<&RawValue, CallError>,
    ) {
        let made = result.and_then(|result| {
            let session = result::session_of_result(result).map_err(|error| {
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
                self.forget_early(now, true);
            }
            Err(error) => {
                self.leave(now, wire, id, Err(error), None);
                self.forget_early(now, false);
            }
        }
    }

    /// Without a request that can make a session nothing early can find its place any more. When
    /// every session that could be meant was `made`, it was for one that never existed.
    fn forget_early(&mut self, now: Instant, made: bool) {
        if self.calls.is_making() {
            return;
        }
        for frame in self.early.take_all() {
            self.counters.early_dropped += 1;
            self.refuse_early(now, &frame.line);
            if made && self.config.strict_sessions {
                self.foreign(now, &frame.method(), false);
            }
        }
    }

    pub(super) fn on_opened(
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
