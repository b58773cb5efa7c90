//! Identifiers: opaque texts with a type of their own, so that none is taken for another.
//!
//! All are cheap to clone. Nothing may be read out of their text, except that two of one kind are
//! the same when their text is.

use crate::wire::macros::id;

id! {
    /// A session, given by the agent and unique on the connection.
    pub struct SessionId: S / S;

    /// A tool call, unique within its session.
    pub struct ToolCallId: S / S;

    /// A message. Unique within the session in v1; in v2 user messages, agent messages and
    /// thoughts have an id space each.
    pub struct MessageId: S / S;

    /// A terminal: in v1 one that the client runs, in v2 one that the agent shows.
    pub struct TerminalId: S / S;

    /// One choice of a permission request. The text says nothing about what the choice means: that
    /// is its kind.
    pub struct PermissionOptionId: S / S;

    /// A mode of a session (v1).
    pub struct SessionModeId: S / N;

    /// A config option of a session.
    pub struct SessionConfigId: S / S;

    /// A value that a config option can take.
    pub struct SessionConfigValueId: S / S;

    /// A group of values of a config option.
    pub struct SessionConfigGroupId: S / S;

    /// A way to log in.
    pub struct AuthMethodId: S / S;

    /// A plan.
    pub struct PlanId: US / S;

    /// A question that the agent asks by a URL.
    pub struct ElicitationId: S / S;

    /// One compaction of the context.
    pub struct CompactionId: S / S;

    /// A named position in the timeline of a session.
    pub struct CursorId: CU / CU;

    /// A provider of language models.
    pub struct ProviderId: U / U;

    /// An MCP server that the client itself hosts.
    pub struct McpServerAcpId: U / U;

    /// A request inside the MCP conversation that `mcp/message` carries.
    pub struct McpRequestId: U / U;
}
