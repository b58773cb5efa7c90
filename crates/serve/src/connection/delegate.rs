//! Requests that an ability answers by itself: read, handed on, told.

use std::sync::Arc;

use acp_vocab::{
    ArchiveSessionRequest, AuthStatusRequest, AuthenticateRequest, DisableProviderRequest,
    ErrorObject, ListProvidersRequest, ListProvidersResponse, LogoutRequest, Method, ProviderId,
    ProviderInfo, Raw, SetProviderRequest, SetSessionTitleRequest, SetSessionTitleResponse,
    UnarchiveSessionRequest, Wire,
};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Connection, inbound::read};
use crate::{
    ability::{AnyProviders, ProviderSetup},
    command::{Answer, RequestKey},
    login::LoginKind,
    refusal::{internal, invalid, not_offered},
};

type Told = Result<Raw, ErrorObject>;

impl Connection {
    /// Dispatches the requests that need nothing of the connection but an ability. `None` when this
    /// is none of them.
    pub(super) fn delegate(
        &mut self,
        key: RequestKey,
        method: Method,
        params: Option<&RawValue>,
    ) -> Option<Result<(), ErrorObject>> {
        let abilities = &self.host.abilities;
        let call = match method {
            Method::AUTHENTICATE | Method::AUTH_LOGIN => self.login(method, params),
            Method::LOGOUT | Method::AUTH_LOGOUT => delegated(
                &abilities.auth,
                method,
                params,
                |auth, _: LogoutRequest| async move { auth.logout().await.map(done) },
            ),
            Method::AUTH_STATUS => delegated(
                &abilities.auth_status,
                method,
                params,
                |auth, _: AuthStatusRequest| async move { told(auth.auth_status().await) },
            ),
            Method::SESSION_ARCHIVE => delegated(
                &abilities.archive,
                method,
                params,
                |archive, request: ArchiveSessionRequest| async move {
                    archive.archive(&request.session_id).await.map(done)
                },
            ),
            Method::SESSION_UNARCHIVE => delegated(
                &abilities.archive,
                method,
                params,
                |archive, request: UnarchiveSessionRequest| async move {
                    archive.unarchive(&request.session_id).await.map(done)
                },
            ),
            Method::SESSION_SET_TITLE => delegated(
                &abilities.title,
                method,
                params,
                |titles, request: SetSessionTitleRequest| async move {
                    let title = titles.set_title(&request.session_id, request.title).await;
                    told(title.map(SetSessionTitleResponse::new))
                },
            ),
            Method::PROVIDERS_LIST => delegated(
                &abilities.providers,
                method,
                params,
                |providers, _: ListProvidersRequest| async move {
                    told(providers.providers().await.map(ListProvidersResponse::new))
                },
            ),
            Method::PROVIDERS_SET => delegated(&abilities.providers, method, params, set_provider),
            Method::PROVIDERS_DISABLE => {
                delegated(&abilities.providers, method, params, disable_provider)
            }
            _ => return None,
        };
        Some(call.map(|call| self.handle(key, call)))
    }

    fn login(&self, method: Method, params: Option<&RawValue>) -> Result<Call, ErrorObject> {
        delegated(
            &self.host.abilities.auth,
            method,
            params,
            |auth, request: AuthenticateRequest| async move {
                let known = auth.methods().iter().any(|method| {
                    method.id == request.method_id && method.kind == LoginKind::Agent
                });
                if !known {
                    return Err(invalid("methodId is none of the agent's methods"));
                }
                auth.login(&request.method_id).await.map(done)
            },
        )
    }
}

/// A handler that is ready to run.
type Call = std::pin::Pin<Box<dyn Future<Output = Answer> + Send>>;

/// The handler of a request, where the ability is registered and the params can be read.
fn delegated<T: ?Sized, Q: Wire, F>(
    ability: &Option<Arc<T>>,
    method: Method,
    params: Option<&RawValue>,
    call: impl FnOnce(Arc<T>, Q) -> F,
) -> Result<Call, ErrorObject>
where
    F: Future<Output = Told> + Send + 'static,
{
    let ability = ability.clone().ok_or_else(|| not_offered(method))?;
    let told = call(ability, read(params)?);
    Ok(Box::pin(async move { Answer::Plain(told.await) }))
}

async fn set_provider(providers: Arc<dyn AnyProviders>, request: SetProviderRequest) -> Told {
    let known = find(&*providers, &request.provider_id).await?;
    if !known.supported.contains(&request.api_type) {
        return Err(invalid("apiType: the provider does not speak it"));
    }
    let setup = ProviderSetup {
        provider: request.provider_id,
        api: request.api_type,
        base_url: request.base_url,
        headers: request.headers,
    };
    providers.set_provider(setup).await.map(done)
}

async fn disable_provider(
    providers: Arc<dyn AnyProviders>,
    request: DisableProviderRequest,
) -> Told {
    let known = find(&*providers, &request.provider_id).await?;
    if known.required {
        return Err(invalid("providerId: the agent cannot do without it"));
    }
    providers
        .disable_provider(&request.provider_id)
        .await
        .map(done)
}

async fn find(providers: &dyn AnyProviders, id: &ProviderId) -> Result<ProviderInfo, ErrorObject> {
    let known = providers.providers().await?;
    known
        .into_iter()
        .find(|known| known.provider_id == *id)
        .ok_or_else(|| invalid("providerId is none of the agent's providers"))
}

/// What was done has nothing to tell.
pub(super) fn done((): ()) -> Raw {
    // An object without members is JSON.
    Raw::from_text("{}").unwrap_or_else(|_| Raw::null())
}

/// What is told, as JSON.
pub(super) fn told(result: Result<impl Serialize, ErrorObject>) -> Told {
    Raw::encode(&result?).map_err(|_| internal("the result cannot be written"))
}
