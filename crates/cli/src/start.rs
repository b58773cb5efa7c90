//! From a command line to an open session: start, agree, log in, open.

use std::{env, sync::Arc};

use acp_harness::{
    client::{Budget, Client, Session},
    handshake::Agreement,
    transport::{Command, Link},
};

use crate::{
    exit::Exit,
    failure::Broken,
    hiargs::{Agent, Bound, Started},
    moment::{AgentUp, Moment, SessionUp},
    offer, safe,
    talk::Talk,
    wire::Wire,
};

/// The clock of the start-up; a bound that was named is shared with the turn.
pub(crate) fn budget(idle: Bound, absolute: Bound) -> Budget {
    let budget = match (idle, absolute) {
        (Bound::Of(idle), Bound::Of(absolute)) => Budget::start(idle, absolute),
        (Bound::Of(idle), _) => Budget::idle(idle),
        (_, Bound::Of(absolute)) => Budget::absolute(absolute),
        _ => Budget::defaults(),
    };
    let budget = if idle == Bound::Lifted {
        budget.without_idle()
    } else {
        budget
    };
    if absolute == Bound::Lifted {
        budget.without_absolute()
    } else {
        budget
    }
}

/// Starts the agent and drives its link.
pub(crate) fn connect(
    talk: &mut Talk,
    started: &Started,
    observe: impl FnOnce(Link) -> Link,
) -> Result<Client, Broken> {
    talk.enter("spawn");
    let child = command(started)?
        .spawn()
        .map_err(|error| Broken::spawn(&error, &talk.scene()))?;
    talk.agent = Some(child.handle().clone());
    let client = Client::builder(offer::NAME, offer::VERSION)
        .connect(observe(Link::from(child)))
        .map_err(|error| Broken::connect(&error))?;
    talk.client = Some(client.clone());
    Ok(client)
}

/// Agrees on a version and shows who answers.
pub(crate) async fn agree(
    talk: &mut Talk,
    client: &Client,
    budget: &Budget,
) -> Result<Arc<Agreement>, Broken> {
    talk.enter("initialize");
    let agreement = client
        .initialize_within(budget)
        .await
        .map_err(|error| Broken::initialize(&error, &talk.scene()))?;
    talk.auth_methods = agreement
        .auth_methods()
        .iter()
        .map(|method| method.id.to_string())
        .collect();
    talk.show(&Moment::Agent(AgentUp {
        name: agreement.agent_name().to_owned(),
        version: agreement.agent().map(|agent| agent.version.to_string()),
        protocol_version: agreement.version().0,
        started_ms: talk
            .at()
            .map(|at| u64::try_from(at.as_millis()).unwrap_or(u64::MAX)),
        narrower: agreement
            .narrower()
            .into_iter()
            .map(|capability| capability.path.into())
            .collect(),
    }))?;
    Ok(agreement)
}

/// Logs in where that was asked for, and opens a session.
pub(crate) async fn open(
    talk: &mut Talk,
    client: &Client,
    started: &Started,
    budget: &Budget,
) -> Result<Session, Broken> {
    let cwd = started
        .cwd
        .to_str()
        .ok_or_else(|| Broken::new(Exit::Usage, "usage", "the working directory is not UTF-8"))?;
    if let Some(method) = &started.auth {
        talk.enter("authenticate");
        client
            .authenticate_within(method, budget)
            .await
            .map_err(|error| Broken::request(&error, &talk.scene()))?;
    }
    talk.enter("session");
    let session = client
        .new_session(cwd)
        .open_within(budget)
        .await
        .map_err(|error| Broken::request(&error, &talk.scene()))?;
    talk.session_id = Some(session.id().to_string());
    talk.show(&Moment::Session(SessionUp {
        session_id: session.id().to_string(),
        mode: session
            .modes()
            .map(|modes| modes.current_mode_id.to_string()),
    }))?;
    Ok(session)
}

/// Starts the agent, agrees on a version and opens a session.
pub(crate) async fn start(
    talk: &mut Talk,
    started: &Started,
    wire: Option<Arc<Wire>>,
    budget: &Budget,
) -> Result<Session, Broken> {
    let client = connect(talk, started, |link| match wire {
        Some(wire) => link.observed(wire),
        None => link,
    })?;
    agree(talk, &client, budget).await?;
    open(talk, &client, started, budget).await
}

fn command(started: &Started) -> Result<Command, Broken> {
    let command = match &started.agent {
        Agent::Command(argv) => Command::from_argv(argv),
        Agent::Demo => {
            let program = env::current_exe().map_err(|error| {
                Broken::internal(format!("this program cannot find itself: {error}"))
            })?;
            Command::new(program).arg("demo-agent")
        }
    };
    Ok(started
        .env
        .iter()
        .fold(command.cwd(&started.cwd), |command, (name, value)| {
            command.env(name, value)
        }))
}

/// The agent's command as a person would read it back: for hints, not for a shell.
pub(crate) fn spelled(agent: &Agent) -> String {
    match agent {
        Agent::Demo => String::from("acp demo-agent"),
        Agent::Command(argv) => {
            let words: Vec<String> = argv
                .iter()
                .map(|word| {
                    let word = safe::line(&word.to_string_lossy(), 200);
                    if word.is_empty() || word.contains(char::is_whitespace) {
                        format!("{word:?}")
                    } else {
                        word
                    }
                })
                .collect();
            words.join(" ")
        }
    }
}
