//! Finding the tag of a union, wherever it stands in the object.

use std::borrow::Cow;

use serde::ser::SerializeMap;
use serde_json::value::RawValue;

use super::{Cursor, Flat, Members, TypeRef};
use crate::{
    raw::Raw,
    shape::{Found, ShapeError},
};

/// The tag's text, or what stands in its place.
pub(crate) type Tag<'a> = Result<Cow<'a, str>, Found>;

/// Enters an object and finds its tag. With the tag in front the members go on behind it and
/// nothing is read twice; otherwise the object is looked over once and the members start from its
/// beginning.
pub(crate) fn open<'c, 'a>(
    cursor: &'c mut Cursor<'a>,
    tag: &'static str,
) -> Result<(Tag<'a>, Members<'c, 'a>), ShapeError> {
    let mut probe = {
        cursor.object()?;
        cursor.clone()
    };
    let mut members = Members::new(&mut probe, "");
    let mut first = true;
    while let Some(name) = members.next()? {
        if name == tag {
            let found = members.cursor().found();
            if found != Found::String {
                return Ok((Err(found), Members::new(cursor, tag)));
            }
            let text = members.cursor().string()?;
            if first {
                *cursor = probe;
                return Ok((Ok(text), Members::new(cursor, tag).behind_tag()));
            }
            return Ok((Ok(text), Members::new(cursor, tag)));
        }
        first = false;
        members.cursor().skip();
    }
    Ok((Err(Found::Nothing), Members::new(cursor, tag)))
}

/// The tag among the members of an object that other members share. A second tag is a fault.
pub(crate) fn find<'a>(mut object: Cursor<'a>, tag: &'static str) -> Result<Tag<'a>, ShapeError> {
    let mut members = Members::new(&mut object, "");
    let mut seen = Err(Found::Nothing);
    while let Some(name) = members.next()? {
        if name != tag {
            members.cursor().skip();
            continue;
        }
        if seen != Err(Found::Nothing) {
            return Err(ShapeError::expected("one tag", Found::SecondTag).inside(tag));
        }
        let found = members.cursor().found();
        seen = if found == Found::String {
            Ok(members.cursor().string()?)
        } else {
            members.cursor().skip();
            Err(found)
        };
    }
    Ok(seen)
}

/// An absent tag where one is needed.
#[cold]
pub(crate) fn no_tag(tag: &'static str, found: Found) -> ShapeError {
    ShapeError::expected("a string", found).inside(tag)
}

/// All members that are left, as one object: the body of a variant that is not known.
pub(crate) fn collect(mut members: Members<'_, '_>) -> Result<Raw, ShapeError> {
    let mut text = String::from("{");
    while let Some(name) = members.next()? {
        if text.len() > 1 {
            text.push(',');
        }
        // Writing a string as JSON does not fail; the member would be left out if it did.
        if let Ok(name) = serde_json::to_string(&*name) {
            text.push_str(&name);
            text.push(':');
            text.push_str(members.cursor().value_text());
        }
    }
    text.push('}');
    Raw::from_text(text).map_err(|_| ShapeError::expected("an object", Found::NotJson))
}

/// Writes the members of a collected body, without those that the holder writes itself. The tag
/// is always written.
pub(crate) fn write_collected<M: SerializeMap>(
    raw: &Raw,
    map: &mut M,
    own: &[&str],
    tag: &str,
) -> Result<(), M::Error> {
    let mut cursor = Cursor::new(raw);
    let Ok(mut members) = cursor.object() else {
        return Ok(());
    };
    while let Ok(Some(name)) = members.next() {
        let text = members.cursor().value_text();
        if name != tag && own.contains(&&*name) {
            continue;
        }
        if let Ok(value) = serde_json::from_str::<&RawValue>(text) {
            map.serialize_entry(&*name, value)?;
        }
    }
    Ok(())
}

/// A union that may say nothing at all: no tag, `null` or an ill-typed tag is none.
impl<T: Flat> Flat for Option<T> {
    const TYPE: TypeRef = T::TYPE;
    const TAG: &'static str = T::TAG;

    fn read_flat(mut members: Members<'_, '_>) -> Result<Self, ShapeError> {
        match find(members.cursor().clone(), T::TAG)? {
            Ok(_) => T::read_flat(members).map(Some),
            Err(_) => Ok(None),
        }
    }

    fn write_flat<M: SerializeMap>(&self, map: &mut M, own: &[&str]) -> Result<(), M::Error> {
        match self {
            Some(flat) => flat.write_flat(map, own),
            None => Ok(()),
        }
    }
}

/// Whether the next value is an object with that member.
pub(crate) fn has_member(mut cursor: Cursor<'_>, member: &str) -> bool {
    let Ok(mut members) = cursor.object() else {
        return false;
    };
    while let Ok(Some(name)) = members.next() {
        if name == member {
            return true;
        }
        members.cursor().skip();
    }
    false
}

/// Whether the next value is a list whose first item is an object with that member.
pub(crate) fn first_item_has(mut cursor: Cursor<'_>, member: &str) -> bool {
    cursor.array().is_ok() && cursor.item() && has_member(cursor, member)
}
