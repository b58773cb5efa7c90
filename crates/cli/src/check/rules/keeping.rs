//! What is said about sessions that are kept: whether they are archived, what they are called, how
//! far they are.

use serde_json::{Value, json};

use super::stored::listed;
use crate::check::{
    peer::Peer,
    stand::Stand,
    verdict::{Stop, Verdict, ensure},
    version::Version,
};

/// A session with a turn in it, where the agent declares this and can list.
async fn listable<'a>(
    stand: &'a Stand<'_>,
    one: &str,
    two: &str,
) -> Result<(Peer<'a>, String), Stop> {
    let (peer, session) = super::stored::with_history(stand, one, two).await?;
    peer.needs("sessionCapabilities.list", "session")?;
    Ok((peer, session))
}

pub(super) async fn archive_hides(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) =
        listable(stand, "sessionCapabilities.archive", "session.archive").await?;
    let id = json!({"sessionId": session});
    drop(peer.call("session/archive", id.clone()).await?.ok()?);
    for (filter, shown) in [(None, false), (Some("include"), true), (Some("only"), true)] {
        let params = filter.map_or_else(|| json!({}), |filter| json!({"archived": filter}));
        let found = listed(&mut peer, params).await?.contains(&session);
        let filter = filter.unwrap_or("exclude, the default");
        ensure(
            found == shown,
            format!(
                "an archived session is {} with the filter {filter}",
                if found { "listed" } else { "not listed" }
            ),
        )?;
    }
    drop(peer.call("session/unarchive", id).await?.ok()?);
    let found = listed(&mut peer, json!({})).await?.contains(&session);
    ensure(
        found,
        "a session that was taken out of the archive is not listed",
    )?;
    Ok(None)
}

pub(super) async fn titles_are_kept(stand: &Stand<'_>) -> Verdict {
    let (mut peer, session) =
        super::stored::with_history(stand, "sessionCapabilities.title", "session.title").await?;
    let params = json!({"sessionId": session, "title": "Named by acp check"});
    let result = peer.call("session/set_title", params).await?.ok()?;
    let title = result.get("title").and_then(Value::as_str);
    let Some(title) = title.map(ToOwned::to_owned) else {
        return Err(Stop::fail(
            "session/set_title does not answer with the title that was stored",
        ));
    };
    if peer.needs("sessionCapabilities.list", "session").is_err() {
        return Ok(Some(String::from("it cannot list what it is called")));
    }
    let list = peer.call("session/list", json!({})).await?.ok()?;
    let rows = list.get("sessions").and_then(Value::as_array);
    let row = rows.into_iter().flatten().find(|row| {
        let id = row.get("sessionId").and_then(Value::as_str);
        id == Some(session.as_str())
    });
    let listed = row.and_then(|row| row.get("title")).and_then(Value::as_str);
    ensure(
        listed == Some(title.as_str()),
        "session/list has another title than session/set_title answered",
    )?;
    Ok(None)
}

pub(super) async fn status_is_told(stand: &Stand<'_>) -> Verdict {
    let mut peer = stand.agreed().await?;
    peer.needs("sessionCapabilities.status", "session.status")?;
    let session = peer.open().await?;
    let params = json!({"sessionId": session});
    let result = peer.call("session/status", params).await?.ok()?;
    ensure(
        result.get("status").is_some_and(|status| status == "open"),
        "a session that is open on this connection is not said to be \"open\"",
    )?;
    let state = result.pointer("/state/state").and_then(Value::as_str);
    ensure(
        stand.version == Version::One || state.is_none_or(|state| state == "idle"),
        "a session without a turn is not said to be \"idle\"",
    )?;
    let params = json!({"sessionId": "acp-check-no-such-session"});
    let code = peer.call("session/status", params).await?.refused()?;
    Ok(Some(format!(
        "an unknown session is refused with error {code}"
    )))
}
