//! Named positions in the timeline of a session.

use crate::{
    id::{CompactionId, CursorId, MessageId, ToolCallId},
    patch::Patch,
    wire::macros::{open_enum, tagged, wire_struct},
};

wire_struct! {
    /// A named position in the timeline. The anchor must be there at first sight and stays as it
    /// is.
    pub struct CursorUpdate: CU / CU [patch_meta] {
        /// The cursor.
        required cursor_id: CursorId = "cursorId": CU / CU,
        /// What can be done.
        patch capabilities: Patch<CursorCapabilities> = "capabilities": CU / CU,
        /// What it sticks to.
        optional anchor: Option<CursorAnchor> = "anchor": CU / CU,
    }
    new(cursor_id: CursorId);
}

wire_struct! {
    /// What can be done with a cursor.
    pub struct CursorCapabilities: CU / CU [meta more] {
        /// `session/fork`, or forking at this place.
        lenient fork: Option<CursorForkCapabilities> = "fork": CU / CU,
    }
    new();
}

wire_struct! {
    /// A session can be forked before the cursor.
    pub struct CursorForkCapabilities: CU / CU [meta more] {
    }
    new();
}

tagged! {
    /// What a cursor sticks to.
    pub enum CursorAnchor("type"): CU / CU {
        /// A message of the user.
        UserMessage(CursorMessageAnchor) = "user_message": CU / CU,
        /// A message of the agent.
        AgentMessage(CursorMessageAnchor) = "agent_message": CU / CU,
        /// A thought.
        AgentThought(CursorMessageAnchor) = "agent_thought": CU / CU,
        /// A message between sessions.
        SessionMessage(CursorMessageAnchor) = "session_message": CU / CU,
        /// A tool call.
        ToolCall(CursorToolCallAnchor) = "tool_call": CU / CU,
        /// A compaction.
        Compaction(CursorCompactionAnchor) = "compaction": CU / CU,
    }
}

wire_struct! {
    /// A cursor beside a message.
    pub struct CursorMessageAnchor: CU / CU [meta] {
        /// The message.
        required message_id: MessageId = "messageId": CU / CU,
        /// The side that it is on.
        required position: CursorAnchorPosition = "position": CU / CU,
    }
    new(message_id: MessageId, position: CursorAnchorPosition);
}

wire_struct! {
    /// A cursor beside a tool call.
    pub struct CursorToolCallAnchor: CU / CU [meta] {
        /// The tool call.
        required tool_call_id: ToolCallId = "toolCallId": CU / CU,
        /// The side that it is on.
        required position: CursorAnchorPosition = "position": CU / CU,
    }
    new(tool_call_id: ToolCallId, position: CursorAnchorPosition);
}

wire_struct! {
    /// A cursor beside a compaction.
    pub struct CursorCompactionAnchor: CU / CU [meta] {
        /// The compaction.
        required compaction_id: CompactionId = "compactionId": CU / CU,
        /// The side that it is on.
        required position: CursorAnchorPosition = "position": CU / CU,
    }
    new(compaction_id: CompactionId, position: CursorAnchorPosition);
}

open_enum! {
    /// The side of the anchor that a cursor is on.
    pub enum CursorAnchorPosition: CU / CU {
        /// Before it.
        Before = "before": CU / CU,
        /// After it.
        After = "after": CU / CU,
    }
}
