//! The macro that declares unions with a tag, and how they are read and written.

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
                $variant:ident($body:ident $($boxed:ident)?) = $text:literal: $w1:ident / $w2:ident,
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
                $variant($crate::wire::macros::variant_type!($body $($boxed)?)),
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

            #[inline]
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
                recode: Some(crate::describe::recode::<$name>),
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
}

/// The type of a variant's body. A body that is much larger than the others is boxed.
macro_rules! variant_type {
    ($body:ident) => {
        $body
    };
    ($body:ident boxed) => {
        Box<$body>
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

pub(crate) use {fallback_write, no_tag, tagged, variant_type};
