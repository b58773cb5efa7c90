//! `size`: how big the files are, crate by crate. A reviewer judges the trend, not a gate.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use crate::counted::counted_lines;
use crate::tree::{self, TextFile};

/// A file of at most this many counted lines is small.
const SMALL: usize = 230;

/// Prints the table.
pub(crate) fn run(root: &Path) -> Result<()> {
    let mut crates: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    for file in tree::text_files(root)? {
        if let Some(owner) = owner(&file) {
            let line = (counted_lines(&file.text), file.path.clone());
            crates.entry(owner.to_owned()).or_default().push(line);
        }
    }
    println!(
        "counted = lines neither blank nor comment, above a file's inline tests; no test files"
    );
    println!(
        "{:<12} {:>5} {:>8} {:>7} {:>5} {:>6} {:>8}  largest",
        "crate", "files", "counted", "median", "p90", "small", "in small"
    );
    let mut everything = Vec::new();
    for (name, mut files) in crates {
        println!("{}", row(&name, &mut files));
        everything.append(&mut files);
    }
    println!("{}", row("all", &mut everything));
    println!("small = share of files of at most {SMALL}; in small = share of lines in such files");
    Ok(())
}

/// The crate whose shipped source this file is.
fn owner(file: &TextFile) -> Option<&str> {
    if !file.is_rust() || file.is_test() {
        return None;
    }
    let mut parts = file.path.split('/');
    match (parts.next()?, parts.next()?, parts.next()) {
        ("crates", name, Some("src")) => Some(name),
        ("xtask", "src", _) => Some("xtask"),
        _ => None,
    }
}

fn row(name: &str, files: &mut [(usize, String)]) -> String {
    files.sort();
    let total: usize = files.iter().map(|(lines, _)| lines).sum();
    let small: Vec<usize> = files
        .iter()
        .map(|(lines, _)| *lines)
        .filter(|lines| *lines <= SMALL)
        .collect();
    let (largest, path) = files
        .last()
        .map_or((0, ""), |(lines, path)| (*lines, path.as_str()));
    format!(
        "{name:<12} {:>5} {total:>8} {:>7} {:>5} {:>5}% {:>7}%  {largest} {path}",
        files.len(),
        percentile(files, 50),
        percentile(files, 90),
        share(small.len(), files.len()),
        share(small.iter().sum(), total),
    )
}

/// Nearest-rank percentile of sorted files.
fn percentile(files: &[(usize, String)], percent: usize) -> usize {
    let rank = (files.len() * percent).div_ceil(100).max(1);
    files.get(rank - 1).map_or(0, |(lines, _)| *lines)
}

fn share(part: usize, whole: usize) -> usize {
    (part * 100).checked_div(whole).unwrap_or(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_counts_files_and_lines() {
        let mut files: Vec<_> = [300, 10, 20, 30]
            .iter()
            .map(|lines| (*lines, format!("f{lines}.rs")))
            .collect();
        let row = row("name", &mut files);
        let words: Vec<_> = row.split_whitespace().collect();
        assert_eq!(
            words,
            [
                "name", "4", "360", "20", "300", "75%", "16%", "300", "f300.rs"
            ]
        );
    }

    #[test]
    fn only_shipped_source_has_an_owner() {
        for (path, expected) in [
            ("crates/vocab/src/id.rs", Some("vocab")),
            ("crates/vocab/src/id/tests.rs", None),
            ("crates/vocab/tests/it/main.rs", None),
            ("xtask/src/size.rs", Some("xtask")),
            ("bench/src/main.rs", None),
        ] {
            let file = TextFile::new(path, "");
            assert_eq!(owner(&file), expected, "{path}");
        }
    }
}
