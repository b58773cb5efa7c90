//! The macro that declares sets of strings.

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
                recode: Some(crate::describe::recode::<$name>),
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

pub(crate) use open_enum;
