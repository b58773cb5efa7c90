//! Before any session: initialize, login, logout.

use std::sync::Arc;

use acp_vocab::{AuthenticateRequest, ErrorObject, Method, Raw, RequestId};
use serde_json::value::RawValue;
use tokio::{sync::Semaphore, time::Instant};

use super::{
    Connection,
    inbound::read,
    task::{contained_call, panicked},
};
use crate::{
    command::{Answer, RequestKey},
    extension::Extension,
    login::LoginKind,
    refusal::{invalid, not_offered},
    shared::Shared,
};

impl Connection {
    pub(super) fn initialize(&mut self, now: Instant, id: &RequestId, params: Option<&RawValue>) {
        let mut responder = self.responder.clone();
        let result = responder.initialize(params).and_then(|offer| {
            let extension = match &self.host.extension {
                Some(extension) => Extension::negotiate(extension, offer.capabilities().raw())?,
                None => None,
            };
            let result = contained_call(|| self.host.declare(&offer, extension.as_ref()))
                .unwrap_or_else(|| Err(panicked()))?;
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
        let methods = contained_call(|| auth.methods()).ok_or_else(panicked)?;
        let known = methods
            .iter()
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
}

pub(super) fn empty() -> Raw {
    // An object without members is JSON.
    Raw::from_text("{}").unwrap_or_else(|_| Raw::null())
}
