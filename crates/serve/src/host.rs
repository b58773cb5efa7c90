//! What the host program decided, for all connections: the agent, its abilities, bounds, policies.

use std::sync::Arc;

use acp_handshake::{ClientOffer, VersionSet};
use acp_vocab::{
    AgentAuthCapabilities, ErrorObject, ProtocolVersion, Raw, SessionSystemPromptCapabilities,
    SessionSystemPromptModeCapabilities, v1, v2,
};

use crate::{
    ability::{Abilities, SystemPrompts},
    agent::AnyAgent,
    config::Config,
    extension::{Agreed, Extension},
    mcp::{McpPolicy, McpTransports},
    refusal::internal,
    tracefile::TracePlace,
    workspace::Workspaces,
};

/// What both versions say of sessions, under the same names.
macro_rules! declare_sessions {
    ($sessions:ident, $abilities:ident) => {
        $sessions.delete = marker($abilities.delete.is_some());
        $sessions.fork = marker($abilities.fork.is_some());
        $sessions.archive = marker($abilities.archive.is_some());
        $sessions.title = marker($abilities.title.is_some());
        $sessions.status = marker($abilities.status.is_some());
        $sessions.options = marker($abilities.setup_options.is_some());
        $sessions.additional_directories = marker($abilities.additional_directories);
        $sessions.system_prompt = instructions($abilities.system_prompts);
    };
}

#[derive(Clone)]
pub(crate) struct Host {
    pub(crate) agent: Arc<dyn AnyAgent>,
    pub(crate) abilities: Abilities,
    pub(crate) versions: VersionSet,
    pub(crate) config: Arc<Config>,
    pub(crate) workspaces: Workspaces,
    pub(crate) mcp: McpPolicy,
    pub(crate) transports: McpTransports,
    pub(crate) extension: Option<Extension>,
    pub(crate) traces: Option<TracePlace>,
}

impl Host {
    /// The result of `initialize`: what was registered, in the shape of the version.
    pub(crate) fn declare(
        &self,
        offer: &ClientOffer,
        agreed: Option<&Agreed>,
    ) -> Result<Raw, ErrorObject> {
        let result = if offer.version() == ProtocolVersion::V1 {
            Raw::encode(&self.declare_v1(offer, agreed))
        } else {
            Raw::encode(&self.declare_v2(offer, agreed))
        };
        result.map_err(|_| internal("the declaration cannot be written"))
    }

    fn declare_v1(&self, offer: &ClientOffer, agreed: Option<&Agreed>) -> v1::InitializeResponse {
        let abilities = &self.abilities;
        let mut capabilities = v1::AgentCapabilities::new();
        capabilities.load_session = abilities.load.is_some();
        capabilities.prompt_capabilities.image = abilities.images;
        capabilities.prompt_capabilities.audio = abilities.audio;
        capabilities.prompt_capabilities.embedded_context = abilities.embedded_context;
        capabilities.mcp_capabilities.http = self.transports.http;
        capabilities.mcp_capabilities.acp = self.transports.hosted;
        let sessions = &mut capabilities.session_capabilities;
        sessions.resume = marker(abilities.load.is_some());
        sessions.list = marker(abilities.list.is_some());
        sessions.close = marker(abilities.close.is_some());
        declare_sessions!(sessions, abilities);
        capabilities.providers = marker(abilities.providers.is_some());
        let methods: Vec<_> = self
            .logins()
            .iter()
            .filter_map(|method| method.v1(offer.advertises("auth.terminal")))
            .collect();
        capabilities.auth.logout = marker(abilities.auth.is_some());
        capabilities.auth.status = marker(abilities.auth_status.is_some());
        capabilities.meta = self.extension.as_ref().and_then(Extension::advertisement);
        let mut response = v1::InitializeResponse::new(ProtocolVersion::V1);
        response.agent_capabilities = capabilities;
        response.auth_methods = methods;
        response.agent_info = Some(self.agent.info());
        response.meta = agreed.and_then(Agreed::confirmation);
        response
    }

    fn declare_v2(&self, offer: &ClientOffer, agreed: Option<&Agreed>) -> v2::InitializeResponse {
        let abilities = &self.abilities;
        let mut prompt = v2::PromptCapabilities::new();
        prompt.image = marker(abilities.images);
        prompt.audio = marker(abilities.audio);
        prompt.embedded_context = marker(abilities.embedded_context);
        let mut mcp = v2::McpCapabilities::new();
        mcp.stdio = marker(self.transports.stdio);
        mcp.http = marker(self.transports.http);
        mcp.acp = marker(self.transports.hosted);
        let mut session = v2::SessionCapabilities::new();
        session.prompt = Some(prompt);
        session.mcp = Some(mcp);
        declare_sessions!(session, abilities);
        let mut capabilities = v2::AgentCapabilities::new();
        capabilities.session = Some(session);
        capabilities.auth =
            (abilities.auth.is_some() || abilities.auth_status.is_some()).then(|| {
                let mut auth = AgentAuthCapabilities::new();
                auth.status = marker(abilities.auth_status.is_some());
                auth
            });
        capabilities.providers = marker(abilities.providers.is_some());
        capabilities.meta = self.extension.as_ref().and_then(Extension::advertisement);
        let mut response = v2::InitializeResponse::new(ProtocolVersion::V2, self.agent.info());
        response.capabilities = capabilities;
        response.auth_methods = self
            .logins()
            .iter()
            .filter_map(|method| method.v2(offer.advertises("auth.terminal")))
            .collect();
        response.meta = agreed.and_then(Agreed::confirmation);
        response
    }

    /// The ways to log in; none without the ability.
    pub(crate) fn logins(&self) -> Vec<crate::login::LoginMethod> {
        self.abilities
            .auth
            .as_ref()
            .map(|auth| auth.methods())
            .unwrap_or_default()
    }
}

/// How far a host may go with instructions of its own.
fn instructions(prompts: SystemPrompts) -> Option<SessionSystemPromptCapabilities> {
    let mut capability = SessionSystemPromptCapabilities::new();
    match prompts {
        SystemPrompts::Refused => return None,
        SystemPrompts::Appended => {}
        SystemPrompts::Overriding => {
            let mut mode = SessionSystemPromptModeCapabilities::new();
            mode.r#override = marker(true);
            capability.mode = Some(mode);
        }
    }
    Some(capability)
}

fn marker<T: Default>(yes: bool) -> Option<T> {
    yes.then(T::default)
}
