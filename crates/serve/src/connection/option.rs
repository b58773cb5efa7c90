//! Options of sessions, set by the client or by the agent; in version 1 modes are kept equal to them.

use acp_vocab::{ErrorObject, Method, SessionConfigId, SessionId, v1, v2};
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::{Connection, inbound::read};
use crate::{
    command::{Answer, Body, RequestKey},
    options::{OptionValue, SessionOption, check, mode_id, mode_now, v1_options},
    refusal::{invalid, not_offered, unknown_session},
};

impl Connection {
    pub(super) fn set_mode(
        &mut self,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let request: v1::SetSessionModeRequest = read(params)?;
        let session = self
            .sessions
            .get(&request.session_id)
            .ok_or_else(|| unknown_session(&request.session_id))?;
        let option =
            mode_id(&session.options).ok_or_else(|| not_offered(Method::SESSION_SET_MODE))?;
        let value = OptionValue::Id(request.mode_id.as_str().into());
        self.change(
            key,
            request.session_id,
            option,
            value,
            Method::SESSION_SET_MODE,
        )
    }

    pub(super) fn set_option(
        &mut self,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let (session, option, value) = if self.is_v1() {
            let request: v1::SetSessionConfigOptionRequest = read(params)?;
            let value = OptionValue::from_v1(request.value);
            (request.session_id, request.config_id, value)
        } else {
            let request: v2::SetSessionConfigOptionRequest = read(params)?;
            let value = OptionValue::from_v2(request.value);
            (request.session_id, request.config_id, value)
        };
        let value = value.ok_or_else(|| invalid("value: a kind of value that no option takes"))?;
        self.change(
            key,
            session,
            option,
            value,
            Method::SESSION_SET_CONFIG_OPTION,
        )
    }

    fn change(
        &mut self,
        key: RequestKey,
        session: SessionId,
        option: SessionConfigId,
        value: OptionValue,
        method: Method,
    ) -> Result<(), ErrorObject> {
        let known = self
            .sessions
            .get(&session)
            .ok_or_else(|| unknown_session(&session))?;
        let options = self.host.abilities.options.clone();
        let options = options.ok_or_else(|| not_offered(method))?;
        check(&known.options, &option, &value)?;
        self.handle(key, async move {
            let changed = options.set(&session, &option, value).await;
            Answer::Changed {
                session,
                method,
                changed,
            }
        });
        Ok(())
    }

    /// An option was set: the table is brought up to date, the client is told in both ways.
    pub(super) fn changed(
        &mut self,
        now: Instant,
        key: RequestKey,
        id: &SessionId,
        method: Method,
        changed: Result<Vec<SessionOption>, ErrorObject>,
    ) {
        let options = match changed {
            Ok(options) => options,
            Err(error) => return self.respond(now, key, &Err::<(), _>(error)),
        };
        let before = self
            .sessions
            .get_mut(id)
            .map(|session| std::mem::replace(&mut session.options, options.clone()));
        // Of a session that was closed meanwhile nothing is told but the answer.
        let open = before.is_some();
        let moved = before.is_some_and(|before| mode_now(&before) != mode_now(&options));
        if !self.is_v1() {
            let response = v2::SetSessionConfigOptionResponse::new(options);
            return self.respond(now, key, &Ok(response));
        }
        let shown = self.shown_v1(&options);
        if method == Method::SESSION_SET_MODE {
            self.respond(now, key, &Ok(v1::SetSessionModeResponse::new()));
            if open {
                let update = v1::ConfigOptionUpdate::new(shown);
                let body = Body::V1(v1::SessionUpdate::ConfigOptionUpdate(update));
                self.write_update(now, id, &body, None);
            }
            return;
        }
        let response = v1::SetSessionConfigOptionResponse::new(shown);
        self.respond(now, key, &Ok(response));
        if moved && let Some(mode) = mode_now(&options) {
            let update = v1::CurrentModeUpdate::new(mode.as_str());
            let body = Body::V1(v1::SessionUpdate::CurrentModeUpdate(update));
            self.write_update(now, id, &body, None);
        }
    }

    /// The agent changed options itself.
    pub(super) fn own_change(&mut self, now: Instant, id: &SessionId, options: Vec<SessionOption>) {
        if self.host.abilities.options.is_none() {
            return;
        }
        let before = self
            .sessions
            .get_mut(id)
            .map(|session| std::mem::replace(&mut session.options, options.clone()));
        if !self.is_v1() {
            return self.write_event(now, id, &Body::Options(options));
        }
        let update = v1::ConfigOptionUpdate::new(self.shown_v1(&options));
        let body = Body::V1(v1::SessionUpdate::ConfigOptionUpdate(update));
        self.write_event(now, id, &body);
        let mode = mode_now(&options);
        if before.is_some_and(|before| mode_now(&before) != mode)
            && let Some(mode) = mode
        {
            let update = v1::CurrentModeUpdate::new(mode.as_str());
            let body = Body::V1(v1::SessionUpdate::CurrentModeUpdate(update));
            self.write_event(now, id, &body);
        }
    }

    /// The options as this client of version 1 is shown them.
    pub(super) fn shown_v1(&self, options: &[SessionOption]) -> Vec<v1::SessionConfigOption> {
        v1_options(options, self.shows_booleans())
    }

    /// Whether this client of version 1 shows options that are on or off.
    pub(super) fn shows_booleans(&self) -> bool {
        self.shared
            .as_ref()
            .is_some_and(|shared| shared.offer.advertises("session.configOptions.boolean"))
    }
}
