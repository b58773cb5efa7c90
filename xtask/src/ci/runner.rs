//! The gates that run tests: with nextest where it is there, with `cargo test` where it is not.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use super::Passed;
use crate::process::{cargo, is_there, run_keeping};

/// Every test of the workspace.
pub(super) fn workspace(root: &Path) -> Result<Passed> {
    let mut command = Command::new(cargo());
    if is_there("cargo", &["nextest", "--version"]) {
        command.args(["nextest", "run", "--workspace", "--all-targets", "--locked"]);
    } else {
        command.args([
            "test",
            "--workspace",
            "--all-targets",
            "--locked",
            "--no-fail-fast",
        ]);
    }
    tested(command.current_dir(root))
}

/// Every example in the documentation; nextest does not run them.
pub(super) fn documentation(root: &Path) -> Result<Passed> {
    tested(
        Command::new(cargo())
            .args(["test", "--doc", "--workspace", "--locked", "--no-fail-fast"])
            .current_dir(root),
    )
}

/// The tests of a workspace that stands apart, with its own lock file.
pub(super) fn apart(root: &Path, folder: &str) -> Result<Passed> {
    let folder = root.join(folder);
    if !folder.join("Cargo.toml").is_file() {
        return Ok(Passed::Skipped("not there yet".to_owned()));
    }
    tested(
        Command::new(cargo())
            .args(["test", "--all-targets", "--locked", "--no-fail-fast"])
            .current_dir(folder),
    )
}

fn tested(command: &mut Command) -> Result<Passed> {
    let (passed, summary) = run_keeping(command, is_summary)?;
    if !passed {
        bail!(
            "{}",
            if summary.is_empty() {
                "did not build".to_owned()
            } else {
                summary.join("; ")
            }
        );
    }
    Ok(Passed::Tested(fold(&summary)))
}

/// A line in which a runner says how many tests passed.
fn is_summary(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("test result:") || line.starts_with("Summary [")
}

/// `cargo test` prints a line for each binary: lines that say the same of nothing are left out.
fn fold(lines: &[String]) -> Vec<String> {
    lines
        .iter()
        .filter(|line| !line.contains(" 0 passed; 0 failed"))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_runners_are_understood() {
        assert!(is_summary(
            "     Summary [   1.2s] 40 tests run: 40 passed, 0 skipped"
        ));
        assert!(is_summary("test result: ok. 3 passed; 0 failed; 0 ignored"));
        assert!(!is_summary("test frame::long ... ok"));
    }

    #[test]
    fn empty_binaries_are_not_reported() {
        let lines = [
            "test result: ok. 0 passed; 0 failed",
            "test result: ok. 10 passed; 0 failed",
        ];
        let lines: Vec<_> = lines.iter().map(|line| (*line).to_owned()).collect();
        assert_eq!(fold(&lines), ["test result: ok. 10 passed; 0 failed"]);
    }
}
