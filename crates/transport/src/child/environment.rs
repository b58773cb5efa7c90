//! The environment of a child: what it inherits, and what is changed.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fmt,
    process::Command,
};

/// Inherit or start empty, then set and remove.
#[derive(Clone, Default)]
pub(super) struct Environment {
    cleared: bool,
    /// `None` removes the variable.
    changes: BTreeMap<OsString, Option<OsString>>,
}

impl Environment {
    pub(super) fn clear(&mut self) {
        self.cleared = true;
        self.changes.clear();
    }

    pub(super) fn change(&mut self, name: OsString, value: Option<OsString>) {
        self.changes.insert(name, value);
    }

    /// The value that the child will see.
    pub(super) fn value(&self, name: &OsStr) -> Option<OsString> {
        match self.changes.get(name) {
            Some(change) => change.clone(),
            None if self.cleared => None,
            None => std::env::var_os(name),
        }
    }

    pub(super) fn apply(&self, command: &mut Command) {
        if self.cleared {
            command.env_clear();
        }
        for (name, value) in &self.changes {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
    }
}

impl fmt::Debug for Environment {
    /// Names only: values are secrets until proven otherwise.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment")
            .field("cleared", &self.cleared)
            .field("changed", &self.changes.keys().collect::<Vec<_>>())
            .finish()
    }
}
