//! Faults of the agent that harmed nothing else: noted, counted and passed on.

use std::collections::VecDeque;
use std::fmt;

use acp_vocab::{ErrorCode, RequestId, ShapeError};

/// A breach of the protocol that ended nothing. `Display` names ids, methods, tags and member
/// paths of the protocol; nothing that the agent wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Diagnostic {
    /// A known update with a broken body. The turn goes on.
    BrokenUpdate {
        /// The known tag whose body is broken, when it got that far.
        tag: Option<&'static str>,
        /// Where, from the params of `session/update`: `update.toolCallId`.
        path: Box<str>,
        /// What was expected and what was found, in words of the protocol.
        fault: Box<str>,
    },
    /// A request of the agent whose params do not decode; it was refused with `-32602`.
    BrokenRequest {
        /// The method.
        method: Box<str>,
        /// The id.
        id: RequestId,
        /// Where.
        path: Box<str>,
        /// What was expected and what was found.
        fault: Box<str>,
    },
    /// A request of the agent that nobody registered for; it was refused with `-32601`.
    Unsupported {
        /// The method.
        method: Box<str>,
        /// The id.
        id: RequestId,
    },
    /// A request of the agent that was refused because too many are open.
    TooManyRequests {
        /// The method.
        method: Box<str>,
        /// The id.
        id: RequestId,
    },
    /// A reply that wrote our number as a string; it was taken.
    CoercedReply {
        /// The id as it came.
        id: RequestId,
    },
    /// A second reply, or one to a request that was given up.
    RepeatedReply {
        /// The id.
        id: RequestId,
    },
    /// A reply to a request that we never sent.
    UnknownReply {
        /// The id.
        id: RequestId,
    },
    /// A reply without an id: the agent could not read a line of ours.
    NullReply {
        /// The code of its error, when it was one.
        code: Option<ErrorCode>,
    },
    /// A message for a session that is not open.
    ForeignSession {
        /// The method.
        method: Box<str>,
        /// Whether the session was open once.
        inactive: bool,
    },
    /// Halves of surrogate pairs that were read as U+FFFD.
    Repaired {
        /// How many.
        count: usize,
    },
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BrokenUpdate {
                tag: Some(tag),
                path,
                fault,
            } => {
                write!(f, "broken {tag} update at {path}: {fault}")
            }
            Self::BrokenUpdate {
                tag: None,
                path,
                fault,
            } => {
                write!(f, "broken update at {path}: {fault}")
            }
            Self::BrokenRequest {
                method,
                id,
                path,
                fault,
            } => {
                write!(f, "broken params of {method} (id {id}) at {path}: {fault}")
            }
            Self::Unsupported { method, id } => {
                write!(f, "{method} (id {id}) is not supported by this client")
            }
            Self::TooManyRequests { method, id } => {
                write!(f, "{method} (id {id}) refused: too many requests are open")
            }
            Self::CoercedReply { id } => write!(f, "reply with the id as a string: {id}"),
            Self::RepeatedReply { id } => {
                write!(f, "reply to a request that is not open any more (id {id})")
            }
            Self::UnknownReply { id } => write!(f, "reply to a request never sent (id {id})"),
            Self::NullReply { code: Some(code) } => {
                write!(f, "reply without an id (error {})", code.0)
            }
            Self::NullReply { code: None } => f.write_str("reply without an id"),
            Self::ForeignSession {
                method,
                inactive: true,
            } => {
                write!(f, "{method} for a session that is over")
            }
            Self::ForeignSession {
                method,
                inactive: false,
            } => {
                write!(f, "{method} for an unknown session")
            }
            Self::Repaired { count } => {
                write!(f, "{count} halves of surrogate pairs read as U+FFFD")
            }
        }
    }
}

impl Diagnostic {
    /// Bytes of what the agent wrote in it.
    pub(crate) fn weight(&self) -> usize {
        let id = crate::weight::id_bytes;
        match self {
            Self::BrokenUpdate { path, fault, .. } => path.len() + fault.len(),
            Self::BrokenRequest {
                method,
                id: of,
                path,
                fault,
            } => method.len() + id(of) + path.len() + fault.len(),
            Self::Unsupported { method, id: of } | Self::TooManyRequests { method, id: of } => {
                method.len() + id(of)
            }
            Self::CoercedReply { id: of }
            | Self::RepeatedReply { id: of }
            | Self::UnknownReply { id: of } => id(of),
            Self::ForeignSession { method, .. } => method.len(),
            Self::NullReply { .. } | Self::Repaired { .. } => 0,
        }
    }
}

/// How many are kept, and how much they may hold: an id is as long as its agent likes.
const KEPT: usize = 32;
const KEPT_BYTES: usize = 64 * 1024;

/// The latest diagnostics, and how many there were.
#[derive(Debug, Default)]
pub struct Diagnostics {
    latest: VecDeque<Diagnostic>,
    bytes: usize,
    total: u64,
}

impl Diagnostics {
    pub(crate) fn note(&mut self, diagnostic: Diagnostic) {
        self.total += 1;
        self.bytes += diagnostic.weight();
        self.latest.push_back(diagnostic);
        while self.latest.len() > KEPT || self.bytes > KEPT_BYTES {
            let Some(oldest) = self.latest.pop_front() else {
                return;
            };
            self.bytes -= oldest.weight();
        }
    }

    /// The latest ones, latest last; at most 32, and 64 KiB together.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.latest.iter()
    }

    /// How many there were.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }
}

/// What was expected and what was found, in words of the protocol.
pub(crate) fn fault(error: &ShapeError) -> Box<str> {
    format!("expected {}, found {}", error.expectation(), error.found()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_are_kept_within_their_bounds() {
        let mut diagnostics = Diagnostics::default();
        let stray = |len: usize| Diagnostic::UnknownReply {
            id: RequestId::String("x".repeat(len).into()),
        };
        (0..100).for_each(|len| diagnostics.note(stray(len)));
        assert_eq!(diagnostics.iter().next(), Some(&stray(68)));
        assert_eq!(diagnostics.iter().count(), KEPT);
        // Long ones drive out what is older; one that is too long by itself is only counted.
        (0..4).for_each(|_| diagnostics.note(stray(30_000)));
        assert_eq!(diagnostics.iter().count(), 2);
        diagnostics.note(stray(KEPT_BYTES + 1));
        assert_eq!(
            (
                diagnostics.iter().count(),
                diagnostics.total(),
                diagnostics.bytes
            ),
            (0, 105, 0)
        );
    }
}
