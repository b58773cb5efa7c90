//! The life of a connection: opening, ready, closing, closed; and what may be called when.

use std::time::Instant;

use acp_handshake::Agreement;
use acp_vocab::{Method, ProtocolVersion};

use crate::error::{ConnectionError, Phase, UsageError};

/// What was agreed, as far as the machine behaves by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Protocol {
    /// The version that both speak from now on.
    pub version: ProtocolVersion,
    /// Whether the agent can close a session, so that one that answers too late is closed.
    pub closes_sessions: bool,
}

impl Protocol {
    /// A version, and no ability beyond its baseline.
    #[must_use]
    pub const fn new(version: ProtocolVersion) -> Self {
        Self {
            version,
            closes_sessions: version.0 >= 2,
        }
    }

    /// Says whether the agent can close sessions.
    #[must_use]
    pub const fn closes_sessions(mut self, yes: bool) -> Self {
        self.closes_sessions = yes;
        self
    }
}

/// What was negotiated: the version, and whether `session/close` may be sent.
impl From<&Agreement> for Protocol {
    fn from(agreement: &Agreement) -> Self {
        let closes = agreement.require(Method::SESSION_CLOSE).is_ok();
        Self::new(agreement.version()).closes_sessions(closes)
    }
}

#[derive(Debug)]
pub(crate) enum State {
    /// Only `initialize` may go out.
    Opening,
    Ready,
    /// We are closing: what is pending is flushed until then, and nothing that comes matters.
    Flushing {
        /// The latest moment for that.
        until: Instant,
        /// What every wait was told.
        error: ConnectionError,
    },
    /// The writer is to close its side; the reader drains.
    Shutdown(ConnectionError),
    /// Over.
    Closed(ConnectionError),
}

/// The state of a connection, and the protocol it was agreed on.
#[derive(Debug)]
pub(crate) struct Lifecycle {
    state: State,
    protocol: Option<Protocol>,
}

impl Default for Lifecycle {
    fn default() -> Self {
        Self {
            state: State::Opening,
            protocol: None,
        }
    }
}

impl Lifecycle {
    pub(crate) fn version(&self) -> ProtocolVersion {
        self.protocol
            .map_or(ProtocolVersion::V1, |protocol| protocol.version)
    }

    pub(crate) fn closes_sessions(&self) -> bool {
        self.protocol
            .is_some_and(|protocol| protocol.closes_sessions)
    }

    pub(crate) fn phase(&self) -> Phase {
        match &self.state {
            State::Opening => Phase::Opening,
            State::Ready => Phase::Ready,
            State::Flushing { .. } | State::Shutdown(_) | State::Closed(_) => Phase::Closing,
        }
    }

    /// Whether `method` may be sent now.
    pub(crate) fn permit(&self, method: &str) -> Result<(), UsageError> {
        match &self.state {
            State::Ready => Ok(()),
            State::Opening if method == "initialize" => Ok(()),
            State::Opening => Err(UsageError::NotReady {
                method: method.into(),
            }),
            State::Flushing { .. } | State::Shutdown(_) | State::Closed(_) => {
                Err(UsageError::Closed {
                    method: method.into(),
                })
            }
        }
    }

    pub(crate) fn agree(&mut self, protocol: Protocol) -> Result<(), UsageError> {
        match &self.state {
            State::Opening => {
                self.protocol = Some(protocol);
                self.state = State::Ready;
                Ok(())
            }
            State::Ready => Err(UsageError::AlreadyReady),
            State::Flushing { .. } | State::Shutdown(_) | State::Closed(_) => {
                Err(UsageError::Closed {
                    method: "initialize".into(),
                })
            }
        }
    }

    /// Whether frames still mean something.
    pub(crate) const fn is_live(&self) -> bool {
        matches!(self.state, State::Opening | State::Ready)
    }

    pub(crate) const fn flushes_until(&self) -> Option<Instant> {
        match &self.state {
            State::Flushing { until, .. } => Some(*until),
            State::Opening | State::Ready | State::Shutdown(_) | State::Closed(_) => None,
        }
    }

    pub(crate) fn flush_until(&mut self, until: Instant, error: ConnectionError) {
        self.state = State::Flushing { until, error };
    }

    pub(crate) const fn is_shut_down(&self) -> bool {
        matches!(self.state, State::Shutdown(_) | State::Closed(_))
    }

    pub(crate) fn shut_down(&mut self, error: ConnectionError) {
        self.state = State::Shutdown(error);
    }

    pub(crate) fn end(&mut self, error: ConnectionError) {
        self.state = State::Closed(error);
    }

    pub(crate) const fn protocol(&self) -> Option<Protocol> {
        self.protocol
    }

    /// The end, as soon as no event can follow any more.
    pub(crate) const fn ended(&self) -> Option<&ConnectionError> {
        match &self.state {
            State::Flushing { error, .. } | State::Shutdown(error) | State::Closed(error) => {
                Some(error)
            }
            State::Opening | State::Ready => None,
        }
    }

    pub(crate) const fn closed(&self) -> Option<&ConnectionError> {
        match &self.state {
            State::Closed(error) => Some(error),
            State::Opening | State::Ready | State::Flushing { .. } | State::Shutdown(_) => None,
        }
    }
}
