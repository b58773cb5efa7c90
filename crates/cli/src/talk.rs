//! One run from the first word to the last: who watches, how far it came, what was counted.
//!
//! It outlives whatever breaks inside, so that there always is a last record.

use std::{future, io, sync::Arc, time::Duration};

use acp_harness::{
    client::{Client, Settled, SettledAsk},
    permission,
    transport::{KillHandle, Stage},
    vocab::Method,
};
use serde_json::value::RawValue;

use crate::{
    audit::Audit,
    exit::Exit,
    failure::{Broken, Scene},
    moment::{Decided, Failure, Moment, Outcome, Permissions, Usage},
    output::{Style, Verbosity},
    services::Log,
    translate::Translator,
    view::View,
    wire::Wire,
};

/// How many decisions are listed in the last record; all are counted.
const MAX_LISTED: usize = 256;

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
    pub(crate) auth_methods: Vec<String>,
    /// What watches the wire.
    pub(crate) wire: Option<Arc<Wire>>,
    /// Requests of the agent that wait for a person.
    pub(crate) open_requests: usize,
    /// What was done for the agent and is not shown yet.
    pub(crate) served: Option<Log>,
    pub(crate) turn_usage: Option<Box<RawValue>>,
    /// Where decisions are written down.
    pub(crate) audit: Option<Audit>,
    usage: Option<Usage>,
    permissions: Permissions,
    diagnostics: u64,
    times: bool,
}

impl Talk {
    /// A run that has not begun.
    pub(crate) fn new(view: View, style: &Style, command: String) -> Self {
        Self {
            view,
            translator: Translator::default(),
            phase: "usage",
            session_id: None,
            client: None,
            agent: None,
            command,
            auth_methods: Vec::new(),
            wire: None,
            open_requests: 0,
            served: None,
            turn_usage: None,
            audit: None,
            usage: None,
            permissions: Permissions::default(),
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

    /// Shows a moment and counts it.
    pub(crate) fn show(&mut self, moment: &Moment) -> Result<(), Broken> {
        match moment {
            Moment::Usage(usage) => self.usage = Some(usage.clone()),
            Moment::Permission(decision) => {
                self.decided(&decision.0);
                self.write_down(&decision.0)?;
            }
            Moment::Diagnostic(_) => self.diagnostics += 1,
            _ => {}
        }
        self.view.show(moment).map_err(|error| unwritable(&error))
    }

    /// Writes a decision into the log. A log with a hole in it must not look whole, so a failure ends the run.
    fn write_down(&mut self, record: &permission::Record) -> Result<(), Broken> {
        let at = self.at();
        let Some(audit) = &mut self.audit else {
            return Ok(());
        };
        let written = match at {
            Some(at) => audit.write(&record.clone().at(at)),
            None => audit.write(record),
        };
        written.map_err(|error| {
            Broken::new(
                Exit::Failed,
                "unwritable",
                format!("--audit cannot be written: {error}"),
            )
        })
    }

    fn decided(&mut self, record: &permission::Record) {
        if record.approved {
            self.permissions.allowed += 1;
        } else if record.outcome == "selected" {
            self.permissions.denied += 1;
        } else {
            self.permissions.cancelled += 1;
        }
        if self.permissions.decisions.len() < MAX_LISTED {
            self.permissions.decisions.push(Decided {
                kind: record.kind.to_string(),
                title: record.title.to_string(),
                decision: record.decision.as_str().to_owned(),
                by: record.by.to_string(),
                why: record.why.to_string(),
                option_kind: record
                    .option_kind
                    .as_ref()
                    .map(|kind| kind.as_str().to_owned()),
            });
        }
    }

    /// Counts a permission request that nobody read in time: it was cancelled, and nobody had decided that.
    pub(crate) fn settled(&mut self, settled: &SettledAsk) {
        if settled.how != Settled::Unread
            || &*settled.method != Method::SESSION_REQUEST_PERMISSION.name()
        {
            return;
        }
        self.permissions.cancelled += 1;
        if self.permissions.decisions.len() < MAX_LISTED {
            self.permissions.decisions.push(Decided {
                kind: String::from("other"),
                title: String::new(),
                decision: String::from("cancel"),
                by: NOBODY.to_owned(),
                why: settled.how.to_string(),
                option_kind: None,
            });
        }
    }

    /// Whether something that the agent asked for was not permitted.
    pub(crate) fn was_denied(&self) -> bool {
        self.permissions.denied + self.permissions.cancelled > 0
    }

    /// What to say about it.
    pub(crate) fn denial(&self) -> Box<Failure> {
        let count = self.permissions.denied + self.permissions.cancelled;
        let refused = |decided: &&Decided| {
            !decided
                .option_kind
                .as_deref()
                .is_some_and(|kind| kind.starts_with("allow"))
        };
        let mut kinds: Vec<&str> = self
            .permissions
            .decisions
            .iter()
            .filter(refused)
            .map(|decided| decided.kind.as_str())
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut by = self
            .permissions
            .decisions
            .iter()
            .filter(refused)
            .map(|decided| (decided.by.as_str(), decided.decision.as_str()));
        let kinds = kinds.join(",");
        let (why, hint) = if by.clone().any(|(by, _)| by == NOBODY) {
            let hint = format!(
                "decide beforehand with --allow {kinds} or --deny {kinds}, or run it on a terminal to be asked"
            );
            ("; nobody was there to decide", hint)
        } else if by.any(|(_, decision)| decision == "cancel") {
            (
                "",
                format!(
                    "--allow {kinds} or --deny {kinds} decides it; --denied-ok makes this exit 0"
                ),
            )
        } else {
            ("", String::from("--denied-ok makes this exit 0"))
        };
        let requests = if count == 1 {
            "request was"
        } else {
            "requests were"
        };
        Box::new(Failure {
            message: format!("{count} {requests} not permitted{why}"),
            hint: Some(hint),
            ..Failure::default()
        })
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
            auth_methods: self.auth_methods.clone(),
            open_requests: self.open_requests,
            times: self.times,
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
        let (noted, skipped) = match self.client.take() {
            None => (0, 0),
            Some(client) => (client.diagnostics_total(), client.skipped().total()),
        };
        let outcome = Outcome {
            outcome: word,
            stop_reason,
            exit: exit.code(),
            phase: self.phase,
            session_id: self.session_id.take(),
            usage: self.usage.take(),
            turn_usage: self.turn_usage.take(),
            permissions: std::mem::take(&mut self.permissions),
            tools: self.translator.tools(),
            diagnostics: noted.max(self.diagnostics),
            skipped_lines: skipped,
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
