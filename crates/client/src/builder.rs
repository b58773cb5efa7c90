//! Building a client: who it is, what it can do, and the link it drives.

use std::{fmt, sync::Arc};

use acp_handshake::{Ability, Declaration, Negotiation, Offer, OfferError, SPOKEN};
use acp_session::{Config, Connection, Limits};
use acp_transport::Link;
use acp_vocab::{Implementation, ProtocolVersion};

use crate::{
    client::Client, error::ConnectError, handler::Handler, handlers::Handlers, pump::Pump,
    shared::Shared,
};

/// Collects what a client is made of. Made by [`Client::builder`].
#[derive(Clone)]
#[must_use = "a builder does nothing until it connects"]
pub struct ClientBuilder {
    info: Implementation,
    versions: Vec<ProtocolVersion>,
    handlers: Vec<Arc<dyn Handler>>,
    pulled: Declaration,
    config: Config,
    keep_state: bool,
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("info", &self.info)
            .field("versions", &self.versions)
            .field("handlers", &self.handlers.len())
            .finish_non_exhaustive()
    }
}

impl ClientBuilder {
    pub(crate) fn new(info: Implementation) -> Self {
        Self {
            info,
            versions: SPOKEN.to_vec(),
            handlers: Vec::new(),
            pulled: Declaration::none(),
            config: Config::default(),
            keep_state: false,
        }
    }

    /// A name for people, beside the machine's name.
    pub fn title(mut self, title: &str) -> Self {
        self.info.title = Some(title.into());
        self
    }

    /// The protocol versions to offer; all that can be spoken by default.
    pub fn versions(mut self, versions: impl IntoIterator<Item = ProtocolVersion>) -> Self {
        self.versions = versions.into_iter().collect();
        self
    }

    /// Registers a handler; its abilities are declared to the agent.
    pub fn handler(mut self, handler: impl Handler) -> Self {
        self.handlers.push(Arc::new(handler));
        self
    }

    /// Declares an ability whose requests the host pulls itself: they arrive as
    /// [`Event::Inquiry`](crate::Event::Inquiry) with a responder inside.
    pub fn pull(mut self, ability: Ability) -> Self {
        self.pulled = self.pulled.with(ability);
        self
    }

    /// Replaces the bounds on what the agent may make us hold.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.config.limits = limits;
        self
    }

    /// Whether known updates carry their raw JSON too; unknown ones always do. It costs a copy of
    /// every update.
    pub fn keep_raw(mut self, keep: bool) -> Self {
        self.config.keep_raw = keep;
        self
    }

    /// Whether what is said in a session is kept as its current state, for
    /// [`Session::state`](crate::Session::state). It costs a copy of every event, bounded by
    /// [`ConversationLimits`](acp_session::ConversationLimits) for each session.
    pub fn keep_state(mut self, keep: bool) -> Self {
        self.keep_state = keep;
        self
    }

    /// Whether an update or a request for a session that was never open ends the connection, instead of
    /// being dropped or refused, and whether an update has to name its session. What comes for a
    /// session that is over is dropped or refused in any case.
    pub fn strict_sessions(mut self, strict: bool) -> Self {
        self.config.strict_sessions = strict;
        self
    }

    /// What will be declared to the agent.
    #[must_use]
    pub fn declaration(&self) -> Declaration {
        let declared = self
            .handlers
            .iter()
            .flat_map(|handler| handler.declares().iter());
        self.pulled.iter().chain(declared).collect()
    }

    /// Drives a link, by a pump that is spawned on the current runtime.
    ///
    /// # Errors
    /// [`ConnectError`] when the versions cannot be offered or two handlers answer one method.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn connect(self, link: impl Into<Link>) -> Result<Client, ConnectError> {
        let (client, pump) = self.connect_with_pump(link)?;
        drop(tokio::spawn(pump));
        Ok(client)
    }

    /// Drives a link by a pump that the caller polls, inside a tokio runtime.
    ///
    /// # Errors
    /// [`ConnectError`] when the versions cannot be offered or two handlers answer one method.
    pub fn connect_with_pump(
        mut self,
        link: impl Into<Link>,
    ) -> Result<(Client, Pump), ConnectError> {
        let link = link.into();
        let negotiation = Negotiation::new(self.offer()?);
        let mut handlers = Handlers::default();
        for handler in self.handlers.drain(..) {
            handlers.register(handler)?;
        }
        self.config.expects_exit = link.peer().process().is_some();
        let grace = self.config.limits.exit_grace;
        let mut machine = Connection::new(self.config);
        for method in handlers.methods() {
            machine.register(method, true);
        }
        for method in self.pulled.methods() {
            machine.register(method.name(), false);
        }
        let shared = Shared::new(machine, self.keep_state);
        let (pump, done) = Pump::new(Arc::clone(&shared), link, handlers, grace);
        Ok((Client::new(shared, negotiation, done), pump))
    }

    fn offer(&self) -> Result<Offer, OfferError> {
        let offer = Offer::new(self.versions.iter().copied(), self.info.clone())?;
        Ok(offer.declare(self.declaration()))
    }
}
