//! What happens in a session.

use crate::{
    compaction::CompactionSummaryChunk,
    content::ContentBlock,
    cursor::CursorUpdate,
    id::{MessageId, SessionId},
    notice::Notice,
    plan::PlanRemoved,
    session::SessionInfoUpdate,
    session_message::{SessionMessage, SessionMessageChunk},
    subagent::SubagentUpdate,
    suggestion::PromptSuggestionsUpdate,
    usage::UsageUpdate,
    v1::command::AvailableCommandsUpdate,
    v1::compaction::CompactionUpdate,
    v1::config_option::ConfigOptionUpdate,
    v1::mode::CurrentModeUpdate,
    v1::plan::{Plan, PlanUpdate},
    v1::tool_call::{ToolCall, ToolCallUpdate},
    wire::macros::{tagged, wire_struct},
};

wire_struct! {
    /// Params of `session/update`: one step of what happens in a session.
    pub struct SessionNotification: S / N [meta] {
        /// The session.
        required session_id: SessionId = "sessionId": S / N,
        /// What happened.
        required update: SessionUpdate = "update": S / N,
    }
    new(session_id: SessionId, update: SessionUpdate);
}

tagged! {
    /// What a `session/update` tells.
    pub enum SessionUpdate("sessionUpdate"): S / N {
        /// One more block of a message of the user; while a session is replayed in version 1.
        UserMessageChunk(ContentChunk) = "user_message_chunk": S / N,
        /// One more block of a message of the agent.
        AgentMessageChunk(ContentChunk) = "agent_message_chunk": S / N,
        /// One more block of a thought of the agent.
        AgentThoughtChunk(ContentChunk) = "agent_thought_chunk": S / N,
        /// A tool call begins.
        ToolCall(ToolCall boxed) = "tool_call": S / N,
        /// A tool call changes.
        ToolCallUpdate(ToolCallUpdate boxed) = "tool_call_update": S / N,
        /// The plan, as a whole.
        Plan(Plan) = "plan": S / N,
        /// The commands, all of them.
        AvailableCommandsUpdate(AvailableCommandsUpdate) = "available_commands_update": S / N,
        /// The mode changed.
        CurrentModeUpdate(CurrentModeUpdate) = "current_mode_update": S / N,
        /// The options, all of them.
        ConfigOptionUpdate(ConfigOptionUpdate) = "config_option_update": S / N,
        /// Title or time changed.
        SessionInfoUpdate(SessionInfoUpdate) = "session_info_update": S / N,
        /// Context and cost.
        UsageUpdate(UsageUpdate) = "usage_update": S / N,
        /// A message beside the conversation.
        Notice(Notice) = "notice": S / N,
        /// A compaction of the context.
        CompactionUpdate(CompactionUpdate boxed) = "compaction_update": S / N,
        /// One more block of its summary.
        CompactionSummaryChunk(CompactionSummaryChunk) = "compaction_summary_chunk": S / N,
        /// One of several plans, as a whole.
        PlanUpdate(PlanUpdate) = "plan_update": US / N,
        /// One of several plans is gone.
        PlanRemoved(PlanRemoved) = "plan_removed": US / N,
        /// A child session.
        SubagentUpdate(SubagentUpdate boxed) = "subagent_update": US / N,
        /// A message between sessions.
        SessionMessage(SessionMessage boxed) = "session_message": US / N,
        /// One more block of one.
        SessionMessageChunk(SessionMessageChunk) = "session_message_chunk": US / N,
        /// Suggested prompts.
        PromptSuggestionsUpdate(PromptSuggestionsUpdate) = "prompt_suggestions_update": CU / N,
        /// A named position.
        CursorUpdate(CursorUpdate boxed) = "cursor_update": CU / N,
    }
}

wire_struct! {
    /// One block of a message that is still being written.
    pub struct ContentChunk: S / N [meta] {
        /// The content.
        required content: ContentBlock = "content": S / N,
        /// The message.
        lenient message_id: Option<MessageId> = "messageId": S / N,
    }
    new(content: ContentBlock);
}
