//! The members of an object, one after the other.

use std::borrow::Cow;

use super::Cursor;
use crate::shape::{Found, ShapeError};

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
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<Cow<'a, str>>, ShapeError> {
        loop {
            let mut byte = self.cursor.peek();
            if byte == b',' {
                self.cursor.at += 1;
                byte = self.cursor.peek();
            }
            if matches!(byte, b'}' | 0) {
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
