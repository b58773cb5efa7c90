//! The methods of both versions, one row each.

use super::{
    Gate, Method, MethodKind, MethodSpec, Receiver, Side,
    Stability::{Stable, Unstable, UnstableInCrate},
};
use crate::version::ProtocolVersion;

/// `VERSION NAME: Kind(Params) -> Result, stability, gate;` for one receiver.
macro_rules! rows {
    ($($receiver:ident $version:ident $method:ident:
        $kind:ident($params:ident) $(-> $result:ident)?, $stability:expr, $gate:expr;
    )*) => {
        &[$(MethodSpec {
            method: Method::$method,
            version: ProtocolVersion::$version,
            receiver: Receiver::$receiver,
            kind: MethodKind::$kind,
            stability: $stability,
            gate: $gate,
            params: stringify!($params),
            result: crate::wire::macros::maybe!($($result)?),
        },)*]
    };
}
pub(crate) use rows;

/// Only when the agent's `initialize` result has one of these members.
const fn agent(paths: &'static [&'static str]) -> Gate {
    Gate::Capability(Side::Agent, paths)
}

/// Only when the client's `initialize` params have one of these members.
const fn client(paths: &'static [&'static str]) -> Gate {
    Gate::Capability(Side::Client, paths)
}

/// Every method that an agent is sent, in both versions.
pub const AGENT_METHODS: &[MethodSpec] = rows! {
    Agent V1 INITIALIZE: Request(InitializeRequest) -> InitializeResponse,
        Stable, Gate::Baseline;
    Agent V1 AUTH_STATUS: Request(AuthStatusRequest) -> AuthStatusResponse,
        Unstable, agent(&["agentCapabilities.auth.status"]);
    Agent V1 AUTHENTICATE: Request(AuthenticateRequest) -> AuthenticateResponse,
        Stable, Gate::AuthMethods;
    Agent V1 LOGOUT: Request(LogoutRequest) -> LogoutResponse,
        Stable, agent(&["agentCapabilities.auth.logout"]);
    Agent V1 SESSION_NEW: Request(NewSessionRequest) -> NewSessionResponse,
        Stable, Gate::Baseline;
    Agent V1 SESSION_LOAD: Request(LoadSessionRequest) -> LoadSessionResponse,
        Stable, agent(&["agentCapabilities.loadSession"]);
    Agent V1 SESSION_LIST: Request(ListSessionsRequest) -> ListSessionsResponse,
        Stable, agent(&["agentCapabilities.sessionCapabilities.list"]);
    Agent V1 SESSION_DELETE: Request(DeleteSessionRequest) -> DeleteSessionResponse,
        Stable, agent(&["agentCapabilities.sessionCapabilities.delete"]);
    Agent V1 SESSION_RESUME: Request(ResumeSessionRequest) -> ResumeSessionResponse,
        Stable, agent(&["agentCapabilities.sessionCapabilities.resume"]);
    Agent V1 SESSION_CLOSE: Request(CloseSessionRequest) -> CloseSessionResponse,
        Stable, agent(&["agentCapabilities.sessionCapabilities.close"]);
    Agent V1 SESSION_SET_MODE: Request(SetSessionModeRequest) -> SetSessionModeResponse,
        Stable, Gate::SessionState("modes");
    Agent V1 SESSION_SET_CONFIG_OPTION: Request(SetSessionConfigOptionRequest) -> SetSessionConfigOptionResponse,
        Stable, Gate::SessionState("configOptions");
    Agent V1 SESSION_PROMPT: Request(PromptRequest) -> PromptResponse,
        Stable, Gate::Baseline;
    Agent V1 SESSION_CANCEL: Notification(CancelNotification),
        Stable, Gate::Baseline;
    Agent V1 SESSION_FORK: Request(ForkSessionRequest) -> ForkSessionResponse,
        Unstable, agent(&["agentCapabilities.sessionCapabilities.fork"]);
    Agent V1 SESSION_ARCHIVE: Request(ArchiveSessionRequest) -> ArchiveSessionResponse,
        Unstable, agent(&["agentCapabilities.sessionCapabilities.archive"]);
    Agent V1 SESSION_UNARCHIVE: Request(UnarchiveSessionRequest) -> UnarchiveSessionResponse,
        Unstable, agent(&["agentCapabilities.sessionCapabilities.archive"]);
    Agent V1 SESSION_STATUS: Request(SessionStatusRequest) -> SessionStatusResponse,
        Unstable, agent(&["agentCapabilities.sessionCapabilities.status"]);
    Agent V1 SESSION_SET_TITLE: Request(SetSessionTitleRequest) -> SetSessionTitleResponse,
        Unstable, agent(&["agentCapabilities.sessionCapabilities.title"]);
    Agent V1 SESSION_OPTIONS: Request(SessionOptionsRequest) -> SessionOptionsResponse,
        UnstableInCrate, agent(&["agentCapabilities.sessionCapabilities.options"]);
    Agent V1 PROVIDERS_LIST: Request(ListProvidersRequest) -> ListProvidersResponse,
        Unstable, agent(&["agentCapabilities.providers"]);
    Agent V1 PROVIDERS_SET: Request(SetProviderRequest) -> SetProviderResponse,
        Unstable, agent(&["agentCapabilities.providers"]);
    Agent V1 PROVIDERS_DISABLE: Request(DisableProviderRequest) -> DisableProviderResponse,
        Unstable, agent(&["agentCapabilities.providers"]);
    Agent V1 MCP_MESSAGE: Notification(MessageMcpNotification),
        Unstable, agent(&["agentCapabilities.mcpCapabilities.acp"]);
    Agent V2 INITIALIZE: Request(InitializeRequest) -> InitializeResponse,
        Stable, Gate::Baseline;
    Agent V2 AUTH_LOGIN: Request(LoginAuthRequest) -> LoginAuthResponse,
        Stable, Gate::AuthMethods;
    Agent V2 AUTH_LOGOUT: Request(LogoutAuthRequest) -> LogoutAuthResponse,
        Stable, Gate::AuthMethods;
    Agent V2 AUTH_STATUS: Request(AuthStatusRequest) -> AuthStatusResponse,
        Unstable, agent(&["capabilities.auth.status"]);
    Agent V2 SESSION_NEW: Request(NewSessionRequest) -> NewSessionResponse,
        Stable, agent(&["capabilities.session"]);
    Agent V2 SESSION_LIST: Request(ListSessionsRequest) -> ListSessionsResponse,
        Stable, agent(&["capabilities.session"]);
    Agent V2 SESSION_DELETE: Request(DeleteSessionRequest) -> DeleteSessionResponse,
        Stable, agent(&["capabilities.session.delete"]);
    Agent V2 SESSION_RESUME: Request(ResumeSessionRequest) -> ResumeSessionResponse,
        Stable, agent(&["capabilities.session"]);
    Agent V2 SESSION_CLOSE: Request(CloseSessionRequest) -> CloseSessionResponse,
        Stable, agent(&["capabilities.session"]);
    Agent V2 SESSION_SET_CONFIG_OPTION: Request(SetSessionConfigOptionRequest) -> SetSessionConfigOptionResponse,
        Stable, Gate::SessionState("configOptions");
    Agent V2 SESSION_PROMPT: Request(PromptRequest) -> PromptResponse,
        Stable, agent(&["capabilities.session"]);
    Agent V2 SESSION_CANCEL: Notification(CancelSessionNotification),
        Stable, agent(&["capabilities.session"]);
    Agent V2 SESSION_FORK: Request(ForkSessionRequest) -> ForkSessionResponse,
        Unstable, agent(&["capabilities.session.fork"]);
    Agent V2 SESSION_ARCHIVE: Request(ArchiveSessionRequest) -> ArchiveSessionResponse,
        Unstable, agent(&["capabilities.session.archive"]);
    Agent V2 SESSION_UNARCHIVE: Request(UnarchiveSessionRequest) -> UnarchiveSessionResponse,
        Unstable, agent(&["capabilities.session.archive"]);
    Agent V2 SESSION_STATUS: Request(SessionStatusRequest) -> SessionStatusResponse,
        Unstable, agent(&["capabilities.session.status"]);
    Agent V2 SESSION_SET_TITLE: Request(SetSessionTitleRequest) -> SetSessionTitleResponse,
        Unstable, agent(&["capabilities.session.title"]);
    Agent V2 SESSION_OPTIONS: Request(SessionOptionsRequest) -> SessionOptionsResponse,
        UnstableInCrate, agent(&["capabilities.session.options"]);
    Agent V2 TOOL_CALL_CANCEL: Request(CancelToolCallRequest) -> CancelToolCallResponse,
        Stable, Gate::Entity("toolCall.capabilities.cancel");
    Agent V2 TERMINAL_CANCEL: Request(CancelTerminalRequest) -> CancelTerminalResponse,
        Stable, Gate::Entity("terminal.capabilities.cancel");
    Agent V2 PROVIDERS_LIST: Request(ListProvidersRequest) -> ListProvidersResponse,
        Unstable, agent(&["capabilities.providers"]);
    Agent V2 PROVIDERS_SET: Request(SetProviderRequest) -> SetProviderResponse,
        Unstable, agent(&["capabilities.providers"]);
    Agent V2 PROVIDERS_DISABLE: Request(DisableProviderRequest) -> DisableProviderResponse,
        Unstable, agent(&["capabilities.providers"]);
    Agent V2 MCP_MESSAGE: Notification(MessageMcpNotification),
        Unstable, agent(&["capabilities.session.mcp.acp"]);
};

/// Every method that a client is sent, in both versions.
pub const CLIENT_METHODS: &[MethodSpec] = rows! {
    Client V1 AUTH_STATUS_UPDATE: Notification(AuthStatusUpdateNotification),
        Unstable, agent(&["agentCapabilities.auth.status"]);
    Client V1 SESSION_REQUEST_PERMISSION: Request(RequestPermissionRequest) -> RequestPermissionResponse,
        Stable, Gate::Baseline;
    Client V1 SESSION_UPDATE: Notification(SessionNotification),
        Stable, Gate::Baseline;
    Client V1 FS_WRITE_TEXT_FILE: Request(WriteTextFileRequest) -> WriteTextFileResponse,
        Stable, client(&["clientCapabilities.fs.writeTextFile"]);
    Client V1 FS_READ_TEXT_FILE: Request(ReadTextFileRequest) -> ReadTextFileResponse,
        Stable, client(&["clientCapabilities.fs.readTextFile"]);
    Client V1 TERMINAL_CREATE: Request(CreateTerminalRequest) -> CreateTerminalResponse,
        Stable, client(&["clientCapabilities.terminal"]);
    Client V1 TERMINAL_OUTPUT: Request(TerminalOutputRequest) -> TerminalOutputResponse,
        Stable, client(&["clientCapabilities.terminal"]);
    Client V1 TERMINAL_RELEASE: Request(ReleaseTerminalRequest) -> ReleaseTerminalResponse,
        Stable, client(&["clientCapabilities.terminal"]);
    Client V1 TERMINAL_WAIT_FOR_EXIT: Request(WaitForTerminalExitRequest) -> WaitForTerminalExitResponse,
        Stable, client(&["clientCapabilities.terminal"]);
    Client V1 TERMINAL_KILL: Request(KillTerminalRequest) -> KillTerminalResponse,
        Stable, client(&["clientCapabilities.terminal"]);
    Client V1 ELICITATION_CREATE: Request(CreateElicitationRequest) -> CreateElicitationResponse,
        Stable, client(&["clientCapabilities.elicitation.form", "clientCapabilities.elicitation.url"]);
    Client V1 ELICITATION_COMPLETE: Notification(CompleteElicitationNotification),
        Stable, client(&["clientCapabilities.elicitation.url"]);
    Client V1 MCP_MESSAGE: Request(MessageMcpRequest) -> MessageMcpResponse,
        Unstable, agent(&["agentCapabilities.mcpCapabilities.acp"]);
    Client V2 AUTH_STATUS_UPDATE: Notification(AuthStatusUpdateNotification),
        Unstable, agent(&["capabilities.auth.status"]);
    Client V2 SESSION_REQUEST_PERMISSION: Request(RequestPermissionRequest) -> RequestPermissionResponse,
        Stable, Gate::Baseline;
    Client V2 SESSION_UPDATE: Notification(UpdateSessionNotification),
        Stable, agent(&["capabilities.session"]);
    Client V2 ELICITATION_CREATE: Request(CreateElicitationRequest) -> CreateElicitationResponse,
        Stable, client(&["capabilities.elicitation.form", "capabilities.elicitation.url"]);
    Client V2 ELICITATION_COMPLETE: Notification(CompleteElicitationNotification),
        Stable, client(&["capabilities.elicitation.url"]);
    Client V2 MCP_MESSAGE: Request(MessageMcpRequest) -> MessageMcpResponse,
        Unstable, agent(&["capabilities.session.mcp.acp"]);
};

/// What both sides are sent, and what the links of a proxy chain send each other.
pub const PROTOCOL_METHODS: &[MethodSpec] = rows! {
    Chain V1 PROXY_INITIALIZE: Request(InitializeProxyRequest) -> InitializeProxyResponse,
        Unstable, Gate::Baseline;
    Chain V1 PROXY_SUCCESSOR: Request(ProxySuccessorRequest) -> ProxySuccessorResponse,
        Unstable, Gate::Baseline;
    Chain V1 PROXY_SUCCESSOR: Notification(ProxySuccessorNotification),
        Unstable, Gate::Baseline;
    Either V1 CANCEL_REQUEST: Notification(CancelRequestNotification),
        Stable, Gate::Courtesy;
    Chain V2 PROXY_INITIALIZE: Request(InitializeProxyRequest) -> InitializeProxyResponse,
        Unstable, Gate::Baseline;
    Chain V2 PROXY_SUCCESSOR: Request(ProxySuccessorRequest) -> ProxySuccessorResponse,
        Unstable, Gate::Baseline;
    Chain V2 PROXY_SUCCESSOR: Notification(ProxySuccessorNotification),
        Unstable, Gate::Baseline;
    Either V2 CANCEL_REQUEST: Notification(CancelRequestNotification),
        Stable, Gate::Courtesy;
};
