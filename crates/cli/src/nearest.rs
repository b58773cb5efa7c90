//! What somebody may have meant.

/// How many are offered.
const MOST: usize = 4;

/// The candidates that are closest to a word, closest first; none when nothing is close.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Vec<&'a str> {
    let word = word.to_ascii_lowercase();
    let mut close: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter_map(|candidate| {
            let lower = candidate.to_ascii_lowercase();
            let within = word.len() >= 3 && lower.contains(&word);
            let distance = if within { 1 } else { distance(&word, &lower) };
            (distance <= word.chars().count().div_ceil(3).min(4)).then_some((distance, candidate))
        })
        .collect();
    close.sort_unstable();
    close.dedup();
    close
        .into_iter()
        .take(MOST)
        .map(|(_, candidate)| candidate)
        .collect()
}

/// How many characters have to be put in, taken out or replaced.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, mine) in left.chars().enumerate() {
        let mut diagonal = index;
        let mut before = index + 1;
        if let Some(first) = row.first_mut() {
            *first = before;
        }
        for (cell, theirs) in row.iter_mut().skip(1).zip(&right) {
            let replaced = diagonal + usize::from(mine != *theirs);
            diagonal = *cell;
            before = replaced.min(before + 1).min(*cell + 1);
            *cell = before;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_closest_comes_first_and_what_is_far_is_not_offered() {
        let verbs = ["session/new", "session/load", "session/list", "initialize"];
        assert_eq!(
            nearest("session/lod", verbs),
            ["session/load", "session/list", "session/new"]
        );
        assert_eq!(nearest("initialise", verbs), ["initialize"]);
        assert_eq!(nearest("load", verbs), ["session/load"]);
        assert!(nearest("quux", verbs).is_empty());
        assert!(nearest("", verbs).is_empty());
    }
}
