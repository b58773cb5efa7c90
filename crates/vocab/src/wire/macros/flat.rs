//! The parts of a union that stands among the members of another object.

/// A union whose variant and its members stand among the members of another object.
///
/// It is read as [`tagged`](super::tagged) is: tag first, unknown tags kept with all members of the
/// object.
macro_rules! flat_tagged {
    (
        $(#[doc = $doc:literal])*
        pub enum $name:ident($tag:literal): $v1:ident / $v2:ident {
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
                recode: None,
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

pub(crate) use {flat_body, flat_pattern, flat_tagged, flat_write};
