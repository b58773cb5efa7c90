//! `acp run`: one prompt, one answer, one number.

use std::{
    collections::VecDeque,
    future,
    io::{self, IsTerminal as _, Write as _},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use acp_harness::{
    client::{CallError, Decided, Event, Outcome as End, Permission, Received, RequestError, Turn},
    permission::{Decision, Policy, Request, Rules, Verdict},
    transport::KillHandle,
};
use tokio::time::{Instant, interval, sleep_until, timeout};

use crate::{
    ask::{self, Person},
    duration,
    exit::Exit,
    failure::Broken,
    hiargs::{Agent, Bound, Plan},
    lowargs::Run,
    moment::{self, Failure, Moment},
    output::{Answer, Style, Verbosity},
    signal::{Signal, Signals},
    start::{self, Up},
    talk::{NOBODY, Talk},
    view::View,
    wire::Wire,
};

/// How long an agent may take to end a turn that was cancelled.
const CANCEL_GRACE: Duration = Duration::from_secs(10);
/// How long the shutdown of an agent may take, kill and all.
const SHUTDOWN: Duration = Duration::from_secs(8);
/// How often a person is told that an agent is still starting.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// How the conversation ended.
enum Ended {
    /// The turn came to its end, cancelled by a signal or not.
    Turn {
        outcome: End,
        stop_reason: Option<String>,
        signal: Option<Signal>,
    },
    /// By a signal, before there was an outcome.
    Signal(Signal),
    /// Nobody reads the answer any more.
    Unread,
}

/// Runs it. Whatever happens, there is a last record.
pub(crate) fn run(low: &Run, style: &Style) -> Exit {
    let words = if low.start.agent.is_empty() {
        Agent::Demo
    } else {
        Agent::Command(low.start.agent.clone())
    };
    let command = start::spelled(&words);
    let answer = Answer::new(low.output.as_deref());
    let unwritable = answer
        .as_ref()
        .err()
        .map(|error| format!("the answer cannot be written: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let Ok(runtime) = runtime else {
        let mut talk = Talk::new(View::new(Answer::none(), style), style, command);
        return failed(&mut talk, Broken::internal("no runtime could be made"));
    };
    let _inside = runtime.enter();
    let mut talk = Talk::new(
        View::new(answer.unwrap_or_else(|_| Answer::none()), style),
        style,
        command,
    );
    if let Some(message) = unwritable {
        return failed(&mut talk, Broken::new(Exit::Usage, "usage", message));
    }
    let talked = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(conversation(&mut talk, low, style))
    }));
    match talked {
        Ok(Ok((plan, ended))) => ending(&mut talk, &plan, ended),
        Ok(Err(broken)) => failed(&mut talk, broken),
        Err(_) => failed(
            &mut talk,
            Broken::internal("acp failed in the middle of a run"),
        ),
    }
}

fn failed(talk: &mut Talk, broken: Broken) -> Exit {
    talk.finish(broken.exit, broken.outcome, None, Some(broken.failure))
}

/// The number and the last record of a conversation that came to an end of its own.
fn ending(talk: &mut Talk, plan: &Plan, ended: Ended) -> Exit {
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
    let denied = talk.was_denied() && !plan.denied_ok;
    let said = |message: &str| {
        Some(Failure {
            message: message.to_owned(),
            ..Failure::default()
        })
    };
    let (exit, word, failure) = match outcome {
        End::Completed | End::Cancelled if denied => (Exit::Denied, "denied", Some(talk.denial())),
        End::Completed => (Exit::Ok, "completed", None),
        End::Cancelled if talk.was_denied() => (Exit::Ok, "denied", None),
        End::Cancelled => (
            Exit::Failed,
            "cancelled",
            said("the agent ended the turn as cancelled, and nobody had asked for that"),
        ),
        End::MaxTokens | End::MaxTurnRequests => (Exit::LimitReached, "limit_reached", None),
        End::Refusal => (Exit::Refused, "refused", None),
        _ => (
            Exit::Failed,
            "failed",
            said("the agent ended the turn with a failure"),
        ),
    };
    talk.finish(exit, word, stop_reason, failure)
}

async fn conversation(talk: &mut Talk, low: &Run, style: &Style) -> Result<(Plan, Ended), Broken> {
    let plan = Plan::new(low).map_err(Broken::misuse)?;
    let mut signals = Signals::new()
        .map_err(|error| Broken::internal(format!("signals cannot be taken over: {error}")))?;
    let shows_wire = style.verbosity >= Verbosity::Wire;
    let wire = Wire::new(
        plan.started.record.as_deref(),
        shows_wire,
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
    let talked = turn(talk, &plan, style, &mut signals, wire.clone()).await;
    if let Some(agent) = talk.agent.clone() {
        shut_down(&agent, &mut signals).await;
    }
    if let Some(Err(error)) = wire.map(|wire| wire.finish()) {
        talk.view.say(
            Verbosity::Quiet,
            &format!("  ! the recording is not whole: {error}"),
        );
    }
    talked.map(|ended| (plan, ended))
}

/// Ends the agent: its input, then SIGTERM, then SIGKILL. A signal on the way shortens it.
async fn shut_down(agent: &KillHandle, signals: &mut Signals) {
    agent.shut_down();
    tokio::select! {
        () = agent.gone() => {}
        _ = signals.next() => agent.kill(),
        () = tokio::time::sleep(SHUTDOWN) => agent.kill(),
    }
    // A killed group is gone at once, unless the kernel holds one of its processes.
    drop(timeout(Duration::from_secs(1), agent.gone()).await);
}

async fn turn(
    talk: &mut Talk,
    plan: &Plan,
    style: &Style,
    signals: &mut Signals,
    wire: Option<Arc<Wire>>,
) -> Result<Ended, Broken> {
    let budget = start::budget(plan.started.idle, plan.started.absolute);
    let up = tokio::select! {
        up = start::start(talk, &plan.started, wire, &budget) => up?,
        signal = signals.next() => return Ok(Ended::Signal(signal)),
        () = heartbeat(style) => return Err(Broken::internal("the heartbeat ended")),
    };
    if let Some(mode) = &plan.mode {
        talk.enter("mode");
        tokio::select! {
            set = up.session.set_mode(mode.as_str()) => set.map_err(|error| Broken::request(&error, &talk.scene()))?,
            signal = signals.next() => return Ok(Ended::Signal(signal)),
        }
    }
    talk.enter("prompt");
    let budget = if plan.started.absolute == Bound::Default {
        start::budget(plan.started.idle, plan.started.turn_absolute())
    } else {
        budget
    };
    let turn = up
        .session
        .prompt(plan.prompt.as_str())
        .start_within(&budget)
        .map_err(|error| Broken::request(&error, &talk.scene()))?;
    let ended = Conversation {
        talk,
        plan,
        signals,
        person: None,
        asking: VecDeque::new(),
        interrupted: None,
    }
    .follow(turn)
    .await;
    let counters = up.client.skipped();
    talk.skipped_lines = counters.total();
    if ended.is_ok() {
        talk.phase = "done";
    }
    let Up { client, .. } = up;
    drop(client);
    ended
}

/// Tells a person who waits that the agent is still starting. Never ends.
async fn heartbeat(style: &Style) {
    if style.verbosity < Verbosity::Normal || !style.times || !io::stderr().is_terminal() {
        return future::pending().await;
    }
    let started = Instant::now();
    let mut beat = interval(HEARTBEAT);
    beat.tick().await;
    loop {
        beat.tick().await;
        drop(writeln!(
            io::stderr(),
            "  … still starting ({})",
            duration::show(started.elapsed())
        ));
    }
}

/// The prompt is out: what comes, and who is asked.
struct Conversation<'a> {
    talk: &'a mut Talk,
    plan: &'a Plan,
    signals: &'a mut Signals,
    /// Who can be asked, once somebody had to be.
    person: Option<Person>,
    /// What waits for the person, in order; the first is on the screen.
    asking: VecDeque<Permission>,
    /// The signal that cancelled the turn, and until when the agent may end it.
    interrupted: Option<(Signal, Instant)>,
}

impl Conversation<'_> {
    async fn follow(mut self, mut turn: Turn) -> Result<Ended, Broken> {
        loop {
            let grace = self.interrupted.map(|(_, until)| until);
            let step = if self.asking.is_empty() {
                tokio::select! {
                    biased;
                    signal = self.signals.next() => Step::Signal(signal),
                    () = until(grace) => Step::GraceOver,
                    received = turn.next_received() => Step::Event(received.map(|received| received.map(Box::new))),
                }
            } else {
                tokio::select! {
                    biased;
                    signal = self.signals.next() => Step::Signal(signal),
                    () = until(grace) => Step::GraceOver,
                    () = withdrawn(self.asking.front()) => Step::Withdrawn,
                    line = typed(self.person.as_mut()) => Step::Typed(line),
                }
            };
            match step {
                Step::Signal(signal) => {
                    if self.interrupted.is_some() {
                        return Ok(Ended::Signal(signal));
                    }
                    turn.cancel();
                    self.interrupted = Some((signal, Instant::now() + CANCEL_GRACE));
                    let again = if signal == Signal::Interrupt {
                        "; Ctrl-C again ends the agent"
                    } else {
                        ""
                    };
                    self.talk
                        .view
                        .say(Verbosity::Normal, &format!("  cancelling the turn{again}"));
                }
                Step::GraceOver => {
                    return Ok(Ended::Signal(
                        self.interrupted
                            .map_or(Signal::Interrupt, |(signal, _)| signal),
                    ));
                }
                Step::Withdrawn => {
                    self.pop();
                    self.talk
                        .view
                        .say(Verbosity::Normal, "\n  the agent took the question back");
                }
                Step::Typed(line) => self.typed(line)?,
                Step::Event(Ok(Some(received))) => match received.event {
                    Event::Permission(permission) => self.decide(*permission)?,
                    _ => {
                        if let Some(moment) = self.talk.translator.translate(&received) {
                            self.talk.show(&moment)?;
                        }
                    }
                },
                Step::Event(Ok(None)) => return self.over(&turn),
                Step::Event(Err(RequestError::Call(CallError::Starved(_)))) => {}
                Step::Event(Err(error)) => {
                    self.talk.open_requests = self.asking.len();
                    return Err(Broken::request(&error, &self.talk.scene()));
                }
            }
            if self.talk.view.is_closed() {
                turn.cancel();
                return Ok(Ended::Unread);
            }
        }
    }

    fn over(self, turn: &Turn) -> Result<Ended, Broken> {
        let outcome = turn
            .outcome()
            .ok_or_else(|| Broken::internal("a turn ended without an outcome"))?;
        self.talk.turn_usage = outcome
            .usage()
            .and_then(|usage| serde_json::value::to_raw_value(&usage).ok());
        Ok(Ended::Turn {
            outcome: outcome.outcome(),
            stop_reason: outcome
                .stop_reason()
                .filter(|reason| !reason.is_empty())
                .map(ToOwned::to_owned),
            signal: self.interrupted.map(|(signal, _)| signal),
        })
    }

    /// Decides by the rules, or finds somebody who can.
    fn decide(&mut self, permission: Permission) -> Result<(), Broken> {
        if let Some(tool) = permission.request().tool_call() {
            self.talk.translator.note(tool.as_str());
        }
        match permission.decide(&Here {
            rules: &self.plan.rules,
            directory: &self.plan.directory,
        }) {
            Ok(Decided::Answered(record)) => self
                .talk
                .show(&Moment::Permission(moment::Decision(record))),
            Ok(Decided::Open(permission)) => {
                if self.plan.person && self.person.is_none() {
                    self.person = Person::new();
                }
                if self.person.is_none() {
                    return self.settle(
                        permission,
                        &Verdict::new(Decision::Cancel, NOBODY, "nobody was there to decide"),
                    );
                }
                self.asking.push_back(permission);
                if self.asking.len() == 1 {
                    self.ask();
                }
                Ok(())
            }
            // It was taken back, or its turn cancelled, before we looked.
            Ok(_) | Err(_) => Ok(()),
        }
    }

    fn settle(&mut self, permission: Permission, verdict: &Verdict) -> Result<(), Broken> {
        match permission.settle(verdict) {
            Ok(record) => self
                .talk
                .show(&Moment::Permission(moment::Decision(Box::new(record)))),
            Err(_) => {
                self.talk.view.say(
                    Verbosity::Normal,
                    "  too late: the question was settled before",
                );
                Ok(())
            }
        }
    }

    /// Shows the first of the questions.
    fn ask(&mut self) {
        if let (Some(permission), Some(person)) = (self.asking.front(), self.person.as_mut()) {
            person.forget();
            self.talk
                .view
                .question(&ask::question(permission.request()));
        }
    }

    fn pop(&mut self) -> Option<Permission> {
        let first = self.asking.pop_front();
        self.ask();
        first
    }

    fn typed(&mut self, line: Option<String>) -> Result<(), Broken> {
        let Some(permission) = self.asking.front() else {
            return Ok(());
        };
        let verdict = match line {
            None => Verdict::new(Decision::Cancel, NOBODY, "the terminal went away"),
            Some(line) => match ask::decision(permission.request(), &line) {
                Some(decision) => Verdict::person(decision),
                None => {
                    self.talk.view.question("  that is no answer: ");
                    return Ok(());
                }
            },
        };
        match self.asking.pop_front() {
            Some(permission) => self.settle(permission, &verdict)?,
            None => return Ok(()),
        }
        self.ask();
        Ok(())
    }
}

/// The rules, told where the session works: a request says its paths and not from where.
struct Here<'a> {
    rules: &'a Rules,
    directory: &'a str,
}

impl Policy for Here<'_> {
    fn decide(&self, request: &Request) -> Verdict {
        if request.directory().is_some() {
            return self.rules.decide(request);
        }
        self.rules
            .decide(&request.clone().in_directory(self.directory))
    }
}

enum Step {
    Signal(Signal),
    GraceOver,
    Withdrawn,
    Typed(Option<String>),
    Event(Result<Option<Box<Received>>, RequestError>),
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => future::pending().await,
    }
}

async fn withdrawn(permission: Option<&Permission>) {
    match permission {
        Some(permission) => drop(permission.withdrawn().await),
        None => future::pending().await,
    }
}

async fn typed(person: Option<&mut Person>) -> Option<String> {
    match person {
        Some(person) => person.line().await,
        None => future::pending().await,
    }
}
