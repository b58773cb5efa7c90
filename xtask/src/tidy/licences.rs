//! The licence gate: every package of the lock file, on every platform, must be usable under
//! licences that we know. It reads SPDX expressions (`A OR B`, `A AND B`, `A WITH E`, brackets,
//! and the old `A/B`).

use super::Finding;
use crate::metadata::Package;

/// Licences that ask for no more than a notice. `deny.toml` holds the same list.
pub(super) const KNOWN: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// What is wrong with the licence of one package of the lock file.
pub(super) fn check(package: &Package) -> Option<Finding> {
    if package.is_ours() {
        return None;
    }
    let place = format!("{} {}", package.name, package.version);
    match package.license.as_deref() {
        None => Some(Finding::new(place, "names no licence")),
        Some(expression) if is_allowed(expression) => None,
        Some(expression) => Some(Finding::new(
            place,
            format!("licence not known: {expression}"),
        )),
    }
}

/// Whether some choice that the expression offers needs known licences only.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words };
    let allowed = reader.any();
    allowed == Some(true) && reader.words.is_empty()
}

/// Reads one expression, left to right; `None` when it is not one.
struct Reader<'a> {
    words: &'a [&'a str],
}

impl<'a> Reader<'a> {
    fn any(&mut self) -> Option<bool> {
        let mut allowed = self.all()?;
        while self.take("OR") {
            allowed |= self.all()?;
        }
        Some(allowed)
    }

    fn all(&mut self) -> Option<bool> {
        let mut allowed = self.one()?;
        while self.take("AND") {
            allowed &= self.one()?;
        }
        Some(allowed)
    }

    fn one(&mut self) -> Option<bool> {
        if self.take("(") {
            let allowed = self.any()?;
            return self.take(")").then_some(allowed);
        }
        let name = self.next()?;
        if self.take("WITH") {
            let exception = self.next()?;
            return Some(KNOWN.contains(&format!("{name} WITH {exception}").as_str()));
        }
        Some(KNOWN.contains(&name))
    }

    fn take(&mut self, word: &str) -> bool {
        let there = self.words.first() == Some(&word);
        if there {
            self.next();
        }
        there
    }

    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expression: &str, allowed: bool) {
        assert_eq!(is_allowed(expression), allowed, "{expression}");
    }

    #[test]
    fn a_choice_needs_one_known_side_and_a_sum_needs_all() {
        check("MIT", true);
        check("GPL-3.0", false);
        check("MIT OR GPL-3.0", true);
        check("MIT AND GPL-3.0", false);
        check("MIT/Apache-2.0", true);
        check("(MIT OR Apache-2.0) AND Unicode-3.0", true);
        check("(MIT OR Apache-2.0) AND GPL-3.0", false);
        check("Apache-2.0 WITH LLVM-exception OR GPL-3.0", true);
        check("Apache-2.0 WITH Other-exception", false);
    }

    #[test]
    fn what_is_no_expression_is_not_allowed() {
        check("", false);
        check("MIT Apache-2.0", false);
        check("(MIT", false);
        check("MIT OR", false);
    }

    #[test]
    fn cargo_deny_is_told_the_same_list() {
        let deny = include_str!("../../../deny.toml");
        let list = deny
            .split("allow = [")
            .nth(1)
            .and_then(|rest| rest.split(']').next())
            .unwrap();
        let listed: Vec<_> = list
            .lines()
            .map(|line| line.trim().trim_matches(|char| char == '"' || char == ','))
            .filter(|line| !line.is_empty())
            .collect();
        assert_eq!(listed, KNOWN);
    }
}
