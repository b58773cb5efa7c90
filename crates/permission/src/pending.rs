//! A decision that is waited for, and how it can end.

use std::{fmt, time::Instant};

use acp_vocab::RequestId;

use crate::Request;

/// The number of a pending decision. Never used twice within a broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PendingId(u64);

impl PendingId {
    /// The number, for showing.
    #[must_use]
    pub fn number(self) -> u64 {
        self.0
    }

    /// The pending decision of this number, as a person typed it.
    #[must_use]
    pub fn of(number: u64) -> Self {
        Self(number)
    }
}

impl fmt::Display for PendingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A decision that is waited for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Pending {
    /// By which it is answered.
    pub id: PendingId,
    /// The agent's id of the request.
    pub request_id: RequestId,
    /// What is asked.
    pub request: Request,
    /// Since when it waits.
    pub since: Instant,
    /// When it is cancelled by itself.
    pub deadline: Option<Instant>,
}

/// How much may be pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BrokerLimits {
    /// Pending requests of one session. 64.
    pub per_session: usize,
    /// Pending requests of the connection. 256.
    pub total: usize,
    /// How many ended requests are known by how they ended, so that a late decision learns it. 1024.
    pub ended: usize,
}

impl Default for BrokerLimits {
    fn default() -> Self {
        Self {
            per_session: 64,
            total: 256,
            ended: 1024,
        }
    }
}

/// How a decision ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// Somebody decided.
    Answered,
    /// The agent withdrew its request.
    Withdrawn,
    /// Nobody decided in time.
    TimedOut,
    /// The turn ended or was cancelled.
    TurnEnded,
    /// The connection ended.
    Closed,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Answered => "answered",
            Self::Withdrawn => "withdrawn by the agent",
            Self::TimedOut => "cancelled because nobody decided in time",
            Self::TurnEnded => "cancelled with its turn",
            Self::Closed => "cancelled with the connection",
        })
    }
}

impl Ended {
    /// For the record.
    pub(crate) fn why(self) -> &'static str {
        match self {
            Self::Answered => "somebody decided",
            Self::Withdrawn => "the agent withdrew its request",
            Self::TimedOut => "nobody decided in time",
            Self::TurnEnded => "the turn ended",
            Self::Closed => "the connection ended",
        }
    }
}
