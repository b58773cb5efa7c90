//! Strings with escapes, and the escapes that are no character.

/// A string that is being put together from plain runs and escapes.
///
/// Halves of a surrogate pair that stand alone become U+FFFD: they are no text, and `serde_json`
/// would refuse the whole value.
pub(crate) struct Unescaped {
    text: String,
    /// The first half of a surrogate pair, waiting for the second.
    high: Option<u16>,
}

impl Unescaped {
    /// Starts with the run before the first escape.
    pub(crate) fn behind(plain: &str) -> Self {
        let mut text = String::with_capacity(plain.len() + 64);
        text.push_str(plain);
        Self { text, high: None }
    }

    /// Adds a run without escapes.
    pub(crate) fn plain(&mut self, run: &str) {
        if !run.is_empty() {
            self.settle();
            self.text.push_str(run);
        }
    }

    /// Adds the escape that the bytes begin with and gives its length.
    pub(crate) fn escape(&mut self, bytes: &[u8]) -> usize {
        let character = match bytes.get(1).copied().unwrap_or(0) {
            b'u' => {
                self.unit(bytes.get(2..6).and_then(unit).unwrap_or(0xfffd));
                return 6;
            }
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            other => char::from(other),
        };
        self.settle();
        self.text.push(character);
        2
    }

    /// The whole text.
    pub(crate) fn finish(mut self) -> String {
        self.settle();
        self.text
    }

    fn unit(&mut self, unit: u16) {
        if let Some(high) = self.high.take() {
            if let Some(Ok(character)) = char::decode_utf16([high, unit]).next() {
                self.text.push(character);
                return;
            }
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
        match char::from_u32(unit.into()) {
            Some(character) => self.text.push(character),
            None if unit < 0xdc00 => self.high = Some(unit),
            None => self.text.push(char::REPLACEMENT_CHARACTER),
        }
    }

    /// A first half that nothing followed is no character.
    fn settle(&mut self) {
        if self.high.take().is_some() {
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
    }
}

/// Four hexadecimal digits.
fn unit(digits: &[u8]) -> Option<u16> {
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
