//! The words of the Agent Client Protocol: every method, type and enum of v1 and v2.
#![doc = include_str!("../README.md")]

mod alias;
mod auth;
mod background;
mod cancel_request;
mod capability;
mod catalog;
mod compaction;
mod config_option;
mod content;
mod cursor;
mod describe;
mod elicitation;
mod elicitation_schema;
mod elicitation_scope;
mod error_object;
mod exit_status;
mod id;
pub mod legacy;
mod loss;
mod mcp;
mod mcp_response;
mod method;
mod notice;
mod patch;
mod permission;
mod plan;
mod provider;
mod proxy;
mod raw;
mod request_id;
mod resource;
mod session;
mod session_capability;
mod session_message;
mod shape;
mod stability;
mod state;
mod stop_reason;
mod subagent;
mod suggestion;
mod system_prompt;
mod text;
mod tool_call;
mod usage;
pub mod v1;
pub mod v2;
mod version;
mod wire;

pub use crate::{
    auth::{
        AuthAccount, AuthState, AuthStatusRequest, AuthStatusResponse,
        AuthStatusUpdateNotification, AuthenticateRequest, AuthenticateResponse, LogoutRequest,
        LogoutResponse,
    },
    background::{BackgroundSubagent, BackgroundTerminal, BackgroundToolCall, BackgroundWork},
    cancel_request::CancelRequestNotification,
    capability::{
        AgentAuthCapabilities, AuthStatusCapabilities, ElicitationCapabilities,
        ElicitationFormCapabilities, ElicitationUrlCapabilities, Implementation,
        LogoutCapabilities, PromptSuggestionsAudioCapabilities, PromptSuggestionsCapabilities,
        PromptSuggestionsEmbeddedContextCapabilities, PromptSuggestionsImageCapabilities,
        ProvidersCapabilities,
    },
    catalog::{ALIASES, TYPES},
    compaction::{CompactionStatus, CompactionSummaryChunk},
    config_option::{SessionConfigBoolean, SessionConfigOptionCategory, SessionConfigSelectOption},
    content::{
        Annotations, AudioContent, ContentBlock, ImageContent, Role, SkillReference, TextContent,
    },
    cursor::{
        CursorAnchor, CursorAnchorPosition, CursorCapabilities, CursorCompactionAnchor,
        CursorForkCapabilities, CursorMessageAnchor, CursorToolCallAnchor, CursorUpdate,
    },
    describe::{FieldInfo, Shape, TypeInfo, ValueInfo, VariantInfo},
    elicitation::{
        CompleteElicitationNotification, CreateElicitationRequest, CreateElicitationResponse,
        ElicitationAcceptAction, ElicitationAction, ElicitationFormMode, ElicitationMode,
        ElicitationRequestScope, ElicitationSessionScope, ElicitationUrlMode,
    },
    elicitation_schema::{
        BooleanPropertySchema, ElicitationPropertySchema, ElicitationSchema, ElicitationSchemaType,
        EnumOption, IntegerPropertySchema, MultiSelectItems, MultiSelectPropertySchema,
        NumberPropertySchema, StringFormat, StringMultiSelectItems, StringPropertySchema,
        TitledMultiSelectItems,
    },
    elicitation_scope::{ElicitationContentValue, ElicitationScope},
    error_object::ErrorCode,
    error_object::ErrorObject,
    exit_status::TerminalExitStatus,
    id::{
        AuthMethodId, CompactionId, CursorId, ElicitationId, McpRequestId, McpServerAcpId,
        MessageId, PermissionOptionId, PlanId, ProviderId, SessionConfigGroupId, SessionConfigId,
        SessionConfigValueId, SessionId, SessionModeId, TerminalId, ToolCallId,
    },
    loss::{Loss, LossReason},
    mcp::{EnvVariable, HttpHeader, McpServerAcp, MessageMcpNotification, MessageMcpRequest},
    mcp_response::{McpError, MessageMcpResponse},
    method::{
        AGENT_METHODS, CAPABILITY_METHODS, CLIENT_METHODS, CapabilityMethods, Form, Gate, Method,
        MethodKind, MethodSpec, PROTOCOL_METHODS, Receiver, Side,
    },
    notice::{Notice, NoticeSeverity},
    patch::Patch,
    permission::{
        CancelledPermissionOutcome, PermissionOption, PermissionOptionKind,
        RequestPermissionOutcome, RequestPermissionResponse, SelectedPermissionOutcome,
    },
    plan::{PlanEntry, PlanEntryPriority, PlanEntryStatus, PlanFile, PlanMarkdown, PlanRemoved},
    provider::{
        DisableProviderRequest, DisableProviderResponse, ListProvidersRequest,
        ListProvidersResponse, LlmProtocol, ProviderCurrentConfig, ProviderInfo,
        SetProviderRequest, SetProviderResponse,
    },
    proxy::{ProxySuccessorNotification, ProxySuccessorRequest, ProxySuccessorResponse},
    raw::{Meta, Raw},
    request_id::RequestId,
    resource::{
        BlobResourceContents, EmbeddedResource, EmbeddedResourceResource, Icon, IconTheme,
        ResourceLink, TextResourceContents,
    },
    session::{
        ArchiveSessionRequest, ArchiveSessionResponse, CancelNotification, CloseSessionRequest,
        CloseSessionResponse, DeleteSessionRequest, DeleteSessionResponse, ListSessionsRequest,
        SessionArchiveFilter, SessionInfoUpdate, SessionOptionsRequest, SessionStatus,
        SessionStatusRequest, SessionStatusResponse, SetSessionTitleRequest,
        SetSessionTitleResponse, UnarchiveSessionRequest, UnarchiveSessionResponse,
    },
    session_capability::{
        SessionAdditionalDirectoriesCapabilities, SessionArchiveCapabilities,
        SessionDeleteCapabilities, SessionForkCapabilities, SessionOptionsCapabilities,
        SessionStatusCapabilities, SessionSystemPromptCapabilities,
        SessionSystemPromptModeCapabilities, SessionSystemPromptOverrideCapabilities,
        SessionTitleCapabilities,
    },
    session_message::{SessionMessage, SessionMessageChunk},
    shape::{Found, ShapeError},
    stability::{Presence, Stability},
    state::{
        ErrorStopReason, IdleStateUpdate, IdleStop, RequiresActionStateUpdate, RunningStateUpdate,
        StateUpdate, UnknownStateUpdate,
    },
    stop_reason::StopReason,
    subagent::{SessionCancelCapabilities, SubagentSessionCapabilities, SubagentUpdate},
    suggestion::{PromptSuggestion, PromptSuggestionsUpdate},
    system_prompt::{SystemPrompt, SystemPromptMode},
    text::{AbsolutePath, MediaType, SessionListCursor},
    tool_call::{Content, SessionReference, Terminal, ToolCallLocation, ToolCallStatus, ToolKind},
    usage::{Cost, Usage, UsageUpdate},
    version::ProtocolVersion,
    wire::{
        TypeRef, Wire, decode, decode_params, decode_update,
        rule::{Reading, Rule},
    },
};
