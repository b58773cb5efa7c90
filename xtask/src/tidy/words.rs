//! Words that must not stand in the source: each with the reason that is printed when it does.

use super::Finding;
use crate::counted::above_inline_tests;
use crate::graph;
use crate::tree::TextFile;

/// Where a word is forbidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Every text file.
    Everything,
    /// Every Rust file.
    Rust,
    /// Rust files of the crates that do no I/O, above their tests.
    Pure,
    /// Rust files of the crates, above their tests.
    Shipped,
}

const RULES: &[(Scope, &str, &str)] = &[
    (
        Scope::Everything,
        concat!("..", "/shared"),
        "the project stands alone",
    ),
    (Scope::Rust, "#[ignore", "a test runs or is not there"),
    (
        Scope::Rust,
        "#[should_panic",
        "assert the error, with its kind",
    ),
    (Scope::Rust, "todo!(", "finish it or leave it out"),
    (Scope::Rust, "unimplemented!(", "finish it or leave it out"),
    (Scope::Rust, "TODO", "finish it or write an issue"),
    (Scope::Rust, "FIXME", "finish it or write an issue"),
    (
        Scope::Rust,
        "thread::sleep",
        "wait for the event, or pause the clock",
    ),
    (
        Scope::Shipped,
        "unbounded_channel",
        "every queue has a bound",
    ),
    (
        Scope::Pure,
        "Instant::now",
        "time comes in as an argument below the shell",
    ),
    (
        Scope::Pure,
        "SystemTime",
        "time comes in as an argument below the shell",
    ),
    (
        Scope::Pure,
        "std::thread",
        "no crate below the shell starts anything",
    ),
    (
        Scope::Pure,
        "std::fs",
        "no crate below the shell opens anything",
    ),
    (
        Scope::Pure,
        "std::net",
        "no crate below the shell opens anything",
    ),
    (
        Scope::Pure,
        "std::process",
        "no crate below the shell starts anything",
    ),
    (
        Scope::Pure,
        "tokio::",
        "no crate below the shell names a runtime",
    ),
];

/// The rules' own texts, and the fixtures of other people's programs, are no use of the words.
const EXEMPT: &[&str] = &["xtask/src/tidy/", "fixtures/"];

/// A test that waits by the wall clock is slow on one machine and wrong on another.
const WAITS: &str = "time::sleep(";

/// What makes a wait virtual.
const PAUSES: &[&str] = &["start_paused", "time::pause()"];

/// Forbidden words in this file.
pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    if EXEMPT.iter().any(|path| file.path.starts_with(path)) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (scope, word, reason) in RULES {
        let Some(text) = in_scope(file, *scope) else {
            continue;
        };
        for (number, line) in text.lines().enumerate() {
            let code = if *scope == Scope::Everything {
                line
            } else {
                without_comment(line)
            };
            if has_word(code, word) {
                findings.push(Finding::new(
                    format!("{}:{}", file.path, number + 1),
                    format!("`{word}`: {reason}"),
                ));
            }
        }
    }
    findings.extend(wall_clock_waits(file));
    findings.extend(glob_exports(file));
    findings
}

fn in_scope(file: &TextFile, scope: Scope) -> Option<&str> {
    let code = above_inline_tests(&file.text);
    let inside = match scope {
        Scope::Everything => return Some(&file.text),
        Scope::Rust => return file.is_rust().then_some(&file.text),
        Scope::Shipped => file.path.starts_with("crates/"),
        Scope::Pure => {
            graph::pure_crates().any(|name| file.path.starts_with(&format!("crates/{name}/src/")))
        }
    };
    (inside && file.is_rust() && !file.is_test()).then_some(code)
}

/// The word, not the tail of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|head| head.chars().next_back());
        !before.is_some_and(|char| char.is_alphanumeric() || char == '_')
    })
}

fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with("//") {
        ""
    } else {
        line
    }
}

fn wall_clock_waits(file: &TextFile) -> Vec<Finding> {
    let tests = if file.is_test() {
        file.text.as_str()
    } else {
        file.text
            .get(above_inline_tests(&file.text).len()..)
            .unwrap_or("")
    };
    let virtual_time = PAUSES.iter().any(|word| tests.contains(word));
    if !file.is_rust() || virtual_time || !tests.contains(WAITS) {
        return Vec::new();
    }
    let says = "a test sleeps by the wall clock: wait for the event, or pause the clock";
    vec![Finding::new(&file.path, says)]
}

fn glob_exports(file: &TextFile) -> Vec<Finding> {
    if !file.is_rust() || !file.path.starts_with("crates/") || file.is_test() {
        return Vec::new();
    }
    let globs = file.text.lines().filter(|line| {
        let line = line.trim();
        line.starts_with("pub use ") && line.ends_with("::*;")
    });
    globs
        .map(|line| Finding::new(&file.path, format!("`{}`: list the names", line.trim())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn finds(path: &str, text: &str, expected: usize) {
        let file = TextFile::new(path, text);
        let found = check(&file);
        assert_eq!(found.len(), expected, "{found:?}");
    }

    #[test]
    fn pure_crates_look_nothing_up() {
        finds("crates/session/src/a.rs", "let now = Instant::now();", 1);
        finds("crates/session/src/a.rs", "// never Instant::now()", 0);
        finds(
            "crates/session/src/a.rs",
            "#[cfg(test)]\nmod tests {\nInstant::now();\n}\n",
            0,
        );
        finds("crates/client/src/a.rs", "let now = Instant::now();", 0);
        finds("crates/codec/src/a.rs", "use tokio_util::codec;", 0);
        finds("crates/codec/src/a.rs", "use tokio::io;", 1);
    }

    #[test]
    fn tests_run_and_wait_for_nothing() {
        finds("crates/x/tests/it/a.rs", "#[ignore = \"slow\"]", 1);
        finds("crates/x/tests/it/a.rs", "std::thread::sleep(d);", 1);
        finds("crates/x/tests/it/a.rs", "tokio::time::sleep(d).await;", 1);
        finds(
            "crates/x/tests/it/a.rs",
            "#[tokio::test(start_paused = true)]\ntime::sleep(d)",
            0,
        );
        finds("crates/client/src/a.rs", "tokio::time::sleep(d).await;", 0);
    }

    #[test]
    fn the_project_stands_alone() {
        finds("docs/a.md", concat!("see ..", "/shared/x"), 1);
    }

    #[test]
    fn exports_are_listed() {
        finds("crates/x/src/lib.rs", "pub use turn::*;", 1);
        finds("crates/x/src/lib.rs", "pub use turn::Turn;", 0);
    }
}
