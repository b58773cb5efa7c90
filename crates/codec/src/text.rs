//! JSON strings as text, and what becomes of half a surrogate pair.
//!
//! JavaScript agents cut text between the halves of an emoji and escape each half. JSON allows
//! such an escape; UTF-8 has no character for it, and a strict reader refuses the whole line.

use std::borrow::Cow;

use memchr::memchr;

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
/// `None` when there is none, which costs one search for backslashes and no memory.
#[must_use]
pub fn repair_surrogates(json: &str) -> Option<Repaired> {
    let bytes = json.as_bytes();
    let mut repaired: Option<(Vec<u8>, usize)> = None;
    let mut from = 0;
    while let Some(found) = memchr(b'\\', bytes.get(from..)?) {
        let at = from + found;
        let (len, lone) = match (unit(bytes, at), unit(bytes, at + ESCAPE)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (2 * ESCAPE, false),
            (Some(0xD800..=0xDFFF), _) => (ESCAPE, true),
            (Some(_), _) => (ESCAPE, false),
            (None, _) => (2, false),
        };
        if lone {
            let (copy, count) = repaired.get_or_insert_with(|| (bytes.to_vec(), 0));
            copy.get_mut(at..at + ESCAPE)?.copy_from_slice(br"\ufffd");
            *count += 1;
        }
        from = (at + len).min(bytes.len());
    }
    let (copy, count) = repaired?;
    Some(Repaired {
        text: String::from_utf8(copy).ok()?,
        count,
    })
}

/// Length of `\uXXXX`.
const ESCAPE: usize = 6;

/// The UTF-16 unit that the escape at `at` stands for.
fn unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + ESCAPE)?.strip_prefix(br"\u")?;
    digits.iter().try_fold(0, |unit, &digit| {
        let value = char::from(digit).to_digit(16)?;
        Some(unit << 4 | value as u16)
    })
}

/// The text of a JSON string that stands between its quotes, and how many halves of surrogate
/// pairs in it became U+FFFD. `None` when `json` is not a JSON string.
pub(crate) fn unquote(json: &str) -> Option<(Cow<'_, str>, usize)> {
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    if memchr(b'\\', inner.as_bytes()).is_none() {
        return Some((Cow::Borrowed(inner), 0));
    }
    let (json, repaired) = match repair_surrogates(json) {
        Some(repaired) => (Cow::Owned(repaired.text), repaired.count),
        None => (Cow::Borrowed(json), 0),
    };
    let text: String = serde_json::from_str(&json).ok()?;
    Some((Cow::Owned(text), repaired))
}
