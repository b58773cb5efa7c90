//! The versions of the protocol in which a test can speak.

/// The version in which a test speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    One,
    Two,
}

impl Version {
    /// The number.
    pub(crate) fn number(self) -> u16 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}
