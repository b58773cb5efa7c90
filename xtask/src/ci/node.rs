//! The gates that need node. Each installs what its lock file names; without node they are skipped.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Passed, runner};
use crate::process::{cargo, is_there, run};

/// The official TypeScript SDK at both ends: its agent under our client, its client over ours.
pub(super) fn interop(root: &Path) -> Result<Passed> {
    if let Some(why) = missing() {
        return Ok(Passed::Skipped(why));
    }
    prepare(&root.join("interop/typescript"))?;
    let arguments = ["--features", "node", "--test", "it", "node"];
    runner::apart_with(root, "interop/sdk", &arguments)
}

/// The reference client, type-checked, and tested over our program.
pub(super) fn client(root: &Path) -> Result<Passed> {
    if let Some(why) = missing() {
        return Ok(Passed::Skipped(why));
    }
    let folder = root.join("examples/typescript-client");
    prepare(&folder)?;
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter", "tap", "dist/"]);
    runner::tested(node.env("ACP", program(root)?).current_dir(folder))
}

fn missing() -> Option<String> {
    let both = is_there("node", &["--version"]) && is_there(npm(), &["--version"]);
    (!both).then(|| "no node or no npm here".to_owned())
}

const fn npm() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

/// Installs exactly what the lock file says, and compiles, which checks the types.
fn prepare(folder: &Path) -> Result<()> {
    let quiet = ["--no-audit", "--no-fund"];
    run(Command::new(npm())
        .arg("ci")
        .args(quiet)
        .current_dir(folder))?;
    run(Command::new(npm())
        .args(["run", "build"])
        .current_dir(folder))
}

/// Builds our program and says where it is.
fn program(root: &Path) -> Result<PathBuf> {
    let build = ["build", "--locked", "--package", "acp-cli", "--bin", "acp"];
    run(Command::new(cargo()).args(build).current_dir(root))?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let program = target
        .join("debug")
        .join(format!("acp{}", std::env::consts::EXE_SUFFIX));
    program
        .canonicalize()
        .with_context(|| format!("{} was built", program.display()))
}
