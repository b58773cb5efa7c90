//! Installs a pinned agent from npm, each in a folder of its own, unless it is there already.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Agent;
use crate::process;

/// The program to start, after installing it below `prefix` if need be.
pub(crate) fn program(agent: &Agent, prefix: &Path) -> Result<PathBuf> {
    let folder = prefix.join(agent.name);
    if installed_version(agent, &folder).as_deref() != Some(agent.version) {
        fs::create_dir_all(&folder)?;
        let package = format!("{}@{}", agent.package, agent.version);
        process::run(
            Command::new("npm")
                .args([
                    "install",
                    "--no-audit",
                    "--no-fund",
                    "--loglevel=error",
                    "--prefix",
                ])
                .arg(&folder)
                .arg(&package),
        )?;
    }
    match installed_version(agent, &folder) {
        Some(version) if version == agent.version => {}
        version => bail!(
            "npm left {} at {version:?}, not {}",
            agent.package,
            agent.version
        ),
    }
    Ok(folder.join("node_modules/.bin").join(agent.program))
}

fn installed_version(agent: &Agent, folder: &Path) -> Option<String> {
    let manifest = folder
        .join("node_modules")
        .join(agent.package)
        .join("package.json");
    let manifest = fs::read(manifest).ok()?;
    let manifest: serde_json::Value = serde_json::from_slice(&manifest)
        .context("package.json")
        .ok()?;
    manifest.get("version")?.as_str().map(str::to_owned)
}
