//! What a served connection came to.

use serde::Serialize;

/// How serving ended, and what was out of the ordinary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Why it ended.
    pub ended: Ended,
    /// Turns that ended.
    pub turns: u64,
    /// Handlers that ignored their cancellation and were abandoned.
    pub abandoned: u64,
    /// Handlers that panicked.
    pub panicked: u64,
    /// Events that came after the end of their turn and were dropped.
    pub late: u64,
    /// Lines of the client that were no message.
    pub skipped: u64,
    /// Replies of the client to nothing that was asked, and notifications about it.
    pub stray: u64,
    /// Notifications of MCP servers that the client hosts which came faster than they were taken.
    pub unheard: u64,
    /// Bytes that something printed to standard output beside the protocol.
    pub stray_output: u64,
}

/// Why serving ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ended {
    /// The client closed its end.
    #[default]
    Eof,
    /// It was stopped from our side.
    Stopped,
}
