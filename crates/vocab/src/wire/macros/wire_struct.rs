//! The macro that declares objects.

/// An object with known members.
///
/// Members that are not known are left out; of two members with one name the last counts; an
/// array is no object. `[meta]` adds `_meta`, `[meta more]` keeps unknown members too, `[patch_meta]` adds it with three states,
/// `[null]` lets `null` and absent params stand for the empty object.
macro_rules! wire_struct {
    (
        $(#[doc = $doc:literal])*
        pub struct $name:ident: $v1:ident / $v2:ident [meta more] { $($fields:tt)* }
        new($($args:tt)*);
    ) => {
        $crate::wire::macros::wire_struct! {
            $(#[doc = $doc])*
            pub struct $name: $v1 / $v2 [meta] {
                $($fields)*
                /// Members that this crate does not know, kept as they came.
                more more: std::collections::BTreeMap<Box<str>, crate::raw::Raw> = "": $v1 / $v2,
            }
            new($($args)*);
        }
    };
    (
        $(#[doc = $doc:literal])*
        pub struct $name:ident: $v1:ident / $v2:ident [meta $($flag:ident)*] { $($fields:tt)* }
        new($($args:tt)*);
    ) => {
        $crate::wire::macros::wire_struct! {
            $(#[doc = $doc])*
            pub struct $name: $v1 / $v2 [$($flag)*] {
                $($fields)*
                /// Free-form extension data; kept and passed on.
                lenient meta: Option<crate::raw::Meta> = "_meta": $v1 / $v2,
            }
            new($($args)*);
        }
    };
    (
        $(#[doc = $doc:literal])*
        pub struct $name:ident: $v1:ident / $v2:ident [patch_meta $($flag:ident)*] {
            $($fields:tt)*
        }
        new($($args:tt)*);
    ) => {
        $crate::wire::macros::wire_struct! {
            $(#[doc = $doc])*
            pub struct $name: $v1 / $v2 [$($flag)*] {
                $($fields)*
                /// Free-form extension data, itself a patch: an object is applied key by key.
                patch meta: crate::patch::Patch<crate::raw::Meta> = "_meta": $v1 / $v2,
            }
            new($($args)*);
        }
    };
    (
        $(#[doc = $doc:literal])*
        pub struct $name:ident: $v1:ident / $v2:ident [$($flag:ident)?] {
            $(
                $(#[doc = $fdoc:literal])*
                $rule:ident $field:ident: $ty:ty = $wire:literal $(| $alias:literal)*:
                    $f1:ident / $f2:ident,
            )*
        }
        new($($arg:ident: $argty:ty),*);
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $(
                $(#[doc = $fdoc])*
                pub $field: $ty,
            )*
        }

        impl $name {
            /// Makes one from what must be there; the rest is absent or empty.
            #[must_use]
            pub fn new($($arg: impl Into<$argty>),*) -> Self {
                Self {
                    $($field: $crate::wire::macros::rule!(@init $rule, $field),)*
                }
            }
        }

        $crate::wire::macros::default_for!($name ($($arg),*));

        impl crate::wire::Body for $name {
            const OWN: &'static [&'static str] = &[$($wire $(, $alias)*),*];

            #[inline]
            fn read_members(
                mut members: crate::wire::Members<'_, '_>,
            ) -> Result<Self, crate::shape::ShapeError> {
                $(let mut $field = $crate::wire::macros::rule!(@slot $rule, members);)*
                while let Some(name) = members.next()? {
                    match &*name {
                        $($wire $(| $alias)* => {
                            $crate::wire::macros::member!(
                                $rule, $field, members, $wire, $ty
                            );
                        })*
                        _ => {
                            let _text = members.cursor().value_text();
                            $($crate::wire::macros::rule!(@unknown $rule, $field, name, _text);)*
                        }
                    }
                }
                Ok(Self {
                    $($field: $crate::wire::macros::rule!(@done $rule, $field, $wire, $ty),)*
                })
            }

            fn write_members<M: serde::ser::SerializeMap>(
                &self,
                map: &mut M,
            ) -> Result<(), M::Error> {
                // An object may have no members at all.
                let _ = &map;
                $($crate::wire::macros::rule!(@write $rule, self.$field, map, $wire);)*
                Ok(())
            }
        }

        impl crate::wire::Wire for $name {
            const TYPE: crate::wire::TypeRef = crate::wire::TypeRef::Named(stringify!($name));

            #[inline]
            fn read(
                cursor: &mut crate::wire::Cursor<'_>,
            ) -> Result<Self, crate::shape::ShapeError> {
                $($crate::wire::macros::null_object!($flag, cursor);)?
                crate::wire::Body::read_members(cursor.object()?)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(None)?;
                crate::wire::Body::write_members(self, &mut map)?;
                serde::ser::SerializeMap::end(map)
            }
        }

        $crate::wire::macros::serde_for!($name);

        impl crate::describe::Described for $name {
            const INFO: crate::describe::TypeInfo = crate::describe::TypeInfo {
                name: stringify!($name),
                recode: Some(crate::describe::recode::<$name>),
                doc: concat!($($doc, "\n"),*),
                presence: crate::stability::Presence::new(
                    crate::stability::label::$v1,
                    crate::stability::label::$v2,
                ),
                shape: crate::describe::Shape::Struct {
                    null: $crate::wire::macros::has_null!($($flag)?),
                    fields: &[$(
                        crate::describe::FieldInfo {
                            name: $wire,
                            doc: concat!($($fdoc, "\n"),*),
                            ty: $crate::wire::macros::rule!(@type $rule, $ty),
                            rule: $crate::wire::macros::rule!(@name $rule),
                            presence: crate::stability::Presence::new(
                                crate::stability::label::$f1,
                                crate::stability::label::$f2,
                            ),
                        },
                    )*],
                },
            };
        }
    };
}

/// `Default` for a type of which nothing is required.
macro_rules! default_for {
    ($name:ident ()) => {
        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }
    };
    ($name:ident ($($arg:ident),+)) => {};
}

/// Reads a member into its slot.
macro_rules! member {
    (flattened, $slot:ident, $members:ident, $wire:literal, $ty:ty) => {
        $members.cursor().skip()
    };
    (flattened_option, $slot:ident, $members:ident, $wire:literal, $ty:ty) => {
        $members.cursor().skip()
    };
    (more, $slot:ident, $members:ident, $wire:literal, $ty:ty) => {
        crate::wire::keep(&mut $slot, $wire, $members.cursor().value_text())
    };
    ($rule:ident, $slot:ident, $members:ident, $wire:literal, $ty:ty) => {
        $slot = $crate::wire::macros::rule!(@read $rule, $members.cursor(), $wire, $ty)
    };
}

/// `null` in place of an object.
macro_rules! null_object {
    (null, $cursor:ident) => {
        if $cursor.null() {
            return Ok(Self::new());
        }
    };
}

/// Whether `null` may stand in place of the object.
macro_rules! has_null {
    () => {
        false
    };
    (null) => {
        true
    };
}

pub(crate) use {default_for, has_null, member, null_object, wire_struct};
