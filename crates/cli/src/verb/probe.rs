//! `acp probe`: start an agent once, and write down what it offers and how it behaves.

mod ear;
mod findings;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use acp_harness::{
    client::Client,
    transport::{Exit as Exited, Grace, KillHandle, Link},
};
use tokio::time::Instant;

use self::findings::{Opened, Times};
pub(crate) use self::{
    ear::Ear,
    findings::{Findings, Left},
};
use crate::{
    exit::Exit,
    failure::Broken,
    hiargs::Started,
    lowargs::Probe,
    moment::Moment,
    opening,
    output::{Answer, Style},
    setup::Setup,
    stage, start,
    talk::Talk,
    verb::negotiate::Report,
};

/// Runs it.
pub(crate) fn probe(low: &Probe, style: &Style) -> Exit {
    stage::play(
        &low.start,
        style,
        Answer::new(None),
        async |talk, signals| {
            let started = Started::new(&low.start).map_err(Broken::misuse)?;
            let wire = stage::watch(talk, &started, style)?;
            let ear = Arc::new(Ear::new(wire));
            tokio::select! {
                probed = ask(talk, &started, &ear, style) => probed.map(|()| None),
                signal = signals.next() => Ok(Some(signal)),
            }
        },
        |talk, signal| match signal {
            None => talk.finish(Exit::Ok, "completed", None, None),
            Some(signal) => talk.finish(signal.exit(), "interrupted", None, None),
        },
    )
}

/// Asks what there is to ask, and shows what was found, also when a later step failed.
async fn ask(
    talk: &mut Talk,
    started: &Started,
    ear: &Arc<Ear>,
    style: &Style,
) -> Result<(), Broken> {
    let budget = start::budget(started.idle, started.absolute);
    let began = Instant::now();
    let (client, agreement) = start::reach(talk, started, &budget, |link: Link| {
        link.observed(Arc::<Ear>::clone(ear))
    })
    .await?;
    let initialized = began.elapsed();
    let mut findings = Findings {
        agreement: Report::of(&agreement),
        session: None,
        unsolicited: BTreeMap::new(),
        noise: BTreeMap::new(),
        times: None,
        exit: None,
    };
    let asked = Instant::now();
    let opened = opening::open(talk, &client, started, &budget).await;
    let session_took = asked.elapsed();
    if let Ok(session) = &opened {
        findings.session = Some(Opened {
            setup: Setup::read(session.setup()),
        });
        ear.listen().await;
    }
    let agent = talk.agent.clone();
    findings.exit = match &agent {
        Some(agent) => Some(leave(&client, agent).await),
        None => None,
    };
    let heard = ear.take();
    (findings.unsolicited, findings.noise) = (heard.unsolicited, heard.noise);
    let millis = |length: Duration| u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
    findings.times = style.times.then(|| Times {
        initialize_ms: millis(initialized),
        session_ms: opened.is_ok().then(|| millis(session_took)),
        exit_ms: findings.exit.as_ref().map(|left| millis(left.took)),
    });
    talk.show(&Moment::Probe(Box::new(findings)))?;
    opened?;
    talk.phase = "done";
    Ok(())
}

/// Closes the agent's input and watches how its process ends.
pub(crate) async fn leave(client: &Client, agent: &KillHandle) -> Left {
    let began = Instant::now();
    // What is left of its group is waited for at the end of the run.
    let ended = tokio::select! {
        ended = agent.ending().wait() => ended,
        ended = client.close() => ended,
    };
    let took = began.elapsed();
    let (status, signal) = (
        ended.exit().and_then(Exited::code),
        ended.exit().and_then(Exited::signal),
    );
    let grace = Grace::default();
    let on = match signal {
        Some(9) => "sigkill",
        _ if took >= grace.after_close + grace.after_terminate => "sigkill",
        Some(15) => "sigterm",
        _ if took >= grace.after_close => "sigterm",
        _ => "eof",
    };
    Left {
        on,
        status,
        signal,
        took,
    }
}
