//! The bytes behind base64 text: terminals print bytes, and JSON has none.

/// Decodes base64 of either alphabet, with or without padding. What is no base64 ends it: what
/// was decoded until there is kept, because a display is better than none.
pub(super) fn decode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0_u8);
    for symbol in text.bytes() {
        let value = match symbol {
            b'A'..=b'Z' => symbol - b'A',
            b'a'..=b'z' => symbol - b'a' + 26,
            b'0'..=b'9' => symbol - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'\r' | b'\n' => continue,
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            let [.., byte] = (bits >> count).to_be_bytes();
            bytes.push(byte);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[track_caller]
    fn check(text: &str, expected: &[u8]) {
        assert_eq!(decode(text), expected, "{text}");
    }

    #[test]
    fn texts_become_bytes() {
        check("", b"");
        check("Zg==", b"f");
        check("Zm8=", b"fo");
        check("Zm9v", b"foo");
        check("Zm9vYg", b"foob");
        check("/+8=", &[0xff, 0xef]);
        check("_-8", &[0xff, 0xef]);
        check("Zm9v\nYmFy", b"foobar");
        check("Zm9v!mFy", b"foo");
    }
}
