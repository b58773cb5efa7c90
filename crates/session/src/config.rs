//! Bounds on what a peer may make us hold, and for how long. Why bounds and not only timeouts: a
//! fast peer fills memory before any timer fires.

use std::time::Duration;

const MIB: usize = 1024 * 1024;

/// Every bound of a connection, with its default.
///
/// What a peer can make one connection hold is at most the sum of: the session queues
/// ([`connection_bytes`](Self::connection_bytes)), the overdraft
/// ([`overdraft_bytes`](Self::overdraft_bytes), used only while somebody waits), the decoder's line
/// ([`line_bytes`](Self::line_bytes) and the chunk that was fed), one event larger than its queue
/// (again at most [`line_bytes`](Self::line_bytes)), early frames
/// ([`early_bytes`](Self::early_bytes)) and automatic answers
/// ([`answer_bytes`](Self::answer_bytes)); and, for each session that the host opened, the state of
/// its tool calls and the list of those in the background ([`tool_bytes`](Self::tool_bytes), each),
/// and, while a turn is given up, the five last words on how the session stands (each at most
/// [`session_bytes`](Self::session_bytes)). Replies that nobody took are bounded by
/// [`calls`](Self::calls), of which each was asked for by the host.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Unread events of one session, in bytes; at it reading pauses. Default 1 MiB.
    pub session_bytes: usize,
    /// Unread events of all sessions, in bytes; at it reading pauses. Default 8 MiB.
    pub connection_bytes: usize,
    /// What may be read past those two bounds while somebody waits. Default 64 MiB.
    pub overdraft_bytes: usize,
    /// With the overdraft used up and nothing taken for so long, waits fail. Default 30 s.
    pub overdraft_patience: Duration,
    /// The longest line the decoder accepts. Default 64 MiB.
    pub line_bytes: usize,
    /// Session ids for which updates are kept while a session-making request is open. Default 16.
    pub early_sessions: usize,
    /// Bytes of those updates. Default 1 MiB.
    pub early_bytes: usize,
    /// Open questions of the agent in one session. Default 64.
    pub session_asks: usize,
    /// Open questions of the agent on the connection. Default 256.
    pub connection_asks: usize,
    /// How long a question may stay unread while a call that it may block is waited for; after it
    /// the default answer goes out. Default 30 s.
    pub unread_ask: Duration,
    /// How long a registered handler may take. Default 5 min. (Waiting for a terminal's exit has
    /// the absolute bound of its turn instead.)
    pub handler: Duration,
    /// Pending bytes of automatic answers; at it reading stops, even for waiters. Default 1 MiB.
    pub answer_bytes: usize,
    /// Pending automatic answers; at it reading stops, even for waiters. Default 1,024.
    pub answers: usize,
    /// Pending outgoing bytes beyond which a new request or notification is refused. Default 64 MiB.
    pub outbox_bytes: usize,
    /// How long pending bytes may find no taker before the connection ends. Default 30 s.
    pub stall: Duration,
    /// Requests of ours that are open, or answered and not taken. Default 1,024.
    pub calls: usize,
    /// Sessions on one connection, child sessions included. Default 1,024.
    pub sessions: usize,
    /// Child sessions that one session may announce. Default 64.
    pub children: usize,
    /// Turns of one session that live at the same time (v2 holds prompts). Default 64.
    pub turns: usize,
    /// Tool calls of one session whose state is remembered. Default 4,096.
    pub tool_calls: usize,
    /// Bytes of that state; at it the oldest calls are forgotten. Default 1 MiB.
    pub tool_bytes: usize,
    /// Skipped lines kept as samples for diagnosis. Default 8.
    pub samples: usize,
    /// Bytes of each such sample. Default 200.
    pub sample_bytes: usize,
    /// How long the reader goes on to the end of the stream after the child exited, and how long
    /// the end of the stream waits for the exit status. Default 1 s.
    pub exit_grace: Duration,
    /// How long a prompt of v2 waits until the agent is idle after a cancel; then it goes out all the
    /// same. Default 10 s.
    pub wind_down: Duration,
    /// How long closing waits for the outbox before stdin is closed. Default 1 s.
    pub flush: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            session_bytes: MIB,
            connection_bytes: 8 * MIB,
            overdraft_bytes: 64 * MIB,
            overdraft_patience: Duration::from_secs(30),
            line_bytes: 64 * MIB,
            early_sessions: 16,
            early_bytes: MIB,
            session_asks: 64,
            connection_asks: 256,
            unread_ask: Duration::from_secs(30),
            handler: Duration::from_secs(300),
            answer_bytes: MIB,
            answers: 1024,
            outbox_bytes: 64 * MIB,
            stall: Duration::from_secs(30),
            calls: 1024,
            sessions: 1024,
            children: 64,
            turns: 64,
            tool_calls: 4096,
            tool_bytes: MIB,
            samples: 8,
            sample_bytes: 200,
            exit_grace: Duration::from_secs(1),
            wind_down: Duration::from_secs(10),
            flush: Duration::from_secs(1),
        }
    }
}

impl Limits {
    /// The most that a peer can make one connection hold, in bytes: the sum in the type's
    /// description, without the chunk in hand and without what is held for each session.
    ///
    /// ```
    /// use acp_session::Limits;
    /// assert_eq!(Limits::default().peer_bytes() >> 20, 8 + 64 + 64 + 64 + 1 + 1);
    /// ```
    #[must_use]
    pub const fn peer_bytes(&self) -> usize {
        self.connection_bytes
            .saturating_add(self.overdraft_bytes)
            .saturating_add(self.line_bytes)
            .saturating_add(self.line_bytes)
            .saturating_add(self.early_bytes)
            .saturating_add(self.answer_bytes)
    }
}

/// How a connection behaves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// The bounds.
    pub limits: Limits,
    /// Whether known updates carry their raw JSON too; unknown ones always do. Default no, because
    /// it costs a copy of every frame.
    pub keep_raw: bool,
    /// Whether the peer is a child whose exit will be reported through
    /// [`handle_exit`](crate::Connection::handle_exit): the end of its output then waits for the
    /// exit status ([`Limits::exit_grace`]), so that errors can name it. Default no.
    pub expects_exit: bool,
    /// Whether an update or a request for a session that was never open ends the connection as a
    /// protocol failure. Default no: updates are dropped, requests refused, both counted.
    pub strict_sessions: bool,
}
