//! The change of a file as a few lines: from two texts, or out of a patch.

use serde::Serialize;

/// How many changed lines are kept and shown.
pub(crate) const SHOWN: usize = 24;

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Diff {
    pub(crate) path: String,
    pub(crate) added: usize,
    pub(crate) removed: usize,
    /// The changed lines, `-` before `+`, as far as they are shown.
    #[serde(skip)]
    pub(crate) lines: Vec<String>,
}

impl Diff {
    /// From one text to another: what is left between the common beginning and the common end.
    pub(crate) fn between(path: &str, old: Option<&str>, new: &str) -> Self {
        let old: Vec<&str> = old.unwrap_or_default().lines().collect();
        let new: Vec<&str> = new.lines().collect();
        let start = old
            .iter()
            .zip(&new)
            .take_while(|(old, new)| old == new)
            .count();
        let longest = old.len().min(new.len()) - start;
        let backwards = old.iter().rev().zip(new.iter().rev());
        let end = backwards
            .take(longest)
            .take_while(|(old, new)| old == new)
            .count();
        let removed = old.get(start..old.len() - end).unwrap_or_default();
        let added = new.get(start..new.len() - end).unwrap_or_default();
        let gone = removed.iter().map(|line| format!("-{line}"));
        let come = added.iter().map(|line| format!("+{line}"));
        Self {
            path: path.to_owned(),
            added: added.len(),
            removed: removed.len(),
            lines: gone.chain(come).take(SHOWN).collect(),
        }
    }

    /// The lines that a patch in unified form adds and removes.
    pub(crate) fn of_patch(patch: &str) -> Self {
        let is_change = |line: &&str| {
            (line.starts_with('+') && !line.starts_with("+++"))
                || (line.starts_with('-') && !line.starts_with("---"))
        };
        let changes = || patch.lines().filter(is_change);
        let path = patch
            .lines()
            .find_map(|line| line.strip_prefix("+++ "))
            .unwrap_or_default();
        Self {
            path: path.strip_prefix("b/").unwrap_or(path).to_owned(),
            added: changes().filter(|line| line.starts_with('+')).count(),
            removed: changes().filter(|line| line.starts_with('-')).count(),
            lines: changes().take(SHOWN).map(ToOwned::to_owned).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Diff;

    #[track_caller]
    fn check(diff: &Diff, lines: &[&str]) {
        assert_eq!(diff.lines, lines);
        let count = |mark: char| lines.iter().filter(|line| line.starts_with(mark)).count();
        assert_eq!((diff.added, diff.removed), (count('+'), count('-')));
    }

    #[test]
    fn what_changed_stands_between_what_did_not() {
        let between = |old, new| Diff::between("f", old, new);
        check(&between(Some("a\nb\nc\n"), "a\nx\nc\n"), &["-b", "+x"]);
        check(&between(Some("a\na\n"), "a\n"), &["-a"]);
        check(&between(Some("a\n"), "a\na\n"), &["+a"]);
        check(&between(None, "one\ntwo\n"), &["+one", "+two"]);
        check(&between(Some(""), ""), &[]);
        check(&between(Some("same\n"), "same\n"), &[]);
        check(&between(Some("x\ny\n"), ""), &["-x", "-y"]);
    }

    #[test]
    fn a_patch_says_it_itself() {
        let patch = "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n";
        let diff = Diff::of_patch(patch);
        check(&diff, &["-old", "+new"]);
        assert_eq!(diff.path, "src/lib.rs");
    }

    #[test]
    fn a_long_change_is_counted_and_cut() {
        let new: String = (0..1_000).map(|line| format!("{line}\n")).collect();
        let diff = Diff::between("f", None, &new);
        assert_eq!((diff.added, diff.lines.len()), (1_000, super::SHOWN));
    }
}
