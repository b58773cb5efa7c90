//! A turn: one prompt, the events that it causes, and its end as the last of them.

use std::{sync::Arc, time::Duration};

use acp_session::{CallError, Next, Outcome, Stream, TurnEnd, TurnKey, UsageError};
use acp_vocab::SessionId;

use crate::{
    error::RequestError,
    event::{Event, Received},
    outcome::{Decisions, TurnOutcome},
    shared::Shared,
    stream::next_item,
};

/// One prompt and what follows from it.
///
/// Pull [`next`](Self::next) until it gives `None`: the end of the turn stands behind every event
/// that came before it on the wire. Dropping the turn before that gives it up: `session/cancel`
/// goes out, its permission requests are answered `cancelled`, and what the agent still says is
/// drained.
#[derive(Debug)]
#[must_use = "dropping a turn cancels it"]
pub struct Turn {
    shared: Arc<Shared>,
    key: TurnKey,
    session: SessionId,
    decisions: Decisions,
    outcome: Option<TurnOutcome>,
}

impl Turn {
    pub(crate) fn new(shared: Arc<Shared>, key: TurnKey, session: SessionId) -> Self {
        Self {
            shared,
            key,
            session,
            decisions: Decisions::default(),
            outcome: None,
        }
    }

    /// The session that it belongs to.
    #[must_use]
    pub const fn session(&self) -> &SessionId {
        &self.session
    }

    /// The next event, or `None` at the end of the turn. Cancel-safe: dropping the future loses
    /// nothing.
    ///
    /// # Errors
    /// The turn has no report: a bound elapsed (the agent was told to cancel), the agent refused
    /// the prompt, its answer is broken, or the connection ended. That is the end of the turn too,
    /// and [`outcome`](Self::outcome) is there. [`CallError::Starved`] alone is not: the turn is
    /// whole and may be asked again. A turn that we cancelled and that the agent then answers by an
    /// error is a cancelled turn and no error.
    pub async fn next(&mut self) -> Result<Option<Event>, RequestError> {
        Ok(self.next_received().await?.map(|received| received.event))
    }

    /// The next event with the circumstances under which it came.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub async fn next_received(&mut self) -> Result<Option<Received>, RequestError> {
        if self.outcome.is_some() {
            return Ok(None);
        }
        match next_item(&self.shared, Stream::Turn(self.key)).await {
            Next::Event(received) => {
                let session = Some(&self.session);
                let received =
                    Received::new(&self.shared, session, received, Some(&self.decisions));
                if let Event::Settled(settled) = &received.event {
                    self.decisions.note_settled(settled);
                }
                Ok(Some(received))
            }
            Next::End(end) => self.end(end),
            Next::Starved(error) => Err(CallError::Starved(error).into()),
            Next::Finished | Next::Closed(_) | Next::Pending | _ => {
                Err(UsageError::Gone { what: "the turn" }.into())
            }
        }
    }

    fn end(&mut self, end: Box<TurnEnd>) -> Result<Option<Received>, RequestError> {
        self.shared.reports(|reports| reports.forget(&self.session));
        if self.shared.keeps_state() {
            self.shared
                .noted(|noted| noted.say(&self.session, |state| state.apply_end(&end)));
        }
        let outcome = TurnOutcome::new(end, &self.decisions);
        tracing::debug!(outcome = %outcome.outcome(), "turn ended");
        let error = match (outcome.outcome(), outcome.error()) {
            (Outcome::Cancelled, _) | (_, None) => None,
            (_, Some(error)) => Some(error.clone()),
        };
        self.outcome = Some(outcome);
        error.map_or(Ok(None), |error| Err(error.into()))
    }

    /// Asks the agent to cancel: `session/cancel` goes out and every open permission request of
    /// the session is answered `cancelled` at once. It never waits for the pipe. Keep calling
    /// [`next`](Self::next): the agent still has to end the turn. Twice is once; after the end it
    /// does nothing.
    pub fn cancel(&self) {
        if self.outcome.is_none() {
            // Gone is the one way to fail, and then there is nothing left to cancel.
            self.shared
                .with(|inner, now| inner.machine.cancel(now, self.key))
                .ok();
        }
    }

    /// The same, and a bound for what the agent makes of it: a turn that has not ended when `grace` is
    /// over ends by a deadline, which [`next`](Self::next) gives behind everything that came before.
    /// What follows is the host's choice: drop the turn and leave the agent to it, close the session,
    /// or close the client. Called again it may bring the bound nearer, and never further away.
    pub fn cancel_within(&self, grace: Duration) {
        if self.outcome.is_none() {
            // Gone is the one way to fail, and then there is nothing left to cancel.
            self.shared
                .with(|inner, now| inner.machine.cancel_within(now, self.key, grace))
                .ok();
        }
    }

    /// What the turn came to; `None` before its end.
    #[must_use]
    pub const fn outcome(&self) -> Option<&TurnOutcome> {
        self.outcome.as_ref()
    }

    /// Reads to the end and gives the outcome; permission requests on the way are cancelled, since
    /// nobody is there to decide.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub async fn finish(mut self) -> Result<TurnOutcome, RequestError> {
        while self.next().await?.is_some() {}
        self.outcome
            .take()
            .ok_or(RequestError::Usage(UsageError::Gone { what: "the turn" }))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if self.outcome.is_none() {
            self.shared
                .with(|inner, now| inner.machine.give_up(now, self.key));
        }
    }
}
