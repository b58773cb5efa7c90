//! The requests around sessions: initialize, login, options, close, delete, list.

use std::{path::PathBuf, sync::Arc};

use acp_vocab::{
    AuthenticateRequest, CloseSessionRequest, DeleteSessionRequest, ErrorObject,
    ListSessionsRequest, Method, Raw, RequestId, SessionConfigId, SessionId, v1, v2,
};
use serde_json::value::RawValue;
use tokio::{sync::Semaphore, time::Instant};

use super::{Connection, inbound::read};
use crate::{
    ability::{ListRequest, SessionPage},
    command::{Answer, Body, RequestKey},
    extension::Extension,
    login::LoginKind,
    options::{OptionValue, SessionOption, mode_id, mode_now, takes, v1_options},
    refusal::{internal, invalid, not_offered, unknown_session},
    session::Closing,
    shared::{Shared, lock},
};

impl Connection {
    pub(super) fn initialize(&mut self, now: Instant, id: &RequestId, params: Option<&RawValue>) {
        let mut responder = self.responder.clone();
        let result = responder.initialize(params).and_then(|offer| {
            let extension = match &self.host.extension {
                Some(extension) => Extension::negotiate(extension, offer.capabilities().raw())?,
                None => None,
            };
            let result = self.host.declare(&offer, extension.as_ref())?;
            Ok((offer, extension, result))
        });
        let (offer, extension, result) = match result {
            Ok(agreed) => agreed,
            Err(error) => return self.refuse(now, id, &error),
        };
        self.responder = responder;
        self.shared = Some(Arc::new(Shared {
            queue: self.queue.clone(),
            version: offer.version(),
            offer,
            config: Arc::clone(&self.host.config),
            extension,
            questions: Arc::new(Semaphore::new(self.host.config.questions)),
            dropped: Arc::clone(&self.dropped),
            terminals: std::sync::Mutex::default(),
        }));
        let written = self
            .outbox
            .append(now, |out| acp_codec::encode::result(out, id, &result));
        if written.is_err() {
            tracing::error!("the declaration could not be written");
        }
    }

    pub(super) fn is_v1(&self) -> bool {
        self.shared.as_ref().is_none_or(|shared| shared.is_v1())
    }

    pub(super) fn login(
        &mut self,
        key: RequestKey,
        method: Method,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let auth = self.host.abilities.auth.clone();
        let auth = auth.ok_or_else(|| not_offered(method))?;
        let request: AuthenticateRequest = read(params)?;
        let known = auth
            .methods()
            .into_iter()
            .any(|method| method.id == request.method_id && method.kind == LoginKind::Agent);
        if !known {
            return Err(invalid("methodId is none of the agent's methods"));
        }
        self.handle(key, async move {
            Answer::Plain(auth.login(&request.method_id).await.map(|()| empty()))
        });
        Ok(())
    }

    pub(super) fn logout(
        &mut self,
        key: RequestKey,
        method: Method,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let auth = self.host.abilities.auth.clone();
        let auth = auth.ok_or_else(|| not_offered(method))?;
        read::<acp_vocab::LogoutRequest>(params)?;
        self.handle(key, async move {
            Answer::Plain(auth.logout().await.map(|()| empty()))
        });
        Ok(())
    }

    pub(super) fn list_sessions(
        &mut self,
        now: Instant,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let request: ListSessionsRequest = read(params)?;
        let v1 = self.is_v1();
        let Some(list) = self.host.abilities.list.clone() else {
            if v1 {
                return Err(not_offered(Method::SESSION_LIST));
            }
            if request.cursor.is_some() {
                return Err(invalid("cursor: not one of this agent's"));
            }
            let open = self.open_sessions(request.cwd.as_deref());
            self.respond(now, key, &Ok(open));
            return Ok(());
        };
        let request = ListRequest {
            cwd: request.cwd.map(|cwd| PathBuf::from(String::from(cwd))),
            cursor: request.cursor,
        };
        self.handle(key, async move {
            Answer::Plain(match list.list(request).await {
                Ok(page) => page_result(page, v1),
                Err(error) => Err(error),
            })
        });
        Ok(())
    }

    /// The sessions of this connection, for agents that keep none.
    fn open_sessions(&self, cwd: Option<&str>) -> v2::ListSessionsResponse {
        let sessions: Vec<_> = self
            .sessions
            .iter()
            .map(|(id, session)| (id, session.cwd.to_string_lossy()))
            .filter(|(_, path)| cwd.is_none_or(|cwd| cwd == path))
            .map(|(id, path)| v2::SessionInfo::new(id.clone(), &*path))
            .collect();
        v2::ListSessionsResponse::new(sessions)
    }

    pub(super) fn close_session(
        &mut self,
        now: Instant,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        if self.is_v1() && self.host.abilities.close.is_none() {
            return Err(not_offered(Method::SESSION_CLOSE));
        }
        let request: CloseSessionRequest = read(params)?;
        self.end_session(now, request.session_id, Closing { key, delete: false });
        Ok(())
    }

    pub(super) fn delete_session(
        &mut self,
        now: Instant,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        if self.host.abilities.delete.is_none() {
            return Err(not_offered(Method::SESSION_DELETE));
        }
        let request: DeleteSessionRequest = read(params)?;
        self.end_session(now, request.session_id, Closing { key, delete: true });
        Ok(())
    }

    /// Ends the work of a session; then it is closed.
    fn end_session(&mut self, now: Instant, id: SessionId, closing: Closing) {
        self.cancel_session(now, &id);
        match self.sessions.get_mut(&id) {
            Some(session) if session.running.is_some() => session.closing.push(closing),
            _ => self.finish_closing(id, closing),
        }
    }

    /// The session is quiet: the agent frees, or removes, what it has of it.
    pub(super) fn finish_closing(&mut self, id: SessionId, closing: Closing) {
        if let Some(session) = self.sessions.remove(&id) {
            session.live.close();
            session.live.token.cancel();
        }
        let close = self.host.abilities.close.clone();
        let delete = self.host.abilities.delete.clone();
        self.handle(closing.key, async move {
            let result = match (closing.delete, close, delete) {
                (true, _, Some(delete)) => delete.delete(&id).await,
                (false, Some(close), _) => close.close(&id).await,
                (..) => Ok(()),
            };
            Answer::Plain(result.map(|()| empty()))
        });
    }

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
        let unsupported = || invalid("value: a kind of value that no option takes");
        let (session, option, value) = if self.is_v1() {
            let request: v1::SetSessionConfigOptionRequest = read(params)?;
            let value = match request.value {
                v1::SessionConfigOptionValue::Id(id) => OptionValue::Id(id),
                v1::SessionConfigOptionValue::Boolean(on) => OptionValue::Boolean(on),
                v1::SessionConfigOptionValue::Unknown { .. } | _ => return Err(unsupported()),
            };
            (request.session_id, request.config_id, value)
        } else {
            let request: v2::SetSessionConfigOptionRequest = read(params)?;
            let value = match request.value {
                v2::SessionConfigOptionValue::Id(id) => OptionValue::Id(id.value),
                v2::SessionConfigOptionValue::Boolean(on) => OptionValue::Boolean(on.value),
                v2::SessionConfigOptionValue::Unknown { .. } | _ => return Err(unsupported()),
            };
            (request.session_id, request.config_id, value)
        };
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
        let found = known
            .options
            .iter()
            .find(|known| known.config_id == option)
            .ok_or_else(|| invalid("configId: the session has no such option"))?;
        if !takes(found, &value) {
            return Err(invalid("value: the option does not take it"));
        }
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
        let moved = before.is_some_and(|before| mode_now(&before) != mode_now(&options));
        if !self.is_v1() {
            let response = v2::SetSessionConfigOptionResponse::new(options);
            return self.respond(now, key, &Ok(response));
        }
        let shown = self.shown_v1(&options);
        if method == Method::SESSION_SET_MODE {
            self.respond(now, key, &Ok(v1::SetSessionModeResponse::new()));
            let update = v1::ConfigOptionUpdate::new(shown);
            let body = Body::V1(v1::SessionUpdate::ConfigOptionUpdate(update));
            self.write_update(now, id, &body, None);
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

    /// One tool call, or one terminal, shall stop; the rest goes on.
    pub(super) fn cancel_tool(
        &mut self,
        now: Instant,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let request: v2::CancelToolCallRequest = read(params)?;
        let session = self
            .sessions
            .get(&request.session_id)
            .ok_or_else(|| unknown_session(&request.session_id))?;
        let token = lock(&session.timeline).tool_cancel(&request.tool_call_id);
        let token = token.ok_or_else(|| invalid("toolCallId: it cannot be cancelled"))?;
        token.cancel();
        self.respond(now, key, &Ok(v2::CancelToolCallResponse::new()));
        Ok(())
    }

    pub(super) fn cancel_terminal(
        &mut self,
        now: Instant,
        key: RequestKey,
        params: Option<&RawValue>,
    ) -> Result<(), ErrorObject> {
        let request: v2::CancelTerminalRequest = read(params)?;
        let session = self
            .sessions
            .get(&request.session_id)
            .ok_or_else(|| unknown_session(&request.session_id))?;
        let token = lock(&session.timeline).terminal_cancel(&request.terminal_id);
        let token = token.ok_or_else(|| invalid("terminalId: it cannot be cancelled"))?;
        token.cancel();
        self.respond(now, key, &Ok(v2::CancelTerminalResponse::new()));
        Ok(())
    }

    /// The options as this client of version 1 is shown them.
    pub(super) fn shown_v1(&self, options: &[SessionOption]) -> Vec<v1::SessionConfigOption> {
        let booleans = self
            .shared
            .as_ref()
            .is_some_and(|shared| shared.offer.advertises("session.configOptions.boolean"));
        v1_options(options, booleans)
    }
}

pub(super) fn empty() -> Raw {
    // An object without members is JSON.
    Raw::from_text("{}").unwrap_or_else(|_| Raw::null())
}

fn page_result(page: SessionPage, v1: bool) -> Result<Raw, ErrorObject> {
    let result = if v1 {
        let sessions: Vec<_> = page
            .sessions
            .into_iter()
            .map(|session| {
                let mut old = v1::SessionInfo::new(session.session_id, session.cwd);
                old.additional_directories = session.additional_directories;
                old.title = session.title;
                old.updated_at = session.updated_at;
                old
            })
            .collect();
        let mut response = v1::ListSessionsResponse::new(sessions);
        response.next_cursor = page.next;
        Raw::encode(&response)
    } else {
        let mut response = v2::ListSessionsResponse::new(page.sessions);
        response.next_cursor = page.next;
        Raw::encode(&response)
    };
    result.map_err(|_| internal("the list cannot be written"))
}
