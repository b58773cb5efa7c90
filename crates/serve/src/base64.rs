//! Bytes as text of a JSON string (RFC 4648, with padding).

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |index: usize| u32::from(group.get(index).copied().unwrap_or_default());
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            if place > group.len() {
                text.push('=');
            } else {
                let index = (bits >> (18 - 6 * place)) & 63;
                let letter = ALPHABET.get(index as usize).copied().unwrap_or(b'=');
                text.push(char::from(letter));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::encode;

    #[track_caller]
    fn check(bytes: &str, text: &str) {
        assert_eq!(encode(bytes.as_bytes()), text);
    }

    #[test]
    fn the_vectors_of_the_standard() {
        check("", "");
        check("f", "Zg==");
        check("fo", "Zm8=");
        check("foo", "Zm9v");
        check("foob", "Zm9vYg==");
        check("fooba", "Zm9vYmE=");
        check("foobar", "Zm9vYmFy");
    }
}
