//! Mistakes in a config file, each with the byte at which it stands.

use super::written::Written;
use crate::nearest;

/// Why it cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The byte at which it is found.
    pub(super) at: Option<usize>,
    pub(super) what: String,
    pub(super) hint: Option<String>,
}

/// Something that cannot stand at this byte.
pub(super) fn fault(at: usize, what: impl Into<String>) -> Fault {
    Fault {
        at: Some(at),
        what: what.into(),
        hint: None,
    }
}

/// The text itself is not quoted: it may be a secret in the wrong place.
pub(super) fn mismatch(key: &str, needs: &str, value: &Written<'_>) -> Fault {
    let is = value.get_ref().type_str();
    fault(
        value.span().start,
        format!("{key} takes {needs}, not this {is}"),
    )
}

/// A key that there is not, with those that are like it.
pub(super) fn unknown<'a>(key: &str, at: usize, known: impl Iterator<Item = &'a str>) -> Fault {
    let word = key.rsplit('.').next().unwrap_or(key).replace('_', "-");
    let near = nearest::nearest(&word, known).join(", ");
    Fault {
        hint: Some(if near.is_empty() {
            String::from("`acp config keys` lists them")
        } else {
            format!("did you mean {near}? `acp config keys` lists them all")
        }),
        ..fault(at, format!("no key is called {key}"))
    }
}
