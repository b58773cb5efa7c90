//! Logging in and out, and where models come from.

use acp_harness::RequestError;
use acp_harness::vocab::{AuthState, ErrorCode, LlmProtocol, SetProviderRequest};

use crate::peer::{Peer, budget};

super::over_every_peer!(
    logging_in_opens_what_was_locked,
    only_what_is_offered_logs_in,
    providers_are_set_and_disabled
);

async fn logging_in_opens_what_was_locked(peer: Peer) {
    let client = peer.client().await;
    let refused = client
        .new_session("/locked")
        .open_within(&budget())
        .await
        .unwrap_err();
    assert_eq!(refused.refusal().unwrap().code, ErrorCode::AUTH_REQUIRED);
    assert_eq!(
        client.auth_status().await.unwrap().state,
        AuthState::Unauthenticated
    );
    client.authenticate_within("key", &budget()).await.unwrap();
    assert_eq!(
        client.auth_status().await.unwrap().state,
        AuthState::Authenticated
    );
    client
        .new_session("/locked")
        .open_within(&budget())
        .await
        .unwrap();
    client.logout().await.unwrap();
    assert!(
        client
            .new_session("/locked")
            .open_within(&budget())
            .await
            .is_err()
    );
    client.close().await;
}

async fn only_what_is_offered_logs_in(peer: Peer) {
    let client = peer.client().await;
    let refused = client.authenticate("nothing").await.unwrap_err();
    assert!(
        matches!(refused, RequestError::NotOffered { .. }),
        "{refused}"
    );
    client.close().await;
}

async fn providers_are_set_and_disabled(peer: Peer) {
    let client = peer.client().await;
    let url = |providers: &[acp_harness::vocab::ProviderInfo]| {
        providers[0]
            .current
            .as_ref()
            .map(|current| current.base_url.to_string())
    };
    let before = client.providers().await.unwrap();
    assert_eq!(&*before[0].provider_id.to_string(), "main");
    assert_eq!(url(&before).as_deref(), Some("https://models.invalid"));
    let set = SetProviderRequest::new("main", LlmProtocol::Anthropic, "https://other.invalid");
    client.set_provider(&set).await.unwrap();
    assert_eq!(
        url(&client.providers().await.unwrap()).as_deref(),
        Some("https://other.invalid")
    );
    client.disable_provider("main").await.unwrap();
    assert_eq!(url(&client.providers().await.unwrap()), None);
    client.close().await;
}
