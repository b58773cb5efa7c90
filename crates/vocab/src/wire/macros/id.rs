//! The macro that declares identifiers.

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
                recode: Some(crate::describe::recode::<$name>),
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

pub(crate) use id;
