//! `docs/upstream-lock.json`: pinned versions and the hash of everything a row may claim.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::definition::Definitions;

/// Where it stands.
pub(super) const FILE: &str = "docs/upstream-lock.json";

/// The file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lock {
    /// The schema crate.
    pub(super) schema_crate: Pin,
    /// The npm package.
    pub(super) npm: Pin,
    /// The official Rust SDK; hashes of those source files that a row names.
    pub(super) sdk: Pin,
}

/// One package, at one version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pin {
    /// Its name in its registry.
    pub(super) package: String,
    /// The pinned version.
    pub(super) version: String,
    /// Hashes, by definition or by file.
    pub(super) hashes: BTreeMap<String, String>,
}

impl Lock {
    /// Reads the committed file.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let text = fs::read(root.join(FILE)).with_context(|| format!("reading {FILE}"))?;
        serde_json::from_slice(&text).with_context(|| format!("reading {FILE}"))
    }

    /// Writes it.
    pub(super) fn write(&self, root: &Path) -> Result<()> {
        let text = format!("{}\n", serde_json::to_string_pretty(self)?);
        fs::write(root.join(FILE), text).with_context(|| format!("writing {FILE}"))
    }
}

/// Hashes of all definitions.
pub(super) fn hashes(definitions: &Definitions) -> BTreeMap<String, String> {
    definitions
        .iter()
        .map(|(name, definition)| (name.clone(), definition.hashes()))
        .collect()
}
