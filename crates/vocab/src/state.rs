//! What an agent is doing for a session.

use crate::{
    background::BackgroundWork,
    error_object::ErrorObject,
    stop_reason::StopReason,
    usage::Usage,
    wire::macros::{flat_tagged, tagged, wire_struct},
};

tagged! {
    /// What the agent is doing for the session now. Repeating one is harmless; a state that is
    /// not known means busy, never idle.
    pub enum StateUpdate("state"): US / S {
        /// Work is going on.
        Running(RunningStateUpdate) = "running": US / S,
        /// No work is going on.
        Idle(IdleStateUpdate) = "idle": US / S,
        /// All work waits for the user.
        RequiresAction(RequiresActionStateUpdate) = "requires_action": US / S,
        /// The agent lost track.
        Untracked(UnknownStateUpdate) = "unknown": US / US,
    }
}

wire_struct! {
    /// Work is going on.
    pub struct RunningStateUpdate: US / S [meta] {
        /// What goes on beside the turn, all of it; absent is not reported, empty is nothing.
        lenient background: Option<Vec<BackgroundWork>> = "background": N / S,
    }
    new();
}

wire_struct! {
    /// No work is going on. Beside it stands why the last work ended, when it just did.
    pub struct IdleStateUpdate: US / S [meta] {
        /// Tokens of the work that just ended.
        lenient usage: Option<Usage> = "usage": U / U,
        /// What goes on beside the turn, all of it; absent is not reported, empty is nothing.
        lenient background: Option<Vec<BackgroundWork>> = "background": N / S,
        /// Why the work ended; absent when that is not reported.
        flattened_option stop: Option<IdleStop> = "stopReason": US / S,
    }
    new();
}

flat_tagged! {
    /// Why the work ended, inside an idle state.
    pub enum IdleStop("stopReason"): US / S {
        /// The model finished.
        EndTurn = "end_turn": US / S,
        /// The limit of tokens was reached.
        MaxTokens = "max_tokens": US / S,
        /// The limit of model calls was reached.
        MaxTurnRequests = "max_turn_requests": US / S,
        /// The agent will not go on. The prompt and what followed do not count for the next turn.
        Refusal = "refusal": US / S,
        /// It was cancelled.
        Cancelled = "cancelled": US / S,
        /// It failed.
        Error(ErrorStopReason) = "error": US / S,
    }
}

wire_struct! {
    /// What a stop reason `error` carries.
    pub struct ErrorStopReason: US / S [] {
        /// What went wrong, as an error object.
        lenient error: Option<ErrorObject> = "error": US / S,
    }
    new();
}

wire_struct! {
    /// All work waits for the user.
    pub struct RequiresActionStateUpdate: US / S [meta] {
        /// What goes on beside the turn, all of it; absent is not reported, empty is nothing.
        lenient background: Option<Vec<BackgroundWork>> = "background": N / S,
    }
    new();
}

wire_struct! {
    /// The agent lost track of its work: no result, and not idle either.
    pub struct UnknownStateUpdate: US / US [meta] {
        /// What goes on beside the turn, all of it; absent is not reported, empty is nothing.
        lenient background: Option<Vec<BackgroundWork>> = "background": N / US,
    }
    new();
}

impl IdleStop {
    /// The reason as an enum of its own.
    #[must_use]
    pub fn reason(&self) -> StopReason {
        StopReason::from(self.tag())
    }
}
