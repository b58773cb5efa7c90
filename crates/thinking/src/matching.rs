//! Which offered value a word means: the exact one first, then one that is the same once written the same way. Never a nearest guess.

use crate::{
    error::ChooseError,
    level::{Level, normalised},
    nearest::nearest,
    option::OptionValue,
};

/// The value that is spelled exactly so.
pub(crate) fn exact<'a>(
    what: &str,
    offered: impl Iterator<Item = &'a str> + Clone,
    wish: &str,
) -> Result<&'a str, ChooseError> {
    let found = offered.clone().find(|spelling| *spelling == wish);
    found.ok_or_else(|| unknown(what, offered, wish))
}

/// The word of a list that `wish` means.
pub(crate) fn word<'a>(
    what: &str,
    offered: &[&'a str],
    wish: &str,
) -> Result<&'a str, ChooseError> {
    let values = offered.iter().map(|word| (*word, None));
    pick(what, values, wish)
}

/// The value that `wish` means, by its spelling or else by its name.
pub(crate) fn find<'a>(
    what: &str,
    offered: &'a [OptionValue],
    wish: &str,
) -> Result<&'a str, ChooseError> {
    let values = offered
        .iter()
        .map(|value| (&*value.value, Some(&*value.name)));
    pick(what, values, wish)
}

/// `true` or `false` for any of the usual words.
pub(crate) fn boolean(what: &str, wish: &str) -> Result<&'static str, ChooseError> {
    match normalised(wish).as_str() {
        "true" | "on" | "yes" | "enabled" => Ok("true"),
        "false" | "off" | "no" | "none" | "disabled" => Ok("false"),
        _ => Err(unknown(what, ["true", "false"].into_iter(), wish)),
    }
}

/// Goes through ever looser comparisons; the first that holds for one value decides, one that holds for several is no answer.
fn pick<'a>(
    what: &str,
    values: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone,
    wish: &str,
) -> Result<&'a str, ChooseError> {
    let word = normalised(wish);
    if word.is_empty() {
        return Err(unknown(what, values.map(|(value, _)| value), wish));
    }
    let level = Level::of(wish);
    type Comparison<'c> = &'c dyn Fn(&str, Option<&str>) -> bool;
    let comparisons: [Comparison<'_>; 4] = [
        &|value, _| value == wish,
        &|value, _| normalised(value) == word,
        &|value, _| level.is_some() && Level::of(value) == level,
        &|_, name| name.is_some_and(|name| normalised(name) == word),
    ];
    for holds in comparisons {
        let mut same: Vec<&str> = values
            .clone()
            .filter(|(value, name)| holds(value, *name))
            .map(|(value, _)| value)
            .collect();
        same.dedup();
        match same.as_slice() {
            [] => {}
            [only] => return Ok(only),
            several => {
                return Err(ChooseError::Ambiguous {
                    what: what.into(),
                    wish: wish.into(),
                    candidates: several.iter().map(|value| (*value).into()).collect(),
                });
            }
        }
    }
    Err(unknown(what, values.map(|(value, _)| value), wish))
}

fn unknown<'a>(
    what: &str,
    offered: impl Iterator<Item = &'a str> + Clone,
    wish: &str,
) -> ChooseError {
    ChooseError::UnknownValue {
        what: what.into(),
        wish: wish.into(),
        nearest: nearest(wish, offered.clone()),
        offered: offered.map(Into::into).collect(),
    }
}
