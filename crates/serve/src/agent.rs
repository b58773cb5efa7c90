//! The trait that every agent implements.

use std::{pin::Pin, sync::Arc};

use acp_vocab::{ErrorObject, Implementation};

use crate::{
    opening::{NewSession, Opened},
    outcome::Outcome,
    turn::Turn,
};

/// A program that can be talked to: who it is, what a session of it is, what it does with a prompt.
///
/// Everything further is an ability with a trait of its own, and registering the ability on the
/// [`Server`](crate::Server) is what declares it.
///
/// ```
/// use acp_serve::{Agent, Outcome, Outcomes as _, Turn};
///
/// struct Echo;
///
/// impl Agent for Echo {
///     async fn prompt(&self, turn: Turn) -> Outcome {
///         for word in turn.prompt().text().split(' ') {
///             turn.say(word).await?; // waits for the client's pipe, ends at once on cancel
///         }
///         Outcome::completed()
///     }
/// }
/// ```
pub trait Agent: Send + Sync + 'static {
    /// Its info card.
    fn info(&self) -> Implementation {
        Implementation::new("agent", "0.0.0")
    }

    /// Opens a session. The request has its id, and its working directory checked.
    ///
    /// # Errors
    /// The error to answer; [`refusal`](crate::refusal) has the usual ones.
    fn new_session(
        &self,
        request: NewSession,
    ) -> impl Future<Output = Result<Opened, ErrorObject>> + Send {
        drop(request);
        std::future::ready(Ok(Opened::new()))
    }

    /// Does what the user asked for. The turn ends when this returns; a panic is contained and ends
    /// it as a failure.
    fn prompt(&self, turn: Turn) -> impl Future<Output = Outcome> + Send;
}

/// A future of an erased trait.
pub(crate) type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// [`Agent`], erased.
pub(crate) trait AnyAgent: Send + Sync {
    fn info(&self) -> Implementation;
    fn new_session(&self, request: NewSession) -> Boxed<'_, Result<Opened, ErrorObject>>;
    fn prompt(&self, turn: Turn) -> Boxed<'_, Outcome>;
}

impl<A: Agent> AnyAgent for A {
    fn info(&self) -> Implementation {
        Agent::info(self)
    }

    fn new_session(&self, request: NewSession) -> Boxed<'_, Result<Opened, ErrorObject>> {
        Box::pin(Agent::new_session(self, request))
    }

    fn prompt(&self, turn: Turn) -> Boxed<'_, Outcome> {
        Box::pin(Agent::prompt(self, turn))
    }
}

const _: fn(Arc<dyn AnyAgent>) = |_| ();
