//! Which offered spellings come nearest to a word.

use crate::level::normalised;

/// Most spellings that are suggested.
const MAX_NEAREST: usize = 3;
/// Longest spelling that is compared, in characters; a longer one is no near miss.
const MAX_COMPARED: usize = 100;

/// The nearest of `offered`, nearest first, at most three. A spelling is near when at most a third of the longer one would have to change,
/// or when one begins with the other.
pub(crate) fn nearest<'a>(wish: &str, offered: impl Iterator<Item = &'a str>) -> Vec<Box<str>> {
    let wish: Vec<char> = normalised(wish).chars().collect();
    if wish.is_empty() || wish.len() > MAX_COMPARED {
        return Vec::new();
    }
    let mut near: Vec<(usize, &str)> = offered
        .filter_map(|spelling| {
            let word: Vec<char> = normalised(spelling)
                .chars()
                .take(MAX_COMPARED + 1)
                .collect();
            if word.is_empty() || word.len() > MAX_COMPARED {
                return None;
            }
            let distance = edit_distance(&wish, &word);
            let begins = word.starts_with(&wish) || wish.starts_with(&word);
            let limit = wish.len().max(word.len()).div_ceil(3);
            ((distance <= limit && distance < wish.len().max(word.len())) || begins)
                .then_some((distance, spelling))
        })
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.dedup_by_key(|(_, spelling)| *spelling);
    near.into_iter()
        .take(MAX_NEAREST)
        .map(|(_, spelling)| spelling.into())
        .collect()
}

/// How many characters must be put in, taken out or changed.
fn edit_distance(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, left) in from.iter().enumerate() {
        let mut diagonal = at;
        let mut before = at + 1;
        for (right, cell) in to.iter().zip(row.iter_mut().skip(1)) {
            let changed = diagonal + usize::from(left != right);
            diagonal = *cell;
            *cell = changed.min(before + 1).min(diagonal + 1);
            before = *cell;
        }
        if let Some(first) = row.first_mut() {
            *first = at + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{edit_distance, nearest};

    #[track_caller]
    fn check(wish: &str, offered: &[&str], expected: &[&str]) {
        let found = nearest(wish, offered.iter().copied());
        assert_eq!(
            found.iter().map(AsRef::as_ref).collect::<Vec<&str>>(),
            expected,
            "{wish}"
        );
    }

    #[test]
    fn distances() {
        let distance = |a: &str, b: &str| {
            edit_distance(
                &a.chars().collect::<Vec<_>>(),
                &b.chars().collect::<Vec<_>>(),
            )
        };
        assert_eq!(distance("", ""), 0);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("flaw", "lawn"), 2);
    }

    #[test]
    fn near_ones_only() {
        check("hgih", &["low", "high", "xhigh"], &["high"]);
        check("gpt-5", &["gpt-5.5", "gpt-6-sol", "claude"], &["gpt-5.5"]);
        check("opus", &["haiku", "sonnet"], &[]);
        check("a", &["ab", "ac", "ad", "ae"], &["ab", "ac", "ad"]);
        check("", &["a"], &[]);
    }
}
