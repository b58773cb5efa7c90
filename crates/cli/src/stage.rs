//! The stage on which `run` and `probe` play: a runtime, signals, the wire, and an end that always comes.
//!
//! Whatever happens inside, a panic included, the agent is shut down and the last record is written.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::Arc,
    time::Duration,
};

use acp_harness::transport::{KillHandle, Reaper};
use tokio::time::{sleep, timeout};

use crate::{
    audit::Audit,
    exit::Exit,
    failure::Broken,
    hiargs::{self, Started},
    lowargs::Start,
    output::{Answer, Style, Verbosity},
    safe,
    signal::{Signal, Signals},
    start,
    talk::Talk,
    view::View,
    wire::Wire,
};

/// How long the shutdown of an agent may take before it is killed: the whole ladder, and a little more.
const SHUTDOWN: Duration = Duration::from_secs(8);
/// How long a killed group may take to vanish: the kernel may hold one of its processes.
const VANISH: Duration = Duration::from_secs(1);

/// Plays `act` for the agent that these words name, and ends it with what `conclude` makes of what came of it.
pub(crate) fn play<T>(
    low: &Start,
    style: &Style,
    answer: std::io::Result<Answer>,
    act: impl AsyncFnOnce(&mut Talk, &mut Signals) -> Result<T, Broken>,
    conclude: impl FnOnce(&mut Talk, T) -> Exit,
) -> Exit {
    let unwritable = answer
        .as_ref()
        .err()
        .map(|error| format!("the answer cannot be written: {error}"));
    let view = View::new(answer.unwrap_or_else(|_| Answer::none()), style);
    let (command, tail) = match &low.alias {
        Some(alias) => (safe::line(alias, 80), format!(" -a {}", start::word(alias))),
        None => {
            let command = start::spelled(&hiargs::agent(low));
            let tail = format!(" -- {command}");
            (command, tail)
        }
    };
    let mut talk = Talk::new(view, style, command, tail);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = match (runtime, unwritable) {
        (Ok(runtime), None) => runtime,
        (Ok(_), Some(message)) => {
            return end(&mut talk, Broken::new(Exit::Usage, "usage", message));
        }
        (Err(error), _) => {
            return end(
                &mut talk,
                Broken::internal(format!("no runtime could be made: {error}")),
            );
        }
    };
    let mut signals = match runtime.block_on(async { Signals::new() }) {
        Ok(signals) => signals,
        Err(error) => {
            return end(
                &mut talk,
                Broken::internal(format!("signals cannot be taken over: {error}")),
            );
        }
    };
    let acted = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(act(&mut talk, &mut signals))
    }));
    // The outcome is told at once; nobody has to wait for an agent that takes its time to leave.
    let exit = match acted {
        Ok(Ok(came)) => conclude(&mut talk, came),
        Ok(Err(broken)) => end(&mut talk, broken),
        Err(_) => end(
            &mut talk,
            Broken::internal("acp failed in the middle of it"),
        ),
    };
    if let Some(agent) = talk.agent.take() {
        runtime.block_on(shut_down(&agent, &mut signals));
    }
    drop(runtime);
    if Reaper::join(VANISH).is_err() {
        talk.view.say(
            Verbosity::Quiet,
            "  ! a process of the agent was killed and is still there",
        );
    }
    talk.recorded();
    exit
}

/// The end of a verb that asks something and shows it.
pub(crate) fn concluded(talk: &mut Talk, signal: Option<Signal>) -> Exit {
    match signal {
        None => talk.finish(Exit::Ok, "completed", None, None),
        Some(signal) => talk.finish(signal.exit(), "interrupted", None, None),
    }
}

fn end(talk: &mut Talk, broken: Broken) -> Exit {
    talk.finish(broken.exit, broken.outcome, None, Some(broken.failure))
}

/// Ends the agent: its input, then SIGTERM, then SIGKILL. A signal on the way goes to the end of that at once.
async fn shut_down(agent: &KillHandle, signals: &mut Signals) {
    agent.shut_down();
    tokio::select! {
        () = agent.gone() => return,
        _ = signals.next() => {}
        () = sleep(SHUTDOWN) => {}
    }
    agent.kill();
    drop(timeout(VANISH, agent.gone()).await);
}

/// Opens the log of decisions, where one is asked for.
pub(crate) fn audit(talk: &mut Talk, path: Option<&Path>) -> Result<(), Broken> {
    talk.audit = path.map(Audit::new).transpose().map_err(|error| {
        Broken::new(
            Exit::Usage,
            "usage",
            format!("--audit cannot be written: {error}"),
        )
    })?;
    Ok(())
}

/// Makes the watcher of the wire that the flags ask for.
pub(crate) fn watch(
    talk: &mut Talk,
    started: &Started,
    style: &Style,
) -> Result<Option<Arc<Wire>>, Broken> {
    let shows = style.verbosity >= Verbosity::Wire;
    talk.wire = Wire::new(
        started.record.as_deref(),
        talk.view.wire(),
        shows,
        style,
        &talk.command,
    )
    .map_err(|error| {
        Broken::new(
            Exit::Usage,
            "usage",
            format!("--record cannot be written: {error}"),
        )
    })?;
    Ok(talk.wire.clone())
}
