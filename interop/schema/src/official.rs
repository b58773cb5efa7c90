//! The official types, each under its name: how it reads and writes, and its schema.

use acp_vocab::ProtocolVersion;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

/// What stands outside of the versions and in the schema of each.
macro_rules! version {
    ($($version:ident)*) => {$(
        mod $version {
            pub(super) use agent_client_protocol_schema::{ProtocolVersion, $version::*};
        }
    )*};
}

version! { v1 v2 }

/// What one side made of an input: the value it writes back, or why it would not read it.
pub type Reading = Result<Value, String>;

/// One definition of the official schema.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// The version it belongs to.
    pub version: ProtocolVersion,
    /// Its name in the schema.
    pub name: &'static str,
    read: fn(&str) -> Reading,
}

impl Definition {
    /// The definition of a name in one version.
    #[must_use]
    pub fn find(version: ProtocolVersion, name: &str) -> Option<&'static Self> {
        DEFINITIONS
            .iter()
            .find(|definition| definition.version == version && definition.name == name)
    }

    /// Reads a value with the official type and writes it back.
    ///
    /// # Errors
    ///
    /// The official type does not read the value.
    pub fn recode(&self, value: &Value) -> Reading {
        self.recode_text(&value.to_string())
    }

    /// The same for a value that is still text.
    ///
    /// # Errors
    ///
    /// The official type does not read the value.
    pub fn recode_text(&self, text: &str) -> Reading {
        (self.read)(text)
    }
}

fn read<T: DeserializeOwned + Serialize>(text: &str) -> Reading {
    let value: T = serde_json::from_str(text).map_err(|error| error.to_string())?;
    // By way of the text, as it would go over the wire.
    let text = serde_json::to_string(&value).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// Has the generator note down what the routing enums refer to: every message there is.
macro_rules! routing {
    ($version:ident, $generator:ident: $($name:ident),*) => {
        $(named::<$version::$name>(&mut $generator);)*
    };
}

macro_rules! definitions {
    ($($version:ident $number:ident { $($name:ident,)* })*) => {
        /// Every definition of both versions that is read by itself. The enums that only route
        /// messages by method are in [`routes`].
        pub const DEFINITIONS: &[Definition] = &[$($(Definition {
            version: ProtocolVersion::$number,
            name: stringify!($name),
            read: read::<$version::$name>,
        },)*)*];

        /// The schema of every definition, by version and name.
        #[must_use]
        pub fn schemas() -> Vec<(ProtocolVersion, Map<String, Value>)> {
            vec![$({
                let mut generator = SchemaSettings::draft2020_12().into_generator();
                $(named::<$version::$name>(&mut generator);)*
                routing!($version, generator: ClientRequest, ClientNotification, ClientResponse,
                    AgentRequest, AgentNotification, AgentResponse, ProxyRequest,
                    ProxyNotification, ProxyResponse);
                (ProtocolVersion::$number, generator.take_definitions(true))
            }),*]
        }
    };
}

/// Has the generator note down a type and all that it refers to.
fn named<T: JsonSchema>(generator: &mut SchemaGenerator) {
    generator.subschema_for::<T>();
}

definitions! {
v1 V1 {
    AgentAuthCapabilities, AgentCapabilities, Annotations, ArchiveSessionRequest,
    ArchiveSessionResponse, AudioContent, AuthAccount, AuthCapabilities, AuthMethod,
    AuthMethodAgent, AuthMethodId, AuthMethodTerminal, AuthState,
    AuthStatusCapabilities, AuthStatusRequest, AuthStatusResponse,
    AuthStatusUpdateNotification, AuthenticateRequest, AuthenticateResponse,
    AvailableCommand, AvailableCommandInput, AvailableCommandsUpdate,
    BlobResourceContents, BooleanConfigOptionCapabilities, BooleanPropertySchema,
    CancelNotification, CancelRequestNotification, ClientCapabilities,
    ClientSessionCapabilities, CloseSessionRequest, CloseSessionResponse,
    CompactionCapabilities, CompactionId, CompactionStatus, CompactionSummaryChunk,
    CompactionUpdate, CompleteElicitationNotification, ConfigOptionUpdate, Content,
    ContentBlock, ContentChunk, Cost, CreateElicitationRequest,
    CreateElicitationResponse, CreateTerminalRequest, CreateTerminalResponse,
    CurrentModeUpdate, CursorAnchor, CursorAnchorPosition, CursorCapabilities,
    CursorCompactionAnchor, CursorForkCapabilities, CursorId, CursorMessageAnchor,
    CursorToolCallAnchor, CursorUpdate, DeleteSessionRequest, DeleteSessionResponse,
    Diff, DisableProviderRequest, DisableProviderResponse, ElicitationAcceptAction,
    ElicitationCapabilities, ElicitationContentValue, ElicitationFormCapabilities,
    ElicitationFormMode, ElicitationId, ElicitationPropertySchema,
    ElicitationRequestScope, ElicitationSchema, ElicitationSchemaType,
    ElicitationSessionScope, ElicitationUrlCapabilities, ElicitationUrlMode,
    EmbeddedResource, EmbeddedResourceResource, EnumOption, EnvVariable, Error,
    ErrorCode, ErrorStopReason, ExtNotification, ExtRequest, ExtResponse,
    FileSystemCapabilities, ForkSessionRequest, ForkSessionResponse, HttpHeader,
    IdleStateUpdate, ImageContent, Implementation, InitialSessionConfigOption,
    InitializeProxyRequest, InitializeProxyResponse, InitializeRequest,
    InitializeResponse, IntegerPropertySchema, KillTerminalRequest,
    KillTerminalResponse, ListProvidersRequest, ListProvidersResponse,
    ListSessionsRequest, ListSessionsResponse, LlmProtocol, LoadSessionRequest,
    LoadSessionResponse, LogoutCapabilities, LogoutRequest, LogoutResponse,
    McpCapabilities, McpError, McpRequestId, McpServer, McpServerAcp, McpServerAcpId,
    McpServerHttp, McpServerSse, McpServerStdio, MessageId, MessageMcpNotification,
    MessageMcpRequest, MessageMcpResponse, MultiSelectItems, MultiSelectPropertySchema,
    NewSessionRequest, NewSessionResponse, Notice, NoticeCapabilities, NoticeSeverity,
    NumberPropertySchema, PermissionOption, PermissionOptionId, PermissionOptionKind,
    Plan, PlanCapabilities, PlanEntry, PlanEntryPriority, PlanEntryStatus, PlanId,
    PlanItems, PlanMarkdown, PlanRemoved, PlanUpdate, PlanUpdateContent,
    PromptCapabilities, PromptRequest, PromptResponse, PromptSuggestion,
    PromptSuggestionsAudioCapabilities, PromptSuggestionsCapabilities,
    PromptSuggestionsEmbeddedContextCapabilities, PromptSuggestionsImageCapabilities,
    PromptSuggestionsUpdate, ProtocolVersion, ProviderCurrentConfig, ProviderId,
    ProviderInfo, ProvidersCapabilities, ProxySuccessorNotification,
    ProxySuccessorRequest, ProxySuccessorResponse, ReadTextFileRequest,
    ReadTextFileResponse, ReleaseTerminalRequest, ReleaseTerminalResponse, RequestId,
    RequestPermissionOutcome, RequestPermissionRequest, RequestPermissionResponse,
    RequiresActionStateUpdate, ResourceLink, ResumeSessionRequest,
    ResumeSessionResponse, Role, RunningStateUpdate, SelectedPermissionOutcome,
    SessionAdditionalDirectoriesCapabilities, SessionArchiveCapabilities,
    SessionArchiveFilter, SessionCancelCapabilities, SessionCapabilities,
    SessionCloseCapabilities, SessionConfigBoolean, SessionConfigGroupId,
    SessionConfigId, SessionConfigOption, SessionConfigOptionCategory,
    SessionConfigOptionsCapabilities, SessionConfigSelect, SessionConfigSelectGroup,
    SessionConfigSelectOption, SessionConfigSelectOptions, SessionConfigValueId,
    SessionCursorsCapabilities, SessionDeleteCapabilities, SessionForkCapabilities,
    SessionId, SessionInfo, SessionInfoUpdate, SessionListCapabilities, SessionMessage,
    SessionMessageChunk, SessionMode, SessionModeId, SessionModeState,
    SessionNotification, SessionOptionsCapabilities, SessionOptionsRequest,
    SessionOptionsResponse, SessionReference, SessionResumeCapabilities, SessionStatus,
    SessionStatusCapabilities, SessionStatusRequest, SessionStatusResponse,
    SessionSystemPromptCapabilities, SessionSystemPromptModeCapabilities,
    SessionSystemPromptOverrideCapabilities, SessionTitleCapabilities, SessionUpdate,
    SetProviderRequest, SetProviderResponse, SetSessionConfigOptionRequest,
    SetSessionConfigOptionResponse, SetSessionModeRequest, SetSessionModeResponse,
    SetSessionTitleRequest, SetSessionTitleResponse, StateUpdate, StopReason,
    StringFormat, StringMultiSelectItems, StringPropertySchema, SubagentCapabilities,
    SubagentSessionCapabilities, SubagentUpdate, SystemPrompt, SystemPromptMode,
    Terminal, TerminalExitStatus, TerminalId, TerminalOutputRequest,
    TerminalOutputResponse, TextContent, TextResourceContents, TitledMultiSelectItems,
    ToolCall, ToolCallContent, ToolCallId, ToolCallLocation, ToolCallStatus,
    ToolCallUpdate, ToolKind, UnarchiveSessionRequest, UnarchiveSessionResponse,
    UnknownStateUpdate, UnstructuredCommandInput, Usage, UsageUpdate,
    WaitForTerminalExitRequest, WaitForTerminalExitResponse, WriteTextFileRequest,
    WriteTextFileResponse,
}
v2 V2 {
    AbsolutePath, AgentAuthCapabilities, AgentCapabilities, AgentMessage, AgentThought,
    Annotations, ArchiveSessionRequest, ArchiveSessionResponse, AudioContent,
    AuthAccount, AuthMethod, AuthMethodAgent, AuthMethodId, AuthMethodTerminal,
    AuthState, AuthStatusCapabilities, AuthStatusRequest, AuthStatusResponse,
    AuthStatusUpdateNotification, AvailableCommand, AvailableCommandInput,
    AvailableCommandsUpdate, BackgroundSubagent, BackgroundTerminal, BackgroundToolCall,
    BackgroundWork, BlobResourceContents, BooleanPropertySchema,
    CancelRequestNotification, CancelSessionNotification, CancelTerminalRequest,
    CancelTerminalResponse, CancelToolCallRequest, CancelToolCallResponse,
    CancelledPermissionOutcome, ClientAuthCapabilities, ClientCapabilities,
    ClientSessionCapabilities, CloseSessionRequest, CloseSessionResponse, Command,
    CommandPermissionSubject, CommandsCapabilities, CommandsSkillCapabilities,
    CompactionId, CompactionStatus, CompactionSummaryChunk, CompactionUpdate,
    CompleteElicitationNotification, ConfigOptionUpdate, Content, ContentBlock,
    ContentChunk, Cost, CreateElicitationRequest, CreateElicitationResponse,
    CursorAnchor, CursorAnchorPosition, CursorCapabilities, CursorCompactionAnchor,
    CursorForkCapabilities, CursorId, CursorMessageAnchor, CursorToolCallAnchor,
    CursorUpdate, DeleteSessionRequest, DeleteSessionResponse, Diff, DiffChange,
    DiffFileType, DiffPatch, DiffPatchFormat, DiffPathChange, DiffPathPairChange,
    DisableProviderRequest, DisableProviderResponse, ElicitationAcceptAction,
    ElicitationCapabilities, ElicitationContentValue, ElicitationFormCapabilities,
    ElicitationFormMode, ElicitationId, ElicitationPropertySchema,
    ElicitationRequestScope, ElicitationSchema, ElicitationSchemaType,
    ElicitationSessionScope, ElicitationUrlCapabilities, ElicitationUrlMode,
    EmbeddedResource, EmbeddedResourceResource, EnumOption, EnvVariable, Error,
    ErrorCode, ErrorStopReason, ExtNotification, ExtRequest, ExtResponse,
    ForkSessionRequest, ForkSessionResponse, HttpHeader, Icon, IconTheme,
    IdempotencyKey, IdleStateUpdate, ImageContent, Implementation,
    InitialSessionConfigOption, InitializeProxyRequest, InitializeProxyResponse,
    InitializeRequest, InitializeResponse, IntegerPropertySchema, ListProvidersRequest,
    ListProvidersResponse, ListSessionsRequest, ListSessionsResponse, LlmProtocol,
    LoginAuthRequest, LoginAuthResponse, LogoutAuthRequest, LogoutAuthResponse,
    McpAcpCapabilities, McpCapabilities, McpError, McpHttpCapabilities, McpRequestId,
    McpServer, McpServerAcp, McpServerAcpId, McpServerHttp, McpServerStdio,
    McpStdioCapabilities, MediaType, MessageId, MessageMcpNotification,
    MessageMcpRequest, MessageMcpResponse, MultiSelectItems, MultiSelectPropertySchema,
    NewSessionRequest, NewSessionResponse, Notice, NoticeSeverity, NumberPropertySchema,
    PermissionOption, PermissionOptionId, PermissionOptionKind, PlanEntry,
    PlanEntryPriority, PlanEntryStatus, PlanId, PlanItems, PlanMarkdown, PlanRemoved,
    PlanUpdate, PlanUpdateContent, PromptAudioCapabilities, PromptCapabilities,
    PromptEmbeddedContextCapabilities, PromptImageCapabilities, PromptRequest,
    PromptResponse, PromptSkillCapabilities, PromptSkillInlineCapabilities,
    PromptSuggestion, PromptSuggestionsAudioCapabilities, PromptSuggestionsCapabilities,
    PromptSuggestionsEmbeddedContextCapabilities, PromptSuggestionsImageCapabilities,
    PromptSuggestionsUpdate, ProtocolVersion, ProviderCurrentConfig, ProviderId,
    ProviderInfo, ProvidersCapabilities, ProxySuccessorNotification,
    ProxySuccessorRequest, ProxySuccessorResponse, ReplayComplete, ReplayFrom,
    ReplayFromStart, RequestId, RequestPermissionOutcome, RequestPermissionRequest,
    RequestPermissionResponse, RequestPermissionSubject, RequiresActionStateUpdate,
    ResourceLink, ResumeSessionRequest, ResumeSessionResponse, Role, RunningStateUpdate,
    SelectedPermissionOutcome, SessionAdditionalDirectoriesCapabilities,
    SessionArchiveCapabilities, SessionArchiveFilter, SessionCancelCapabilities,
    SessionCapabilities, SessionConfigBoolean, SessionConfigGroupId, SessionConfigId,
    SessionConfigOption, SessionConfigOptionCategory, SessionConfigSelect,
    SessionConfigSelectGroup, SessionConfigSelectOption, SessionConfigSelectOptions,
    SessionConfigValueId, SessionDeleteCapabilities, SessionForkCapabilities, SessionId,
    SessionInfo, SessionInfoUpdate, SessionListCursor, SessionMessage,
    SessionMessageChunk, SessionNotFoundErrorData, SessionOptionsCapabilities,
    SessionOptionsRequest, SessionOptionsResponse, SessionReference, SessionStatus,
    SessionStatusCapabilities, SessionStatusRequest, SessionStatusResponse,
    SessionSystemPromptCapabilities, SessionSystemPromptModeCapabilities,
    SessionSystemPromptOverrideCapabilities, SessionTitleCapabilities, SessionUpdate,
    SetProviderRequest, SetProviderResponse, SetSessionConfigOptionRequest,
    SetSessionConfigOptionResponse, SetSessionTitleRequest, SetSessionTitleResponse,
    Skill, SkillReference, StateUpdate, StringFormat, StringMultiSelectItems,
    StringPropertySchema, SubagentSessionCapabilities, SubagentUpdate, SystemPrompt,
    SystemPromptMode, Terminal, TerminalAuthCapabilities, TerminalCancelCapabilities,
    TerminalCapabilities, TerminalExitStatus, TerminalId, TerminalOutput,
    TerminalOutputChunk, TerminalSize, TerminalUpdate, TextCommandInput, TextContent,
    TextResourceContents, TitledMultiSelectItems, ToolCallCancelCapabilities,
    ToolCallCapabilities, ToolCallContent, ToolCallContentChunk, ToolCallId,
    ToolCallLocation, ToolCallPermissionSubject, ToolCallStatus, ToolCallUpdate,
    ToolKind, UnarchiveSessionRequest, UnarchiveSessionResponse, UnknownStateUpdate,
    UnsupportedProtocolVersionErrorData, UpdateSessionNotification, Usage, UsageUpdate,
    UserMessage,
}}

/// Which methods one end of a connection is sent, as one kind of message.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The version.
    pub version: ProtocolVersion,
    /// `agent` or `client`: the end that is sent them.
    pub side: &'static str,
    /// Whether they are answered.
    pub request: bool,
    knows: fn(&str) -> bool,
}

impl Route {
    /// Whether the official enum of this end and kind has the method.
    #[must_use]
    pub fn knows(&self, method: &str) -> bool {
        (self.knows)(method)
    }
}

macro_rules! routes {
    ($($version:ident $number:ident { $($side:literal: $requests:ident, $notifications:ident;)* })*) => {
        /// The official enums that route messages by method, one for each end and kind. (Those of
        /// proxy chains cannot be asked.)
        #[must_use]
        pub fn routes() -> Vec<Route> {
            vec![$($(
                Route {
                    version: ProtocolVersion::$number,
                    side: $side,
                    request: true,
                    knows: $version::$requests::supports_method,
                },
                Route {
                    version: ProtocolVersion::$number,
                    side: $side,
                    request: false,
                    knows: $version::$notifications::supports_method,
                },
            )*)*]
        }
    };
}

routes! {
    v1 V1 {
        "agent": ClientRequest, ClientNotification;
        "client": AgentRequest, AgentNotification;
    }
    v2 V2 {
        "agent": ClientRequest, ClientNotification;
        "client": AgentRequest, AgentNotification;
    }
}

/// The official lists of method names: version, the end that is sent them, and the names.
///
/// # Panics
///
/// A list is no object of strings.
#[must_use]
pub fn methods() -> Vec<(ProtocolVersion, &'static str, Vec<String>)> {
    macro_rules! lists {
        ($($version:ident $number:ident;)*) => {
            vec![$(
                (ProtocolVersion::$number, "agent", names(&$version::AGENT_METHOD_NAMES)),
                (ProtocolVersion::$number, "client", names(&$version::CLIENT_METHOD_NAMES)),
                (ProtocolVersion::$number, "protocol", names(&$version::PROTOCOL_LEVEL_METHOD_NAMES)),
                (ProtocolVersion::$number, "proxy", names(&$version::PROXY_METHOD_NAMES)),
            )*]
        };
    }
    lists! {
        v1 V1;
        v2 V2;
    }
}

fn names(list: &impl Serialize) -> Vec<String> {
    let Ok(Value::Object(list)) = serde_json::to_value(list) else {
        panic!("a list of method names is an object");
    };
    list.into_iter()
        .map(|(_, name)| name.as_str().expect("a method name is a string").to_owned())
        .collect()
}
