//! The first request of a connection: what is agreed, and what is declared.

use std::sync::Arc;

use acp_vocab::RequestId;
use serde_json::value::RawValue;
use tokio::{sync::Semaphore, time::Instant};

use super::{
    Connection,
    task::{contained_call, panicked},
};
use crate::{extension::Extension, shared::Shared};

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
            inner: std::sync::Mutex::default(),
            tells_login: self.host.abilities.auth_status.is_some(),
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
}
