//! The list of all types.

pub use crate::alias::ALIASES;
use crate::describe::{Described, TypeInfo};

/// The table entry of a type, given its module and its name.
macro_rules! info {
    ([$($module:ident)::+] $name:ident) => {
        &<crate::$($module)::+::$name as Described>::INFO
    };
}

macro_rules! types {
    ($($module:tt { $($name:ident),* $(,)? })*) => {
        &[$($(info!($module $name),)*)*]
    };
}

/// Every type of both versions, once for each shape it has. Names that stand for another type are
/// in [`ALIASES`].
pub static TYPES: &[&TypeInfo] = types! {
    [request_id] { RequestId }
    [error_object] { ErrorCode, ErrorObject }
    [version] { ProtocolVersion }
    [id] { SessionId, ToolCallId, MessageId, TerminalId, PermissionOptionId, SessionModeId, SessionConfigId, SessionConfigValueId, SessionConfigGroupId, AuthMethodId, PlanId, ElicitationId, CompactionId, CursorId, ProviderId, McpServerAcpId, McpRequestId }
    [content] { ContentBlock, TextContent, ImageContent, AudioContent, SkillReference, Annotations, Role }
    [resource] { ResourceLink, Icon, IconTheme, EmbeddedResource, TextResourceContents, BlobResourceContents, EmbeddedResourceResource }
    [tool_call] { ToolKind, ToolCallStatus, ToolCallLocation, Content, Terminal, SessionReference }
    [plan] { PlanEntry, PlanEntryPriority, PlanEntryStatus, PlanMarkdown, PlanFile, PlanRemoved }
    [permission] { PermissionOption, PermissionOptionKind, RequestPermissionResponse, RequestPermissionOutcome, SelectedPermissionOutcome, CancelledPermissionOutcome }
    [usage] { Usage, Cost, UsageUpdate }
    [session] { CancelNotification, ListSessionsRequest, SessionArchiveFilter, CloseSessionRequest, CloseSessionResponse, DeleteSessionRequest, DeleteSessionResponse, ArchiveSessionRequest, ArchiveSessionResponse, UnarchiveSessionRequest, UnarchiveSessionResponse, SessionStatusRequest, SessionStatusResponse, SessionStatus, SetSessionTitleRequest, SetSessionTitleResponse, SessionOptionsRequest, SessionInfoUpdate }
    [system_prompt] { SystemPrompt, SystemPromptMode }
    [state] { StateUpdate, RunningStateUpdate, IdleStateUpdate, IdleStop, ErrorStopReason, RequiresActionStateUpdate, UnknownStateUpdate }
    [background] { BackgroundWork, BackgroundTerminal, BackgroundToolCall, BackgroundSubagent }
    [stop_reason] { StopReason }
    [subagent] { SubagentUpdate, SubagentSessionCapabilities, SessionCancelCapabilities }
    [session_message] { SessionMessage, SessionMessageChunk }
    [notice] { Notice, NoticeSeverity }
    [compaction] { CompactionStatus, CompactionSummaryChunk }
    [suggestion] { PromptSuggestionsUpdate, PromptSuggestion }
    [cursor] { CursorUpdate, CursorCapabilities, CursorForkCapabilities, CursorAnchor, CursorMessageAnchor, CursorToolCallAnchor, CursorCompactionAnchor, CursorAnchorPosition }
    [auth] { AuthenticateRequest, AuthenticateResponse, LogoutRequest, LogoutResponse, AuthStatusRequest, AuthStatusResponse, AuthStatusUpdateNotification, AuthState, AuthAccount }
    [capability] { Implementation, AgentAuthCapabilities, AuthStatusCapabilities, LogoutCapabilities, ProvidersCapabilities, ElicitationCapabilities, ElicitationFormCapabilities, ElicitationUrlCapabilities, PromptSuggestionsCapabilities, PromptSuggestionsImageCapabilities, PromptSuggestionsAudioCapabilities, PromptSuggestionsEmbeddedContextCapabilities }
    [session_capability] { SessionAdditionalDirectoriesCapabilities, SessionArchiveCapabilities, SessionDeleteCapabilities, SessionForkCapabilities, SessionOptionsCapabilities, SessionStatusCapabilities, SessionTitleCapabilities, SessionSystemPromptCapabilities, SessionSystemPromptModeCapabilities, SessionSystemPromptOverrideCapabilities }
    [config_option] { SessionConfigBoolean, SessionConfigSelectOption, SessionConfigOptionCategory }
    [mcp] { McpServerAcp, EnvVariable, HttpHeader, MessageMcpRequest, MessageMcpNotification }
    [mcp_response] { MessageMcpResponse, McpError }
    [provider] { ListProvidersRequest, ListProvidersResponse, ProviderInfo, ProviderCurrentConfig, LlmProtocol, SetProviderRequest, SetProviderResponse, DisableProviderRequest, DisableProviderResponse }
    [proxy] { ProxySuccessorRequest, ProxySuccessorNotification }
    [elicitation] { CreateElicitationRequest, ElicitationMode, ElicitationFormMode, ElicitationUrlMode, ElicitationSessionScope, ElicitationRequestScope, CreateElicitationResponse, ElicitationAction, ElicitationAcceptAction, CompleteElicitationNotification }
    [elicitation_scope] { ElicitationScope, ElicitationContentValue }
    [elicitation_schema] { ElicitationSchema, ElicitationSchemaType, ElicitationPropertySchema, StringPropertySchema, StringFormat, NumberPropertySchema, IntegerPropertySchema, BooleanPropertySchema, MultiSelectPropertySchema, MultiSelectItems, StringMultiSelectItems, TitledMultiSelectItems, EnumOption }
    [cancel_request] { CancelRequestNotification }
    [v1] { InitializeRequest, InitializeResponse }
    [v1] { ClientCapabilities, FileSystemCapabilities, AuthCapabilities, ClientSessionCapabilities, CompactionCapabilities, SessionConfigOptionsCapabilities, BooleanConfigOptionCapabilities, NoticeCapabilities, SessionCursorsCapabilities, PlanCapabilities, SubagentCapabilities }
    [v1] { AgentCapabilities, PromptCapabilities, McpCapabilities, SessionCapabilities, SessionListCapabilities, SessionResumeCapabilities, SessionCloseCapabilities }
    [v1] { AuthMethod, AuthMethodAgent, AuthMethodTerminal }
    [v1] { NewSessionRequest, NewSessionResponse, LoadSessionRequest, LoadSessionResponse, ResumeSessionRequest, ResumeSessionResponse, ForkSessionRequest, ForkSessionResponse }
    [v1] { ListSessionsResponse, SessionInfo, SessionOptionsResponse }
    [v1] { SessionModeState, SessionMode, SetSessionModeRequest, SetSessionModeResponse, CurrentModeUpdate }
    [v1] { SessionConfigOption, SessionConfigKind, SessionConfigSelect, SessionConfigSelectGroup, ConfigOptionUpdate, SessionConfigSelectOptions }
    [v2] { SessionConfigOption, SessionConfigKind, SessionConfigSelect, SessionConfigSelectGroup, ConfigOptionUpdate, SessionConfigSelectOptions }
    [v1] { SetSessionConfigOptionRequest, SetSessionConfigOptionResponse, InitialSessionConfigOption, SessionConfigOptionValue }
    [v1] { McpServer, McpServerStdio, McpServerHttp, McpServerSse }
    [v1] { PromptRequest, PromptResponse }
    [v1] { SessionNotification, SessionUpdate, ContentChunk }
    [v1] { ToolCall, ToolCallUpdate, ToolCallContent, Diff }
    [v1] { Plan, PlanUpdate, PlanUpdateContent, PlanItems }
    [v1] { RequestPermissionRequest }
    [v1] { AvailableCommandsUpdate, AvailableCommand, UnstructuredCommandInput }
    [v1] { CompactionUpdate }
    [v1] { ReadTextFileRequest, ReadTextFileResponse, WriteTextFileRequest, WriteTextFileResponse }
    [v1] { CreateTerminalRequest, CreateTerminalResponse, TerminalOutputRequest, TerminalOutputResponse, WaitForTerminalExitRequest, WaitForTerminalExitResponse, KillTerminalRequest, KillTerminalResponse, ReleaseTerminalRequest, ReleaseTerminalResponse }
    [v2] { InitializeRequest, InitializeResponse }
    [v2] { ClientCapabilities, ClientAuthCapabilities, TerminalAuthCapabilities, ClientSessionCapabilities, CommandsCapabilities, CommandsSkillCapabilities }
    [v2] { AgentCapabilities, SessionCapabilities, PromptCapabilities, PromptImageCapabilities, PromptAudioCapabilities, PromptEmbeddedContextCapabilities, PromptSkillCapabilities, PromptSkillInlineCapabilities, McpCapabilities, McpStdioCapabilities, McpHttpCapabilities, McpAcpCapabilities }
    [v2] { AuthMethod, AuthMethodAgent, AuthMethodTerminal }
    [v2] { NewSessionRequest, NewSessionResponse, ResumeSessionRequest, ResumeSessionResponse, ForkSessionRequest, ForkSessionResponse }
    [v2] { ReplayFrom, ReplayFromStart, ReplayComplete }
    [v2] { ListSessionsResponse, SessionInfo, SessionOptionsResponse }
    [v2] { SetSessionConfigOptionRequest, SetSessionConfigOptionResponse, InitialSessionConfigOption, SessionConfigOptionValue, SessionConfigIdValue, SessionConfigBooleanValue }
    [v2] { McpServer, McpServerStdio, McpServerHttp }
    [v2] { PromptRequest, PromptResponse, IdempotencyKey }
    [v2] { UpdateSessionNotification, SessionUpdate }
    [v2] { ContentChunk, UserMessage, AgentMessage, AgentThought }
    [v2] { ToolCallUpdate, ToolCallCapabilities, ToolCallCancelCapabilities, ToolCallContentChunk, ToolCallContent, CancelToolCallRequest, CancelToolCallResponse }
    [v2] { Diff, DiffChange, DiffOperation, DiffPathChange, DiffPathPairChange, DiffFileType, DiffPatch, DiffPatchFormat }
    [v2] { PlanUpdate, PlanUpdateContent, PlanItems }
    [v2] { RequestPermissionRequest, RequestPermissionSubject, ToolCallPermissionSubject, CommandPermissionSubject }
    [v2] { AvailableCommandsUpdate, AvailableCommand, Command, AvailableCommandInput, TextCommandInput, Skill }
    [v2] { CompactionUpdate }
    [v2] { TerminalUpdate, TerminalOutput, TerminalOutputChunk, TerminalSize, TerminalCapabilities, TerminalCancelCapabilities, CancelTerminalRequest, CancelTerminalResponse }
    [v2] { SessionNotFoundErrorData, UnsupportedProtocolVersionErrorData }
    [exit_status] { TerminalExitStatus }
    [legacy] { ModelId, SessionModelState, ModelInfo, SetSessionModelRequest, SetSessionModelResponse, LegacyAuthStatusUpdate, LegacyAuthStatus }
};
