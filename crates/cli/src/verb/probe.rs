//! `acp probe`: start an agent once, and write down what it offers and how it behaves.

mod ear;
mod findings;
mod tools;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use acp_harness::{
    client::Client,
    transport::{Exit as Exited, Grace, KillHandle, Link},
};
use tokio::time::Instant;

pub(crate) use self::{
    ear::Ear,
    findings::{Findings, Left},
};
use self::{
    findings::{Opened, Times},
    tools::Prover,
};
use crate::{
    exit::Exit,
    failure::Broken,
    hiargs::{Bound, Started},
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
            let mut started = Started::new(&low.start).map_err(Broken::misuse)?;
            let prover = low.mcp.then(Prover::new).transpose()?;
            if let Some(prover) = &prover {
                started.tools.push(prover.server()?);
            }
            let wire = stage::watch(talk, &started, style)?;
            let ear = Arc::new(Ear::new(wire));
            tokio::select! {
                probed = ask(talk, &started, prover.as_ref(), &ear, style) => probed.map(|()| None),
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
    prover: Option<&Prover>,
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
        mcp: None,
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
        if let Some(prover) = prover {
            talk.enter("mcp");
            let mut proof = prover.wait(patience(started.idle)).await;
            proof.took_ms = proof.took_ms.filter(|_| style.times);
            findings.mcp = Some(proof);
        }
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
    let unproven = findings
        .mcp
        .as_ref()
        .filter(|proof| !proof.connected)
        .cloned();
    talk.show(&Moment::Probe(Box::new(findings)))?;
    opened?;
    if let Some(proof) = unproven {
        return Err(not_connected(&proof));
    }
    talk.phase = "done";
    Ok(())
}

/// How long the agent may take to connect; a bound that was named is not waited beyond.
fn patience(idle: Bound) -> Duration {
    match idle {
        Bound::Of(idle) => idle.min(tools::PATIENCE),
        Bound::Default | Bound::Lifted => tools::PATIENCE,
    }
}

fn not_connected(proof: &tools::Proof) -> Broken {
    let how_far = if proof.started {
        "started the tool server that it was given and did not greet it"
    } else {
        "did not start the tool server that it was given"
    };
    Broken::new(
        Exit::Failed,
        "not_connected",
        format!("the agent {how_far}"),
    )
    .hint("some agents connect with the first prompt; others ignore what they are given")
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
