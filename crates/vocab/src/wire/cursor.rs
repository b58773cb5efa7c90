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

use crate::shape::{Found, ShapeError};

/// A position in a well-formed JSON text.
#[derive(Clone, Debug)]
#[expect(
    unnameable_types,
    reason = "it seals the trait `Wire`, which is public"
)]
pub struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Stands before the first byte of a value.
    pub(crate) fn new(raw: &'a RawValue) -> Self {
        Self {
            text: raw.get(),
            at: 0,
        }
    }

    fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// The next byte that is not white space; 0 at the end.
    pub(crate) fn peek(&mut self) -> u8 {
        loop {
            match self.byte() {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return byte,
            }
        }
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
    pub(crate) fn skip(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                b'"' => {
                    self.string_text();
                }
                b'{' | b'[' => {
                    self.at += 1;
                    depth += 1;
                    continue;
                }
                b'}' | b']' => {
                    self.at += 1;
                    depth = depth.saturating_sub(1);
                }
                b',' | b':' => {
                    self.at += 1;
                    continue;
                }
                0 => return,
                _ => {
                    self.scalar();
                }
            }
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

    /// Steps over a string. Gives its text without the quotes, and whether it has escapes.
    fn string_text(&mut self) -> (&'a str, bool) {
        let start = self.at + 1;
        let mut end = start;
        let mut escaped = false;
        loop {
            let rest = self.text.as_bytes().get(end..).unwrap_or(&[]);
            match memchr::memchr2(b'"', b'\\', rest) {
                Some(length) if rest.get(length) == Some(&b'\\') => {
                    escaped = true;
                    end += length + 2;
                }
                Some(length) => {
                    end += length;
                    break;
                }
                None => {
                    end = self.text.len();
                    break;
                }
            }
        }
        self.at = end + 1;
        (self.text.get(start..end).unwrap_or(""), escaped)
    }

    /// Reads a string. A lone surrogate in it becomes U+FFFD: it is no text, and it must not cost
    /// the message.
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>, ShapeError> {
        if self.peek() != b'"' {
            return Err(self.unexpected("a string"));
        }
        let open = self.at;
        let (inner, escaped) = self.string_text();
        if !escaped {
            return Ok(Cow::Borrowed(inner));
        }
        let quoted = self.text.get(open..self.at).unwrap_or("");
        Ok(Cow::Owned(super::escape::unescape(quoted, inner)))
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

/// The members of the object that a cursor is in.
///
/// When the object is a variant of a union, the members know the union's tag: they leave it out
/// once and call it a fault the second time, because two tags are two meanings.
#[derive(Debug)]
pub(crate) struct Members<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    tag: &'static str,
    tag_seen: bool,
}

impl<'c, 'a> Members<'c, 'a> {
    pub(crate) fn new(cursor: &'c mut Cursor<'a>, tag: &'static str) -> Self {
        Self {
            cursor,
            tag,
            tag_seen: false,
        }
    }

    /// The same members behind their tag, which has been read.
    pub(crate) fn behind_tag(mut self) -> Self {
        self.tag_seen = true;
        self
    }

    /// The cursor, standing before the value of the member that [`next`](Self::next) named.
    pub(crate) fn cursor(&mut self) -> &mut Cursor<'a> {
        self.cursor
    }

    /// The place where the members stand now, to read them a second time.
    pub(crate) fn fork(&self) -> Fork<'a> {
        Fork {
            cursor: self.cursor.clone(),
            tag: self.tag,
            tag_seen: self.tag_seen,
        }
    }

    /// Moves to the next member and gives its name; `None` behind the last. The caller reads or
    /// skips the value.
    pub(crate) fn next(&mut self) -> Result<Option<Cow<'a, str>>, ShapeError> {
        loop {
            if self.cursor.peek() == b',' {
                self.cursor.at += 1;
            }
            if matches!(self.cursor.peek(), b'}' | 0) {
                self.cursor.at += 1;
                return Ok(None);
            }
            let name = self.cursor.string()?;
            if self.cursor.peek() == b':' {
                self.cursor.at += 1;
            }
            if self.tag.is_empty() || name != self.tag {
                return Ok(Some(name));
            }
            if self.tag_seen {
                return Err(ShapeError::expected("one tag", Found::SecondTag).inside(self.tag));
            }
            self.tag_seen = true;
            self.cursor.skip();
        }
    }
}

/// A place among the members of an object, kept for a second pass.
#[derive(Debug)]
pub(crate) struct Fork<'a> {
    cursor: Cursor<'a>,
    tag: &'static str,
    tag_seen: bool,
}

impl<'a> Fork<'a> {
    /// The members from that place on.
    pub(crate) fn members(&mut self) -> Members<'_, 'a> {
        Members {
            cursor: &mut self.cursor,
            tag: self.tag,
            tag_seen: self.tag_seen,
        }
    }
}
