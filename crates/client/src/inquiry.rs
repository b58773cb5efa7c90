//! A request of the agent in the host's hands: answered exactly once, by it or by its drop.

use std::sync::Arc;

use acp_session::{Ask, Settled, UsageError, WaitKey};
use acp_vocab::{ErrorObject, Raw, RequestId, SessionId, ShapeError, Wire};
use serde::Serialize;

use crate::{shared::Shared, waiter::Waiter};

/// A request of the agent. While the host holds it, the idle clock of its session stands still;
/// dropped unanswered, it is refused with `-32603`.
#[derive(Debug)]
#[must_use = "dropping an inquiry refuses it"]
pub struct Inquiry {
    shared: Arc<Shared>,
    ask: Ask,
    answered: bool,
}

impl Inquiry {
    pub(crate) const fn new(shared: Arc<Shared>, ask: Ask) -> Self {
        Self {
            shared,
            ask,
            answered: false,
        }
    }

    /// Its id on the wire.
    #[must_use]
    pub const fn id(&self) -> &RequestId {
        &self.ask.id
    }

    /// The method.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.ask.method
    }

    /// The session that it names.
    #[must_use]
    pub const fn session(&self) -> Option<&SessionId> {
        self.ask.session.as_ref()
    }

    /// Its params as they came.
    #[must_use]
    pub const fn raw(&self) -> &Raw {
        &self.ask.params
    }

    /// Its params as a type of the vocabulary.
    ///
    /// # Errors
    /// They have not the shape of the type.
    pub fn params<T: Wire>(&self) -> Result<T, ShapeError> {
        acp_vocab::decode_params(Some(&self.ask.params))
    }

    /// Answers it. It never waits for the pipe.
    ///
    /// # Errors
    /// [`UsageError::TooLate`] when it was settled before; nothing is sent then.
    pub fn answer(mut self, result: &(impl Serialize + ?Sized)) -> Result<(), UsageError> {
        self.send(result)
    }

    pub(crate) fn send(&mut self, result: &(impl Serialize + ?Sized)) -> Result<(), UsageError> {
        let key = self.ask.key;
        let sent = self
            .shared
            .with(|inner, now| inner.machine.answer(now, key, result));
        self.answered = !matches!(sent, Err(UsageError::Encode { .. }));
        sent
    }

    /// Refuses it with an error.
    ///
    /// # Errors
    /// [`UsageError::TooLate`] when it was settled before; nothing is sent then.
    pub fn refuse(mut self, error: &ErrorObject) -> Result<(), UsageError> {
        self.answered = true;
        let key = self.ask.key;
        self.shared
            .with(|inner, now| inner.machine.refuse(now, key, error))
    }

    /// How it was settled by somebody else, if it was.
    #[must_use]
    pub fn settled(&self) -> Option<Settled> {
        self.shared
            .read(|inner| inner.machine.ask_settled(self.ask.key))
    }

    /// Waits until it is settled by somebody else: withdrawn by the agent, its turn cancelled, the
    /// connection ended. For a host that shows a dialog and has to take it away. Cancel-safe.
    pub async fn withdrawn(&self) -> Settled {
        let key = self.ask.key;
        Waiter::new(&self.shared)
            .wait(WaitKey::Ask(key), |machine, _| machine.ask_settled(key))
            .await
    }
}

impl Drop for Inquiry {
    fn drop(&mut self) {
        if !self.answered {
            self.shared
                .with(|inner, now| inner.machine.drop_ask(now, self.ask.key));
        }
    }
}
