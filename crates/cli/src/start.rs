//! From a command line to an open session: start, agree, log in, open.

use std::{env, sync::Arc};

use acp_harness::{
    client::{Axis, Budget, Client, InitializeError, Session},
    handshake::Agreement,
    transport::{Command, Link},
    vocab::ProtocolVersion,
};

use crate::{
    exit::Exit,
    failure::Broken,
    hiargs::{Agent, Bound, Started, Stored},
    moment::{AgentUp, Moment, SessionUp},
    offer,
    output::Verbosity,
    safe,
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
fn connect(
    talk: &mut Talk,
    started: &Started,
    versions: &[ProtocolVersion],
    observe: &impl Fn(Link) -> Link,
) -> Result<Client, Broken> {
    talk.enter("spawn");
    let child = command(started)?
        .spawn()
        .map_err(|error| Broken::spawn(&error, &talk.scene()))?;
    talk.agent = Some(child.handle().clone());
    let builder = Client::builder(offer::NAME, offer::VERSION).versions(versions.iter().copied());
    let (builder, served) = started.services.register(builder);
    talk.served = Some(served);
    let client = builder
        .connect(observe(Link::from(child)))
        .map_err(|error| Broken::connect(&error))?;
    talk.client = Some(client.clone());
    Ok(client)
}

/// Starts the agent, agrees on a version and shows who answers. An agent that does not get along with the newest version is started
/// a second time and asked for the oldest.
pub(crate) async fn reach(
    talk: &mut Talk,
    started: &Started,
    budget: &Budget,
    observe: impl Fn(Link) -> Link,
) -> Result<(Client, Arc<Agreement>), Broken> {
    let mut client = connect(talk, started, &started.versions, &observe)?;
    talk.enter("initialize");
    let mut agreed = client.initialize_within(budget).await;
    if let Err(InitializeError::NeedsFreshLink { .. }) = &agreed {
        talk.view.say(
            Verbosity::Phases,
            "  no agreement on v2: started again, and asked for v1",
        );
        client.close().await;
        client = connect(talk, started, &[ProtocolVersion::V1], &observe)?;
        talk.enter("initialize");
        agreed = client.initialize_within(budget).await;
    }
    let agreement = agreed.map_err(|error| Broken::initialize(&error, &talk.scene()))?;
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
    Ok((client, agreement))
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
    log_in(talk, client, started, budget).await?;
    talk.enter("session");
    let tools = started.tools.clone();
    let opened = match &started.reopen {
        None => {
            client
                .new_session(cwd)
                .tools(tools)
                .open_within(budget)
                .await
        }
        Some(Stored::Load(id)) => {
            let stored = client.load(id.clone(), cwd).tools(tools);
            stored.open_within(budget).await
        }
        Some(Stored::Resume(id)) => {
            let stored = client.resume(id.clone(), cwd).tools(tools);
            stored.open_within(budget).await
        }
    };
    let session = opened.map_err(|error| {
        let stored = started.reopen.as_ref().map(Stored::id);
        Broken::opening(&error, stored, &talk.scene())
    })?;
    talk.session_id = Some(session.id().to_string());
    if !started.wishes.is_empty() {
        talk.enter("choose");
        session
            .choose_within(started.wishes.clone(), budget)
            .await
            .map_err(|error| Broken::request(&error, &talk.scene()))?;
    }
    talk.show(&Moment::Session(SessionUp {
        session_id: session.id().to_string(),
        mode: session.in_force(Axis::Mode).map(Into::into),
        model: session.in_force(Axis::Model).map(Into::into),
        effort: session.in_force(Axis::Effort).map(Into::into),
    }))?;
    Ok(session)
}

/// Logs in where that was asked for.
pub(crate) async fn log_in(
    talk: &mut Talk,
    client: &Client,
    started: &Started,
    budget: &Budget,
) -> Result<(), Broken> {
    if let Some(method) = &started.auth {
        talk.enter("authenticate");
        client
            .authenticate_within(method, budget)
            .await
            .map_err(|error| Broken::request(&error, &talk.scene()))?;
    }
    Ok(())
}

/// Starts the agent, agrees on a version and opens a session.
pub(crate) async fn start(
    talk: &mut Talk,
    started: &Started,
    wire: Option<Arc<Wire>>,
    budget: &Budget,
) -> Result<Session, Broken> {
    let (client, _) = reach(talk, started, budget, |link| seen(link, wire.as_ref())).await?;
    open(talk, &client, started, budget).await
}

/// The link, with its lines shown to the watcher of the wire.
pub(crate) fn seen(link: Link, wire: Option<&Arc<Wire>>) -> Link {
    match wire {
        Some(wire) => link.observed(Arc::<Wire>::clone(wire)),
        None => link,
    }
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
