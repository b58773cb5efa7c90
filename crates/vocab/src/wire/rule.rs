//! What a member may be instead of what it should be.
//!
//! What only decorates is lenient; what says where or how something runs, who somebody is, or
//! what would widen access, is strict. Every member of every type is declared under one of these
//! rules, and the same declaration makes the reader, the writer and the table that
//! `acp describe` and the tests read.

use std::fmt;

use super::{Cursor, Wire};
use crate::{patch::Patch, shape::ShapeError};

/// How a member is read when it is missing, `null` or not of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// Must be there and of its type.
    Required,
    /// Missing and `null` are absent; anything ill-typed is a fault.
    Optional,
    /// Missing, `null` and ill-typed are absent.
    Lenient,
    /// Missing, `null` and ill-typed are the default of the type. Always written.
    Fallback,
    /// As [`Rule::Fallback`], and the default is not written.
    Quiet,
    /// A list that must be there. `null` and ill-typed are the empty list; bad items are left out.
    Entries,
    /// A list that must be there and be a list; bad items are left out.
    StrictEntries,
    /// A list. Missing, `null` and ill-typed are the empty list, bad items are left out. Always
    /// written.
    ListedEntries,
    /// As [`Rule::ListedEntries`], and the empty list is not written.
    QuietEntries,
    /// A list whose absence has a meaning. Missing, `null` and ill-typed are absent; bad items are
    /// left out.
    Items,
    /// A list that must be there. `null` is the empty list; ill-typed or one bad item is a fault.
    Argument,
    /// A list or map. Missing and `null` are empty; ill-typed or one bad item is a fault. Not
    /// written when empty.
    QuietArgument,
    /// A map. Missing is empty; `null`, ill-typed or one bad value is a fault. Always written.
    Given,
    /// As [`Rule::Given`], and the empty map is not written.
    QuietGiven,
    /// Three states; ill-typed is absent.
    Patch,
    /// Three states; ill-typed is a fault.
    StrictPatch,
    /// Three states of a list; ill-typed is absent and bad items are left out.
    PatchItems,
    /// Should be there: missing, `null` and ill-typed are the default. Always written.
    Expected,
    /// Any JSON, `null` included; only missing is absent.
    Verbatim,
    /// All members that are not known, kept as they came.
    More,
    /// The members of the type stand beside the others of the object.
    Flattened,
}

/// What comes of an input that is not what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reading {
    /// The whole value fails.
    Reject,
    /// As if the member were not there.
    Absent,
    /// The default of the type takes its place.
    Default,
    /// The empty list takes its place.
    Empty,
    /// It is kept as it is.
    Kept,
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Reject => "rejected",
            Self::Absent => "absent",
            Self::Default => "default",
            Self::Empty => "empty",
            Self::Kept => "kept",
        })
    }
}

impl Rule {
    /// Whether a writer always writes the member, and a reader misses it.
    #[must_use]
    pub const fn is_required(self) -> bool {
        matches!(
            self,
            Self::Required | Self::Entries | Self::StrictEntries | Self::Argument
        )
    }

    /// What a missing member is read as.
    #[must_use]
    pub const fn missing(self) -> Reading {
        match self {
            Self::Required | Self::Entries | Self::StrictEntries | Self::Argument => {
                Reading::Reject
            }
            Self::Fallback | Self::Expected | Self::Quiet | Self::Given | Self::QuietGiven => {
                Reading::Default
            }
            Self::ListedEntries | Self::QuietEntries | Self::QuietArgument => Reading::Empty,
            Self::Optional
            | Self::Lenient
            | Self::Items
            | Self::Patch
            | Self::StrictPatch
            | Self::PatchItems
            | Self::Verbatim
            | Self::More
            | Self::Flattened => Reading::Absent,
        }
    }

    /// What `null` is read as.
    #[must_use]
    pub const fn null(self) -> Reading {
        match self {
            Self::Required | Self::StrictEntries | Self::Given | Self::QuietGiven => {
                Reading::Reject
            }
            Self::Fallback | Self::Expected | Self::Quiet => Reading::Default,
            Self::Entries
            | Self::ListedEntries
            | Self::QuietEntries
            | Self::Argument
            | Self::QuietArgument => Reading::Empty,
            Self::Optional | Self::Lenient | Self::Items | Self::Flattened => Reading::Absent,
            Self::Patch | Self::StrictPatch | Self::PatchItems | Self::Verbatim | Self::More => {
                Reading::Kept
            }
        }
    }

    /// What a value of another type is read as.
    #[must_use]
    pub const fn ill_typed(self) -> Reading {
        match self {
            Self::Required
            | Self::Optional
            | Self::StrictEntries
            | Self::Argument
            | Self::QuietArgument
            | Self::Given
            | Self::QuietGiven
            | Self::StrictPatch
            | Self::Flattened => Reading::Reject,
            Self::Fallback | Self::Expected | Self::Quiet => Reading::Default,
            Self::Entries | Self::ListedEntries | Self::QuietEntries => Reading::Empty,
            Self::Lenient | Self::Items | Self::Patch | Self::PatchItems => Reading::Absent,
            Self::Verbatim | Self::More => Reading::Kept,
        }
    }

    /// Whether a list leaves out the items that do not decode and keeps the others.
    #[must_use]
    pub const fn skips_items(self) -> bool {
        matches!(
            self,
            Self::Entries
                | Self::StrictEntries
                | Self::ListedEntries
                | Self::QuietEntries
                | Self::Items
                | Self::PatchItems
        )
    }
}

/// Reads a value and takes it back when it is not of its type.
pub(crate) fn attempt<T: Wire>(cursor: &mut Cursor<'_>) -> Option<T> {
    if cursor.null() {
        return None;
    }
    let start = cursor.clone();
    T::read(cursor)
        .map_err(|_| {
            *cursor = start;
            cursor.skip();
        })
        .ok()
}

/// Reads a value, `null` being none.
pub(crate) fn optional<T: Wire>(cursor: &mut Cursor<'_>) -> Result<Option<T>, ShapeError> {
    if cursor.null() {
        return Ok(None);
    }
    T::read(cursor).map(Some)
}

/// Reads a list without its bad items; `None` when it is `null` or no list.
pub(crate) fn items<T: Wire>(cursor: &mut Cursor<'_>) -> Option<Vec<T>> {
    if cursor.array().is_err() {
        cursor.skip();
        return None;
    }
    let mut items = Vec::new();
    while cursor.item() {
        let start = cursor.clone();
        match T::read(cursor) {
            Ok(item) => items.push(item),
            Err(_) => {
                *cursor = start;
                cursor.skip();
            }
        }
    }
    Some(items)
}

/// Reads a list without its bad items; no list is a fault.
pub(crate) fn strict_items<T: Wire>(cursor: &mut Cursor<'_>) -> Result<Vec<T>, ShapeError> {
    let found = cursor.found();
    items(cursor).ok_or_else(|| ShapeError::expected("an array", found))
}

/// Reads a member with three states; ill-typed is absent.
pub(crate) fn patch<T: Wire>(cursor: &mut Cursor<'_>) -> Patch<T> {
    if cursor.null() {
        return Patch::Null;
    }
    attempt(cursor).map_or(Patch::Absent, Patch::Value)
}

/// Reads a list with three states, without its bad items; ill-typed is absent.
pub(crate) fn patch_items<T: Wire>(cursor: &mut Cursor<'_>) -> Patch<Vec<T>> {
    if cursor.null() {
        return Patch::Null;
    }
    items(cursor).map_or(Patch::Absent, Patch::Value)
}
