//! What `cargo metadata` says, as far as we ask.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// The answer of `cargo metadata`.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    /// Our packages, and with dependencies asked for, everything in the lock file.
    pub(crate) packages: Vec<Package>,
}

/// One package.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
    /// SPDX expression.
    pub(crate) license: Option<String>,
    /// One line for the registry.
    pub(crate) description: Option<String>,
    /// Where it was fetched from; absent for our own.
    pub(crate) source: Option<String>,
    /// Registries it may go to; an empty list means none.
    pub(crate) publish: Option<Vec<String>>,
    /// Direct dependencies.
    pub(crate) dependencies: Vec<Dependency>,
    /// Feature names and what they turn on.
    pub(crate) features: std::collections::BTreeMap<String, Vec<String>>,
    /// Absolute path of its `Cargo.toml`.
    pub(crate) manifest_path: String,
}

/// One direct dependency.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    /// Package name.
    pub(crate) name: String,
    /// Version requirement; `*` when none is written.
    pub(crate) req: String,
    /// `dev`, `build`, or absent for a normal one.
    pub(crate) kind: Option<String>,
    /// Whether a feature turns it on.
    pub(crate) optional: bool,
    /// Folder, for a dependency of ours.
    pub(crate) path: Option<String>,
}

impl Package {
    /// Whether it may be published.
    pub(crate) fn is_publishable(&self) -> bool {
        self.publish
            .as_ref()
            .is_none_or(|registries| !registries.is_empty())
    }

    /// Whether it is a member of this workspace.
    pub(crate) fn is_ours(&self) -> bool {
        self.source.is_none()
    }
}

/// Our own packages, without their dependencies' packages. Needs no network.
pub(crate) fn members(root: &Path) -> Result<Metadata> {
    read(root, &["--no-deps"])
}

/// Everything the lock file names, for every platform. May fetch.
pub(crate) fn whole_lock(root: &Path) -> Result<Metadata> {
    read(root, &["--all-features"])
}

fn read(root: &Path, extra: &[&str]) -> Result<Metadata> {
    let output = Command::new(crate::process::cargo())
        .args(["metadata", "--format-version", "1"])
        .args(extra)
        .current_dir(root)
        .output()
        .context("starting cargo metadata")?;
    if !output.status.success() {
        bail!(
            "cargo metadata failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    serde_json::from_slice(&output.stdout).context("reading the answer of cargo metadata")
}
