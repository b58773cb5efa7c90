//! The session of a run: a new one, or one that the agent has stored, with what was wished for in force.
//!
//! What cannot be had as it was asked for is an error, unless somebody said beforehand that less will do. Then it is told what
//! there is instead: as it happens, and in the last record.

use acp_harness::{
    client::{Axis, Budget, CallError, Client, RequestError, Session},
    thinking::Wishes,
    vocab::ProtocolVersion,
};
use serde::Serialize;

use crate::{
    behind,
    choose::Wish,
    failure::Broken,
    hiargs::{Started, Stored},
    moment::{Moment, SessionUp},
    safe,
    start::{directory, log_in},
    talk::Talk,
};

/// What became of a stored session that was asked for, where something else was allowed.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Reopened {
    /// The session that was asked for.
    session_id: String,
    /// `loaded`, `resumed` or `new`.
    how: &'static str,
    /// Why it is not as it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// A wish that is not in force.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Unapplied {
    /// `effort=high`, as it was typed.
    wish: String,
    why: String,
}

/// Logs in where that was asked for, and opens a session.
pub(crate) async fn open(
    talk: &mut Talk,
    client: &Client,
    started: &Started,
    budget: &Budget,
) -> Result<Session, Broken> {
    log_in(talk, client, started, budget).await?;
    talk.enter("session");
    let session = match &started.reopen {
        None => new(talk, client, started, budget).await?,
        Some(stored) if started.or_new => {
            reopen_or_new(talk, client, started, stored, budget).await?
        }
        Some(stored) => reopen(client, started, stored, budget)
            .await
            .map_err(|error| Broken::opening(&error, Some(stored.id()), &talk.scene()))?,
    };
    talk.session_id = Some(session.id().to_string());
    if !started.wishes.is_empty() {
        talk.enter("choose");
        if started.best_effort {
            choose_what_can_be(talk, &session, &started.wishes, budget).await?;
        } else {
            let wishes = started.wishes.iter().map(|wish| &wish.wishes);
            session
                .choose_within(wishes.fold(Wishes::new(), Wishes::then), budget)
                .await
                .map_err(|error| Broken::request(&error, &talk.scene()))?;
        }
    }
    talk.show(&Moment::Session(SessionUp {
        session_id: session.id().to_string(),
        mode: session.in_force(Axis::Mode).map(Into::into),
        model: session.in_force(Axis::Model).map(Into::into),
        effort: session.in_force(Axis::Effort).map(Into::into),
    }))?;
    Ok(session)
}

async fn new(
    talk: &Talk,
    client: &Client,
    started: &Started,
    budget: &Budget,
) -> Result<Session, Broken> {
    client
        .new_session(directory(started)?)
        .tools(started.tools.clone())
        .open_within(budget)
        .await
        .map_err(|error| Broken::request(&error, &talk.scene()))
}

async fn reopen(
    client: &Client,
    started: &Started,
    stored: &Stored,
    budget: &Budget,
) -> Result<Session, RequestError> {
    // What is no UTF-8 is no path that can be sent, and so no absolute one.
    let cwd = started.cwd.to_str().unwrap_or_default();
    let opening = match stored {
        Stored::Load(id) => client.load(id.clone(), cwd),
        Stored::Resume(id) => client.resume(id.clone(), cwd),
    };
    let session = opening
        .tools(started.tools.clone())
        .open_within(budget)
        .await?;
    let is_loaded = matches!(stored, Stored::Load(_));
    if is_loaded
        && client
            .agreement()
            .is_some_and(|it| it.version() == ProtocolVersion::V1)
    {
        // It is history, which is not printed.
        behind::the_answer(&session, |_| Ok::<(), RequestError>(())).await?;
    }
    Ok(session)
}

/// The stored session as it was asked for, else the other way, else a new one.
async fn reopen_or_new(
    talk: &mut Talk,
    client: &Client,
    started: &Started,
    stored: &Stored,
    budget: &Budget,
) -> Result<Session, Broken> {
    let mut why: Option<String> = None;
    for way in [stored.clone(), stored.other()] {
        let error = match reopen(client, started, &way, budget).await {
            Ok(session) => {
                tell(talk, stored, way.how(), why)?;
                return Ok(session);
            }
            Err(error) => error,
        };
        let broken = Broken::opening(&error, Some(stored.id()), &talk.scene());
        if !is_not_there(&error, stored) {
            return Err(broken);
        }
        // Why it is not as it was asked for is what counts, and not why the next best failed as well.
        why.get_or_insert(broken.failure.message);
    }
    let session = new(talk, client, started, budget).await?;
    tell(talk, stored, "new", why)?;
    Ok(session)
}

/// Whether the agent cannot reopen sessions in this way, or has this one no more. Every other error is one.
fn is_not_there(error: &RequestError, stored: &Stored) -> bool {
    matches!(
        error,
        RequestError::NotAdvertised(_) | RequestError::Unsupported { .. }
    ) || error.is_session_unavailable(stored.id())
}

fn tell(
    talk: &mut Talk,
    stored: &Stored,
    how: &'static str,
    why: Option<String>,
) -> Result<(), Broken> {
    let id = safe::line(stored.id().as_str(), 80);
    if let Some(why) = &why {
        let instead = match how {
            "new" => {
                "this is a new session, and the agent knows nothing of what was said in that one"
            }
            "resumed" => "it was resumed, without a replay of its history",
            _ => "it was loaded",
        };
        talk.notice(
            "session",
            format!("{id} could not be {}: {why}; {instead}", stored.how()),
        )?;
    }
    talk.reopened = Some(Reopened {
        session_id: stored.id().to_string(),
        how,
        why,
    });
    Ok(())
}

/// Puts the wishes in force that can be, one behind the other, and tells the others.
async fn choose_what_can_be(
    talk: &mut Talk,
    session: &Session,
    wishes: &[Wish],
    budget: &Budget,
) -> Result<(), Broken> {
    let mut kept = Wishes::new();
    for wish in wishes {
        // With those before it, since one change may undo another.
        let wanted = kept.clone().then(&wish.wishes);
        match session.choose_within(wanted.clone(), budget).await {
            Ok(_) => kept = wanted,
            Err(error) if is_about_the_wish(&error) => {
                let broken = Broken::request(&error, &talk.scene());
                unapplied(talk, wish.typed.clone(), broken)?;
                // What it may have changed on the way is put right again.
                if let Err(error) = session.choose_within(kept.clone(), budget).await {
                    let broken = Broken::request(&error, &talk.scene());
                    if !is_about_the_wish(&error) {
                        return Err(broken);
                    }
                    unapplied(talk, String::from("what was in force before"), broken)?;
                }
            }
            Err(error) => return Err(Broken::request(&error, &talk.scene())),
        }
    }
    Ok(())
}

/// Whether it is the wish that cannot be met. A bound, a login or the end of the agent is none of that.
fn is_about_the_wish(error: &RequestError) -> bool {
    match error {
        RequestError::NotAdvertised(_)
        | RequestError::Unsupported { .. }
        | RequestError::NotOffered { .. }
        | RequestError::NotChosen(_)
        | RequestError::NotHonoured { .. } => true,
        RequestError::Call(CallError::Refused { .. }) => !error.wants_login(),
        _ => false,
    }
}

fn unapplied(talk: &mut Talk, wish: String, broken: Broken) -> Result<(), Broken> {
    let why = broken.failure.message;
    talk.notice(
        "choose",
        format!("{} is not applied: {why}", safe::line(&wish, 120)),
    )?;
    talk.unapplied.push(Unapplied { wish, why });
    Ok(())
}
