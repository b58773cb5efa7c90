//! What was odd in an answer that was accepted all the same.

use std::fmt;

use crate::{capabilities::Found, kind::JsonKind};

/// Something that was read otherwise than the peer may have meant, or dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Diagnostic {
    /// A capability is spelled in a way that its version does not have.
    OddCapability {
        /// Dotted path below the capabilities object.
        path: Box<str>,
        /// What stands there.
        found: Found,
        /// How it was read.
        read_as: bool,
    },
    /// A member that should be an object is something else, and was read as absent.
    IllTyped {
        /// The member.
        member: &'static str,
        /// What stands there.
        got: JsonKind,
    },
    /// A member that the version requires is missing.
    Missing {
        /// The member.
        member: &'static str,
    },
    /// The info card could not be read.
    UnreadableInfo {
        /// The member.
        member: &'static str,
    },
    /// An auth method could not be read and was left out.
    DroppedAuthMethod {
        /// Its place in the list, from 0.
        index: usize,
    },
    /// More auth methods came than are kept.
    TooManyAuthMethods {
        /// How many came.
        count: usize,
    },
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OddCapability {
                path,
                found,
                read_as,
            } => {
                write!(
                    f,
                    "{path} is {found}, read as {}",
                    if *read_as { "yes" } else { "no" }
                )
            }
            Self::IllTyped { member, got } => write!(f, "{member} is {got}, read as absent"),
            Self::Missing { member } => write!(f, "{member} is missing"),
            Self::UnreadableInfo { member } => {
                write!(f, "{member} cannot be read, taken as absent")
            }
            Self::DroppedAuthMethod { index } => {
                write!(f, "authMethods[{index}] cannot be read and was left out")
            }
            Self::TooManyAuthMethods { count } => write!(
                f,
                "{count} auth methods came, the first {} are kept",
                crate::auth::MAX_METHODS
            ),
        }
    }
}
