//! What happens in a session.

use crate::{
    compaction::CompactionSummaryChunk,
    cursor::CursorUpdate,
    id::SessionId,
    notice::Notice,
    plan::PlanRemoved,
    session::SessionInfoUpdate,
    session_message::{SessionMessage, SessionMessageChunk},
    state::StateUpdate,
    subagent::SubagentUpdate,
    suggestion::PromptSuggestionsUpdate,
    usage::UsageUpdate,
    v2::command::AvailableCommandsUpdate,
    v2::compaction::CompactionUpdate,
    v2::config_option::ConfigOptionUpdate,
    v2::message::{AgentMessage, AgentThought, ContentChunk, UserMessage},
    v2::plan::PlanUpdate,
    v2::replay::ReplayComplete,
    v2::terminal::{TerminalOutputChunk, TerminalUpdate},
    v2::tool_call::{ToolCallContentChunk, ToolCallUpdate},
    wire::macros::{tagged, wire_struct},
};

wire_struct! {
    /// Params of `session/update`: one step of what happens in a session.
    pub struct UpdateSessionNotification: N / S [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": N / S,
        /// What happened.
        required update: SessionUpdate = "update": N / S,
    }
    new(session_id: SessionId, update: SessionUpdate);
}

tagged! {
    /// What a `session/update` tells.
    pub enum SessionUpdate("sessionUpdate"): N / S {
        /// One more block of a message of the user; while a session is replayed in version 1.
        UserMessageChunk(ContentChunk) = "user_message_chunk": N / S,
        /// A whole message of the user.
        UserMessage(UserMessage) = "user_message": N / S,
        /// One more block of a message of the agent.
        AgentMessageChunk(ContentChunk) = "agent_message_chunk": N / S,
        /// A whole message of the agent.
        AgentMessage(AgentMessage) = "agent_message": N / S,
        /// One more block of a thought of the agent.
        AgentThoughtChunk(ContentChunk) = "agent_thought_chunk": N / S,
        /// A whole thought of the agent.
        AgentThought(AgentThought) = "agent_thought": N / S,
        /// What the agent is doing.
        StateUpdate(StateUpdate boxed) = "state_update": N / S,
        /// One more piece of output of a tool call.
        ToolCallContentChunk(ToolCallContentChunk boxed) = "tool_call_content_chunk": N / S,
        /// A tool call changes.
        ToolCallUpdate(ToolCallUpdate boxed) = "tool_call_update": N / S,
        /// A display terminal changes.
        TerminalUpdate(TerminalUpdate boxed) = "terminal_update": N / S,
        /// More bytes of a display terminal.
        TerminalOutputChunk(TerminalOutputChunk) = "terminal_output_chunk": N / S,
        /// One of several plans, as a whole.
        PlanUpdate(PlanUpdate) = "plan_update": N / S,
        /// The commands, all of them.
        AvailableCommandsUpdate(AvailableCommandsUpdate) = "available_commands_update": N / S,
        /// The options, all of them.
        ConfigOptionUpdate(ConfigOptionUpdate) = "config_option_update": N / S,
        /// Title or time changed.
        SessionInfoUpdate(SessionInfoUpdate) = "session_info_update": N / S,
        /// Context and cost.
        UsageUpdate(UsageUpdate) = "usage_update": N / S,
        /// A message beside the conversation.
        Notice(Notice) = "notice": N / S,
        /// A compaction of the context.
        CompactionUpdate(CompactionUpdate boxed) = "compaction_update": N / S,
        /// One more block of its summary.
        CompactionSummaryChunk(CompactionSummaryChunk) = "compaction_summary_chunk": N / S,
        /// One of several plans is gone.
        PlanRemoved(PlanRemoved) = "plan_removed": N / US,
        /// A child session.
        SubagentUpdate(SubagentUpdate boxed) = "subagent_update": N / US,
        /// A message between sessions.
        SessionMessage(SessionMessage boxed) = "session_message": N / US,
        /// One more block of one.
        SessionMessageChunk(SessionMessageChunk) = "session_message_chunk": N / US,
        /// The replay is over.
        ReplayComplete(ReplayComplete) = "replay_complete": N / CS,
        /// Suggested prompts.
        PromptSuggestionsUpdate(PromptSuggestionsUpdate) = "prompt_suggestions_update": N / CU,
        /// A named position.
        CursorUpdate(CursorUpdate boxed) = "cursor_update": N / CU,
    }
}
