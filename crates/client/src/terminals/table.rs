//! The terminals that there are, by their ids, within a bound for each session.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use acp_vocab::TerminalId;
use tokio::sync::watch;

use crate::scope::SessionScope;

use super::running::Running;

/// All terminals of a handler, which may serve several connections.
#[derive(Debug, Default)]
pub(super) struct Table {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// In the order of their making.
    rows: BTreeMap<u64, Row>,
    made: u64,
}

#[derive(Debug)]
struct Row {
    id: TerminalId,
    scope: SessionScope,
    /// None while it is being started.
    running: Option<Arc<Running>>,
    /// Dropped with the row, which tells its owner.
    _taken: watch::Sender<()>,
}

impl Table {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn len(&self) -> usize {
        self.lock().rows.len()
    }

    /// A place for one more terminal of a session. With `most` there, the oldest one that has ended
    /// makes room; when none has, there is no place.
    pub(super) fn reserve(this: &Arc<Self>, scope: &SessionScope, most: usize) -> Option<Slot> {
        let mut inner = this.lock();
        let mine = || inner.rows.iter().filter(|(_, row)| row.scope.is(scope));
        let dropped = if mine().count() < most {
            None
        } else {
            let ended = |row: &Row| row.running.as_ref().is_some_and(|r| r.ended().is_some());
            let oldest = mine().find(|(_, row)| ended(row)).map(|(key, _)| *key)?;
            inner.rows.remove(&oldest)
        };
        inner.made += 1;
        let key = inner.made;
        let id = TerminalId::new(format!("term-{key}"));
        let (taken, told) = watch::channel(());
        let row = Row {
            id: id.clone(),
            scope: scope.clone(),
            running: None,
            _taken: taken,
        };
        inner.rows.insert(key, row);
        drop(inner);
        drop(dropped);
        Some(Slot {
            table: Arc::clone(this),
            key,
            id,
            told,
        })
    }

    /// A terminal of this session.
    pub(super) fn find(&self, scope: &SessionScope, id: &TerminalId) -> Option<Arc<Running>> {
        let inner = self.lock();
        let row = inner.rows.values().find(|row| row.id == *id)?;
        row.running.clone().filter(|_| row.scope.is(scope))
    }

    /// Takes a terminal out.
    pub(super) fn remove(&self, id: &TerminalId) {
        let mut inner = self.lock();
        let key = inner
            .rows
            .iter()
            .find(|(_, row)| row.id == *id)
            .map(|(key, _)| *key);
        let row = key.and_then(|key| inner.rows.remove(&key));
        drop(inner);
        drop(row);
    }
}

/// A place in the table. Dropping it takes the terminal out.
#[derive(Debug)]
pub(super) struct Slot {
    table: Arc<Table>,
    key: u64,
    id: TerminalId,
    told: watch::Receiver<()>,
}

impl Slot {
    pub(super) const fn id(&self) -> &TerminalId {
        &self.id
    }

    /// Puts the command in, which can be found from here on.
    pub(super) fn fill(self, running: Arc<Running>) -> Self {
        if let Some(row) = self.table.lock().rows.get_mut(&self.key) {
            row.running = Some(running);
        }
        self
    }

    /// Resolves when it was taken out of the table.
    pub(super) fn taken(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut told = self.told.clone();
        async move { while told.changed().await.is_ok() {} }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let row = self.table.lock().rows.remove(&self.key);
        drop(row);
    }
}
