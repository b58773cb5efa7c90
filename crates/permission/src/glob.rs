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

    /// The pattern with its place; `None` for a relative one without a root.
    pub(crate) fn placed(&self, root: Option<&str>) -> Option<PlacedGlob> {
        Place::of(&self.text, root).map(PlacedGlob::new)
    }

    /// A relative pattern that may lie anywhere.
    pub(crate) fn anywhere(&self) -> PlacedGlob {
        let start = Place::of(&format!("/**/{}", self.text), None);
        PlacedGlob::new(start.unwrap_or_default())
    }
}

/// A pattern of which it is known where it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlacedGlob {
    place: Place,
    /// It covers what lies below it, too.
    whole: bool,
}

impl PlacedGlob {
    fn new(place: Place) -> Self {
        let whole = !place.names().last().is_some_and(|last| is_wild(last));
        Self { place, whole }
    }

    /// A directory with everything in it, whatever its name looks like.
    pub(crate) fn below(place: Place) -> Self {
        Self { place, whole: true }
    }

    /// Whether the pattern covers `place`.
    pub(crate) fn covers(&self, place: &Place) -> bool {
        self.place.prefix() == place.prefix()
            && matches(
                self.place.names(),
                place.names(),
                |name| name == "**",
                |name, actual| is_match(name, actual),
                self.whole,
            )
    }

    /// Whether every place that `other` covers is covered.
    pub(crate) fn includes(&self, other: &Self) -> bool {
        let last = self.place.names().last().map(String::as_str);
        let reaches_as_far = !other.whole || self.whole || last == Some("**");
        reaches_as_far
            && self.place.prefix() == other.place.prefix()
            && matches(
                self.place.names(),
                other.place.names(),
                |name| name == "**",
                |wider, narrower| narrower != "**" && includes(wider, narrower),
                self.whole,
            )
    }

    /// Whether the pattern covers `place` on a file system that does not tell `A` from `a`.
    pub(crate) fn covers_folded(&self, place: &Place) -> bool {
        let folded = Self {
            place: self.place.folded(),
            whole: self.whole,
        };
        folded.covers(&place.folded())
    }

    /// Whether something that the pattern covers can lie below `place`.
    pub(crate) fn lies_below(&self, place: &Place) -> bool {
        let (own, other) = (self.place.folded(), place.folded());
        let below = |at: usize| {
            own.names()
                .get(..at)
                .is_some_and(|start| start.iter().eq(other.names()))
        };
        own.prefix() == other.prefix()
            && match own.names().iter().position(|name| is_wild(name)) {
                // Behind a wildcard anything may follow: it is enough that the way there is shared.
                Some(wild) => {
                    below(other.names().len().min(wild))
                        || own
                            .names()
                            .get(..wild)
                            .is_some_and(|start| other.names().starts_with(start))
                }
                None => below(other.names().len()),
            }
    }

    /// Whether one of the words that a shell may make of `word` is covered.
    ///
    /// A word that begins anywhere (`~/x`, `$HOME/x`) is taken to begin above what the pattern names, or every such word would be covered.
    pub(crate) fn meets(&self, word: &Place) -> bool {
        let (own, word) = (self.place.folded(), word.folded());
        let meet_from = |own: &[String], word: &[String]| {
            meet(
                own,
                word,
                |name| name == "**",
                |pattern, name| names_meet(pattern, name),
                self.whole,
            )
        };
        match word.names().split_first() {
            Some((first, rest)) if first == "**" => {
                !rest.is_empty()
                    && (0..own.names().len())
                        .filter_map(|at| own.names().get(at..))
                        .any(|own| meet_from(own, rest))
            }
            _ => own.prefix() == word.prefix() && meet_from(own.names(), word.names()),
        }
    }

    /// The names before the first wildcard, as a path, and the rest. Symbolic links are followed in the former.
    pub(crate) fn head(&self) -> (String, &[String]) {
        let names = self.place.names();
        let at = names
            .iter()
            .position(|name| is_wild(name))
            .unwrap_or(names.len());
        let (head, rest) = names.split_at(at);
        (self.place.written(head), rest)
    }

    /// The same pattern with another way to it.
    pub(crate) fn behind(&self, mut start: Place, rest: &[String]) -> Self {
        start.append(rest);
        Self {
            place: start,
            whole: self.whole,
        }
    }
}

fn is_wild(name: &str) -> bool {
    name.contains(['*', '?'])
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

/// Whether every text that `narrower` matches is matched by `wider`: a star takes a wildcard for a text like any other, a question mark takes no star.
pub(crate) fn includes(wider: &str, narrower: &str) -> bool {
    is_match(wider, narrower) && !(wider.contains('?') && narrower.contains('*'))
}

/// Whether a name covered by `pattern` can come out of `word`, which a shell expands.
fn names_meet(pattern: &str, word: &str) -> bool {
    if word.contains(['[', '{', '$', '`']) {
        return true;
    }
    // A wildcard of a shell passes over names with a dot in front.
    if pattern.starts_with('.') && is_wild(word.get(..1).unwrap_or_default()) {
        return false;
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let word: Vec<char> = word.chars().collect();
    meet(
        &pattern,
        &word,
        |c| *c == '*',
        |a, b| a == b || *a == '?' || *b == '?',
        false,
    )
}

/// Whether two patterns have something in common. `prefix`: the first may end before the second does.
fn meet<P>(
    first: &[P],
    second: &[P],
    is_star: impl Fn(&P) -> bool,
    is_same: impl Fn(&P, &P) -> bool,
    prefix: bool,
) -> bool {
    // `row[j]`: the rest of the first, and the second from `j` on, have something in common.
    let ends = |j: usize| prefix || second.iter().skip(j).all(&is_star);
    let mut row: Vec<bool> = (0..=second.len()).map(ends).collect();
    for step in first.iter().rev() {
        let mut above = vec![false; second.len() + 1];
        for j in (0..=second.len()).rev() {
            let at = |row: &[bool], j: usize| row.get(j).copied().unwrap_or_default();
            let met = match second.get(j) {
                _ if is_star(step) => at(&row, j) || at(&above, j + 1),
                Some(other) if is_star(other) => at(&above, j + 1) || at(&row, j),
                Some(other) => is_same(step, other) && at(&row, j + 1),
                None => false,
            };
            if let Some(slot) = above.get_mut(j) {
                *slot = met;
            }
        }
        row = above;
    }
    row.first().copied().unwrap_or_default()
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
