//! One run from the first word to the last: who watches, how far it came, what was counted.
//!
//! It outlives whatever breaks inside, so that there always is a last record.

use std::{future, io, sync::Arc, time::Duration};

use acp_harness::{
    client::Client,
    transport::{KillHandle, Stage},
    vocab::ErrorObject,
};
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::{
    audit::Audit,
    exit::Exit,
    failure::{Broken, Scene},
    login::Login,
    moment::{Failure, Moment, Notice, Outcome, Usage},
    opening::{Reopened, Unapplied},
    output::{Style, Verbosity},
    services::Log,
    tally::Tally,
    translate::Translator,
    view::View,
    wire::Wire,
};

/// A moment that takes longer to show waits for its reader.
const STALL: Duration = Duration::from_millis(200);

/// The state of one run.
#[derive(Debug)]
pub(crate) struct Talk {
    pub(crate) view: View,
    pub(crate) translator: Translator,
    /// How far it came.
    pub(crate) phase: &'static str,
    pub(crate) session_id: Option<String>,
    /// The connection, once there is one: it has counted what the last record tells.
    pub(crate) client: Option<Client>,
    /// The process of the agent, once there is one.
    pub(crate) agent: Option<KillHandle>,
    /// The agent's command, for hints.
    pub(crate) command: String,
    /// How it is named behind another verb.
    pub(crate) tail: String,
    /// The ways to log in.
    pub(crate) logins: Vec<Login>,
    /// Whether this run logged in by itself.
    pub(crate) logged_in: bool,
    /// What watches the wire.
    pub(crate) wire: Option<Arc<Wire>>,
    /// Requests of the agent that wait for a person.
    pub(crate) open_requests: usize,
    /// What was done for the agent and is not shown yet.
    pub(crate) served: Option<Log>,
    pub(crate) turn_usage: Option<Box<RawValue>>,
    /// The error with which the agent ended the turn, and whether a login would have prevented it.
    pub(crate) turn_failed: Option<(ErrorObject, bool)>,
    /// What became of a stored session, where something else was allowed.
    pub(crate) reopened: Option<Reopened>,
    /// Wishes that are not in force, where that was allowed.
    pub(crate) unapplied: Vec<Unapplied>,
    /// Where decisions are written down.
    pub(crate) audit: Option<Audit>,
    usage: Option<Usage>,
    pub(crate) tally: Tally,
    /// How long nobody took what was shown.
    stalled: Duration,
    diagnostics: u64,
    times: bool,
}

impl Talk {
    /// A run that has not begun.
    pub(crate) fn new(view: View, style: &Style, command: String, tail: String) -> Self {
        Self {
            view,
            translator: Translator::default(),
            phase: "usage",
            session_id: None,
            client: None,
            agent: None,
            command,
            tail,
            logins: Vec::new(),
            logged_in: false,
            wire: None,
            open_requests: 0,
            served: None,
            turn_usage: None,
            turn_failed: None,
            reopened: None,
            unapplied: Vec::new(),
            audit: None,
            usage: None,
            tally: Tally::default(),
            stalled: Duration::ZERO,
            diagnostics: 0,
            times: style.times,
        }
    }

    /// Goes on to the next phase.
    pub(crate) fn enter(&mut self, phase: &'static str) {
        self.phase = phase;
        self.view.say(Verbosity::Phases, &format!("  {phase}"));
    }

    /// The next thing that was done for the agent. Cancel-safe; it never ends.
    pub(crate) async fn next_served(&mut self) -> Moment {
        match &mut self.served {
            Some(log) => match log.recv().await {
                Some(served) => Moment::Served(served.into()),
                None => future::pending().await,
            },
            None => future::pending().await,
        }
    }

    /// Shows what was done for the agent and is not shown yet.
    pub(crate) fn show_served(&mut self) -> Result<(), Broken> {
        while let Some(served) = self.served.as_mut().and_then(|log| log.try_recv().ok()) {
            self.show(&Moment::Served(served.into()))?;
        }
        Ok(())
    }

    /// Tells something that is worth a word to people and a record to scripts.
    pub(crate) fn notice(&mut self, about: &str, text: impl Into<String>) -> Result<(), Broken> {
        self.show(&Moment::News(Notice {
            about: about.to_owned(),
            text: text.into(),
            raw: None,
        }))
    }

    /// Says which command is about to share the terminal: what is asked there is asked by it.
    pub(crate) fn say_what_runs(&mut self, command: &str) {
        self.view
            .say(Verbosity::Normal, &format!("  running: {command}"));
    }

    /// Shows a moment and counts it.
    pub(crate) fn show(&mut self, moment: &Moment) -> Result<(), Broken> {
        match moment {
            Moment::Usage(usage) => self.usage = Some(usage.clone()),
            Moment::Permission(decision) => {
                let at = self.at();
                self.tally.add(&decision.0);
                if let Some(audit) = &mut self.audit {
                    audit.write_down(&decision.0, at)?;
                }
            }
            Moment::Diagnostic(_) => self.diagnostics += 1,
            _ => {}
        }
        let before = Instant::now();
        let shown = self.view.show(moment);
        let took = before.elapsed();
        if took >= STALL {
            self.stalled += took;
        }
        shown.map_err(|error| unwritable(&error))
    }

    /// What is known about the agent just now.
    pub(crate) fn scene(&self) -> Scene {
        let tail = self
            .agent
            .as_ref()
            .map(KillHandle::stderr_tail)
            .unwrap_or_default();
        Scene {
            command: self.command.clone(),
            pid: self.agent.as_ref().map(KillHandle::pid),
            alive: self.agent.as_ref().is_some_and(|agent| {
                agent.stage() == Stage::Running && agent.ending().now().is_none()
            }),
            stderr: String::from_utf8_lossy(&tail).into_owned(),
            tail: self.tail.clone(),
            logins: self.logins.clone(),
            logged_in: self.logged_in,
            open_requests: self.open_requests,
            stalled: self.stalled,
            times: self.times,
            agreement: self.client.as_ref().and_then(Client::agreement),
        }
    }

    /// Completes the recording, and says so when it is not whole.
    pub(crate) fn recorded(&mut self) {
        if let Some(Err(error)) = self.wire.take().map(|wire| wire.finish()) {
            self.view.say(
                Verbosity::Quiet,
                &format!("  ! the recording is not whole: {error}"),
            );
        }
    }

    /// The time since the start, where times are shown.
    pub(crate) fn at(&self) -> Option<Duration> {
        self.view.at()
    }

    /// Writes the end, and gives the number for the shell.
    pub(crate) fn finish(
        &mut self,
        exit: Exit,
        word: &'static str,
        stop_reason: Option<String>,
        error: Option<Box<Failure>>,
    ) -> Exit {
        // Nobody reads any more: that is why it ended, whatever else happened on the way.
        let exit = if self.view.is_closed() && exit == Exit::Ok {
            Exit::PipeClosed
        } else {
            exit
        };
        let (noted, skipped, early_dropped) = match self.client.take() {
            None => (0, 0, 0),
            Some(client) => (
                client.diagnostics_total(),
                client.skipped().total(),
                client.counters().early_dropped,
            ),
        };
        if early_dropped > 0 {
            let told = self.notice(
                "early",
                format!("messages that came before their session was known, and were dropped: {early_dropped}"),
            );
            // The number stands in the last record as well.
            drop(told);
        }
        let outcome = Outcome {
            outcome: word,
            stop_reason,
            exit: exit.code(),
            phase: self.phase,
            session_id: self.session_id.take(),
            usage: self.usage.take(),
            turn_usage: self.turn_usage.take(),
            permissions: self.tally.take(),
            tools: self.translator.tools(),
            diagnostics: noted.max(self.diagnostics),
            skipped_lines: skipped,
            early_dropped,
            reopened: self.reopened.take(),
            unapplied: std::mem::take(&mut self.unapplied),
            error,
        };
        match self.view.finish(&outcome) {
            Ok(()) => exit,
            // The answer is not whole: that must not look like success.
            Err(_) if exit == Exit::Ok => Exit::Failed,
            Err(_) => exit,
        }
    }
}

/// Who decided, when nobody could.
pub(crate) const NOBODY: &str = "nobody";

fn unwritable(error: &io::Error) -> Broken {
    Broken::new(
        Exit::Failed,
        "unwritable",
        format!("the answer cannot be written: {error}"),
    )
}
