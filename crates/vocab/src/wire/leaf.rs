//! Scalars, lists and maps.

use std::{
    collections::BTreeMap,
    num::{NonZeroU16, NonZeroU32},
};

use super::{Cursor, TypeRef, Wire};
use crate::shape::{Found, ShapeError};

impl Wire for Box<str> {
    const TYPE: TypeRef = TypeRef::Scalar("string");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        cursor.string().map(Self::from)
    }
}

impl Wire for bool {
    const TYPE: TypeRef = TypeRef::Scalar("boolean");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        cursor.want(Found::Boolean, "a boolean")?;
        Ok(cursor.scalar() == "true")
    }
}

macro_rules! number {
    ($($type:ty = $name:literal, $expected:literal;)*) => {$(
        impl Wire for $type {
            const TYPE: TypeRef = TypeRef::Scalar($name);

            fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
                cursor.want(Found::Number, $expected)?;
                cursor
                    .scalar()
                    .parse()
                    .map_err(|_| ShapeError::expected($expected, Found::Number))
            }
        }
    )*};
}

number! {
    u16 = "u16", "an integer from 0 to 65535";
    u32 = "u32", "an integer from 0 to 4294967295";
    u64 = "u64", "an unsigned 64-bit integer";
    i32 = "i32", "a signed 32-bit integer";
    i64 = "i64", "a signed 64-bit integer";
    NonZeroU16 = "u16>=1", "an integer from 1 to 65535";
    NonZeroU32 = "u32>=1", "an integer from 1 to 4294967295";
}

impl Wire for f64 {
    const TYPE: TypeRef = TypeRef::Scalar("f64");

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        cursor.want(Found::Number, "a number")?;
        cursor
            .scalar()
            .parse()
            .ok()
            .filter(|number: &Self| number.is_finite())
            .ok_or_else(|| ShapeError::expected("a finite number", Found::Number))
    }
}

/// A list is strict: one bad item and there is no list. Lenient members use the rules instead.
impl<T: Wire> Wire for Vec<T> {
    const TYPE: TypeRef = TypeRef::List(&T::TYPE);

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        cursor.array()?;
        let mut items = Self::new();
        while cursor.item() {
            let index = items.len();
            items.push(T::read(cursor).map_err(|error| error.at(index))?);
        }
        Ok(items)
    }
}

impl<T: Wire> Wire for BTreeMap<Box<str>, T> {
    const TYPE: TypeRef = TypeRef::Map(&T::TYPE);

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ShapeError> {
        let mut members = cursor.object()?;
        let mut map = Self::new();
        while let Some(name) = members.next()? {
            let index = map.len();
            let value = T::read(members.cursor()).map_err(|error| error.at(index))?;
            map.insert(name.into(), value);
        }
        Ok(map)
    }
}
