//! JSON strings as text, and what becomes of half a surrogate pair.
//!
//! JavaScript agents cut text between the halves of an emoji and escape each half. JSON allows
//! such an escape; UTF-8 has no character for it, and a strict reader refuses the whole line.

use std::borrow::Cow;

use memchr::{memchr, memmem};

/// JSON text in which every lone surrogate escape was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repaired {
    /// The text, exactly as long as the original: `\ud83d` became `\ufffd`, and no offset moved.
    pub text: String,
    /// How many escapes were replaced.
    pub count: usize,
}

/// Replaces every escape of half a surrogate pair by the escape of U+FFFD, in JSON text.
/// `None` when there is none, which costs a search and no memory.
#[must_use]
pub fn repair_surrogates(json: &str) -> Option<Repaired> {
    let mut repaired: Option<(Vec<u8>, usize)> = None;
    for at in lone_halves(json.as_bytes()) {
        let (copy, count) = repaired.get_or_insert_with(|| (json.as_bytes().to_vec(), 0));
        copy.get_mut(at..at + ESCAPE)?.copy_from_slice(br"\ufffd");
        *count += 1;
    }
    let (copy, count) = repaired?;
    Some(Repaired {
        text: String::from_utf8(copy).ok()?,
        count,
    })
}

/// How many escapes of half a surrogate pair there are in JSON text.
pub(crate) fn count_lone_halves(json: &[u8]) -> usize {
    // Most lines have no escape at all, and a search for one byte needs no preparation.
    match memchr(b'\\', json) {
        None => 0,
        Some(first) => lone_halves(json.get(first..).unwrap_or_default()).count(),
    }
}

/// The text of a JSON string that stands between its quotes, with U+FFFD for halves of surrogate
/// pairs. `None` when `json` is not a JSON string.
pub(crate) fn unquote(json: &str) -> Option<Cow<'_, str>> {
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    if memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    let repaired = repair_surrogates(json);
    let json = repaired.as_ref().map_or(json, |repaired| &repaired.text);
    serde_json::from_str(json).ok().map(Cow::Owned)
}

/// Length of `\uXXXX`.
const ESCAPE: usize = 6;

/// Where the escapes of half a surrogate pair stand.
fn lone_halves(json: &[u8]) -> impl Iterator<Item = usize> {
    let mut second_half = None;
    memmem::find_iter(json, br"\u").filter(move |&at| {
        if second_half == Some(at) || !is_escape(json, at) {
            return false;
        }
        match (unit(json, at), unit(json, at + ESCAPE)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => {
                second_half = Some(at + ESCAPE);
                false
            }
            (unit, _) => matches!(unit, Some(0xD800..=0xDFFF)),
        }
    })
}

/// Whether the backslash at `at` begins an escape rather than being escaped itself.
fn is_escape(json: &[u8], at: usize) -> bool {
    let before = json.get(..at).unwrap_or_default();
    before
        .iter()
        .rev()
        .take_while(|&&byte| byte == b'\\')
        .count()
        % 2
        == 0
}

/// The UTF-16 unit that the escape at `at` stands for.
fn unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + ESCAPE)?.strip_prefix(br"\u")?;
    digits.iter().try_fold(0, |unit, &digit| {
        let value = char::from(digit).to_digit(16)?;
        Some(unit << 4 | value as u16)
    })
}
