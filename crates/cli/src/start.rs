//! From a command line to an open session: start, agree, log in, open.

use std::{env, sync::Arc};

use acp_harness::{
    client::{Budget, Client, InitializeError, Session},
    handshake::{Ability, Agreement},
    transport::{Command, Link},
    vocab::ProtocolVersion,
};

use crate::{
    exit::Exit,
    failure::Broken,
    hiargs::{Agent, Bound, Started},
    login::Login,
    moment::{AgentUp, Moment},
    offer, opening,
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
    let mut builder =
        Client::builder(offer::NAME, offer::VERSION).versions(versions.iter().copied());
    if started.logs_in {
        builder = builder.pull(Ability::TerminalAuth);
    }
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
    talk.logins = agreement
        .auth_methods()
        .iter()
        .map(|method| Login::of(method, started, &talk.tail))
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

/// The directory of the session, as it goes out: absolute, and made so before.
pub(crate) fn directory(started: &Started) -> Result<&str, Broken> {
    started
        .cwd
        .to_str()
        .ok_or_else(|| Broken::new(Exit::Usage, "usage", "the working directory is not UTF-8"))
}

/// Logs in where that was asked for.
pub(crate) async fn log_in(
    talk: &mut Talk,
    client: &Client,
    started: &Started,
    budget: &Budget,
) -> Result<(), Broken> {
    if let Some(method) = &started.auth {
        if let Some(login) = talk.logins.iter().find(|login| login.id == *method)
            && login.terminal
        {
            return Err(Broken::new(
                Exit::AuthRequired,
                "auth_required",
                "this login is a command that a person answers in a terminal",
            )
            .hint(login.next.clone()));
        }
        talk.enter("authenticate");
        client
            .authenticate_within(method, budget)
            .await
            .map_err(|error| Broken::request(&error, &talk.scene()))?;
        talk.logged_in = true;
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
    opening::open(talk, &client, started, budget).await
}

/// The link, with its lines shown to the watcher of the wire.
pub(crate) fn seen(link: Link, wire: Option<&Arc<Wire>>) -> Link {
    match wire {
        Some(wire) => link.observed(Arc::<Wire>::clone(wire)),
        None => link,
    }
}

pub(crate) fn command(started: &Started) -> Result<Command, Broken> {
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
                .map(|argument| word(&argument.to_string_lossy()))
                .collect();
            words.join(" ")
        }
    }
}

/// A word as it is typed: in quotes when a shell would make something else of it. Somebody may paste it.
pub(crate) fn word(word: &str) -> String {
    let word = safe::line(word, 200);
    let is_plain = |c: char| c.is_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::word;

    #[track_caller]
    fn check(typed: &str, expected: &str) {
        assert_eq!(word(typed), expected);
    }

    #[test]
    fn a_word_that_is_pasted_stays_one_word() {
        check("gemini", "gemini");
        check("--acp", "--acp");
        check("/opt/agent/bin", "/opt/agent/bin");
        check("KEY=a,b", "KEY=a,b");
        check("", "''");
        check("a b", "'a b'");
        check("$(rm -rf x)", "'$(rm -rf x)'");
        check("it's", "'it'\\''s'");
        check("x;y", "'x;y'");
        check("a\nb", "'a⏎b'");
        check("größe", "größe");
    }
}
