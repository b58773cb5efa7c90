//! Large answers of the ready-made handlers: a few are made at a time, and only as fast as the agent
//! reads them. It may ask for as many as it likes.

use std::sync::{Arc, OnceLock};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::handler::Question;

/// How many answers are being made at a time.
const AT_ONCE: usize = 4;

/// Who may make a large answer, on one connection: an agent that does not read keeps no other one
/// waiting, also where both have the same handler.
#[derive(Debug)]
pub(crate) struct Turns(Arc<Semaphore>);

/// Held while an answer is being made, and until it stands in what the agent is to read.
#[derive(Debug)]
pub(crate) struct Turn {
    /// It is never closed; if it were, everybody would have a turn.
    _permit: Option<OwnedSemaphorePermit>,
}

/// Where a question keeps the turn that its answer has.
pub(crate) type Held = Arc<OnceLock<Turn>>;

impl Default for Turns {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

/// Waits for a turn, and for room in what the agent has not read. The turn is over once the question
/// is answered. Cancel-safe.
pub(crate) async fn take(question: &Question) {
    let shared = &question.requester.shared;
    let permit = Arc::clone(&shared.turns().0).acquire_owned().await;
    question.requester.drained().await;
    question.hold(Turn {
        _permit: permit.ok(),
    });
}
