//! Sets of protocol versions: what can be built, what is spoken, what was offered.

use std::fmt;

use acp_vocab::ProtocolVersion;

use crate::error::OfferError;

/// Every version whose `initialize` this crate can build and read.
pub const KNOWN: &[ProtocolVersion] = &[ProtocolVersion::V1, ProtocolVersion::V2];

/// The versions in which the crates above can hold a whole session.
///
/// A program offers these and no other: it never offers what it cannot speak. This constant is the one place to change
/// when another version can be spoken.
pub const SPOKEN: &[ProtocolVersion] = &[ProtocolVersion::V1, ProtocolVersion::V2];

/// A non-empty set of [`KNOWN`] versions, ascending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct VersionSet {
    /// Bit `i` stands for `KNOWN[i]`.
    bits: u8,
}

impl VersionSet {
    /// Collects versions into a set.
    ///
    /// # Errors
    /// [`OfferError::NoVersion`] when there is none, [`OfferError::UnsupportedVersion`] when one is not in [`KNOWN`].
    pub fn new(versions: impl IntoIterator<Item = ProtocolVersion>) -> Result<Self, OfferError> {
        let mut bits = 0;
        for version in versions {
            match KNOWN.iter().position(|known| *known == version) {
                Some(index) => bits |= 1 << index,
                None => return Err(OfferError::UnsupportedVersion { requested: version }),
            }
        }
        if bits == 0 {
            Err(OfferError::NoVersion)
        } else {
            Ok(Self { bits })
        }
    }

    /// The set that holds one version.
    ///
    /// # Errors
    /// [`OfferError::UnsupportedVersion`] when the version is not in [`KNOWN`].
    pub fn only(version: ProtocolVersion) -> Result<Self, OfferError> {
        Self::new([version])
    }

    /// The versions of the set, ascending.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = ProtocolVersion> {
        KNOWN
            .iter()
            .copied()
            .enumerate()
            .filter_map(move |(index, version)| (self.bits & (1 << index) != 0).then_some(version))
    }

    /// Whether the version is in the set.
    #[must_use]
    pub fn contains(self, version: ProtocolVersion) -> bool {
        self.iter().any(|member| member == version)
    }

    /// The newest version of the set.
    #[must_use]
    pub fn newest(self) -> ProtocolVersion {
        self.iter().next_back().unwrap_or(ProtocolVersion::V1)
    }

    /// The member with this number, whatever integer a peer wrote.
    #[must_use]
    pub fn find(self, number: i64) -> Option<ProtocolVersion> {
        self.iter().find(|version| i64::from(version.0) == number)
    }
}

impl fmt::Display for VersionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, version) in self.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{}", version.0)?;
        }
        Ok(())
    }
}
