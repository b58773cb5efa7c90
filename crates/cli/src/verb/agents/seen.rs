//! `acp agents doctor`: one agent from its program to its end, or all that are here without starting any.

use std::{env, rc::Rc, time::Duration};

use super::Said;
use crate::{
    aliases::{self, Alias},
    config::{Config, table::Value},
    doctor::{Finding, Findings, Weight, looked, started},
    exit::Exit,
    failure::Broken,
    hiargs::{Bound, Started},
    lowargs::{Agents, Start},
    moment::{Data, Failure, Moment},
    output::{Answer, Style},
    program, safe, stage,
    talk::Talk,
};

/// How long the start may take, when no bound is named.
const START: Duration = Duration::from_secs(120);

/// The names of our variables that can be read.
fn variables() -> Vec<String> {
    env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .collect()
}

/// All agents whose program is here, and all that somebody named himself.
pub(super) fn all(config: &Config) -> Result<Said, crate::hiargs::Misuse> {
    let variables = variables();
    let ours = variables.iter().map(String::as_str);
    let mut all = Vec::new();
    for alias in aliases::all(config)? {
        let (findings, path) = looked::program(&alias.command, alias.install.as_deref());
        if path.is_some() || alias.origin.is_some() {
            all.push(Findings {
                agent: alias.name,
                command: alias.command,
                findings,
            });
        }
    }
    // Our own variables are the same for all.
    let environment = Findings {
        agent: String::from("(every agent)"),
        command: Vec::new(),
        findings: looked::environment(None, ours),
    };
    if !environment.findings.is_empty() {
        all.push(environment);
    }
    let mut text: String = all.iter().map(Findings::text).collect();
    if all.is_empty() {
        text.push_str("no agent is here; `acp agents` says how to get one\n");
    } else {
        text.push_str("next: acp doctor -a NAME, which starts it\n");
    }
    let bad = all.iter().any(|findings| findings.weight() == Weight::Bad);
    Ok(Said {
        text,
        json: serde_json::to_string(&all),
        exit: if bad { Exit::Failed } else { Exit::Ok },
    })
}

/// The agent that these words of `acp agents` name.
pub(super) fn named(low: &Agents, config: &Rc<Config>) -> Start {
    let protocol = config
        .of_key("protocol", low.name.as_deref())
        .and_then(|effective| match effective.value {
            Value::Text(word) => Some(word),
            Value::Switch(_) | Value::List(_) => None,
        });
    Start {
        cwd: None,
        env: low.env.clone(),
        auth: None,
        idle_timeout: None,
        timeout: low.timeout.clone(),
        record: None,
        protocol: protocol.unwrap_or_else(|| String::from("auto")),
        alias: low.name.clone(),
        agent: low.argv.clone(),
        config: Rc::clone(config),
    }
}

/// One agent. It is started, agrees on a version, and is let go.
pub(super) fn one(start: &Start, style: &Style) -> Exit {
    stage::play(
        start,
        style,
        Answer::new(None),
        async |talk, signals| {
            let name = start.alias.as_deref();
            let alias = name.map(|name| aliases::find(&start.config, name));
            let alias = alias.transpose().map_err(Broken::misuse)?;
            tokio::select! {
                looked = look(talk, start, alias.as_ref(), style) => looked.map(Ok),
                signal = signals.next() => Ok(Err(signal)),
            }
        },
        |talk, looked| match looked {
            Ok(Exit::Ok) => talk.finish(Exit::Ok, "completed", None, None),
            Ok(exit) => {
                let failure = Failure {
                    message: String::from("the agent cannot work like this"),
                    ..Failure::default()
                };
                talk.finish(exit, "failed", None, Some(Box::new(failure)))
            }
            Err(signal) => talk.finish(signal.exit(), "interrupted", None, None),
        },
    )
}

/// Looks at it and shows what was found; the number is that of what is wrong.
async fn look(
    talk: &mut Talk,
    start: &Start,
    alias: Option<&Alias>,
    style: &Style,
) -> Result<Exit, Broken> {
    let mut started = Started::new(start).map_err(Broken::misuse)?;
    if started.absolute == Bound::Default {
        started.absolute = Bound::Of(START);
    }
    let command: Vec<String> = match alias {
        Some(alias) => alias.command.clone(),
        None => {
            let words = start.agent.iter();
            words
                .map(|word| word.to_string_lossy().into_owned())
                .collect()
        }
    };
    let install = alias.and_then(|alias| alias.install.as_deref());
    let (mut findings, path) = looked::program(&command, install);
    if let Some(path) = &path
        && !findings.iter().any(|finding| finding.about == "launcher")
        && let Some(version) = program::version(path).await
    {
        findings.push(Finding::good("version", version));
    }
    let variables = variables();
    let ours = variables.iter().map(String::as_str);
    findings.extend(looked::environment(alias, ours));
    let mut exit = Exit::AgentDied;
    if path.is_some() {
        let (seen, broken) = started::started(talk, &started, style).await;
        findings.extend(seen);
        exit = broken.map_or(Exit::Ok, |broken| broken.exit);
    }
    let name = alias.map_or("this command", |alias| alias.name.as_str());
    let found = Findings {
        agent: name.to_owned(),
        command,
        findings,
    };
    if exit == Exit::Ok && found.weight() == Weight::Bad {
        exit = Exit::Failed;
    }
    let text = found.text() + &next(&found, alias, &talk.command);
    let data = Data::new("doctor", &found, text)
        .map_err(|error| Broken::internal(format!("what was found cannot be shown: {error}")))?;
    talk.show(&Moment::Data(data))?;
    talk.phase = "done";
    Ok(exit)
}

/// What to do now, in one line: about the first thing that cannot work, else to ask it more.
fn next(found: &Findings, alias: Option<&Alias>, command: &str) -> String {
    let bad = |finding: &&Finding| finding.weight == Weight::Bad;
    match (found.findings.iter().find(bad), alias) {
        (Some(finding), _) => match &finding.next {
            Some(next) => format!("next: {}\n", safe::line(next, 400)),
            None => String::new(),
        },
        (None, Some(_)) => format!("next: acp probe -a {command}\n"),
        (None, None) => format!("next: acp probe -- {command}\n"),
    }
}
