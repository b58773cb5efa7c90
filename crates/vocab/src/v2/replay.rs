//! Replaying what was said.

use crate::wire::macros::{tagged, wire_struct};

tagged! {
    /// Where a replay begins, inclusive.
    pub enum ReplayFrom("type"): N / S {
        /// The beginning.
        Start(ReplayFromStart) = "start": N / S,
    }
}

wire_struct! {
    /// From the beginning of the session.
    pub struct ReplayFromStart: N / S [meta] {
    }
    new();
}

wire_struct! {
    /// The replay that was asked for is over: exactly once for each `session/resume` with
    /// `replayFrom`, before its answer.
    pub struct ReplayComplete: N / CS [meta] {
    }
    new();
}
