//! Rules about one file: its first line, its name, its size, and what a README is.

use super::Finding;
use crate::counted::counted_lines;
use crate::tree::TextFile;

/// More counted lines than this, and there is a second noun inside.
const MOST_LINES: usize = 500;

/// A README of a crate that is longer than this belongs into the rustdoc.
const MOST_README_LINES: usize = 40;

/// Names that say nothing about what a module owns.
const EMPTY_NAMES: &[&str] = &[
    "util", "utils", "helper", "helpers", "common", "misc", "manager", "types",
];

/// What is wrong with this file, taken by itself.
pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut say = |says: String| findings.push(Finding::new(&file.path, says));
    if file.is_rust() {
        if !file.text.starts_with("//!") {
            say("the first line must be `//!`: what this file is for".to_owned());
        }
        if is_library_root(&file.path) && !has_readme_as_doc(&file.text) {
            say("the crate doc must be the README (`#![doc = include_str!(..)]`)".to_owned());
        }
        let named_after = if file.stem() == "mod" {
            parent(&file.path)
        } else {
            file.stem()
        };
        if EMPTY_NAMES.contains(&named_after) {
            say(format!(
                "`{named_after}` names no noun: say what the file owns"
            ));
        }
        let lines = counted_lines(&file.text);
        if !file.is_test() && lines > MOST_LINES {
            say(format!("{lines} counted lines, at most {MOST_LINES}"));
        }
    }
    let lines = file.text.lines().count();
    if is_crate_readme(&file.path) && lines > MOST_README_LINES {
        say(format!("{lines} lines, at most {MOST_README_LINES}"));
    }
    findings
}

fn parent(path: &str) -> &str {
    path.rsplit('/').nth(1).unwrap_or("")
}

fn is_library_root(path: &str) -> bool {
    path.starts_with("crates/") && path.ends_with("/src/lib.rs")
}

fn has_readme_as_doc(text: &str) -> bool {
    text.lines()
        .any(|line| line.trim() == r#"#![doc = include_str!("../README.md")]"#)
}

fn is_crate_readme(path: &str) -> bool {
    path.starts_with("crates/") && path.ends_with("/README.md")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn finds(path: &str, text: &str, expected: &[&str]) {
        let file = TextFile::new(path, text);
        let found: Vec<_> = check(&file)
            .into_iter()
            .map(|finding| finding.says)
            .collect();
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (says, expected) in found.iter().zip(expected) {
            assert!(says.contains(expected), "{says}");
        }
    }

    #[test]
    fn a_file_opens_with_what_it_is_for() {
        finds("crates/x/src/a.rs", "//! Why.\n", &[]);
        finds("crates/x/src/a.rs", "use b;\n", &["first line"]);
        finds("crates/x/src/lib.rs", "//! Why.\n", &["README"]);
        finds(
            "crates/x/src/lib.rs",
            "//! Why.\n#![doc = include_str!(\"../README.md\")]\n",
            &[],
        );
    }

    #[test]
    fn a_name_is_a_noun() {
        finds("crates/x/src/utils.rs", "//! Why.\n", &["`utils`"]);
        finds("crates/x/src/common/mod.rs", "//! Why.\n", &["`common`"]);
        finds("crates/x/src/turn/mod.rs", "//! Why.\n", &[]);
    }

    #[test]
    fn rooms_are_small_and_tests_may_be_long() {
        let long = format!("//! Why.\n{}", "fn f() {}\n".repeat(501));
        finds("crates/x/src/a.rs", &long, &["501 counted"]);
        finds("crates/x/src/a/tests.rs", &long, &[]);
        finds("crates/x/README.md", &"a\n".repeat(41), &["41 lines"]);
        finds("README.md", &"a\n".repeat(41), &[]);
    }
}
