//! Components of the Rust toolchain that a gate needs: installed when missing, where that works.

use std::process::{Command, Stdio};

use crate::process::is_there;

/// Why `cargo SUBCOMMAND` cannot run here, after trying to install `component`; `None` when it can.
pub(super) fn missing(subcommand: &str, component: &str) -> Option<String> {
    if is_there("cargo", &[subcommand, "--version"]) {
        return None;
    }
    let installed = Command::new("rustup")
        .args(["component", "add", component])
        .stdin(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    let there = installed && is_there("cargo", &[subcommand, "--version"]);
    (!there).then(|| format!("no {component} in this toolchain and rustup could not add it"))
}
