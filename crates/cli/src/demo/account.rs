//! Who is logged in at the demo agent, and where its models would come from.

use std::sync::{MutexGuard, PoisonError, atomic::Ordering};

use acp_harness::{
    serve::{Auth, AuthStatus, LoginMethod, ProviderSetup, Providers},
    vocab::{
        AuthAccount, AuthMethodId, AuthState, AuthStatusResponse, ErrorObject, LlmProtocol,
        ProviderCurrentConfig, ProviderId, ProviderInfo,
    },
};

use super::agent::Demo;

/// The one way to log in.
const LOGIN: &str = "demo-login";

/// The providers. Nothing is ever fetched from them.
#[derive(Debug)]
pub(super) struct Offered(Vec<ProviderInfo>);

impl Default for Offered {
    fn default() -> Self {
        let apis = vec![LlmProtocol::Anthropic, LlmProtocol::Openai];
        let mut own = ProviderInfo::new("demo", apis, true);
        own.current = Some(ProviderCurrentConfig::new(
            LlmProtocol::Anthropic,
            "https://example.com/demo",
        ));
        let spare = ProviderInfo::new("spare", vec![LlmProtocol::Openai], false);
        Self(vec![own, spare])
    }
}

impl Demo {
    fn offered(&self) -> MutexGuard<'_, Offered> {
        self.providers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn provide(&self, provider: &ProviderId, current: Option<ProviderCurrentConfig>) {
        let mut offered = self.offered();
        let known = offered.0.iter_mut();
        // The server has looked it up.
        for known in known.filter(|known| known.provider_id == *provider) {
            known.current.clone_from(&current);
        }
    }
}

impl Providers for Demo {
    async fn providers(&self) -> Result<Vec<ProviderInfo>, ErrorObject> {
        Ok(self.offered().0.clone())
    }

    /// The headers are not kept: nobody is called.
    async fn set_provider(&self, setup: ProviderSetup) -> Result<(), ErrorObject> {
        let current = ProviderCurrentConfig::new(setup.api, setup.base_url);
        self.provide(&setup.provider, Some(current));
        Ok(())
    }

    async fn disable_provider(&self, provider: &ProviderId) -> Result<(), ErrorObject> {
        self.provide(provider, None);
        Ok(())
    }
}

impl Auth for Demo {
    fn methods(&self) -> Vec<LoginMethod> {
        vec![
            LoginMethod::new(LOGIN, "Demo login")
                .description("Succeeds at once; no account, no network"),
        ]
    }

    async fn login(&self, _: &AuthMethodId) -> Result<(), ErrorObject> {
        self.logged_in.store(true, Ordering::Release);
        Ok(())
    }

    async fn logout(&self) -> Result<(), ErrorObject> {
        self.logged_in.store(false, Ordering::Release);
        Ok(())
    }
}

impl AuthStatus for Demo {
    async fn auth_status(&self) -> Result<AuthStatusResponse, ErrorObject> {
        if self.logged_in.load(Ordering::Acquire) {
            let mut status = AuthStatusResponse::new(AuthState::Authenticated);
            let mut account = AuthAccount::new("Demo account");
            account.active = Some(true);
            status.accounts = vec![account];
            return Ok(status);
        }
        Ok(AuthStatusResponse::new(if self.needs_login {
            AuthState::Unauthenticated
        } else {
            AuthState::NotRequired
        }))
    }
}
