//! `acp run`: one prompt, one answer, one number.

use std::{
    future,
    io::{self, IsTerminal as _},
    time::Duration,
};

use acp_harness::client::{Outcome, Prompt};
use tokio::time::{Instant, interval};

use crate::{
    duration,
    exit::Exit,
    failure::Broken,
    follow::{Ended, Following},
    hiargs::{Agent, Bound, Plan},
    launcher::Launcher,
    lowargs::Run,
    moment::Failure,
    output::{self, Answer, Style, Verbosity},
    signal::Signals,
    stage, start,
    talk::Talk,
    turned,
};

/// How often a person is told that an agent is still starting.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// Runs it.
pub(crate) fn run(low: &Run, style: &Style) -> Exit {
    let style = &style.formed(low.format);
    let answer = Answer::new(low.output.as_deref());
    stage::play(
        &low.start,
        style,
        answer,
        async |talk, signals| {
            let plan = Plan::new(low).map_err(Broken::misuse)?;
            stage::audit(talk, low.decide.audit.as_deref())?;
            let ended = turn(talk, &plan, style, signals).await?;
            Ok((plan, ended))
        },
        |talk, (plan, ended)| conclude(talk, &plan, ended),
    )
}

async fn turn(
    talk: &mut Talk,
    plan: &Plan,
    style: &Style,
    signals: &mut Signals,
) -> Result<Ended, Broken> {
    let started = &plan.started;
    let wire = stage::watch(talk, started, style)?;
    let budget = start::budget(started.idle, started.absolute);
    if let Bound::Of(bound) = started.turn_absolute() {
        output::wait_at_most(bound);
    }
    let session = tokio::select! {
        opened = start::start(talk, started, wire, &budget) => opened?,
        signal = signals.next() => return Ok(Ended::Signal(signal)),
        () = heartbeat(style, &started.agent) => return Err(Broken::internal("the heartbeat ended")),
    };
    let first = plan
        .images
        .iter()
        .fold(Prompt::from(plan.prompt.as_str()), |prompt, image| {
            prompt.with(image.clone())
        });
    let mut then = plan.then.iter();
    let mut content = first;
    let mut asked = plan.prompt.as_str();
    let mut person = None;
    loop {
        talk.enter("prompt");
        // A bound that was named runs from the start; the default of a turn is its own.
        let turn_budget = match started.absolute {
            Bound::Default => &start::budget(started.idle, started.turn_absolute()),
            Bound::Lifted | Bound::Of(_) => &budget,
        };
        talk.turn_usage = None;
        talk.view
            .prompt(asked)
            .map_err(|error| Broken::new(Exit::Failed, "unwritable", error.to_string()))?;
        let turn = session
            .prompt(content)
            .start_within(turn_budget)
            .map_err(|error| Broken::request(&error, &talk.scene()))?;
        let ended;
        (ended, person) = Following::new(talk, plan, signals)
            .knowing(person)
            .follow_and_return(turn)
            .await;
        let ended = ended?;
        match (ended, then.next()) {
            (
                Ended::Turn {
                    outcome: Outcome::Completed,
                    stop_reason,
                    signal: None,
                },
                Some(next),
            ) => {
                turned::end(talk)?;
                turned::show(talk, Outcome::Completed, stop_reason)?;
                content = Prompt::from(next.as_str());
                asked = next;
            }
            (ended, _) => {
                if matches!(ended, Ended::Turn { .. } | Ended::Unread) {
                    talk.phase = "done";
                }
                return Ok(ended);
            }
        }
    }
}

/// The number and the last record of a run that came to an end of its own.
fn conclude(talk: &mut Talk, plan: &Plan, ended: Ended) -> Exit {
    let (outcome, stop_reason, signal) = match ended {
        Ended::Turn {
            outcome,
            stop_reason,
            signal,
        } => (outcome, stop_reason, signal),
        Ended::Signal(signal) => return talk.finish(signal.exit(), "interrupted", None, None),
        Ended::Unread => return talk.finish(Exit::PipeClosed, "unread", None, None),
    };
    if let Some(signal) = signal {
        return talk.finish(signal.exit(), "cancelled", stop_reason, None);
    }
    let said = |message: &str| {
        Some(Box::new(Failure {
            message: message.to_owned(),
            ..Failure::default()
        }))
    };
    let denied = talk.tally.was_denied();
    let (exit, word, failure) = match outcome {
        Outcome::Completed | Outcome::Cancelled if denied && !plan.denied_ok => {
            (Exit::Denied, "denied", Some(talk.tally.denial()))
        }
        Outcome::Completed => (Exit::Ok, "completed", None),
        Outcome::Cancelled if denied => (Exit::Ok, "denied", None),
        Outcome::Cancelled => (
            Exit::Failed,
            "cancelled",
            said("the agent ended the turn as cancelled, and nobody had asked for that"),
        ),
        Outcome::MaxTokens | Outcome::MaxTurnRequests => {
            (Exit::LimitReached, "limit_reached", None)
        }
        Outcome::Refusal => (Exit::Refused, "refused", None),
        _ => {
            let (failed, wants_login) = talk.turn_failed.take().unzip();
            let broken = Broken::ended(
                failed.as_ref(),
                wants_login.unwrap_or_default(),
                &talk.scene(),
            );
            (broken.exit, broken.outcome, Some(broken.failure))
        }
    };
    talk.finish(exit, word, stop_reason, failure)
}

/// Tells a person who waits that the agent is still starting. Never ends.
async fn heartbeat(style: &Style, agent: &Agent) {
    if style.verbosity < Verbosity::Normal || !style.times || !io::stderr().is_terminal() {
        return future::pending().await;
    }
    beats(&mut io::stderr(), Launcher::of_agent(agent).as_ref()).await;
}

async fn beats(out: &mut impl io::Write, launcher: Option<&Launcher>) {
    let why = launcher
        .map(|launcher| format!(": {} may be downloading a package", launcher.name))
        .unwrap_or_default();
    let started = Instant::now();
    let mut beat = interval(HEARTBEAT);
    beat.tick().await;
    loop {
        beat.tick().await;
        // With stderr gone there is nobody left to tell.
        drop(writeln!(
            out,
            "  … still starting ({}){why}",
            duration::show(started.elapsed())
        ));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::{Launcher, beats};

    #[tokio::test(start_paused = true)]
    async fn report_01_a_person_who_waits_is_told_so_again_and_again() {
        let mut said = Vec::new();
        let over = timeout(Duration::from_secs(29), beats(&mut said, None)).await;
        assert!(over.is_err(), "it goes on as long as the start does");
        assert_eq!(
            String::from_utf8_lossy(&said),
            "  … still starting (10.0s)\n  … still starting (20.0s)\n"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn report_22_a_person_learns_that_a_package_may_be_on_its_way() {
        let mut said = Vec::new();
        let npx = Launcher::of(["npx", "-y", "some-agent"]);
        let over = timeout(Duration::from_secs(11), beats(&mut said, npx.as_ref())).await;
        assert!(over.is_err(), "it goes on as long as the start does");
        assert_eq!(
            String::from_utf8_lossy(&said),
            "  … still starting (10.0s): npx may be downloading a package\n"
        );
    }
}
