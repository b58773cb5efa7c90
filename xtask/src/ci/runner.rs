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
        // Without a choice of targets, so that the examples that tests start are built as programs.
        command.args([
            "nextest",
            "run",
            "--profile",
            "gates",
            "--workspace",
            "--locked",
            "--no-fail-fast",
        ]);
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
    apart_with(root, folder, &["--all-targets"])
}

/// The same with these arguments.
pub(super) fn apart_with(root: &Path, folder: &str, arguments: &[&str]) -> Result<Passed> {
    let folder = root.join(folder);
    if !folder.join("Cargo.toml").is_file() {
        return Ok(Passed::Skipped("not there yet".to_owned()));
    }
    // Its lock file names our own crates too, and follows them; what is pinned is pinned by `=`.
    tested(
        Command::new(cargo())
            .args(["test", "--no-fail-fast"])
            .args(arguments)
            .current_dir(folder),
    )
}

pub(super) fn tested(command: &mut Command) -> Result<Passed> {
    let (passed, lines) = run_keeping(command, is_summary)?;
    let summary = fold(&lines);
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
    Ok(Passed::Tested(summary))
}

/// A line in which a runner says how many tests passed.
fn is_summary(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("test result:") || line.starts_with("Summary [") || is_of_node(line)
}

/// The counts of node's runner: `# pass 18`.
fn is_of_node(line: &str) -> bool {
    let count = line
        .strip_prefix("# pass ")
        .or_else(|| line.strip_prefix("# fail "));
    count.is_some_and(|count| count.parse::<u64>().is_ok())
}

/// One line for a whole run. nextest says it itself, and may quote binaries that failed;
/// `cargo test` prints a line for each binary, which become one.
fn fold(lines: &[String]) -> Vec<String> {
    let of_nextest: Vec<String> = lines
        .iter()
        .filter(|line| line.starts_with("Summary ["))
        .cloned()
        .collect();
    if !of_nextest.is_empty() || lines.is_empty() {
        return of_nextest;
    }
    let of_node: Vec<&str> = lines
        .iter()
        .filter(|line| is_of_node(line))
        .map(String::as_str)
        .collect();
    if !of_node.is_empty() {
        return vec![of_node.join(", ")];
    }
    let sum = |word: &str| {
        lines
            .iter()
            .filter_map(|line| number(line, word))
            .sum::<u64>()
    };
    let word = if sum("failed") == 0 { "ok" } else { "FAILED" };
    vec![format!(
        "test result: {word}. {} passed; {} failed; {} ignored; in {} binaries",
        sum("passed"),
        sum("failed"),
        sum("ignored"),
        lines.len()
    )]
}

/// The number before a word.
fn number(line: &str, word: &str) -> Option<u64> {
    let before = line.split_once(&format!(" {word};"))?.0;
    before.rsplit(' ').next()?.parse().ok()
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
        assert!(is_summary("# pass 18"));
        assert!(!is_summary("# pass over"));
        assert!(!is_summary("test frame::long ... ok"));
    }

    #[track_caller]
    fn check(lines: &[&str], expected: &str) {
        let lines: Vec<_> = lines.iter().map(|line| (*line).to_owned()).collect();
        assert_eq!(fold(&lines), [expected]);
    }

    #[test]
    fn binaries_are_summed_up() {
        check(
            &[
                "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
                "test result: ok. 10 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out",
            ],
            "test result: ok. 12 passed; 0 failed; 1 ignored; in 2 binaries",
        );
        check(
            &["test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"],
            "test result: FAILED. 2 passed; 1 failed; 0 ignored; in 1 binaries",
        );
    }

    #[test]
    fn the_counts_of_node_are_one_line() {
        check(&["# pass 18", "# fail 0"], "# pass 18, # fail 0");
    }

    #[test]
    fn what_nextest_quotes_is_not_its_summary() {
        let summary = "Summary [   1.2s] 40 tests run: 39 passed, 1 failed, 0 skipped";
        check(
            &[
                "test result: FAILED. 0 passed; 1 failed; 0 ignored;",
                summary,
            ],
            summary,
        );
    }
}
