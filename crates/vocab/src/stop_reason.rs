//! Why a turn ended.

use crate::wire::macros::open_enum;

open_enum! {
    /// Why a turn ended.
    ///
    /// A reason that is not known means that the turn has ended, and nothing more.
    pub enum StopReason: S / S {
        /// The model finished.
        EndTurn = "end_turn": S / S,
        /// The limit of tokens was reached.
        MaxTokens = "max_tokens": S / S,
        /// The limit of model calls in one turn was reached.
        MaxTurnRequests = "max_turn_requests": S / S,
        /// The agent will not go on; the prompt and what followed do not count for the next turn.
        Refusal = "refusal": S / S,
        /// The client cancelled.
        Cancelled = "cancelled": S / S,
        /// The work failed. Version 1 has no such reason, and some agents send it there too.
        Error = "error": N / S,
    }
}
