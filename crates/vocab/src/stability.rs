//! How settled a word of the protocol is, and in which version it exists.

use std::fmt;

use crate::version::ProtocolVersion;

/// How settled a method, type, member or value is.
///
/// Two published schemas are compared: the npm package (2.4.0) and the newer Rust crate (1.20.0).
/// Nothing is switched off by its stability. A peer that did not advertise the gating capability
/// must not be sent an unstable word; what a peer sends is always understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Stability {
    /// Stable in both schemas.
    Stable,
    /// A draft in both schemas.
    Unstable,
    /// A draft in the npm schema, stable in the crate.
    Stabilized,
    /// Known to the crate only, and stable there.
    StableInCrate,
    /// Known to the crate only, as a draft.
    UnstableInCrate,
    /// Stable in the npm schema, dropped by the crate.
    StableDropped,
    /// A draft of the npm schema, dropped by the crate.
    UnstableDropped,
    /// In no schema any more, and still spoken by real agents.
    Legacy,
}

impl Stability {
    /// The short label used in tables: `S`, `U`, `U>S`, `C:S`, `C:U`, `S-`, `U-`, `L`.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Stable => "S",
            Self::Unstable => "U",
            Self::Stabilized => "U>S",
            Self::StableInCrate => "C:S",
            Self::UnstableInCrate => "C:U",
            Self::StableDropped => "S-",
            Self::UnstableDropped => "U-",
            Self::Legacy => "L",
        }
    }

    /// Whether the newest schema calls it stable.
    #[must_use]
    pub const fn is_stable(self) -> bool {
        matches!(self, Self::Stable | Self::Stabilized | Self::StableInCrate)
    }
}

impl fmt::Display for Stability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.label())
    }
}

/// In which protocol versions a word exists, and how settled it is in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Presence {
    /// Version 1; `None` when version 1 does not have it.
    pub v1: Option<Stability>,
    /// Version 2; `None` when version 2 does not have it.
    pub v2: Option<Stability>,
}

impl Presence {
    /// The two columns as they stand in the declarations of this crate.
    pub(crate) const fn new(v1: Option<Stability>, v2: Option<Stability>) -> Self {
        Self { v1, v2 }
    }

    /// How settled the word is in `version`; `None` when that version does not have it.
    #[must_use]
    pub const fn within(self, version: ProtocolVersion) -> Option<Stability> {
        match version.0 {
            1 => self.v1,
            2 => self.v2,
            _ => None,
        }
    }
}

/// The labels that the declaration macros write behind each name: `S / U` is "stable in version
/// 1, draft in version 2", `N` is "not there".
pub(crate) mod label {
    use super::Stability;

    pub(crate) const N: Option<Stability> = None;
    pub(crate) const S: Option<Stability> = Some(Stability::Stable);
    pub(crate) const U: Option<Stability> = Some(Stability::Unstable);
    pub(crate) const US: Option<Stability> = Some(Stability::Stabilized);
    pub(crate) const CS: Option<Stability> = Some(Stability::StableInCrate);
    pub(crate) const CU: Option<Stability> = Some(Stability::UnstableInCrate);
    pub(crate) const SX: Option<Stability> = Some(Stability::StableDropped);
    pub(crate) const UX: Option<Stability> = Some(Stability::UnstableDropped);
    pub(crate) const L: Option<Stability> = Some(Stability::Legacy);
}
