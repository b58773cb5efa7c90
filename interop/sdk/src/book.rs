//! What the agent knows of its sessions, whatever version is spoken.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_client_protocol::Error;
use tokio::sync::{Notify, watch};

/// Sessions on one page of a list.
const PAGE: usize = 2;
/// Sessions in a directory of this name are only for those who have logged in.
const LOCKED: &str = "locked";

/// Every session, and what belongs to none.
#[derive(Debug, Default)]
pub(crate) struct Book {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    sessions: BTreeMap<String, Record>,
    made: u64,
    logged_in: bool,
    provider: Option<String>,
}

impl Default for Inner {
    fn default() -> Self {
        Self {
            sessions: BTreeMap::new(),
            made: 0,
            logged_in: false,
            provider: Some("https://models.invalid".to_owned()),
        }
    }
}

/// One session.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) cwd: PathBuf,
    pub(crate) title: Option<String>,
    pub(crate) archived: bool,
    pub(crate) open: bool,
    pub(crate) mode: String,
    pub(crate) model: String,
    pub(crate) brief: bool,
    /// What it was opened with, in words.
    pub(crate) given: String,
    pub(crate) said: Vec<Said>,
    /// Counts the cancels.
    stop: Arc<watch::Sender<u64>>,
    /// Prompts go through it one after the other, in their order.
    pub(crate) gate: Arc<tokio::sync::Mutex<()>>,
    /// What can be cancelled by itself at the moment.
    pub(crate) detached: BTreeSet<String>,
    pub(crate) let_go: Arc<Notify>,
}

/// One thing that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    User(String),
    Thought(String),
    Agent(String),
}

impl Record {
    pub(crate) fn new(cwd: &Path) -> Self {
        Self {
            cwd: cwd.to_owned(),
            title: None,
            archived: false,
            open: true,
            mode: "ask".to_owned(),
            model: "small".to_owned(),
            brief: false,
            given: String::new(),
            said: Vec::new(),
            stop: Arc::new(watch::Sender::new(0)),
            gate: Arc::default(),
            detached: BTreeSet::new(),
            let_go: Arc::default(),
        }
    }

    /// Cancels from now on.
    pub(crate) fn stop(&self) -> watch::Receiver<u64> {
        self.stop.subscribe()
    }

    pub(crate) fn cancel(&self) {
        self.stop.send_modify(|count| *count += 1);
    }
}

/// Some sessions with their ids, and where the next page starts.
pub(crate) type Page = (Vec<(String, Record)>, Option<String>);

/// Which sessions a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Archived {
    Exclude,
    Include,
    Only,
}

impl Book {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes down what a session was opened with.
    pub(crate) fn give(&self, id: &str, given: String) -> Result<(), Error> {
        self.change(id, |record| record.given = given)
    }

    pub(crate) fn log(&self, in_: bool) {
        self.inner().logged_in = in_;
    }

    pub(crate) fn is_logged_in(&self) -> bool {
        self.inner().logged_in
    }

    pub(crate) fn provider(&self) -> Option<String> {
        self.inner().provider.clone()
    }

    pub(crate) fn set_provider(&self, url: Option<String>) {
        self.inner().provider = url;
    }

    /// A number that was not given out before.
    pub(crate) fn number(&self) -> u64 {
        let mut inner = self.inner();
        inner.made += 1;
        inner.made
    }

    fn admit(&self, cwd: &Path) -> Result<(), Error> {
        if !cwd.is_absolute() {
            return Err(Error::invalid_params());
        }
        if cwd.ends_with(LOCKED) && !self.is_logged_in() {
            return Err(Error::auth_required());
        }
        Ok(())
    }

    pub(crate) fn create(&self, cwd: &Path) -> Result<(String, Record), Error> {
        self.admit(cwd)?;
        let id = format!("session-{}", self.number());
        let record = Record::new(cwd);
        self.inner().sessions.insert(id.clone(), record.clone());
        Ok((id, record))
    }

    pub(crate) fn fork(&self, from: &str, cwd: &Path) -> Result<(String, Record), Error> {
        let source = self.find(from)?;
        let (id, _) = self.create(cwd)?;
        let record = self.change(&id, |record| {
            record.said = source.said;
            record.model = source.model;
            record.clone()
        })?;
        Ok((id, record))
    }

    pub(crate) fn reopen(&self, id: &str, cwd: &Path) -> Result<Record, Error> {
        self.admit(cwd)?;
        let record = self.find(id)?;
        if record.cwd != cwd {
            return Err(Error::invalid_params());
        }
        self.change(id, |record| {
            record.open = true;
            record.clone()
        })
    }

    pub(crate) fn find(&self, id: &str) -> Result<Record, Error> {
        self.inner()
            .sessions
            .get(id)
            .cloned()
            .ok_or_else(|| unknown(id))
    }

    /// A session that is open, as a prompt and everything like it needs one.
    pub(crate) fn find_open(&self, id: &str) -> Result<Record, Error> {
        self.find(id).and_then(|record| {
            if record.open {
                Ok(record)
            } else {
                Err(unknown(id))
            }
        })
    }

    pub(crate) fn change<T>(
        &self,
        id: &str,
        change: impl FnOnce(&mut Record) -> T,
    ) -> Result<T, Error> {
        self.inner()
            .sessions
            .get_mut(id)
            .map(change)
            .ok_or_else(|| unknown(id))
    }

    pub(crate) fn remember(&self, id: &str, said: Said) {
        // A session that was deleted meanwhile has nothing to remember.
        drop(self.change(id, |record| record.said.push(said)));
    }

    pub(crate) fn close(&self, id: &str) -> Result<(), Error> {
        self.change(id, |record| {
            record.open = false;
            record.cancel();
        })
    }

    pub(crate) fn delete(&self, id: &str) {
        if let Some(record) = self.inner().sessions.remove(id) {
            record.cancel();
        }
    }

    /// One page, and where the next one starts.
    pub(crate) fn page(
        &self,
        cwd: Option<&Path>,
        archived: Archived,
        cursor: Option<&str>,
    ) -> Result<Page, Error> {
        let from: usize = match cursor {
            None => 0,
            Some(cursor) => cursor.parse().map_err(|_| Error::invalid_params())?,
        };
        let inner = self.inner();
        let matching: Vec<_> = inner
            .sessions
            .iter()
            .filter(|(_, record)| cwd.is_none_or(|cwd| cwd == record.cwd))
            .filter(|(_, record)| match archived {
                Archived::Exclude => !record.archived,
                Archived::Include => true,
                Archived::Only => record.archived,
            })
            .map(|(id, record)| (id.clone(), record.clone()))
            .collect();
        let next = (from + PAGE < matching.len()).then(|| (from + PAGE).to_string());
        Ok((matching.into_iter().skip(from).take(PAGE).collect(), next))
    }
}

fn unknown(id: &str) -> Error {
    Error::new(-32002, "Resource not found").data(serde_json::json!({ "sessionId": id }))
}
