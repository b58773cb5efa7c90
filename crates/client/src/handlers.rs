//! The registered handlers, by the methods they answer.

use std::{collections::BTreeMap, fmt, sync::Arc};

use acp_vocab::{ErrorCode, ErrorObject, Raw};

use crate::{
    error::ConnectError,
    handler::{Handler, Question},
};

/// Which handler answers which method.
#[derive(Clone, Default)]
pub(crate) struct Handlers {
    by_method: BTreeMap<Box<str>, Arc<dyn Handler>>,
}

impl Handlers {
    /// Adds a handler for all its methods.
    pub(crate) fn register(&mut self, handler: Arc<dyn Handler>) -> Result<(), ConnectError> {
        let declares = handler.declares();
        let known = declares
            .methods()
            .into_iter()
            .map(|method| method.name().into());
        for method in known.chain(handler.extensions()) {
            if self
                .by_method
                .insert(method.clone(), Arc::clone(&handler))
                .is_some()
            {
                return Err(ConnectError::TwoHandlers { method });
            }
        }
        Ok(())
    }

    pub(crate) fn methods(&self) -> impl Iterator<Item = &str> {
        self.by_method.keys().map(AsRef::as_ref)
    }

    /// Answers one question.
    pub(crate) async fn answer(&self, question: Question) -> Result<Raw, ErrorObject> {
        match self.by_method.get(question.method()) {
            Some(handler) => Arc::clone(handler).handle(question).await,
            None => Err(ErrorObject::of(ErrorCode::METHOD_NOT_FOUND)),
        }
    }
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.by_method.keys()).finish()
    }
}
