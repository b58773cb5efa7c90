//! What was counted, because it was not worth an event, or because an event was not enough.

/// Numbers since the start of the connection. They only grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Counters {
    /// Messages that were read.
    pub frames: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// Frames for sessions that are not open: dropped.
    pub foreign: u64,
    /// Early frames beyond their bound, or for a session that never came: dropped.
    pub early_dropped: u64,
    /// Events that nobody was there to read: dropped.
    pub drained: u64,
    /// Frames that came after we had closed: dropped.
    pub discarded: u64,
    /// Events that came after the end of the turn that they may belong to.
    pub late: u64,
    /// Questions of the agent that were answered without the host.
    pub defaulted: u64,
    /// Questions refused because nobody registered for their method.
    pub unsupported: u64,
    /// Questions refused because too many were open.
    pub refused: u64,
    /// Replies that name no request of ours.
    pub unknown_replies: u64,
    /// Replies to requests that were answered, or given up, before.
    pub repeated_replies: u64,
    /// Replies without an id: the agent could not read a line of ours.
    pub null_replies: u64,
    /// Replies that wrote our id as a string.
    pub coerced_replies: u64,
    /// Replies that ended their request with a fault.
    pub malformed_replies: u64,
    /// Known updates and requests with a broken body.
    pub broken: u64,
    /// Halves of surrogate pairs that were read as U+FFFD.
    pub repaired: u64,
}
