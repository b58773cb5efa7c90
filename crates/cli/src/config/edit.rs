//! Agents put into a config file and taken out of it. What else a person wrote there stays as it is, comments and order included.

use std::{collections::BTreeMap, io, path::Path};

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::{
    file::{self, File},
    origin::Layer,
    replace,
};
use crate::{hiargs::Misuse, place};

/// An agent as it is added.
#[derive(Debug)]
pub(crate) struct New<'a> {
    pub(crate) name: &'a str,
    pub(crate) command: &'a [String],
    pub(crate) env: &'a BTreeMap<String, String>,
    pub(crate) install: Option<&'a str>,
}

/// A config file that is edited.
#[derive(Debug)]
pub(crate) struct Edited<'a> {
    path: &'a Path,
    document: DocumentMut,
}

impl<'a> Edited<'a> {
    /// Reads it; one that is not there is empty. One that cannot be used is not edited.
    pub(crate) fn open(path: &'a Path) -> Result<Self, Misuse> {
        let bytes = match file::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(file::unreadable(path, &error)),
        };
        File::parse(path, &bytes, Layer::User)?;
        let document = String::from_utf8_lossy(&bytes).parse();
        let document = document
            .map_err(|_| Misuse::new(format!("{} cannot be edited", place::shown(path))))?;
        Ok(Self { path, document })
    }

    /// Whether it says anything about this agent.
    pub(crate) fn has(&self, name: &str) -> bool {
        let agents = self.document.get("agents").and_then(Item::as_table_like);
        agents.is_some_and(|agents| agents.contains_key(name))
    }

    /// Whether it says how this agent is started.
    pub(crate) fn starts(&self, name: &str) -> bool {
        let agents = self.document.get("agents");
        let entry = agents.and_then(|agents| agents.get(name));
        entry.is_some_and(|entry| entry.get("command").is_some())
    }

    /// Adds an agent. Settings that stand there for an agent of this name stay; its command and what belongs to that is replaced.
    pub(crate) fn add(&mut self, new: &New<'_>) {
        let mut implicit = Table::new();
        implicit.set_implicit(true);
        let agents = self
            .document
            .entry("agents")
            .or_insert(Item::Table(implicit));
        let Some(agents) = agents.as_table_like_mut() else {
            return;
        };
        if !agents.contains_key(new.name) {
            agents.insert(new.name, Item::Table(Table::new()));
        }
        let Some(entry) = agents.get_mut(new.name).and_then(Item::as_table_like_mut) else {
            return;
        };
        let command = new.command.iter().collect::<Array>();
        let env = new.env.iter().collect::<InlineTable>();
        put(entry, "command", Some(command.into()));
        put(entry, "env", (!new.env.is_empty()).then(|| env.into()));
        put(entry, "install", new.install.map(Into::into));
    }

    /// Takes out what it says about an agent. A comment that stands apart above it stays.
    pub(crate) fn remove(&mut self, name: &str) {
        let agents = self
            .document
            .get_mut("agents")
            .and_then(Item::as_table_like_mut);
        let Some(removed) = agents.and_then(|agents| agents.remove(name)) else {
            return;
        };
        let Some(table) = removed.as_table() else {
            return;
        };
        let above = table.decor().prefix().and_then(|raw| raw.as_str());
        let apart = apart(above.unwrap_or_default());
        if apart.is_empty() {
            return;
        }
        let mut next = None;
        following(self.document.as_table_mut(), table.position(), &mut next);
        match next {
            Some((_, table)) => {
                let prefix = table.decor().prefix().and_then(|raw| raw.as_str());
                let prefix = format!("{apart}{}", prefix.unwrap_or_default());
                table.decor_mut().set_prefix(prefix);
            }
            None => {
                let trailing = self.document.trailing().as_str().unwrap_or_default();
                let trailing = format!("{apart}{trailing}");
                self.document.set_trailing(trailing);
            }
        }
    }

    /// Writes it, if it still can be used.
    pub(crate) fn save(&self) -> Result<(), Misuse> {
        let text = self.document.to_string();
        File::parse(self.path, text.as_bytes(), Layer::User)?;
        replace::replace(self.path, text.as_bytes()).map_err(|error| {
            Misuse::new(format!(
                "{} cannot be written: {error}",
                place::shown(self.path)
            ))
        })
    }
}

/// Puts a value in the place of what was there, whose comment stays; or takes that out.
fn put(entry: &mut dyn TableLike, key: &str, new: Option<Value>) {
    let Some(mut new) = new else {
        entry.remove(key);
        return;
    };
    if let Some(before) = entry.get(key).and_then(Item::as_value) {
        *new.decor_mut() = before.decor().clone();
    }
    entry.insert(key, Item::Value(new));
}

/// What stands above a table and is not about it: everything up to the last empty line.
fn apart(above: &str) -> &str {
    let end = above.rfind("\n\n").map_or(0, |at| at + 1);
    let apart = above.get(..end).unwrap_or_default();
    if apart.trim().is_empty() { "" } else { apart }
}

/// The first table that is written behind this position.
fn following<'t>(
    table: &'t mut Table,
    position: Option<isize>,
    next: &mut Option<(isize, &'t mut Table)>,
) {
    for (_, item) in table.iter_mut() {
        let Item::Table(child) = item else { continue };
        let place = child.position();
        let is_next = place > position && next.as_ref().is_none_or(|(best, _)| place < Some(*best));
        if let (true, false, Some(place)) = (is_next, child.is_implicit(), place) {
            *next = Some((place, child));
        } else {
            following(child, position, next);
        }
    }
}

#[cfg(test)]
mod tests;
