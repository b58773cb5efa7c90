//! `acp auth`: the ways to log in, logging in and out, and who it is.

use std::sync::Arc;

use acp_harness::handshake::AuthKind;
use serde::Serialize;

use crate::{
    exit::Exit,
    failure::Broken,
    hiargs::{Misuse, Started},
    lowargs::{Auth, AuthAct},
    moment::{Data, Moment},
    output::{Answer, Style},
    safe, stage, start,
    talk::Talk,
    wire::Wire,
};

#[derive(Debug, Serialize)]
struct Method {
    id: String,
    name: String,
    /// Whether it is run in a terminal of its own, by the agent's own command.
    terminal: bool,
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
            let started = Started::new(&low.start).map_err(Broken::misuse)?;
            let wire = stage::watch(talk, &started, style)?;
            tokio::select! {
                asked = ask(talk, low, &started, wire.as_ref()) => asked.map(|()| None),
                signal = signals.next() => Ok(Some(signal)),
            }
        },
        stage::concluded,
    )
}

async fn ask(
    talk: &mut Talk,
    low: &Auth,
    started: &Started,
    wire: Option<&Arc<Wire>>,
) -> Result<(), Broken> {
    let budget = start::budget(started.idle, started.absolute);
    let (client, agreement) =
        start::reach(talk, started, &budget, |link| start::seen(link, wire)).await?;
    talk.enter("auth");
    let data = match (low.act, &low.method) {
        (AuthAct::Login, Some(method)) => {
            client
                .authenticate_within(method, &budget)
                .await
                .map_err(|error| Broken::request(&error, &talk.scene()))?;
            Data::new("auth", &[method], "logged in\n")
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
            let methods: Vec<Method> = agreement
                .auth_methods()
                .iter()
                .map(|method| Method {
                    id: method.id.to_string(),
                    name: method.name.to_string(),
                    terminal: method.kind == AuthKind::Terminal,
                })
                .collect();
            Data::new("auth", &methods, list(&methods))
        }
    };
    let data = data.map_err(|_| Broken::internal("methods cannot be written"))?;
    talk.show(&Moment::Data(data))?;
    talk.phase = "done";
    Ok(())
}

fn list(methods: &[Method]) -> String {
    if methods.is_empty() {
        return String::from("it lists no way to log in; that does not prove that nobody has to\n");
    }
    let mut out = String::new();
    for method in methods {
        let how = if method.terminal {
            "  (in a terminal, by its own command)"
        } else {
            ""
        };
        out.push_str(&format!(
            "{:<20}  {}{how}\n",
            safe::line(&method.id, 60),
            safe::line(&method.name, 100)
        ));
    }
    out
}
