//! What was agreed on, and the gate that follows from it.

use acp_vocab::{Implementation, Method, ProtocolVersion, Side};
use serde_json::value::RawValue;

use crate::{
    auth::{AuthKind, AuthMethod},
    capabilities::{Capabilities, Capability},
    catalog,
    diagnostic::Diagnostic,
    error::{AuthError, GateError},
    gate::Peer,
};

/// The outcome of `initialize`: one version, and what the agent has.
#[derive(Debug, Clone)]
pub struct Agreement {
    version: ProtocolVersion,
    agent: Option<Implementation>,
    capabilities: Capabilities,
    auth_methods: Vec<AuthMethod>,
    meta: Option<Box<RawValue>>,
    diagnostics: Vec<Diagnostic>,
}

impl Agreement {
    pub(crate) fn new(
        version: ProtocolVersion,
        agent: Option<Implementation>,
        capabilities: Capabilities,
        auth_methods: Vec<AuthMethod>,
        meta: Option<Box<RawValue>>,
        diagnostics: Vec<Diagnostic>,
    ) -> Self {
        Self {
            version,
            agent,
            capabilities,
            auth_methods,
            meta,
            diagnostics,
        }
    }

    /// The version that both sides speak from now on.
    #[must_use]
    pub fn version(&self) -> ProtocolVersion {
        self.version
    }

    /// The agent's info card, where it sent a readable one.
    #[must_use]
    pub fn agent(&self) -> Option<&Implementation> {
        self.agent.as_ref()
    }

    /// What to call the agent: its title, else its name, else `unknown`. The peer's text: make it safe before showing it.
    #[must_use]
    pub fn agent_name(&self) -> &str {
        self.agent.as_ref().map_or("unknown", |agent| {
            agent.title.as_deref().unwrap_or(&agent.name)
        })
    }

    /// Whether the agent has the capability at this dotted path, spelled as the specification of the version spells it:
    /// `loadSession`, `sessionCapabilities.list` (v1), `session.delete` (v2).
    ///
    /// Object markers count as yes, absent and null as no. v1 honours booleans and takes any other value as a marker; in v2
    /// only an object is one.
    #[must_use]
    pub fn advertises(&self, path: &str) -> bool {
        self.capabilities.advertises(path)
    }

    /// The capabilities as they were sent.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// The member that holds the capabilities: `agentCapabilities` in v1, `capabilities` in v2.
    #[must_use]
    pub fn capabilities_member(&self) -> &'static str {
        if self.version == ProtocolVersion::V1 {
            "agentCapabilities"
        } else {
            "capabilities"
        }
    }

    /// Every capability that the specification of the version names, with what was read there.
    pub fn known_capabilities(&self) -> impl Iterator<Item = Capability> + '_ {
        catalog::agent_capabilities(self.version).map(|path| self.capabilities.read(path))
    }

    /// What the agent advertises and the specification does not name: the session is narrower than the agent by that much.
    #[must_use]
    pub fn narrower(&self) -> Vec<Capability> {
        let named = |path: &str| {
            catalog::agent_capabilities(self.version).any(|known| known == path)
                || catalog::agent_group(self.version, path).is_some()
        };
        let mut list = self.capabilities.advertised();
        list.retain(|has| !named(&has.path));
        list
    }

    /// The ways to log in that the agent lists. An empty list does not prove that nobody has to.
    #[must_use]
    pub fn auth_methods(&self) -> &[AuthMethod] {
        &self.auth_methods
    }

    /// The auth method with this id, when it is one that may be requested.
    ///
    /// # Errors
    /// [`AuthError::Unknown`] with the listed ids, [`AuthError::Terminal`] for one that is run in a terminal.
    pub fn auth_method(&self, id: &str) -> Result<&AuthMethod, AuthError> {
        let method = self.auth_methods.iter().find(|method| &*method.id == id);
        let unknown = || AuthError::Unknown {
            listed: self
                .auth_methods
                .iter()
                .map(|method| method.id.clone())
                .collect(),
        };
        let method = method.ok_or_else(unknown)?;
        if method.kind == AuthKind::Terminal {
            Err(AuthError::Terminal)
        } else {
            Ok(method)
        }
    }

    /// The result's `_meta`, where it is an object.
    #[must_use]
    pub fn meta(&self) -> Option<&RawValue> {
        self.meta.as_deref()
    }

    /// What was odd in the answer.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether this request or notification of ours may be sent.
    ///
    /// Gates that only a session knows (`session/set_mode` needs modes) are the session's to check.
    ///
    /// # Errors
    /// [`GateError::NotAdvertised`] names the method and the capability that it needs; [`GateError::NotInVersion`] and
    /// [`GateError::WrongDirection`] say that the method is not ours to send here at all.
    pub fn require(&self, method: Method) -> Result<(), GateError> {
        let peer = Peer {
            side: Side::Agent,
            version: self.version,
            advertises: |path: &str| self.advertises(path),
            has_auth_methods: !self.auth_methods.is_empty(),
        };
        peer.check(method)
    }
}
