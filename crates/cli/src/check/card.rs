//! What a report says about a rule.

use super::{verdict::Tier, version::Version};

/// The versions in which a rule holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    Both,
    One,
    Two,
}

/// A rule without its test.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Card {
    pub(crate) id: &'static str,
    pub(crate) tier: Tier,
    pub(crate) holds: Holds,
    /// What a good peer does, as a sentence.
    pub(crate) what: &'static str,
}

impl Card {
    /// Whether it holds in this version.
    pub(crate) fn holds_in(&self, version: Version) -> bool {
        match self.holds {
            Holds::Both => true,
            Holds::One => version == Version::One,
            Holds::Two => version == Version::Two,
        }
    }
}
