//! Who pays: logins, and providers of models.

use std::{collections::BTreeMap, fmt};

use acp_vocab::{
    AuthMethodId, AuthStatusResponse as LoginState, ErrorObject, LlmProtocol, ProviderId,
    ProviderInfo,
};

use crate::{agent::Agent, login::LoginMethod};

/// Logs in and out: `authenticate` and `logout` of version 1, `auth/login` and `auth/logout` of
/// version 2.
pub trait Auth: Agent {
    /// The ways to log in.
    fn methods(&self) -> Vec<LoginMethod>;

    /// Logs in. It may take as long as a person needs.
    ///
    /// # Errors
    /// The error to answer.
    fn login(&self, method: &AuthMethodId) -> impl Future<Output = Result<(), ErrorObject>> + Send;

    /// Logs out.
    ///
    /// # Errors
    /// The error to answer.
    fn logout(&self) -> impl Future<Output = Result<(), ErrorObject>> + Send;
}

/// Says who is logged in: `auth/status`. A change that the client did not ask for is told by
/// [`Client::login_changed`](crate::Client::login_changed).
pub trait AuthStatus: Agent {
    /// Whether somebody is logged in, and as whom.
    ///
    /// # Errors
    /// The error to answer.
    fn auth_status(&self) -> impl Future<Output = Result<LoginState, ErrorObject>> + Send;
}

/// Lets the client choose where models come from: `providers/list`, `providers/set` and
/// `providers/disable`.
pub trait Providers: Agent {
    /// The providers that the agent knows, and how each is set up now. Headers are never told.
    ///
    /// # Errors
    /// The error to answer.
    fn providers(&self) -> impl Future<Output = Result<Vec<ProviderInfo>, ErrorObject>> + Send;

    /// Sets one up. The crate has checked that the agent knows it, and that it speaks this API.
    ///
    /// # Errors
    /// The error to answer.
    fn set_provider(
        &self,
        setup: ProviderSetup,
    ) -> impl Future<Output = Result<(), ErrorObject>> + Send;

    /// Turns one off. The crate has checked that the agent knows it and can do without it.
    ///
    /// # Errors
    /// The error to answer.
    fn disable_provider(
        &self,
        provider: &ProviderId,
    ) -> impl Future<Output = Result<(), ErrorObject>> + Send;
}

/// How a provider shall be reached.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProviderSetup {
    /// The provider.
    pub provider: ProviderId,
    /// The API that it speaks.
    pub api: LlmProtocol,
    /// Where it is.
    pub base_url: Box<str>,
    /// Headers to send. They may be secrets: not to be logged, stored in the open, or told.
    pub headers: BTreeMap<Box<str>, Box<str>>,
}

impl fmt::Debug for ProviderSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderSetup")
            .field("provider", &self.provider)
            .field("api", &self.api)
            .field("headers", &self.headers.len())
            .finish_non_exhaustive()
    }
}
