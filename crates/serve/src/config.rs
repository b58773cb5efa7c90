//! Bounds: how much a peer can make us hold, and how long we wait for it.
//!
//! What happens at each bound is a table in `docs/serve.md`; nothing grows beyond one.

use std::time::Duration;

/// Every bound of a served connection.
///
/// ```
/// use acp_serve::Config;
///
/// let mut config = Config::default();
/// config.events = 2;
/// assert_eq!(config.max_line_in, 32 << 20);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The longest line that is read, in bytes (32 MiB). A longer one is answered `-32600` with a
    /// null id and closes the connection.
    pub max_line_in: usize,
    /// The longest line that is written, in bytes (32 MiB). A longer event is refused to its
    /// sender before it is serialised whole; a longer result becomes `-32603`.
    pub max_line_out: usize,
    /// Bytes that a peer may send before its first accepted prompt (64 MiB); then the connection
    /// is closed.
    pub unproven_bytes: u64,
    /// Messages that a peer may send before its first accepted prompt (128); then the connection
    /// is closed.
    pub unproven_messages: u64,
    /// Events that wait between handlers and the writer (8). Senders wait for room.
    pub events: usize,
    /// Bytes of text in one prompt (1020 KiB); a longer one is refused with `-32602`.
    pub prompt_text: usize,
    /// Bytes of answers that the client has not taken yet (1 MiB); at the bound reading pauses.
    pub answers: usize,
    /// Requests of the client that are being handled (256); one more is refused with `-32603`.
    pub requests: usize,
    /// Bytes of requests that are being handled, prompts of turns included (64 MiB); what is more
    /// is refused with `-32603`. A single larger one is taken alone.
    pub request_bytes: usize,
    /// Requests to the client that wait for their answer (64). Senders wait for room.
    pub questions: usize,
    /// Open sessions (64); one more is refused with `-32603`.
    pub sessions: usize,
    /// Prompts held behind the running one, a session (16); one more is refused with `-32603`.
    pub held_prompts: usize,
    /// Joins text of one message that comes quickly. Only where the outcome extension was
    /// negotiated, whose sequence ranges say what was joined; `None` turns it off.
    pub coalesce: Option<Coalesce>,
    /// How long the client may take no byte of what is pending (30 s); then the connection is
    /// closed.
    pub stall: Duration,
    /// How long a cancelled handler may take to clean up (10 s); then it is abandoned.
    pub cleanup: Duration,
    /// How long handlers may take once the client is gone (2 s).
    pub farewell: Duration,
    /// How often it is looked whether the process that started this one is still there (2 s); once it
    /// is not, serving over standard streams stops, whoever holds the other ends of them. `None` for
    /// an agent that is meant to outlive it. At most a hundred times a second. On Unix.
    pub parent_watch: Option<Duration>,
    /// How long the last answers may take to be written once the client is gone (1 s).
    pub flush: Duration,
    /// What a second prompt on a busy session of version 1 gets. (Version 2 holds it.)
    pub second_prompt: SecondPrompt,
    /// How long a session lives.
    pub conversations: Conversations,
    /// How many model calls a turn may make; counted by [`Turn::model_call`](crate::Turn::model_call).
    pub model_calls: Option<u64>,
    /// How many tool calls a turn may start; counted by the crate.
    pub tool_calls: Option<u64>,
    /// How long a turn may take.
    pub deadline: Option<Duration>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            max_line_in: 32 << 20,
            max_line_out: 32 << 20,
            unproven_bytes: 64 << 20,
            unproven_messages: 128,
            events: 8,
            prompt_text: 1020 << 10,
            answers: 1 << 20,
            requests: 256,
            request_bytes: 64 << 20,
            questions: 64,
            sessions: 64,
            held_prompts: 16,
            coalesce: Some(Coalesce::default()),
            stall: Duration::from_secs(30),
            cleanup: Duration::from_secs(10),
            farewell: Duration::from_secs(2),
            parent_watch: Some(Duration::from_secs(2)),
            flush: Duration::from_secs(1),
            second_prompt: SecondPrompt::Refuse,
            conversations: Conversations::LongLived,
            model_calls: None,
            tool_calls: None,
            deadline: None,
        }
    }
}

/// When joined text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coalesce {
    /// Once it has this many bytes (4 KiB).
    pub bytes: usize,
    /// Once its first part has waited this long (16 ms).
    pub delay: Duration,
}

impl Default for Coalesce {
    fn default() -> Self {
        Self {
            bytes: 4 << 10,
            delay: Duration::from_millis(16),
        }
    }
}

/// What a second prompt on a busy session of version 1 gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SecondPrompt {
    /// `-32600`: version 1 has no queue.
    Refuse,
    /// It waits its turn, as in version 2.
    Hold,
}

/// How long a session lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Conversations {
    /// As long as the client wants, with as many prompts as it sends.
    LongLived,
    /// One prompt a session and one session at a time: everything of a task is fresh. When the
    /// prompt has ended, so has its session.
    OneTask,
}
