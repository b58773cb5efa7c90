//! Keys: what the machine hands out instead of references, and what a caller waits for.

use std::fmt;

macro_rules! keys {
    ($($(#[$doc:meta])* $name:ident $make:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u64);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    )*
        /// Makes keys; every key of a connection has a number of its own.
        #[derive(Debug, Default)]
        pub(crate) struct Keys {
            last: u64,
        }

        impl Keys {
            $(pub(crate) fn $make(&mut self) -> $name {
                self.last = self.last.wrapping_add(1);
                $name(self.last)
            })*
        }
    };
}

keys! {
    /// A request that we sent, from the moment it was queued until its reply was taken or it was
    /// abandoned.
    CallKey call;
    /// A prompt and everything that belongs to it, until its end was taken or it was given up.
    TurnKey turn;
    /// A request of the agent that was accepted and is owed exactly one answer.
    AskKey ask;
    /// A session that we opened, or are opening, on this connection.
    SessionKey session;
}

/// What a call belongs to: it decides whose frames reset its idle clock and whose questions pause it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// The connection as a whole: `initialize`, `authenticate`, `session/list`, ...
    Connection,
    /// One session.
    Session(SessionKey),
}

/// A stream of events, named by the handle that reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Stream {
    /// The events of a session while this turn is its oldest live one; it ends with the turn.
    Turn(TurnKey),
    /// The events of a session while no turn of it lives.
    Session(SessionKey),
    /// What belongs to no session.
    Connection,
}

/// What somebody waits for. The shell parks a waker under the key and wakes it when
/// [`Connection::poll_ready`](crate::Connection::poll_ready) names the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum WaitKey {
    /// The reply of a request.
    Call(CallKey),
    /// The next event of a stream.
    Stream(Stream),
    /// The end of a question that was handed over: withdrawn, timed out or answered elsewhere.
    Ask(AskKey),
    /// A question for a registered handler.
    Handler,
    /// An outbox without pending bytes.
    Writer,
    /// The end of the connection.
    Closed,
}
