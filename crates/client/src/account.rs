//! Logging in and out, and whose models an agent uses.

use acp_vocab::{
    AuthMethodId, AuthStatusRequest, AuthStatusResponse, AuthenticateRequest,
    DisableProviderRequest, ListProvidersRequest, ListProvidersResponse, LogoutRequest, Method,
    ProviderId, ProviderInfo, Raw, SetProviderRequest,
};

use crate::{budget::Budget, client::Client, error::RequestError, sessions::result};

/// Who is logged in.
impl Client {
    /// Logs in by a method that the agent lists, within the default bounds. It may take as long
    /// as a person needs in a browser: give it a budget.
    ///
    /// # Errors
    /// [`RequestError::NotOffered`] for a method that the agent does not list or that is run in a
    /// terminal; otherwise as [`Client::call`].
    pub async fn authenticate(&self, method: &str) -> Result<Raw, RequestError> {
        self.authenticate_within(method, &Budget::defaults()).await
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// As [`Client::authenticate`].
    pub async fn authenticate_within(
        &self,
        method: &str,
        budget: &Budget,
    ) -> Result<Raw, RequestError> {
        let wire = if self.speaks_v2() {
            Method::AUTH_LOGIN
        } else {
            Method::AUTHENTICATE
        };
        if let Some(agreement) = self.agreement()
            && agreement.auth_method(method).is_err()
        {
            let offered = agreement.auth_methods().len();
            return Err(RequestError::NotOffered {
                what: "login",
                offered,
            });
        }
        let params = AuthenticateRequest::new(AuthMethodId::from(method));
        self.call_within(wire.name(), &params, budget).await
    }

    /// Logs out. What becomes of open sessions is up to the agent.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when the agent cannot; otherwise as [`Client::call`].
    pub async fn logout(&self) -> Result<(), RequestError> {
        let wire = if self.speaks_v2() {
            Method::AUTH_LOGOUT
        } else {
            Method::LOGOUT
        };
        self.call(wire.name(), &LogoutRequest::new()).await?;
        Ok(())
    }

    /// Who is logged in.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when the agent cannot say; otherwise as [`Client::call`].
    pub async fn auth_status(&self) -> Result<AuthStatusResponse, RequestError> {
        let raw = self
            .call(Method::AUTH_STATUS.name(), &AuthStatusRequest::new())
            .await?;
        result(Method::AUTH_STATUS, &raw)
    }
}

/// Where the models come from.
impl Client {
    /// The providers that can be configured.
    ///
    /// # Errors
    /// [`RequestError::NotAdvertised`] when there is nothing to configure; otherwise as
    /// [`Client::call`].
    pub async fn providers(&self) -> Result<Vec<ProviderInfo>, RequestError> {
        let raw = self
            .call(Method::PROVIDERS_LIST.name(), &ListProvidersRequest::new())
            .await?;
        let answer: ListProvidersResponse = result(Method::PROVIDERS_LIST, &raw)?;
        Ok(answer.providers)
    }

    /// Sets where a provider is and how it is spoken to. Headers may be secret.
    ///
    /// # Errors
    /// As [`Client::providers`].
    pub async fn set_provider(&self, provider: &SetProviderRequest) -> Result<(), RequestError> {
        self.call(Method::PROVIDERS_SET.name(), provider).await?;
        Ok(())
    }

    /// Lets a provider be unused.
    ///
    /// # Errors
    /// As [`Client::providers`].
    pub async fn disable_provider(
        &self,
        provider: impl Into<ProviderId>,
    ) -> Result<(), RequestError> {
        let params = DisableProviderRequest::new(provider.into());
        self.call(Method::PROVIDERS_DISABLE.name(), &params).await?;
        Ok(())
    }
}
