//! `acp auth`: the ways to log in, logging in and out, and who it is.

mod check;
mod terminal;

use std::sync::Arc;

use acp_harness::{client::Client, handshake::AuthKind};
use serde::Serialize;

use crate::{
    exit::Exit,
    failure::Broken,
    hiargs::{Misuse, Started},
    login::{self, Login},
    lowargs::{Auth, AuthAct},
    moment::{Data, Moment},
    output::{Answer, Style},
    safe,
    signal::Signal,
    stage, start,
    talk::Talk,
    wire::Wire,
};

/// That somebody is logged in.
#[derive(Debug, Serialize)]
struct LoggedIn<'a> {
    method: &'a str,
    /// What showed that it works: `auth_status`, `session`, or nothing.
    checked: Option<&'static str>,
}

/// Runs it.
pub(crate) fn auth(low: &Auth, style: &Style) -> Exit {
    stage::play(
        &low.start,
        style,
        Answer::new(None),
        async |talk, signals| {
            if (low.act == AuthAct::Login) != low.method.is_some() {
                return Err(Broken::misuse(
                    Misuse::new("login takes a method, and only login does")
                        .hint("`acp auth list` lists them"),
                ));
            }
            let started = Started::new(&low.start)
                .map_err(Broken::misuse)?
                .logging_in();
            let wire = stage::watch(talk, &started, style)?;
            tokio::select! {
                asked = ask(talk, low, &started, wire.as_ref()) => asked,
                signal = signals.next() => Ok(Some(signal)),
            }
        },
        stage::concluded,
    )
}

/// Asks it. A signal is given back where it was somebody else's and ends this as well.
async fn ask(
    talk: &mut Talk,
    low: &Auth,
    started: &Started,
    wire: Option<&Arc<Wire>>,
) -> Result<Option<Signal>, Broken> {
    let budget = start::budget(started.idle, started.absolute);
    let (client, agreement) =
        start::reach(talk, started, &budget, |link| start::seen(link, wire)).await?;
    talk.enter("auth");
    let data = match (low.act, &low.method) {
        (AuthAct::Login, Some(id)) => {
            let method = agreement
                .auth_methods()
                .iter()
                .find(|method| &*method.id == id.as_str() && method.kind == AuthKind::Terminal);
            let checked = match method {
                None => {
                    by_request(talk, &client, id, started).await?;
                    None
                }
                Some(method) => {
                    let command = method.command();
                    drop(client.close().await);
                    if let Some(signal) =
                        terminal::log_in(talk, started, id, command.as_ref()).await?
                    {
                        return Ok(Some(signal));
                    }
                    Some(check::check(talk, started, wire, &budget).await?)
                }
            };
            let said = checked.map_or("", |checked| checked.said());
            let logged_in = LoggedIn {
                method: id,
                checked: checked.and_then(|checked| checked.word()),
            };
            Data::new("auth", &logged_in, format!("logged in{said}\n"))
        }
        (AuthAct::Logout, _) => {
            client
                .logout()
                .await
                .map_err(|error| Broken::request(&error, &talk.scene()))?;
            Data::new("auth", &(), "logged out\n")
        }
        (AuthAct::Status, _) => {
            let status = client
                .auth_status()
                .await
                .map_err(|error| Broken::request(&error, &talk.scene()))?;
            let mut text = safe::line(status.state.as_str(), 60);
            for account in &status.accounts {
                text.push_str(&format!("\n  {}", safe::line(&account.label, 120)));
            }
            text.push('\n');
            Data::new("auth", &status, text)
        }
        (AuthAct::List | AuthAct::Login, _) => {
            Data::new("auth", &talk.logins, login::list(&talk.logins))
        }
    };
    let data = data.map_err(|_| Broken::internal("methods cannot be written"))?;
    talk.show(&Moment::Data(data))?;
    talk.phase = "done";
    Ok(None)
}

/// A login that the agent handles: one request.
async fn by_request(
    talk: &mut Talk,
    client: &Client,
    id: &str,
    started: &Started,
) -> Result<(), Broken> {
    let budget = start::budget(started.idle, started.absolute);
    let asked = client.authenticate_within(id, &budget).await;
    let listed = talk.logins.iter().find(|login| login.id == id);
    let missing = listed.and_then(Login::missing_hint);
    match asked {
        Ok(_) => {
            if let Some(missing) = missing {
                talk.notice("login", missing)?;
            }
            Ok(())
        }
        Err(error) => {
            let mut broken = Broken::request(&error, &talk.scene());
            if missing.is_some() {
                broken.failure.hint = missing;
            }
            Err(broken)
        }
    }
}
