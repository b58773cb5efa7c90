//! What the host program decided, for all connections: the agent, its abilities, bounds, policies.

use std::sync::Arc;

use acp_handshake::{ClientOffer, VersionSet};
use acp_vocab::{
    AgentAuthCapabilities, ErrorObject, LogoutCapabilities, ProtocolVersion, Raw,
    SessionAdditionalDirectoriesCapabilities, SessionDeleteCapabilities, SessionForkCapabilities,
    v1, v2,
};

use crate::{
    ability::Abilities,
    agent::AnyAgent,
    config::Config,
    extension::{Agreed, Extension},
    mcp::{McpPolicy, McpTransports},
    refusal::internal,
    tracefile::TracePlace,
    workspace::Workspaces,
};

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
        let sessions = &mut capabilities.session_capabilities;
        sessions.resume = marker(abilities.load.is_some());
        sessions.list = marker(abilities.list.is_some());
        sessions.close = marker(abilities.close.is_some());
        sessions.delete = marker::<SessionDeleteCapabilities>(abilities.delete.is_some());
        sessions.fork = marker::<SessionForkCapabilities>(abilities.fork.is_some());
        sessions.additional_directories =
            marker::<SessionAdditionalDirectoriesCapabilities>(abilities.additional_directories);
        let methods: Vec<_> = self
            .logins()
            .iter()
            .filter_map(|method| method.v1(offer.advertises("auth.terminal")))
            .collect();
        capabilities.auth.logout = marker::<LogoutCapabilities>(abilities.auth.is_some());
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
        let mut session = v2::SessionCapabilities::new();
        session.prompt = Some(prompt);
        session.mcp = Some(mcp);
        session.delete = marker::<SessionDeleteCapabilities>(abilities.delete.is_some());
        session.fork = marker::<SessionForkCapabilities>(abilities.fork.is_some());
        session.additional_directories =
            marker::<SessionAdditionalDirectoriesCapabilities>(abilities.additional_directories);
        let mut capabilities = v2::AgentCapabilities::new();
        capabilities.session = Some(session);
        capabilities.auth = marker::<AgentAuthCapabilities>(abilities.auth.is_some());
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

fn marker<T: Default>(yes: bool) -> Option<T> {
    yes.then(T::default)
}
