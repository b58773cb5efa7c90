//! Who is logged in, and where models come from.

use serde_json::{Value, json};

use crate::check::{
    peer::Peer,
    stand::Stand,
    verdict::{Stop, Verdict, ensure},
};

pub(super) async fn login_state(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.needs("auth.status", "auth.status")?;
    let result = peer.call("auth/status", json!({})).await?.ok()?;
    let Some(state) = result.get("state").and_then(Value::as_str) else {
        return Err(Stop::fail(
            "auth/status does not answer with a state that is text",
        ));
    };
    Ok(Some(format!("it says {}", crate::safe::line(state, 40))))
}

async fn providers(peer: &mut Peer<'_>) -> Result<Vec<Value>, Stop> {
    peer.needs("providers", "providers")?;
    peer.login().await?;
    let result = peer.call("providers/list", json!({})).await?.ok()?;
    let listed = result.get("providers").and_then(Value::as_array);
    listed
        .cloned()
        .ok_or_else(|| Stop::fail("providers/list gives no list of providers"))
}

pub(super) async fn providers_are_whole(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    let listed = providers(&mut peer).await?;
    let mut ids = Vec::new();
    for provider in &listed {
        let id = provider.get("providerId").and_then(Value::as_str);
        let Some(id) = id.filter(|id| !id.is_empty()) else {
            return Err(Stop::fail("a provider has no providerId"));
        };
        let shown = crate::safe::line(id, 40);
        ensure(
            provider.get("supported").is_some_and(Value::is_array)
                && provider.get("required").is_some_and(Value::is_boolean),
            format!(
                "provider {shown} does not say which APIs it speaks, or whether it is required"
            ),
        )?;
        ensure(
            provider.pointer("/current/headers").is_none(),
            format!("the headers of provider {shown} are told, and they may be secrets"),
        )?;
        ids.push(id);
    }
    ids.sort_unstable();
    ids.dedup();
    ensure(ids.len() == listed.len(), "two providers have the same id")?;
    Ok(None)
}

/// What cannot be set or turned off is refused; nothing of the agent's own is changed.
pub(super) async fn providers_are_guarded(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    let listed = providers(&mut peer).await?;
    let params = json!({
        "providerId": "acp-check/no-such-provider", "apiType": "openai",
        "baseUrl": "http://127.0.0.1:9/acp-check",
    });
    peer.call("providers/set", params).await?.refused()?;
    let required = listed.iter().find(|provider| {
        let required = provider.get("required").and_then(Value::as_bool);
        required == Some(true)
    });
    let Some(id) = required.and_then(|provider| provider.get("providerId")) else {
        return Ok(Some(String::from("it can do without every provider")));
    };
    peer.call("providers/disable", json!({"providerId": id}))
        .await?
        .refused()?;
    Ok(None)
}
