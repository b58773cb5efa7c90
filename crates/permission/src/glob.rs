//! Globs over paths and titles: `*` and `?` within a name, `**` over any number of names.
//!
//! Written here because a rule must not backtrack for ever on a path that a peer chose: both levels remember one star only, so the cost is the product of the lengths.

use crate::place::Place;

/// A path pattern such as `src/**/*.rs`. A relative pattern is meant below a root, which is given when it is compared.
///
/// A pattern whose last name has no wildcard also covers what lies below that name, so `.git` covers `.git/config`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathGlob {
    text: Box<str>,
}

impl PathGlob {
    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.into() }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the pattern covers `place`. A relative pattern without a root covers nothing.
    pub(crate) fn covers(&self, place: &Place, root: Option<&str>) -> bool {
        let Some(pattern) = Place::of(&self.text, root) else {
            return false;
        };
        if pattern.prefix() != place.prefix() {
            return false;
        }
        let Some(last) = pattern.names().last() else {
            return true;
        };
        let whole = !last.contains(['*', '?']);
        matches(
            pattern.names(),
            place.names(),
            |name| name == "**",
            |name, actual| is_match(name, actual),
            whole,
        )
    }
}

/// Whether `pattern` (`*` any run of characters, `?` one) is all of `text`.
pub(crate) fn is_match(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    matches(
        &pattern,
        &text,
        |c| *c == '*',
        |c, actual| *c == '?' || c == actual,
        false,
    )
}

/// The one-star matcher, used for characters in a name and for names in a path.
/// `prefix`: the pattern may end before the text does.
fn matches<P, T>(
    pattern: &[P],
    text: &[T],
    is_star: impl Fn(&P) -> bool,
    is_same: impl Fn(&P, &T) -> bool,
    prefix: bool,
) -> bool {
    let (mut at, mut seen) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        let step = pattern.get(at);
        if step.is_none() && (prefix || seen == text.len()) {
            return true;
        }
        if let Some(step) = step {
            if is_star(step) {
                star = Some((at + 1, seen));
                at += 1;
                continue;
            }
            if text.get(seen).is_some_and(|actual| is_same(step, actual)) {
                at += 1;
                seen += 1;
                continue;
            }
        }
        // Go back to the last star and let it swallow one more.
        match star {
            Some((behind, from)) if from < text.len() => {
                star = Some((behind, from + 1));
                at = behind;
                seen = from + 1;
            }
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests;
