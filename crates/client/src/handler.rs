//! What a host registers to answer requests of the agent without pulling them.

use std::{pin::Pin, sync::Arc};

use acp_handshake::Declaration;
use acp_vocab::{ErrorCode, ErrorObject, Raw, SessionId, Wire};
use serde::Serialize;

use crate::{
    requester::Requester,
    scope::SessionScope,
    turns::{Held, Turn},
};

/// The future of a [`Handler`]: the result, or the error that the agent is answered.
pub type Handling = Pin<Box<dyn Future<Output = Result<Raw, ErrorObject>> + Send>>;

/// Answers requests of the agent: files, terminals, elicitation, extension methods.
///
/// Registering it is what declares its abilities to the agent, so that the declaration cannot
/// lie. Handlers start in wire order and run beside the pump, each in a task of its own: one
/// that is slow delays nobody, one may send requests itself and wait for them, and one that
/// panics or takes longer than its bound (5 min by default) is answered `-32603`.
///
/// ```
/// use std::sync::Arc;
/// use acp_client::{Handler, Handling, Question};
/// use acp_handshake::{Ability, Declaration};
///
/// struct Notes;
///
/// impl Handler for Notes {
///     fn declares(&self) -> Declaration {
///         Declaration::none().with(Ability::ReadTextFile)
///     }
///
///     fn handle(self: Arc<Self>, question: Question) -> Handling {
///         Box::pin(async move {
///             question.result(&std::collections::BTreeMap::from([("content", "a note")]))
///         })
///     }
/// }
/// ```
pub trait Handler: Send + Sync + 'static {
    /// What it can do. It is asked for the methods of these abilities, and the agent is told.
    fn declares(&self) -> Declaration {
        Declaration::none()
    }

    /// Extension methods (`_name`) that it answers as well. They are in no declaration.
    fn extensions(&self) -> Vec<Box<str>> {
        Vec::new()
    }

    /// Answers one request. Dropping the future must be safe: that is what a bound, a withdrawal
    /// by the agent and the end of the connection do.
    fn handle(self: Arc<Self>, question: Question) -> Handling;
}

const _: fn(&dyn Handler) = |_| ();

/// A request of the agent, in the hands of a handler.
#[derive(Debug)]
pub struct Question {
    pub(crate) ask: acp_session::Ask,
    pub(crate) requester: Requester,
    pub(crate) scope: Option<SessionScope>,
    /// Outlives the question, until its answer is on its way.
    pub(crate) turn: Held,
}

impl Question {
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

    /// The open session that it belongs to: where that works, and when it is over.
    #[must_use]
    pub const fn scope(&self) -> Option<&SessionScope> {
        self.scope.as_ref()
    }

    /// Its params as they came.
    #[must_use]
    pub const fn raw(&self) -> &Raw {
        &self.ask.params
    }

    /// Its params as a type of the vocabulary.
    ///
    /// # Errors
    /// The answer to give: `-32602`, naming where the fault is.
    pub fn params<T: Wire>(&self) -> Result<T, ErrorObject> {
        acp_vocab::decode_params(Some(&self.ask.params))
            .map_err(|fault| ErrorObject::new(ErrorCode::INVALID_PARAMS, fault.to_string()))
    }

    /// A result, as [`Handler::handle`] returns it.
    ///
    /// # Errors
    /// The answer to give when the result cannot be written as JSON: `-32603`.
    pub fn result(&self, result: &(impl Serialize + ?Sized)) -> Result<Raw, ErrorObject> {
        Raw::encode(result).map_err(|_| ErrorObject::of(ErrorCode::INTERNAL_ERROR))
    }

    /// Keeps a turn until this is answered. The first one counts.
    pub(crate) fn hold(&self, turn: Turn) {
        drop(self.turn.set(turn));
    }

    /// Sends requests on the same connection. Waiting for their answers inside a handler is safe.
    #[must_use]
    pub const fn requester(&self) -> &Requester {
        &self.requester
    }
}
