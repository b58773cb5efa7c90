//! The macros that declare the words: ids, open enums, structs and tagged unions.
//!
//! One declaration gives the Rust type, its reader, its writer, its serde impls and its entry in
//! the table of types, so that none of them can say something else than the others.

/// `Serialize`, `Deserialize` and the table entry's name for a type that is `Wire` and `Body`.
macro_rules! serde_for {
    ($name:ident) => {
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::wire::deserialize(deserializer)
            }
        }
    };
}

/// An identifier: opaque text that is cheap to clone.
macro_rules! id {
    ($(
        $(#[doc = $doc:literal])*
        pub struct $name:ident: $v1:ident / $v2:ident;
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(std::sync::Arc<str>);

        impl $name {
            /// Takes the text as it is.
            pub fn new(text: impl Into<std::sync::Arc<str>>) -> Self {
                Self(text.into())
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({:?})"), &*self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }

        impl From<std::sync::Arc<str>> for $name {
            fn from(text: std::sync::Arc<str>) -> Self {
                Self(text)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                &*self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                &*self.0 == *other
            }
        }

        impl crate::wire::Wire for $name {
            const TYPE: crate::wire::TypeRef = crate::wire::TypeRef::Named(stringify!($name));

            fn read(
                cursor: &mut crate::wire::Cursor<'_>,
            ) -> Result<Self, crate::shape::ShapeError> {
                cursor.string().map(|text| Self(text.into()))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        $crate::wire::macros::serde_for!($name);

        impl crate::describe::Described for $name {
            const INFO: crate::describe::TypeInfo = crate::describe::TypeInfo {
                name: stringify!($name),
                doc: concat!($($doc, "\n"),*),
                presence: crate::stability::Presence::new(
                    crate::stability::label::$v1,
                    crate::stability::label::$v2,
                ),
                shape: crate::describe::Shape::Alias(crate::wire::TypeRef::Scalar("string")),
            };
        }
    )*};
}

/// A set of strings to which a newer peer may add: what is not known is kept in `Other`.
macro_rules! open_enum {
    (
        $(#[doc = $doc:literal])*
        pub enum $name:ident: $v1:ident / $v2:ident {
            $(
                $(#[doc = $vdoc:literal])*
                $variant:ident = $text:literal: $w1:ident / $w2:ident,
            )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $(
                $(#[doc = $vdoc])*
                $variant,
            )*
            /// A value that this crate does not know, kept as it came.
            Other(Box<str>),
        }

        impl $name {
            /// The value as it stands on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)*
                    Self::Other(text) => text,
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$variant,)*
                    _ => Self::Other(text.into()),
                }
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self::from(text.as_str())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl crate::wire::Wire for $name {
            const TYPE: crate::wire::TypeRef = crate::wire::TypeRef::Named(stringify!($name));

            fn read(
                cursor: &mut crate::wire::Cursor<'_>,
            ) -> Result<Self, crate::shape::ShapeError> {
                cursor.string().map(|text| Self::from(&*text))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        $crate::wire::macros::serde_for!($name);

        impl crate::describe::Described for $name {
            const INFO: crate::describe::TypeInfo = crate::describe::TypeInfo {
                name: stringify!($name),
                doc: concat!($($doc, "\n"),*),
                presence: crate::stability::Presence::new(
                    crate::stability::label::$v1,
                    crate::stability::label::$v2,
                ),
                shape: crate::describe::Shape::Enum(&[$(
                    crate::describe::ValueInfo {
                        value: $text,
                        doc: concat!($($vdoc, "\n"),*),
                        presence: crate::stability::Presence::new(
                            crate::stability::label::$w1,
                            crate::stability::label::$w2,
                        ),
                    },
                )*]),
            };
        }
    };
}

/// What a rule does, in code. The names are those of [`crate::wire::rule::Rule`].
macro_rules! rule {
    // The table's name of the rule.
    (@name required) => { crate::wire::rule::Rule::Required };
    (@name optional) => { crate::wire::rule::Rule::Optional };
    (@name lenient) => { crate::wire::rule::Rule::Lenient };
    (@name fallback) => { crate::wire::rule::Rule::Fallback };
    (@name quiet) => { crate::wire::rule::Rule::Quiet };
    (@name entries) => { crate::wire::rule::Rule::Entries };
    (@name strict_entries) => { crate::wire::rule::Rule::StrictEntries };
    (@name listed_entries) => { crate::wire::rule::Rule::ListedEntries };
    (@name quiet_entries) => { crate::wire::rule::Rule::QuietEntries };
    (@name items) => { crate::wire::rule::Rule::Items };
    (@name argument) => { crate::wire::rule::Rule::Argument };
    (@name quiet_argument) => { crate::wire::rule::Rule::QuietArgument };
    (@name given) => { crate::wire::rule::Rule::Given };
    (@name quiet_given) => { crate::wire::rule::Rule::QuietGiven };
    (@name patch) => { crate::wire::rule::Rule::Patch };
    (@name strict_patch) => { crate::wire::rule::Rule::StrictPatch };
    (@name patch_items) => { crate::wire::rule::Rule::PatchItems };
    (@name verbatim) => { crate::wire::rule::Rule::Verbatim };
    (@name flattened) => { crate::wire::rule::Rule::Flattened };
    (@name flattened_option) => { crate::wire::rule::Rule::Flattened };

    // The type that the table shows.
    (@type flattened, $ty:ty) => { <$ty as crate::wire::Flat>::TYPE };
    (@type flattened_option, $ty:ty) => { <$ty as crate::wire::Flat>::TYPE };
    (@type $rule:ident, $ty:ty) => { <$ty as crate::wire::Wire>::TYPE };

    // What stands in the field before the members are read.
    (@slot required, $members:ident) => { None };
    (@slot entries, $members:ident) => { None };
    (@slot strict_entries, $members:ident) => { None };
    (@slot argument, $members:ident) => { None };
    (@slot flattened, $members:ident) => { $members.fork() };
    (@slot flattened_option, $members:ident) => { $members.fork() };
    (@slot $rule:ident, $members:ident) => { Default::default() };

    // Reads the member's value.
    (@read required, $cursor:expr, $wire:literal, $ty:ty) => {
        Some(<$ty as crate::wire::Wire>::read($cursor).map_err(|error| error.inside($wire))?)
    };
    (@read optional, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::optional($cursor).map_err(|error| error.inside($wire))?
    };
    (@read lenient, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::attempt($cursor)
    };
    (@read fallback, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::attempt($cursor).unwrap_or_default()
    };
    (@read quiet, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::attempt($cursor).unwrap_or_default()
    };
    (@read entries, $cursor:expr, $wire:literal, $ty:ty) => {
        Some(crate::wire::rule::items($cursor).unwrap_or_default())
    };
    (@read strict_entries, $cursor:expr, $wire:literal, $ty:ty) => {
        Some(crate::wire::rule::strict_items($cursor).map_err(|error| error.inside($wire))?)
    };
    (@read listed_entries, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::items($cursor).unwrap_or_default()
    };
    (@read quiet_entries, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::items($cursor).unwrap_or_default()
    };
    (@read items, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::items($cursor)
    };
    (@read argument, $cursor:expr, $wire:literal, $ty:ty) => {
        Some(
            crate::wire::rule::optional::<$ty>($cursor)
                .map_err(|error| error.inside($wire))?
                .unwrap_or_default(),
        )
    };
    (@read quiet_argument, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::optional::<$ty>($cursor)
            .map_err(|error| error.inside($wire))?
            .unwrap_or_default()
    };
    (@read given, $cursor:expr, $wire:literal, $ty:ty) => {
        <$ty as crate::wire::Wire>::read($cursor).map_err(|error| error.inside($wire))?
    };
    (@read quiet_given, $cursor:expr, $wire:literal, $ty:ty) => {
        <$ty as crate::wire::Wire>::read($cursor).map_err(|error| error.inside($wire))?
    };
    (@read patch, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::patch($cursor)
    };
    (@read strict_patch, $cursor:expr, $wire:literal, $ty:ty) => {
        <$ty as crate::wire::Wire>::read($cursor).map_err(|error| error.inside($wire))?
    };
    (@read patch_items, $cursor:expr, $wire:literal, $ty:ty) => {
        crate::wire::rule::patch_items($cursor)
    };
    (@read verbatim, $cursor:expr, $wire:literal, $ty:ty) => {
        Some(crate::wire::Wire::read($cursor).map_err(|error| error.inside($wire))?)
    };

    // The field's value once all members are read.
    (@done required, $slot:ident, $wire:literal, $ty:ty) => {
        $slot.ok_or_else(|| crate::wire::missing::<$ty>($wire))?
    };
    (@done entries, $slot:ident, $wire:literal, $ty:ty) => {
        $slot.ok_or_else(|| crate::wire::missing::<$ty>($wire))?
    };
    (@done strict_entries, $slot:ident, $wire:literal, $ty:ty) => {
        $slot.ok_or_else(|| crate::wire::missing::<$ty>($wire))?
    };
    (@done argument, $slot:ident, $wire:literal, $ty:ty) => {
        $slot.ok_or_else(|| crate::wire::missing::<$ty>($wire))?
    };
    (@done flattened, $slot:ident, $wire:literal, $ty:ty) => {
        <$ty as crate::wire::Flat>::read_flat($slot.members())?
    };
    (@done flattened_option, $slot:ident, $wire:literal, $ty:ty) => {
        <$ty as crate::wire::Flat>::read_flat($slot.members())?
    };
    (@done $rule:ident, $slot:ident, $wire:literal, $ty:ty) => { $slot };

    // The field's value in `new`.
    (@init required, $field:ident) => { $field.into() };
    (@init entries, $field:ident) => { $field.into() };
    (@init strict_entries, $field:ident) => { $field.into() };
    (@init flattened, $field:ident) => { $field.into() };
    (@init $rule:ident, $field:ident) => { Default::default() };

    // Writes the member.
    (@write optional, $value:expr, $map:ident, $wire:literal) => {
        if let Some(value) = &$value {
            $map.serialize_entry($wire, value)?;
        }
    };
    (@write lenient, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::macros::rule!(@write optional, $value, $map, $wire);
    };
    (@write items, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::macros::rule!(@write optional, $value, $map, $wire);
    };
    (@write verbatim, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::macros::rule!(@write optional, $value, $map, $wire);
    };
    (@write quiet, $value:expr, $map:ident, $wire:literal) => {
        if !crate::wire::is_default(&$value) {
            $map.serialize_entry($wire, &$value)?;
        }
    };
    (@write quiet_entries, $value:expr, $map:ident, $wire:literal) => {
        if !$value.is_empty() {
            $map.serialize_entry($wire, &$value)?;
        }
    };
    (@write quiet_argument, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::macros::rule!(@write quiet_entries, $value, $map, $wire);
    };
    (@write quiet_given, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::macros::rule!(@write quiet_entries, $value, $map, $wire);
    };
    (@write patch, $value:expr, $map:ident, $wire:literal) => {
        if !$value.is_absent() {
            $map.serialize_entry($wire, &$value)?;
        }
    };
    (@write strict_patch, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::macros::rule!(@write patch, $value, $map, $wire);
    };
    (@write patch_items, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::macros::rule!(@write patch, $value, $map, $wire);
    };
    (@write flattened, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::Flat::write_flat(&$value, $map, <Self as crate::wire::Body>::OWN)?;
    };
    (@write flattened_option, $value:expr, $map:ident, $wire:literal) => {
        crate::wire::Flat::write_flat(&$value, $map, <Self as crate::wire::Body>::OWN)?;
    };
    (@write $rule:ident, $value:expr, $map:ident, $wire:literal) => {
        $map.serialize_entry($wire, &$value)?;
    };
}

/// An object with known members.
///
/// Members that are not known are left out; of two members with one name the last counts; an
/// array is no object. `[meta]` adds `_meta`, `[patch_meta]` adds it with three states,
/// `[null]` lets `null` and absent params stand for the empty object.
macro_rules! wire_struct {
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
                        _ => members.cursor().skip(),
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
                $($crate::wire::macros::rule!(@write $rule, self.$field, map, $wire);)*
                Ok(())
            }
        }

        impl crate::wire::Wire for $name {
            const TYPE: crate::wire::TypeRef = crate::wire::TypeRef::Named(stringify!($name));

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

/// A union whose variant is named by a tag.
///
/// The tag is read first, wherever it stands. A tag that is not known keeps the whole body in
/// `Unknown`; a known tag with a broken body is a fault. `fallback` names the variant that has no
/// tag. A `flat` union stands among the members of another object.
macro_rules! tagged {
    (
        $(#[doc = $doc:literal])*
        pub enum $name:ident($tag:literal): $v1:ident / $v2:ident {
            $(
                $(#[doc = $vdoc:literal])*
                $variant:ident($body:ident) = $text:literal: $w1:ident / $w2:ident,
            )*
        }
        $(
            $(#[doc = $fdoc:literal])*
            fallback $fallback:ident($fbody:ident);
        )?
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $(
                $(#[doc = $vdoc])*
                $variant($body),
            )*
            $(
                $(#[doc = $fdoc])*
                $fallback($fbody),
            )?
            /// A variant that this crate does not know, whole, as it came.
            Unknown {
                /// The tag.
                tag: Box<str>,
                /// The object, tag included.
                raw: crate::raw::Raw,
            },
        }

        $(
            impl From<$fbody> for $name {
                fn from(body: $fbody) -> Self {
                    Self::$fallback(body)
                }
            }
        )?

        impl $name {
            /// The tag; empty for the variant that has none.
            #[must_use]
            pub fn tag(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $text,)*
                    $(Self::$fallback(_) => $crate::wire::macros::no_tag!($fallback),)?
                    Self::Unknown { tag, .. } => tag,
                }
            }
        }

        impl crate::wire::Wire for $name {
            const TYPE: crate::wire::TypeRef = crate::wire::TypeRef::Named(stringify!($name));

            fn read(
                cursor: &mut crate::wire::Cursor<'_>,
            ) -> Result<Self, crate::shape::ShapeError> {
                cursor.peek();
                let start = cursor.clone();
                let (tag, members) = crate::wire::union::open(cursor, $tag)?;
                match tag.as_deref() {
                    $(Ok($text) => crate::wire::Body::read_members(members)
                        .map(Self::$variant)
                        .map_err(|error| error.tagged($text)),)*
                    Ok(tag) => {
                        let tag = tag.into();
                        *cursor = start;
                        crate::raw::Raw::copy(cursor).map(|raw| Self::Unknown { tag, raw })
                    }
                    $(Err(crate::shape::Found::Nothing | crate::shape::Found::Null) => {
                        let body: Result<$fbody, _> = crate::wire::Body::read_members(members);
                        body.map(Self::$fallback)
                    })?
                    Err(found) => Err(crate::wire::union::no_tag($tag, *found)),
                }
            }
        }

        /// As a variant of another union its members stand among those of the variant.
        impl crate::wire::Body for $name {
            fn read_members(
                mut members: crate::wire::Members<'_, '_>,
            ) -> Result<Self, crate::shape::ShapeError> {
                let tag = crate::wire::union::find(members.cursor().clone(), $tag)?;
                match tag.as_deref() {
                    $(Ok($text) => crate::wire::Body::read_members(members)
                        .map(Self::$variant)
                        .map_err(|error| error.tagged($text)),)*
                    Ok(tag) => {
                        let tag = tag.into();
                        crate::wire::union::collect(members)
                            .map(|raw| Self::Unknown { tag, raw })
                    }
                    $(Err(crate::shape::Found::Nothing | crate::shape::Found::Null) => {
                        let body: Result<$fbody, _> = crate::wire::Body::read_members(members);
                        body.map(Self::$fallback)
                    })?
                    Err(found) => Err(crate::wire::union::no_tag($tag, *found)),
                }
            }

            fn write_members<M: serde::ser::SerializeMap>(
                &self,
                map: &mut M,
            ) -> Result<(), M::Error> {
                match self {
                    $(Self::$variant(body) => {
                        map.serialize_entry($tag, $text)?;
                        crate::wire::Body::write_members(body, map)
                    })*
                    $(Self::$fallback(body) => crate::wire::macros::fallback_write!($fbody, body, map),)?
                    Self::Unknown { raw, .. } => {
                        crate::wire::union::write_collected(raw, map, &[], $tag)
                    }
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$variant(body) => {
                        let mut map = serializer.serialize_map(None)?;
                        serde::ser::SerializeMap::serialize_entry(&mut map, $tag, $text)?;
                        crate::wire::Body::write_members(body, &mut map)?;
                        serde::ser::SerializeMap::end(map)
                    })*
                    $(Self::$fallback(body) => body.serialize(serializer),)?
                    Self::Unknown { raw, .. } => raw.serialize(serializer),
                }
            }
        }

        $crate::wire::macros::serde_for!($name);

        impl crate::describe::Described for $name {
            const INFO: crate::describe::TypeInfo = crate::describe::TypeInfo {
                name: stringify!($name),
                doc: concat!($($doc, "\n"),*),
                presence: crate::stability::Presence::new(
                    crate::stability::label::$v1,
                    crate::stability::label::$v2,
                ),
                shape: crate::describe::Shape::Union {
                    tag: $tag,
                    variants: &[$(
                        crate::describe::VariantInfo {
                            tag: $text,
                            body: Some(stringify!($body)),
                            doc: concat!($($vdoc, "\n"),*),
                            presence: crate::stability::Presence::new(
                                crate::stability::label::$w1,
                                crate::stability::label::$w2,
                            ),
                        },
                    )*],
                    untagged: $crate::wire::macros::maybe!($($fbody)?),
                },
            };
        }
    };
    (
        $(#[doc = $doc:literal])*
        pub flat enum $name:ident($tag:literal): $v1:ident / $v2:ident {
            $(
                $(#[doc = $vdoc:literal])*
                $variant:ident $(($body:ident))? = $text:literal: $w1:ident / $w2:ident,
            )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $(
                $(#[doc = $vdoc])*
                $variant $(($body))?,
            )*
            /// A variant that this crate does not know, with all members of the object that holds
            /// it.
            Unknown {
                /// The tag.
                tag: Box<str>,
                /// The members, tag included.
                raw: crate::raw::Raw,
            },
        }

        impl $name {
            /// The tag.
            #[must_use]
            pub fn tag(&self) -> &str {
                match self {
                    $(Self::$variant { .. } => $text,)*
                    Self::Unknown { tag, .. } => tag,
                }
            }
        }

        impl crate::wire::Flat for $name {
            const TYPE: crate::wire::TypeRef = crate::wire::TypeRef::Named(stringify!($name));
            const TAG: &'static str = $tag;

            fn read_flat(
                mut members: crate::wire::Members<'_, '_>,
            ) -> Result<Self, crate::shape::ShapeError> {
                let tag = crate::wire::union::find(members.cursor().clone(), $tag)?;
                match tag.as_deref() {
                    $(Ok($text) => $crate::wire::macros::flat_body!(
                        $variant $(($body))?, $text, members
                    ),)*
                    Ok(tag) => {
                        let tag = tag.into();
                        crate::wire::union::collect(members)
                            .map(|raw| Self::Unknown { tag, raw })
                    }
                    Err(found) => Err(crate::wire::union::no_tag($tag, *found)),
                }
            }

            fn write_flat<M: serde::ser::SerializeMap>(
                &self,
                map: &mut M,
                own: &[&str],
            ) -> Result<(), M::Error> {
                match self {
                    $($crate::wire::macros::flat_pattern!($variant $((body $body))?) => {
                        map.serialize_entry($tag, $text)?;
                        $($crate::wire::macros::flat_write!($body, body, map);)?
                        Ok(())
                    })*
                    Self::Unknown { raw, .. } => {
                        crate::wire::union::write_collected(raw, map, own, $tag)
                    }
                }
            }
        }

        impl crate::describe::Described for $name {
            const INFO: crate::describe::TypeInfo = crate::describe::TypeInfo {
                name: stringify!($name),
                doc: concat!($($doc, "\n"),*),
                presence: crate::stability::Presence::new(
                    crate::stability::label::$v1,
                    crate::stability::label::$v2,
                ),
                shape: crate::describe::Shape::Union {
                    tag: $tag,
                    variants: &[$(
                        crate::describe::VariantInfo {
                            tag: $text,
                            body: $crate::wire::macros::maybe!($($body)?),
                            doc: concat!($($vdoc, "\n"),*),
                            presence: crate::stability::Presence::new(
                                crate::stability::label::$w1,
                                crate::stability::label::$w2,
                            ),
                        },
                    )*],
                    untagged: None,
                },
            };
        }
    };
}

/// Writes the variant that has no tag.
macro_rules! fallback_write {
    ($body:ident, $value:ident, $map:ident) => {
        crate::wire::Body::write_members($value, $map)
    };
}

/// The tag of a variant without one.
macro_rules! no_tag {
    ($fallback:ident) => {
        ""
    };
}

/// A name that may not be there.
macro_rules! maybe {
    () => {
        None
    };
    ($name:ident) => {
        Some(stringify!($name))
    };
}

/// Reads the variant of a flat union.
macro_rules! flat_body {
    ($variant:ident, $text:literal, $members:ident) => {
        Ok(Self::$variant)
    };
    ($variant:ident ($body:ident), $text:literal, $members:ident) => {
        crate::wire::Body::read_members($members)
            .map(Self::$variant)
            .map_err(|error| error.tagged($text))
    };
}

/// The pattern of a variant of a flat union.
macro_rules! flat_pattern {
    ($variant:ident) => {
        Self::$variant
    };
    ($variant:ident ($name:ident $body:ident)) => {
        Self::$variant($name)
    };
}

/// Writes the body of a variant of a flat union.
macro_rules! flat_write {
    ($body:ident, $value:ident, $map:ident) => {
        crate::wire::Body::write_members($value, $map)?
    };
}

pub(crate) use {
    default_for, fallback_write, flat_body, flat_pattern, flat_write, has_null, id, maybe, member,
    no_tag, null_object, open_enum, rule, serde_for, tagged, wire_struct,
};
