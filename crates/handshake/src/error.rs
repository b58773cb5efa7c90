//! How agreeing fails. Every error has a stable code for scripts and none repeats the peer's text.

use acp_vocab::{Method, ProtocolVersion};
use thiserror::Error;

use crate::{kind::JsonKind, versions::VersionSet};

/// An offer that cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OfferError {
    /// The set of versions is empty.
    #[error("an offer needs at least one protocol version")]
    NoVersion,
    /// We cannot build an `initialize` for this version.
    #[error("protocol version {} cannot be offered; versions that can: 1, 2", .requested.0)]
    UnsupportedVersion {
        /// The version asked for.
        requested: ProtocolVersion,
    },
}

impl OfferError {
    /// A stable word for scripts.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "acp-unsupported-request-version"
    }
}

/// A `protocolVersion` that is no integer.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum BadVersion {
    /// The member is not there.
    Missing,
    /// A number with a fraction or an exponent, also when its value is whole.
    Fraction(f64),
    /// Any other kind.
    Kind(JsonKind),
}

impl std::fmt::Display for BadVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("no protocolVersion"),
            Self::Fraction(number) => write!(f, "protocolVersion as the float {number:?}"),
            Self::Kind(kind) => write!(f, "protocolVersion as {kind}"),
        }
    }
}

/// An integer that a peer gave as its version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GivenVersion {
    /// It fits into 64 bits.
    Number(i64),
    /// An integer beyond 64 bits.
    Beyond,
}

impl std::fmt::Display for GivenVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Beyond => f.write_str("beyond 64 bits"),
        }
    }
}

/// Why there is no agreement.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum NegotiationError {
    /// There is no result to read.
    #[error("there is no initialize result")]
    MissingResult,
    /// A whole response was given and it holds an error.
    #[error("the response holds error {code} and no result")]
    ErrorResponse {
        /// The error code of the response.
        code: i64,
    },
    /// The text is not JSON.
    #[error("the initialize result is not JSON (line {line}, column {column})")]
    InvalidJson {
        /// Line of the fault, from 1.
        line: usize,
        /// Column of the fault in bytes, from 1 (0: before the first byte of the line).
        column: usize,
    },
    /// The result is not an object.
    #[error("the initialize result is {got}, not an object")]
    BadResult {
        /// What it is.
        got: JsonKind,
    },
    /// A member that must stand once stands twice.
    #[error("the initialize result has the member {member} twice")]
    DuplicateMember {
        /// Its name.
        member: &'static str,
    },
    /// The version is not an integer.
    #[error("the agent answered {got}, which is not an integer; supported: {supported}")]
    BadVersion {
        /// What came.
        got: BadVersion,
        /// What we offered.
        supported: VersionSet,
    },
    /// The version is an integer that we did not offer.
    #[error("the agent answered protocol version {got}, {}; supported: {supported}", larger_or_not(*got, *supported))]
    Unsupported {
        /// What came.
        got: GivenVersion,
        /// What we offered.
        supported: VersionSet,
    },
    /// The agent refused to initialize.
    #[error("the agent refused initialize with error {code}{}", listed(.theirs))]
    Refused {
        /// The error code.
        code: i64,
        /// The versions that the agent says it has (of a `-32022` only, at most 16).
        theirs: Vec<i64>,
        /// What we offered.
        supported: VersionSet,
        /// What the agent said. It is the agent's text, and no part of the message.
        said: Box<str>,
    },
    /// The agent ended before it answered.
    #[error("the agent ended before it answered initialize")]
    Ended,
}

fn larger_or_not(got: GivenVersion, supported: VersionSet) -> &'static str {
    match got {
        GivenVersion::Number(number) if number <= i64::from(supported.newest().0) => {
            "which is not supported"
        }
        GivenVersion::Number(_) | GivenVersion::Beyond => {
            "which is larger than any that was offered"
        }
    }
}

fn listed(theirs: &[i64]) -> String {
    if theirs.is_empty() {
        return String::new();
    }
    let list: Vec<String> = theirs.iter().map(ToString::to_string).collect();
    format!(" (it supports {})", list.join(", "))
}

impl NegotiationError {
    /// A stable word for scripts.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::MissingResult | Self::ErrorResponse { .. } => "acp-missing-result",
            Self::InvalidJson { .. } => "acp-result-invalid-json",
            Self::BadResult { .. } | Self::DuplicateMember { .. } => "acp-initialize-bad-result",
            Self::BadVersion { .. } => "acp-initialize-bad-version",
            Self::Unsupported { .. } => "acp-version-unsupported",
            Self::Refused { .. } => "acp-initialize-refused",
            Self::Ended => "acp-initialize-ended",
        }
    }

    /// The versions that we would have spoken, where the error is about versions.
    #[must_use]
    pub fn supported(&self) -> Option<VersionSet> {
        match self {
            Self::BadVersion { supported, .. }
            | Self::Unsupported { supported, .. }
            | Self::Refused { supported, .. } => Some(*supported),
            Self::MissingResult
            | Self::ErrorResponse { .. }
            | Self::InvalidJson { .. }
            | Self::BadResult { .. }
            | Self::DuplicateMember { .. }
            | Self::Ended => None,
        }
    }
}

/// A request that must not be sent, because it was not agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GateError {
    /// The peer did not advertise the capability that the method needs.
    #[error("{} needs `{capability}`, which the peer did not advertise", .method.name())]
    NotAdvertised {
        /// The method that was to be sent.
        method: Method,
        /// The capability that is missing, as the specification spells it.
        capability: &'static str,
    },
    /// The method does not exist in the version that was agreed on.
    #[error("{} does not exist in protocol version {}", .method.name(), .version.0)]
    NotInVersion {
        /// The method that was to be sent.
        method: Method,
        /// The version agreed on.
        version: ProtocolVersion,
    },
    /// The method travels in the other direction.
    #[error("{} is not ours to send", .method.name())]
    WrongDirection {
        /// The method that was to be sent.
        method: Method,
    },
}

/// An `authenticate` that must not be sent.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AuthError {
    /// The agent does not list this method.
    #[error("the agent has no such auth method")]
    Unknown {
        /// The ids that it lists.
        listed: Vec<Box<str>>,
    },
    /// The method is a command to be run in a terminal, not a request.
    #[error("this auth method is run in a terminal and never requested")]
    Terminal,
}
