//! Strings with escapes, and the escapes that are no character.

/// The text that a JSON string stands for. `quoted` is the string with its quotes, `inner` the
/// same without them.
pub(crate) fn unescape(quoted: &str, inner: &str) -> String {
    serde_json::from_str(quoted).unwrap_or_else(|_| without_lone_surrogates(inner))
}

/// Unescapes by hand. Halves of a surrogate pair that stand alone become U+FFFD.
#[cold]
fn without_lone_surrogates(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut units: Vec<u16> = Vec::new();
    let mut rest = inner;
    while let Some(position) = rest.find('\\') {
        let (plain, escape) = rest.split_at(position);
        flush(&mut units, &mut out, !plain.is_empty());
        out.push_str(plain);
        rest = match unit(escape) {
            Some((unit, length)) => {
                units.push(unit);
                escape.get(length..).unwrap_or("")
            }
            None => "",
        };
    }
    flush(&mut units, &mut out, true);
    out.push_str(rest);
    out
}

/// Turns the collected escapes into characters, lossily, once something else follows them.
fn flush(units: &mut Vec<u16>, out: &mut String, follows: bool) {
    if follows && !units.is_empty() {
        out.push_str(&String::from_utf16_lossy(units));
        units.clear();
    }
}

/// The UTF-16 unit of the escape at the start of `escape`, and the length of the escape.
fn unit(escape: &str) -> Option<(u16, usize)> {
    let unit = match escape.as_bytes().get(1)? {
        b'u' => {
            return u16::from_str_radix(escape.get(2..6)?, 16)
                .ok()
                .map(|unit| (unit, 6));
        }
        b'b' => 0x08,
        b'f' => 0x0c,
        b'n' => 0x0a,
        b'r' => 0x0d,
        b't' => 0x09,
        other => u16::from(*other),
    };
    Some((unit, 2))
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[track_caller]
    fn check(inner: &str, expected: &str) {
        assert_eq!(unescape(&format!("\"{inner}\""), inner), expected);
    }

    #[test]
    fn escapes() {
        check(r"a\n\t\u0041\\", "a\n\tA\\");
        check(r"\ud83d\ude00", "\u{1f600}");
    }

    #[test]
    fn lone_surrogates() {
        check(r"\ud800", "\u{fffd}");
        check(r"x\udc00\ud800y\n\u00e4", "x\u{fffd}\u{fffd}y\n\u{e4}");
        check(r"\ud83d\ude00\ud83d", "\u{1f600}\u{fffd}");
        check(r#"\ud83d \ude00 \"\/"#, "\u{fffd} \u{fffd} \"/");
    }
}
