//! A member that can be absent, `null` or a value, and means something else each time.

use serde::{Serialize, Serializer};

/// A three-state member of an update.
///
/// The protocol's updates patch what the receiver already knows (v2 section 9, some updates of
/// v1): an absent member keeps the old value, `null` clears it, a value replaces it. An ordinary
/// `Option` cannot tell the first two apart, so titles would never be cleared or always be.
///
/// ```
/// use acp_vocab::Patch;
///
/// let mut title = Some("old".to_owned());
/// Patch::<String>::Absent.apply_to(&mut title);
/// assert_eq!(title.as_deref(), Some("old"));
/// Patch::<String>::Null.apply_to(&mut title);
/// assert_eq!(title, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "JSON has exactly these three states"
)]
pub enum Patch<T> {
    /// The member is not there: keep what is known.
    #[default]
    Absent,
    /// The member is `null`: clear what is known.
    Null,
    /// The member has a value: replace what is known.
    Value(T),
}

impl<T> Patch<T> {
    /// Whether nothing is said about the member.
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether the member is to be cleared.
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The new value, when there is one.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// The new value, when there is one, by value.
    pub fn into_value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// The same patch, borrowed.
    pub const fn as_ref(&self) -> Patch<&T> {
        match self {
            Self::Absent => Patch::Absent,
            Self::Null => Patch::Null,
            Self::Value(value) => Patch::Value(value),
        }
    }

    /// The same patch with its value changed by `change`.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Absent => Patch::Absent,
            Self::Null => Patch::Null,
            Self::Value(value) => Patch::Value(change(value)),
        }
    }

    /// Does to `known` what the patch says.
    pub fn apply_to(self, known: &mut Option<T>) {
        match self {
            Self::Absent => {}
            Self::Null => *known = None,
            Self::Value(value) => *known = Some(value),
        }
    }
}

impl<T> From<T> for Patch<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

/// `None` is `null`: whoever holds an `Option` has decided that there is no value.
impl<T> From<Option<T>> for Patch<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }
}

/// Writes `null` for both [`Patch::Absent`] and [`Patch::Null`]; the types of this crate leave an
/// absent member out before they get here.
impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.serialize(serializer),
            Self::Absent | Self::Null => serializer.serialize_unit(),
        }
    }
}
