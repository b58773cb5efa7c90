//! The client: one connection to one agent.

use std::sync::{Arc, Mutex, PoisonError};

use acp_handshake::{Agreement, Answer, Negotiation, Step};
use acp_session::{CallError, ConnectionError, Counters, Diagnostic, Protocol, Scope, WaitKey};
use acp_transport::Ended;
use acp_vocab::{Implementation, Method, Raw, SessionId};
use serde::Serialize;
use tokio::sync::watch;

use crate::{
    budget::Budget,
    builder::ClientBuilder,
    error::{InitializeError, RequestError},
    load::LoadSession,
    open::NewSession,
    request::PendingRequest,
    requester::Requester,
    shared::Shared,
    stream::ClientEvents,
    waiter::Waiter,
};

/// One connection to one agent.
///
/// Cheap to clone; dropping the last clone ends the connection: open questions are answered, what
/// is pending is flushed, and the agent goes down the shutdown ladder in the background. A
/// [`Session`](crate::Session) or a [`Turn`](crate::Turn) does not keep it alive.
#[derive(Clone, Debug)]
pub struct Client {
    owner: Arc<Owner>,
}

#[derive(Debug)]
struct Owner {
    requester: Requester,
    negotiation: Mutex<Negotiation>,
    done: watch::Receiver<Option<Ended>>,
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.requester
            .shared
            .with(|inner, now| inner.machine.close(now));
    }
}

impl Client {
    /// Starts building a client: the name and version that the agent is told.
    pub fn builder(name: impl Into<Box<str>>, version: impl Into<Box<str>>) -> ClientBuilder {
        ClientBuilder::new(Implementation::new(name, version))
    }

    pub(crate) fn new(
        shared: Arc<Shared>,
        negotiation: Negotiation,
        done: watch::Receiver<Option<Ended>>,
    ) -> Self {
        let requester = Requester { shared };
        let negotiation = Mutex::new(negotiation);
        Self {
            owner: Arc::new(Owner {
                requester,
                negotiation,
                done,
            }),
        }
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.owner.requester.shared
    }

    /// Agrees on a version, within the default bounds (idle 120 s, absolute 10 min).
    ///
    /// It starts no session and no tool.
    ///
    /// # Errors
    /// [`InitializeError`]: no agreement, or no answer.
    pub async fn initialize(&self) -> Result<Arc<Agreement>, InitializeError> {
        self.initialize_within(&Budget::defaults()).await
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// [`InitializeError`]: no agreement, or no answer.
    pub async fn initialize_within(
        &self,
        budget: &Budget,
    ) -> Result<Arc<Agreement>, InitializeError> {
        loop {
            let offered = self.negotiate(|negotiation| negotiation.offer().params());
            let params = offered.map_err(|_| InitializeError::Encode)?;
            tracing::debug!(method = "initialize", "request");
            let key = self.shared().with(|inner, now| {
                let (scope, clock) = (Scope::Connection, budget.for_call());
                inner
                    .machine
                    .request(now, Method::INITIALIZE.name(), &params, scope, clock)
            })?;
            let mut pending = PendingRequest::new(Arc::clone(self.shared()), key);
            let reply = pending.reply().await?;
            let answer = match &reply {
                Ok(reply) => Answer::Result(&reply.result),
                Err(CallError::Refused { error, .. }) => Answer::Error(error),
                Err(CallError::Connection { .. }) => Answer::Ended,
                Err(CallError::Protocol(_)) => Answer::Broken,
                Err(CallError::Deadline(_)) if self.negotiate(|n| n.is_repeating()) => {
                    Answer::Broken
                }
                Err(error) => return Err(error.clone().into()),
            };
            match self.negotiate(|negotiation| negotiation.step(answer)) {
                Step::Speak(agreement) => return self.agree(Arc::from(agreement)),
                Step::Repeat => {}
                Step::Refuse(error) => {
                    return Err(match reply {
                        // What the agent said is in the refusal; what became of the call is not.
                        Err(CallError::Refused { .. }) | Ok(_) => error.into(),
                        Err(error) => error.into(),
                    });
                }
                Step::Restart | _ => {
                    let cause = reply.err().map(Box::new);
                    return Err(InitializeError::NeedsFreshLink { cause });
                }
            }
        }
    }

    fn negotiate<T>(&self, act: impl FnOnce(&mut Negotiation) -> T) -> T {
        act(&mut self
            .owner
            .negotiation
            .lock()
            .unwrap_or_else(PoisonError::into_inner))
    }

    fn agree(&self, agreement: Arc<Agreement>) -> Result<Arc<Agreement>, InitializeError> {
        let version = agreement.version();
        let closes = agreement.require(Method::SESSION_CLOSE).is_ok();
        tracing::debug!(version = version.0, "agreed");
        self.shared().with(|inner, _| {
            inner
                .machine
                .agree(Protocol::new(version).closes_sessions(closes))?;
            inner.agreement = Some(Arc::clone(&agreement));
            Ok(agreement)
        })
    }

    /// What was agreed, once it was.
    #[must_use]
    pub fn agreement(&self) -> Option<Arc<Agreement>> {
        self.shared().agreement()
    }

    /// A new session in `cwd`, an absolute path.
    pub fn new_session(&self, cwd: impl Into<Box<str>>) -> NewSession {
        NewSession::new(self.clone(), None, cwd.into())
    }

    /// A new session in `cwd` that starts from a copy of another one's history. The history is
    /// not replayed.
    pub fn fork(&self, session: impl Into<SessionId>, cwd: impl Into<Box<str>>) -> NewSession {
        NewSession::new(self.clone(), Some(session.into()), cwd.into())
    }

    /// A session that the agent has stored, in `cwd`, an absolute path.
    pub fn load(&self, session: impl Into<SessionId>, cwd: impl Into<Box<str>>) -> LoadSession {
        LoadSession::new(self.clone(), session.into(), cwd.into(), true)
    }

    /// A session that the agent has stored, without a replay of its history.
    pub fn resume(&self, session: impl Into<SessionId>, cwd: impl Into<Box<str>>) -> LoadSession {
        LoadSession::new(self.clone(), session.into(), cwd.into(), false)
    }

    /// Sends a request of any method and waits for its answer: see [`Requester::call`].
    ///
    /// # Errors
    /// [`RequestError`]: refused locally, or no result.
    pub async fn call(
        &self,
        method: &str,
        params: &(impl Serialize + ?Sized),
    ) -> Result<Raw, RequestError> {
        self.owner.requester.call(method, params).await
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// [`RequestError`]: refused locally, or no result.
    pub async fn call_within(
        &self,
        method: &str,
        params: &(impl Serialize + ?Sized),
        budget: &Budget,
    ) -> Result<Raw, RequestError> {
        self.owner
            .requester
            .call_within(method, params, budget)
            .await
    }

    /// Sends a request and does not wait: see [`Requester::send_request`].
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] and [`RequestError::Usage`]; nothing was sent then.
    pub fn send_request(
        &self,
        method: &str,
        params: &(impl Serialize + ?Sized),
        budget: &Budget,
    ) -> Result<PendingRequest, RequestError> {
        self.owner.requester.send_request(method, params, budget)
    }

    /// Sends requests without owning the connection.
    #[must_use]
    pub fn requester(&self) -> &Requester {
        &self.owner.requester
    }

    /// What belongs to no session, from now on. It can be taken once; before that, and after it
    /// was dropped, such events are drained and counted.
    ///
    /// # Errors
    /// [`acp_session::UsageError::Gone`] while somebody has it.
    pub fn events(&self) -> Result<ClientEvents, acp_session::UsageError> {
        ClientEvents::take(Arc::clone(self.shared()))
    }

    /// Ends the connection: open questions are answered, what is pending is flushed for at most a
    /// second, the agent's input is closed, and it goes down the shutdown ladder. Returns when it
    /// is gone. Queued events stay readable.
    pub async fn close(&self) -> Ended {
        self.shared().with(|inner, now| inner.machine.close(now));
        self.gone().await
    }

    /// Waits until the connection has ended and the agent is gone, by whomever it was ended.
    pub async fn gone(&self) -> Ended {
        let mut done = self.owner.done.clone();
        match done.wait_for(Option::is_some).await {
            Ok(ended) => ended.clone().unwrap_or_else(Ended::eof),
            Err(_) => Ended::eof(),
        }
    }

    /// Whether the connection has not ended, as far as is known by now.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.shared().read(|inner| inner.machine.closed().is_none())
    }

    /// Waits until the connection has ended, and says how. The agent may still be on its way out.
    pub async fn closed(&self) -> ConnectionError {
        Waiter::new(self.shared())
            .wait(WaitKey::Closed, |machine, _| machine.closed().cloned())
            .await
    }

    /// What was counted so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.shared().read(|inner| inner.machine.counters())
    }

    /// Lines of the agent that were no messages, by kind.
    #[must_use]
    pub fn skipped(&self) -> acp_codec::SkipCounts {
        self.shared().read(|inner| *inner.machine.skipped())
    }

    /// The beginnings of some of those lines. The agent's text.
    #[must_use]
    pub fn samples(&self) -> Vec<acp_codec::Sample> {
        self.shared().read(|inner| inner.machine.samples().to_vec())
    }

    /// The latest faults of the agent that harmed nothing else, latest last.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.shared()
            .read(|inner| inner.machine.diagnostics().iter().cloned().collect())
    }

    /// How many such faults there were, the ones that are not kept any more included.
    #[must_use]
    pub fn diagnostics_total(&self) -> u64 {
        self.shared()
            .read(|inner| inner.machine.diagnostics().total())
    }

    /// Bytes of events that nobody has read yet, over all streams.
    #[must_use]
    pub fn unread_bytes(&self) -> usize {
        self.shared().read(|inner| inner.machine.unread_bytes())
    }
}
