//! `acp sessions`: what an agent has stored.

use std::sync::Arc;

use acp_harness::{
    client::{Client, RequestError},
    vocab::{ProtocolVersion, SessionArchiveFilter, SessionId, v2::SessionInfo},
};

use crate::{
    behind,
    exit::Exit,
    failure::Broken,
    hiargs::{Misuse, Started},
    lowargs::{Sessions, SessionsAct},
    moment::{Data, Moment},
    output::{Answer, Style},
    safe, stage, start,
    talk::Talk,
    wire::Wire,
};

/// Runs it.
pub(crate) fn sessions(low: &Sessions, style: &Style) -> Exit {
    stage::play(
        &low.start,
        style,
        Answer::new(None),
        async |talk, signals| {
            check(low).map_err(Broken::misuse)?;
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

fn check(low: &Sessions) -> Result<(), Misuse> {
    match (low.act, &low.session, &low.title) {
        (SessionsAct::List, None, None) | (SessionsAct::Title, Some(_), Some(_)) => Ok(()),
        (SessionsAct::List, ..) => Err(Misuse::new("list takes no session")),
        (SessionsAct::Title, ..) => Err(Misuse::new("title takes a session and its title")),
        (_, None, _) => {
            Err(Misuse::new("it takes the id of a session").hint("`acp sessions list` lists them"))
        }
        (_, Some(_), Some(_)) => Err(Misuse::new("only title takes a title")),
        (_, Some(_), None) => Ok(()),
    }
}

async fn ask(
    talk: &mut Talk,
    low: &Sessions,
    started: &Started,
    wire: Option<&Arc<Wire>>,
) -> Result<(), Broken> {
    let budget = start::budget(started.idle, started.absolute);
    let (client, _) = start::reach(talk, started, &budget, |link| start::seen(link, wire)).await?;
    start::log_in(talk, &client, started, &budget).await?;
    talk.enter("sessions");
    let id = SessionId::from(low.session.as_deref().unwrap_or_default());
    let cwd = started
        .cwd
        .to_str()
        .ok_or_else(|| Broken::new(Exit::Usage, "usage", "the working directory is not UTF-8"))?;
    let answered = match low.act {
        SessionsAct::List => list(low, &client, cwd).await,
        SessionsAct::Show => return show(talk, &client, &id, cwd).await,
        SessionsAct::Status => client.session_status(&id).await.map(|status| {
            let text = format!("{}\n", safe::line(status.status.as_str(), 40));
            Data::new("sessions", &status, text)
        }),
        SessionsAct::Close => done(client.close_session(&id).await, "closed"),
        SessionsAct::Delete => done(client.delete_session(&id).await, "deleted"),
        SessionsAct::Archive => done(client.archive_session(&id).await, "archived"),
        SessionsAct::Unarchive => done(client.unarchive_session(&id).await, "unarchived"),
        SessionsAct::Title => {
            let title = low.title.as_deref().unwrap_or_default();
            client.set_session_title(&id, title).await.map(|title| {
                let text = format!("{}\n", safe::line(&title, 200));
                Data::new("sessions", &title, text)
            })
        }
        SessionsAct::Fork => client
            .fork(id.clone(), cwd)
            .open_within(&budget)
            .await
            .map(|fork| {
                let text = format!("{}\n", safe::line(fork.id().as_str(), 200));
                Data::new("sessions", fork.id(), text)
            }),
    };
    let data = answered
        .map_err(|error| Broken::opening(&error, Some(&id), &talk.scene()))?
        .map_err(|_| Broken::internal("a result cannot be written"))?;
    talk.show(&Moment::Data(data))?;
    talk.phase = "done";
    Ok(())
}

type Answered = Result<Result<Data, serde_json::Error>, RequestError>;

fn done(answer: Result<(), RequestError>, word: &str) -> Answered {
    answer.map(|()| Data::new("sessions", &word, format!("{word}\n")))
}

async fn list(low: &Sessions, client: &Client, cwd: &str) -> Answered {
    let mut list = client.sessions();
    if !low.all {
        list = list.in_directory(cwd);
    }
    if low.archived {
        list = list.archived(SessionArchiveFilter::Include);
    }
    let sessions = list.all(low.most).await?;
    Ok(Data::new("sessions", &sessions, table(&sessions)))
}

fn table(sessions: &[SessionInfo]) -> String {
    let mut out = String::new();
    for session in sessions {
        let when = session.updated_at.as_deref().unwrap_or("-");
        let title = session.title.as_deref().unwrap_or_default();
        let archived = if session.archived == Some(true) {
            "  (archived)"
        } else {
            ""
        };
        out.push_str(&format!(
            "{:<36}  {:<25}  {}{archived}\n",
            safe::line(session.session_id.as_str(), 80),
            safe::line(when, 30),
            safe::line(title, 100)
        ));
    }
    out
}

/// Loads a session and prints its conversation: what the user said and the agent answered on stdout, the rest around it.
async fn show(talk: &mut Talk, client: &Client, id: &SessionId, cwd: &str) -> Result<(), Broken> {
    let broken =
        |error: &RequestError, talk: &Talk| Broken::opening(error, Some(id), &talk.scene());
    let mut replay = match client.load(id.clone(), cwd).replay() {
        Ok(replay) => replay,
        Err(error) => return Err(broken(&error, talk)),
    };
    talk.session_id = Some(id.to_string());
    // An end of the connection is told by the answer.
    while let Ok(Some(received)) = replay.next().await {
        if let Some(moment) = talk.translator.translate(&received) {
            talk.show(&told(moment))?;
        }
    }
    let session = match replay.finish().await {
        Ok(session) => session,
        Err(error) => return Err(broken(&error, talk)),
    };
    if client
        .agreement()
        .is_some_and(|it| it.version() == ProtocolVersion::V1)
    {
        behind::the_answer(&session, |received| {
            match talk.translator.translate(&received) {
                Some(moment) => talk.show(&told(moment)),
                None => Ok(()),
            }
        })
        .await?;
    }
    talk.phase = "done";
    Ok(())
}

/// What the user said is part of what was asked for.
fn told(moment: Moment) -> Moment {
    match moment {
        Moment::UserText(text) => {
            let quoted: String = text
                .text
                .lines()
                .map(|line| format!("> {}\n", safe::text(line)))
                .collect();
            match Data::new("user_text", &text.text, format!("\n{quoted}\n")) {
                Ok(data) => Moment::Data(data),
                Err(_) => Moment::UserText(text),
            }
        }
        other => other,
    }
}
