//! The lists of `docs/traps.md`: every number has its row, every row says which tests hold it (or
//! why none can), every test that is named is there, and a test named after a row stands in it.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use crate::tree::TextFile;

/// Where the lists are.
const PAGE: &str = "docs/traps.md";
/// Where the small cases are, whose names are the rows of the last list.
const CASES: &str = "fixtures/cases/cases.json";
/// Beginnings of a cell for rows, or parts of rows, that no test holds.
const REASONS: [&str; 2] = ["Does not apply: ", "Open: "];

/// One list: the words that names of tests begin with, its heading, its numbers.
struct List {
    words: &'static [&'static str],
    heading: &'static str,
    rows: BTreeSet<String>,
}

/// One row: where it stands, and what it says.
struct Row<'a> {
    line: usize,
    trap: &'a str,
    held: &'a str,
}

/// Checks the page against the sources.
pub(super) fn check(files: &[TextFile]) -> Vec<Finding> {
    let text = |path| files.iter().find(|file| file.path == path);
    let (Some(page), Some(cases)) = (text(PAGE), text(CASES)) else {
        return vec![Finding::new(PAGE, format!("the page or {CASES} is gone"))];
    };
    let tests: BTreeSet<String> = files.iter().flat_map(tests_of).collect();
    let mut findings = Vec::new();
    let (mut held, mut apart, mut open) = (0, 0, 0);
    for list in lists(&cases.text) {
        let rows = rows_of(&page.text, list.heading, &mut findings);
        for number in list
            .rows
            .iter()
            .filter(|number| !rows.contains_key(*number))
        {
            let says = format!("no row {number} in \"{}\"", list.heading);
            findings.push(Finding::new(PAGE, says));
        }
        for (number, row) in &rows {
            if !list.rows.contains(number) {
                findings.push(row.finding(format!("{number} is no row of this list")));
            }
            if row.trap.is_empty() {
                findings.push(row.finding("it does not say what the trap is".into()));
            }
            findings.extend(row.check(&tests));
            // A row can be held in part: it counts as held, and as open.
            held += usize::from(!row.named().is_empty());
            apart += usize::from(row.held.contains(REASONS[0]));
            open += usize::from(row.held.contains(REASONS[1]));
        }
        findings.extend(strays(&list, &rows, &tests));
    }
    println!("tidy: traps: {held} rows held by tests, {apart} that do not apply, {open} open");
    findings
}

impl Row<'_> {
    fn finding(&self, says: String) -> Finding {
        Finding::new(format!("{PAGE}:{}", self.line), says)
    }

    /// The tests that it names, and what is wrong with them.
    fn check(&self, tests: &BTreeSet<String>) -> Vec<Finding> {
        let named = self.named();
        let missing = named.iter().filter(|test| !tests.contains(**test));
        let mut findings: Vec<_> = missing
            .map(|test| self.finding(format!("there is no test {test}")))
            .collect();
        let excused = REASONS.iter().any(|reason| {
            let why = self.held.split_once(reason).map(|(_, why)| why.trim());
            why.is_some_and(|why| !why.is_empty())
        });
        if named.is_empty() && !excused {
            findings.push(self.finding("neither a test nor a reason".into()));
        }
        findings
    }

    /// What stands between back-ticks and in front of any reason.
    fn named(&self) -> Vec<&str> {
        let end = REASONS.iter().filter_map(|reason| self.held.find(reason));
        let tests = self.held.get(..end.min().unwrap_or(self.held.len()));
        tests.unwrap_or("").split('`').skip(1).step_by(2).collect()
    }
}

fn lists(cases: &str) -> [List; 4] {
    let numbers = |all: std::ops::RangeInclusive<u32>| all.map(|n| n.to_string());
    let ids = cases.split("\"id\": \"").skip(1);
    let ids = ids
        .filter_map(|rest| rest.split('"').next())
        .map(str::to_owned);
    [
        List {
            words: &["trap"],
            heading: "## Points that the protocol leaves open",
            // The list was numbered once and 54 was taken out of it.
            rows: numbers(1..=58).filter(|number| number != "54").collect(),
        },
        List {
            words: &["report", "field"],
            heading: "## What users reported",
            rows: numbers(1..=24).collect(),
        },
        List {
            words: &["gap"],
            heading: "## What other libraries leave to the host",
            rows: numbers(1..=15).collect(),
        },
        List {
            words: &[],
            heading: "## Small inputs that broke a client",
            rows: ids.collect(),
        },
    ]
}

/// The rows below a heading, by their first cell.
fn rows_of<'a>(
    page: &'a str,
    heading: &str,
    findings: &mut Vec<Finding>,
) -> BTreeMap<String, Row<'a>> {
    let lines = page.lines().zip(1..);
    let below = lines.skip_while(|(line, _)| *line != heading).skip(1);
    let mut rows = BTreeMap::new();
    for (text, line) in below.take_while(|(line, _)| !line.starts_with("## ")) {
        let cells: Vec<&str> = text.split('|').map(str::trim).collect();
        let [_, number, trap, held, _] = cells[..] else {
            if text.starts_with('|') {
                findings.push(Finding::new(format!("{PAGE}:{line}"), "not three cells"));
            }
            continue;
        };
        if number == "#" || number.starts_with("--") {
            continue;
        }
        let row = Row { line, trap, held };
        if rows.insert(number.to_owned(), row).is_some() {
            let says = format!("{number} is there twice");
            findings.push(Finding::new(format!("{PAGE}:{line}"), says));
        }
    }
    rows
}

/// Tests that are named after a row of this list which does not name them.
fn strays(list: &List, rows: &BTreeMap<String, Row<'_>>, tests: &BTreeSet<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for test in tests {
        let name = test.rsplit("::").next().unwrap_or(test);
        for number in numbers_in(name, list.words) {
            let row = rows.get(&number.to_string());
            if !row.is_some_and(|row| row.named().contains(&test.as_str())) {
                let says = format!(
                    "row {number} in \"{}\" does not name the test {test}",
                    list.heading
                );
                findings.push(Finding::new(PAGE, says));
            }
        }
    }
    findings
}

/// The numbers behind one of `words` in a name: `trap_06_07_case_x` is of 6 and 7.
fn numbers_in(name: &str, words: &[&str]) -> Vec<u32> {
    let mut parts = name.split('_');
    if parts.next().is_none_or(|first| !words.contains(&first)) {
        return Vec::new();
    }
    parts.map_while(|part| part.parse().ok()).collect()
}

/// The tests of a file, as the page names them: `crate::module::function`, without the folders
/// that tests live in.
fn tests_of(file: &TextFile) -> Vec<String> {
    let Some(module) = module_of(&file.path) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut marked = false;
    for line in file.text.lines().map(str::trim) {
        if line.starts_with("#[") {
            marked |= line == "#[test]" || line.starts_with("#[tokio::test");
        } else if let Some(name) = line.strip_prefix("twice!(") {
            // One test in memory and one over pipes, made by a macro.
            found.extend(
                name.split(',')
                    .next()
                    .map(|name| format!("{module}::{name}")),
            );
        } else if let Some(name) = function(line) {
            if marked {
                found.push(format!("{module}::{name}"));
            }
            marked = false;
        }
    }
    found
}

/// The name of the function that a line begins.
fn function(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    line.strip_prefix("fn ")?.split(['(', '<']).next()
}

/// `crates/x/tests/it/a/b.rs` and `crates/x/src/a/b/tests.rs` are both `x::a::b`.
fn module_of(path: &str) -> Option<String> {
    let path = path.strip_suffix(".rs")?;
    let path = path.strip_prefix("crates/").unwrap_or(path);
    let (name, rest) = path.split_once('/')?;
    let rest = rest
        .strip_prefix("tests/it/")
        .or_else(|| rest.strip_prefix("src/"))?;
    let unnamed = ["main", "lib", "mod", "tests"];
    let parts = rest.split('/').filter(|part| !unnamed.contains(part));
    let parts: Vec<_> = std::iter::once(name).chain(parts).collect();
    Some(parts.join("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A whole page; `change` is put where the first row was.
    fn page(first: &str) -> String {
        let mut page = String::from("# Traps\n");
        for list in lists(CASE) {
            page += &format!(
                "\n{}\n\n| # | Trap | Held by |\n|---|---|---|\n",
                list.heading
            );
            for number in &list.rows {
                page += &match (list.words, number.as_str()) {
                    (["trap"], "1") => format!("{first}\n"),
                    _ => format!("| {number} | it bites | `x::a::holds` |\n"),
                };
            }
        }
        page
    }

    const STRAY: &str = "row 1 in \"## Points that the protocol leaves open\" does not name the test x::a::trap_01_is_held";
    const CASE: &str = r#"[{"id": "noise", "kind": "framing"}]"#;
    const TESTS: &str = "#[test]\nfn holds() {}\n\n#[tokio::test(start_paused = true)]\nasync fn trap_01_is_held() {}\n\nfn helps() {}\n";

    #[track_caller]
    fn finds(first: &str, expected: &[&str]) {
        let files = [
            TextFile::new(PAGE, page(first)),
            TextFile::new(CASES, CASE),
            TextFile::new("crates/x/tests/it/a.rs", TESTS),
        ];
        let says: Vec<_> = check(&files).into_iter().map(|found| found.says).collect();
        assert_eq!(says, expected, "{first}");
    }

    #[test]
    fn a_row_names_tests_that_exist_or_says_why_not() {
        finds("| 1 | t | `x::a::trap_01_is_held` |", &[]);
        finds("| 1 | t | `x::a::trap_01_is_held`. Open: the `rest` |", &[]);
        let stray = STRAY;
        finds("| 1 | t | `x::a::holds` |", &[stray]);
        finds("| 1 | t | Does not apply: we have none |", &[stray]);
        let nothing = "neither a test nor a reason";
        finds("| 1 | t | Does not apply:  |", &[nothing, stray]);
        finds("| 1 | t | somewhere |", &[nothing, stray]);
        for gone in ["x::a::helps", "x::holds", "y::a::holds", "x::a::hold"] {
            let says = format!("there is no test {gone}");
            let row = format!("| 1 | t | `{gone}`, `x::a::trap_01_is_held` |");
            finds(&row, &[&says]);
        }
    }

    #[test]
    fn every_number_has_one_row() {
        let stray = STRAY;
        let heading = lists(CASE)[0].heading;
        let missing = format!("no row 1 in \"{heading}\"");
        finds("", &[&missing, stray]);
        finds("| 1 | t |", &["not three cells", &missing, stray]);
        let held = "| 1 | t | `x::a::trap_01_is_held` |";
        finds(&format!("{held}\n{held}"), &["1 is there twice"]);
        let other = format!("{held}\n| 54 | t | `x::a::holds` |");
        finds(&other, &["54 is no row of this list"]);
        finds(
            "| 1 |  | `x::a::trap_01_is_held` |",
            &["it does not say what the trap is"],
        );
    }

    #[test]
    fn a_test_is_known_by_its_crate_and_module() {
        for (path, module) in [
            ("crates/x/tests/it/a/b.rs", Some("x::a::b")),
            ("crates/x/src/a/b/tests.rs", Some("x::a::b")),
            ("crates/x/src/lib.rs", Some("x")),
            ("xtask/src/tidy/mod.rs", Some("xtask::tidy")),
            ("docs/a.md", None),
            ("crates/x/build.rs", None),
        ] {
            assert_eq!(module_of(path).as_deref(), module, "{path}");
        }
        assert_eq!(numbers_in("trap_06_07_case_1", &["gap", "trap"]), [6, 7]);
        assert!(numbers_in("trapped_06", &["trap"]).is_empty());
        let twice = TextFile::new("crates/x/tests/it/a.rs", "twice!(rule_05_late, late);\n");
        assert_eq!(tests_of(&twice), ["x::a::rule_05_late"]);
    }
}
