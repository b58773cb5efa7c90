//! The state of one served connection, and the routing of what comes in.
//!
//! It belongs to the pump alone; handlers reach it through the queue. Nothing here waits.

mod answer;
mod ask;
mod cancel;
mod control;
mod declared;
mod delegate;
mod event;
mod inbound;
mod line;
mod option;
mod preview;
mod prompt;
mod run;
mod settle;
mod setup;
mod table;
mod task;
mod trace;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use acp_handshake::Responder;
use acp_session::{Incoming, Outgoing};
use acp_vocab::SessionId;
use tokio::{
    sync::mpsc,
    task::{AbortHandle, JoinSet},
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use self::{ask::Asking, event::Joined};
use crate::{
    bell::Bell,
    command::{Command, RequestKey},
    host::Host,
    outbox::Outbox,
    report::Report,
    session::Session,
    shared::Shared,
};

pub(crate) struct Connection {
    host: Host,
    responder: Responder,
    /// Once a version was agreed.
    shared: Option<Arc<Shared>>,
    queue: mpsc::Sender<Command>,
    pub(crate) outbox: Outbox,
    /// Requests of the client that are being handled.
    requests: Incoming<RequestKey, Pending>,
    next_request: RequestKey,
    /// Questions to the client.
    asks: Outgoing<Asking>,
    sessions: BTreeMap<SessionId, Session>,
    /// Sessions that are being opened, for the first time or again.
    opening: BTreeSet<SessionId>,
    /// Handlers; their number is bounded by the requests.
    pub(crate) tasks: JoinSet<()>,
    /// Handlers that were abandoned and may still be on their way out.
    abandoned: Vec<AbortHandle>,
    /// Text that waits for more of the same message.
    joined: Option<Joined>,
    next_run: u64,
    /// The client has had a prompt accepted.
    proven: bool,
    bytes: u64,
    messages: u64,
    /// A handle was dropped, and the client has to be told.
    pub(crate) dropped: Arc<Bell>,
    /// Cancelled when the connection ends: everything of a session hangs below it.
    gone: CancellationToken,
    pub(crate) report: Report,
}

/// A request of the client that is being handled.
#[derive(Debug)]
pub(crate) struct Pending {
    /// The handler; a prompt's is in its session.
    task: Option<AbortHandle>,
    /// The session that it opens.
    opens: Option<SessionId>,
    /// Bytes of its params.
    bytes: usize,
    /// The session that it names, where traces are kept.
    session: Option<SessionId>,
}

impl Connection {
    pub(crate) fn new(host: Host, queue: mpsc::Sender<Command>) -> Self {
        Self {
            responder: Responder::new(host.versions),
            host,
            shared: None,
            queue,
            outbox: Outbox::default(),
            requests: Incoming::default(),
            next_request: 0,
            asks: Outgoing::default(),
            sessions: BTreeMap::new(),
            opening: BTreeSet::new(),
            tasks: JoinSet::new(),
            abandoned: Vec::new(),
            joined: None,
            next_run: 0,
            proven: false,
            bytes: 0,
            messages: 0,
            dropped: Arc::default(),
            gone: CancellationToken::new(),
            report: Report::default(),
        }
    }

    /// Whether more of the client's messages may be taken: their answers have to go somewhere.
    pub(crate) fn wants_input(&self) -> bool {
        self.outbox.pending().len() <= self.host.config.answers
    }

    /// Whether the next command of the queue may be taken: the pipe has the event before it.
    pub(crate) const fn wants_command(&self) -> bool {
        self.outbox.took_event()
    }

    /// Whether nothing is left to be done for anybody.
    pub(crate) fn is_quiet(&self) -> bool {
        self.tasks.is_empty() && self.outbox.is_idle() && self.joined.is_none()
    }

    /// How many handlers are left that nobody has given up yet.
    pub(crate) fn left_behind(&self) -> usize {
        let known = self.abandoned.iter().filter(|task| !task.is_finished());
        self.tasks.len().saturating_sub(known.count())
    }

    /// When something has to be done, if nothing comes.
    pub(crate) fn wakes_at(&self) -> Option<Instant> {
        let turns = self
            .sessions
            .values()
            .filter_map(|session| session.running.as_ref()?.wakes_at());
        let joined = self
            .joined
            .as_ref()
            .filter(|_| self.outbox.took_event())
            .map(|joined| joined.due);
        turns.chain(joined).min()
    }

    /// Does what is due.
    pub(crate) fn handle_time(&mut self, now: Instant) {
        self.flush_joined_if_due(now);
        let due: Vec<SessionId> = self
            .sessions
            .iter()
            .filter(|(_, session)| {
                session
                    .running
                    .as_ref()
                    .and_then(crate::session::Running::wakes_at)
                    .is_some_and(|at| at <= now)
            })
            .map(|(id, _)| id.clone())
            .collect();
        for id in due {
            self.turn_is_due(now, &id);
        }
    }

    /// A turn has taken too long, or its clean-up has.
    fn turn_is_due(&mut self, now: Instant, id: &SessionId) {
        let cleanup = self.host.config.cleanup;
        let Some(running) = self
            .sessions
            .get_mut(id)
            .and_then(|session| session.running.as_mut())
        else {
            return;
        };
        if running.cleanup.is_none() {
            running.timed_out = true;
            running.stop(now, cleanup);
        } else {
            self.abandon(now, id);
        }
    }
}
