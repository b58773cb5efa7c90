//! A place in a JSON text that is known to be well-formed.
//!
//! Why not a serde visitor per type: a union must read its tag first, wherever it stands, a
//! lenient member must be tried and taken back, and a fault must know its path. With serde that
//! means a buffer of the whole object, an error message to take apart, and three generic impls
//! per type. A cursor steps back by setting a number. It checks no syntax: `serde_json` has done
//! that when it made the [`RawValue`]. It only finds where members, items and strings begin and
//! end, and hands escapes back to `serde_json`.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::{escape::Unescaped, members::Members};
use crate::shape::{Found, ShapeError};

/// A position in a well-formed JSON text.
#[derive(Clone, Debug)]
#[expect(
    unnameable_types,
    reason = "it seals the trait `Wire`, which is public"
)]
pub struct Cursor<'a> {
    text: &'a str,
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    /// Stands before the first byte of a value.
    pub(crate) fn new(raw: &'a RawValue) -> Self {
        Self {
            text: raw.get(),
            at: 0,
        }
    }

    #[inline(always)]
    fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// The next byte that is not white space; 0 at the end.
    #[inline(always)]
    pub(crate) fn peek(&mut self) -> u8 {
        let byte = self.byte();
        if byte > b' ' {
            return byte;
        }
        self.peek_behind_space()
    }

    fn peek_behind_space(&mut self) -> u8 {
        while matches!(self.byte(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
        self.byte()
    }

    /// What kind of value comes next.
    pub(crate) fn found(&mut self) -> Found {
        match self.peek() {
            b'"' => Found::String,
            b'{' => Found::Object,
            b'[' => Found::Array,
            b'n' => Found::Null,
            b't' | b'f' => Found::Boolean,
            b'-' | b'0'..=b'9' => Found::Number,
            _ => Found::NotJson,
        }
    }

    /// A fault at this place.
    #[cold]
    pub(crate) fn unexpected(&mut self, expected: &'static str) -> ShapeError {
        ShapeError::expected(expected, self.found())
    }

    /// Faults unless a value of that kind comes next.
    pub(crate) fn want(&mut self, kind: Found, expected: &'static str) -> Result<(), ShapeError> {
        let found = self.found();
        if found == kind {
            Ok(())
        } else {
            Err(ShapeError::expected(expected, found))
        }
    }

    /// Steps over `null` and says whether it was there.
    pub(crate) fn null(&mut self) -> bool {
        let null = self.peek() == b'n';
        if null {
            self.scalar();
        }
        null
    }

    /// Steps over one whole value of any depth.
    #[inline]
    pub(crate) fn skip(&mut self) {
        match self.peek() {
            b'"' => self.skip_string(),
            b'{' | b'[' => self.skip_nested(),
            _ => {
                self.scalar();
            }
        }
    }

    /// Steps over an object or an array: outside of strings only the brackets matter.
    fn skip_nested(&mut self) {
        let mut depth = 0_usize;
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b'"' => {
                    self.skip_string();
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// Steps over one whole value and gives its text.
    pub(crate) fn value_text(&mut self) -> &'a str {
        self.peek();
        let start = self.at;
        self.skip();
        self.text.get(start..self.at).unwrap_or("")
    }

    /// Steps over a number, a boolean or `null` and gives its text.
    pub(crate) fn scalar(&mut self) -> &'a str {
        self.peek();
        let start = self.at;
        let rest = self.text.as_bytes().get(start..).unwrap_or(&[]);
        let length = rest
            .iter()
            .position(|byte| {
                matches!(
                    byte,
                    b',' | b'}' | b']' | b':' | b' ' | b'\n' | b'\r' | b'\t'
                )
            })
            .unwrap_or(rest.len());
        // A byte that begins no scalar is stepped over, so that no loop can stand still.
        self.at = start + length.max(1);
        self.text.get(start..start + length).unwrap_or("")
    }

    /// Steps over a string, whatever is in it.
    #[inline]
    fn skip_string(&mut self) {
        self.at += 1;
        loop {
            self.at += special(self.rest());
            match self.byte() {
                b'\\' => self.at += 2,
                _ => break,
            }
        }
        self.at += 1;
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or(&[])
    }

    /// Reads a string. A lone surrogate in it becomes U+FFFD: it is no text, and it must not cost
    /// the message.
    #[inline(always)]
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>, ShapeError> {
        if self.peek() != b'"' {
            return Err(self.unexpected("a string"));
        }
        let start = self.at + 1;
        self.at = start;
        self.at += special(self.rest());
        let plain = self.text.get(start..self.at).unwrap_or("");
        if self.byte() == b'\\' {
            return Ok(Cow::Owned(self.escaped(plain)));
        }
        self.at += 1;
        Ok(Cow::Borrowed(plain))
    }

    /// Reads the rest of a string from its first escape on.
    #[inline(never)]
    fn escaped(&mut self, plain: &str) -> String {
        let mut text = Unescaped::behind(plain);
        while self.byte() == b'\\' {
            self.at += text.escape(self.rest());
            let start = self.at;
            self.at += special(self.rest());
            text.plain(self.text.get(start..self.at).unwrap_or(""));
        }
        self.at += 1;
        text.finish()
    }

    /// Enters an object.
    pub(crate) fn object(&mut self) -> Result<Members<'_, 'a>, ShapeError> {
        if self.peek() != b'{' {
            return Err(self.unexpected("an object"));
        }
        self.at += 1;
        Ok(Members::new(self, ""))
    }

    /// Enters an array; [`item`](Self::item) then tells whether another item comes.
    pub(crate) fn array(&mut self) -> Result<(), ShapeError> {
        if self.peek() != b'[' {
            return Err(self.unexpected("an array"));
        }
        self.at += 1;
        Ok(())
    }

    /// Moves to the next item of an array, or out of it.
    pub(crate) fn item(&mut self) -> bool {
        if self.peek() == b',' {
            self.at += 1;
            self.peek();
        }
        match self.byte() {
            b']' | 0 => {
                self.at += 1;
                false
            }
            _ => true,
        }
    }
}

/// How far it is to the next quote or backslash, or to the end.
///
/// Names and short strings are done with the first eight bytes, where they are read. For a string
/// that is somewhat longer, eight bytes at a time are faster than the vector search, which takes a
/// while to start.
#[inline(always)]
fn special(bytes: &[u8]) -> usize {
    match bytes.split_first_chunk() {
        Some((word, rest)) => special_in(*word).unwrap_or_else(|| 8 + farther(rest)),
        None => farther(bytes),
    }
}

#[inline(never)]
fn farther(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    for at in (0..96).step_by(8) {
        let Some((word, behind)) = rest.split_first_chunk() else {
            break;
        };
        if let Some(position) = special_in(*word) {
            return at + position;
        }
        rest = behind;
    }
    let at = bytes.len() - rest.len();
    at + memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len())
}

/// Where the first quote or backslash of eight bytes is.
#[inline(always)]
fn special_in(word: [u8; 8]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
    let word = u64::from_le_bytes(word);
    let quote = word ^ (ONES * 0x22);
    let slash = word ^ (ONES * 0x5c);
    let found = (quote.wrapping_sub(ONES) & !quote) | (slash.wrapping_sub(ONES) & !slash);
    let found = found & HIGHS;
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}
