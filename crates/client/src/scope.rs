//! The session of a request, as its handler sees it: where it works, and when it is over.

use std::{collections::BTreeMap, fmt, sync::Arc};

use acp_session::{AskKey, Connection, SessionKey};
use acp_vocab::SessionId;
use tokio::sync::watch;

/// Where a session works: what it was opened with.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionPlace {
    cwd: Box<str>,
    directories: Vec<Box<str>>,
}

impl SessionPlace {
    pub(crate) fn new(cwd: &str, directories: &[Box<str>]) -> Self {
        Self {
            cwd: cwd.into(),
            directories: directories.to_vec(),
        }
    }

    /// Its working directory, absolute.
    #[must_use]
    pub fn cwd(&self) -> &str {
        &self.cwd
    }

    /// Its other roots, absolute.
    #[must_use]
    pub fn directories(&self) -> &[Box<str>] {
        &self.directories
    }

    /// The working directory, then the other roots.
    pub(crate) fn roots(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&*self.cwd).chain(self.directories.iter().map(AsRef::as_ref))
    }
}

impl fmt::Debug for SessionPlace {
    /// Without the paths: debug output ends in logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionPlace")
            .field("directories", &self.directories.len())
            .finish_non_exhaustive()
    }
}

type Told = Option<Arc<SessionPlace>>;

/// The session that a request belongs to; for a request of a child session, its parent.
///
/// It outlives the request: what a handler keeps for a session is let go when
/// [`ended`](Self::ended) resolves.
#[derive(Clone, Debug)]
pub struct SessionScope {
    session: SessionId,
    told: watch::Receiver<Told>,
}

impl SessionScope {
    /// Its id.
    #[must_use]
    pub const fn session(&self) -> &SessionId {
        &self.session
    }

    /// Where it works; `None` when it is over. An agent may ask before the host has taken the
    /// answer that opened the session: this waits for that moment. Cancel-safe.
    pub async fn place(&self) -> Option<Arc<SessionPlace>> {
        let mut told = self.told.clone();
        let place = told.wait_for(Option::is_some).await.ok()?;
        place.clone()
    }

    /// Resolves when the session is over: closed, deleted, let go of by the host with its last
    /// turn, or gone with its connection. Cancel-safe.
    pub fn ended(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut told = self.told.clone();
        async move { while told.changed().await.is_ok() {} }
    }

    /// Whether the session is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.told.has_changed().is_err()
    }

    /// Whether both are the same session of the same connection.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        self.told.same_channel(&other.told)
    }
}

/// The sessions that handlers were asked for, and where each session works.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    places: BTreeMap<SessionKey, Arc<SessionPlace>>,
    handed: BTreeMap<SessionKey, watch::Sender<Told>>,
}

/// Scopes whose sessions are over. They are dropped without the lock, which tells the handlers.
#[must_use]
pub(crate) struct Over(
    #[expect(dead_code, reason = "dropping it is its use")] Vec<watch::Sender<Told>>,
);

impl Scopes {
    /// The host has a session. Places of sessions that are over are forgotten here, so the table is
    /// bounded by the open sessions.
    pub(crate) fn opened(&mut self, machine: &Connection, key: SessionKey, place: SessionPlace) {
        self.places.retain(|key, _| is_open(machine, *key));
        let place = Arc::new(place);
        if let Some(handed) = self.handed.get(&key) {
            handed.send_replace(Some(Arc::clone(&place)));
        }
        self.places.insert(key, place);
    }

    /// Where the session of a question works, when the host has that session.
    pub(crate) fn place(&self, machine: &Connection, ask: AskKey) -> Option<Arc<SessionPlace>> {
        self.places.get(&machine.ask_session(ask)?).cloned()
    }

    /// The session of a question that is handed to its handler.
    pub(crate) fn hand(&mut self, machine: &Connection, ask: AskKey) -> Option<SessionScope> {
        let key = machine.ask_session(ask)?;
        let session = machine.session_id(key)?.clone();
        let place = self.places.get(&key).cloned();
        let handed = self
            .handed
            .entry(key)
            .or_insert_with(|| watch::Sender::new(place));
        Some(SessionScope {
            session,
            told: handed.subscribe(),
        })
    }

    /// Takes out what is over. Nearly free for a connection without handlers.
    pub(crate) fn take_over(&mut self, machine: &Connection) -> Over {
        if self.handed.is_empty() {
            return Over(Vec::new());
        }
        let over: Vec<SessionKey> = self
            .handed
            .keys()
            .copied()
            .filter(|key| machine.ended().is_some() || !is_open(machine, *key))
            .collect();
        Over(
            over.iter()
                .filter_map(|key| self.handed.remove(key))
                .collect(),
        )
    }
}

fn is_open(machine: &Connection, key: SessionKey) -> bool {
    machine
        .session_id(key)
        .is_some_and(|id| machine.session_key(id.as_str()) == Some(key))
}
