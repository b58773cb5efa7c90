//! Our program, built from the main workspace as it stands.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Where `acp` is.
pub fn acp() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(build)
}

fn build() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args([
            "build",
            "--quiet",
            "--package",
            "acp-cli",
            "--bin",
            "acp",
            "--message-format",
            "json-render-diagnostics",
        ])
        .current_dir(root)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&built.stdout);
    let executable = said
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back();
    executable.unwrap_or_else(|| {
        panic!(
            "acp was not built: {}",
            String::from_utf8_lossy(&built.stderr)
        )
    })
}
