//! Where the demo agent keeps its sessions: in memory, and in a directory when it is given one.

use std::{
    collections::BTreeMap,
    fs, io,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::record::Record;

/// Sessions that are kept; of more the first in order are forgotten.
const MAX_SESSIONS: usize = 1000;

#[derive(Debug)]
pub(super) struct Store {
    dir: Option<PathBuf>,
    known: Mutex<BTreeMap<String, Record>>,
}

impl Store {
    /// In memory, or in this directory, which is made when it is missing.
    pub(super) fn new(dir: Option<PathBuf>) -> io::Result<Self> {
        let mut known = BTreeMap::new();
        if let Some(dir) = &dir {
            fs::create_dir_all(dir)?;
            for entry in fs::read_dir(dir)?.take(MAX_SESSIONS) {
                let path = entry?.path();
                let id = path.file_stem().and_then(|stem| stem.to_str());
                if path.extension().is_some_and(|ext| ext == "json")
                    && let Some(id) = id
                    && let Ok(text) = fs::read_to_string(&path)
                    && let Ok(record) = serde_json::from_str(&text)
                {
                    known.insert(id.to_owned(), record);
                }
            }
        }
        Ok(Self {
            dir,
            known: Mutex::new(known),
        })
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Record>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn find(&self, id: &str) -> Option<Record> {
        self.known().get(id).cloned()
    }

    /// Every session, in the order of its id.
    pub(super) fn all(&self) -> Vec<(String, Record)> {
        let known = self.known();
        known
            .iter()
            .map(|(id, record)| (id.clone(), record.clone()))
            .collect()
    }

    /// Changes a session and writes it down. `None` when there is none.
    pub(super) fn change<T>(&self, id: &str, change: impl FnOnce(&mut Record) -> T) -> Option<T> {
        let mut known = self.known();
        let record = known.get_mut(id)?;
        let result = change(record);
        self.write(id, record);
        Some(result)
    }

    pub(super) fn put(&self, id: &str, record: Record) {
        let mut known = self.known();
        self.write(id, &record);
        known.insert(id.to_owned(), record);
        if known.len() > MAX_SESSIONS
            && let Some((id, _)) = known.pop_first()
        {
            self.unlink(&id);
        }
    }

    pub(super) fn remove(&self, id: &str) {
        if self.known().remove(id).is_some() {
            self.unlink(id);
        }
    }

    /// Whole or not at all: a new file takes the place of the old one. Only ids that the server made
    /// or that were read from the directory get here.
    fn write(&self, id: &str, record: &Record) {
        let Some(dir) = &self.dir else {
            return;
        };
        let written = serde_json::to_vec(record)
            .map_err(io::Error::from)
            .and_then(|text| {
                let new = dir.join(format!("{id}.new"));
                fs::write(&new, text)?;
                fs::rename(new, dir.join(format!("{id}.json")))
            });
        if let Err(error) = written {
            tracing::warn!(kind = %error.kind(), "a session could not be written down");
        }
    }

    fn unlink(&self, id: &str) {
        if let Some(dir) = &self.dir {
            // What is not there is as good as removed.
            drop(fs::remove_file(dir.join(format!("{id}.json"))));
        }
    }
}
