//! Where a value comes from.

use std::{fmt, path::Path, rc::Rc};

use serde::Serialize;

use super::table::{Setting, Value};
use crate::place;

/// A layer, the lowest first. Flags lie above all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Layer {
    /// The config file of the user.
    User,
    /// The file of the directory, once it is trusted.
    Project,
    /// The environment.
    Environment,
}

/// Where a value was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    File {
        layer: Layer,
        path: Rc<Path>,
        line: usize,
    },
    /// In this variable.
    Variable(String),
}

/// A setting that was given somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) setting: &'static Setting,
    pub(crate) value: Value,
    pub(crate) origin: Origin,
}

impl Origin {
    /// The layer in which it lies.
    pub(crate) fn layer(&self) -> Layer {
        match self {
            Self::File { layer, .. } => *layer,
            Self::Variable(_) => Layer::Environment,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, line, .. } => write!(f, "{}:{line}", place::shown(path)),
            Self::Variable(name) => f.write_str(name),
        }
    }
}
