//! Following a turn: what comes, who decides, what interrupts.

use std::{collections::VecDeque, future, time::Duration};

use acp_harness::{
    client::{
        CallError, Decided, Elicitation, Event, Outcome, Permission, Received, RequestError,
        Settled, Turn,
    },
    permission::{Decision, Policy, Request, Verdict},
};
use tokio::time::{Instant, sleep_until};

use crate::{
    ask::{self, Person},
    dialog::{self, Dialog},
    failure::Broken,
    hiargs::Plan,
    moment::{self, Moment},
    output::Verbosity,
    signal::{Signal, Signals},
    standing::Standing,
    talk::{NOBODY, Talk},
};

/// How long an agent may take to end a turn that was cancelled.
const CANCEL_GRACE: Duration = Duration::from_secs(10);

/// How a run came to its end.
#[derive(Debug)]
pub(crate) enum Ended {
    /// The turn came to its end, cancelled by a signal or not.
    Turn {
        outcome: Outcome,
        stop_reason: Option<String>,
        signal: Option<Signal>,
    },
    /// By a signal, before there was an outcome.
    Signal(Signal),
    /// Nobody reads the answer any more.
    Unread,
}

/// The prompt is out: what comes, and who is asked.
#[derive(Debug)]
pub(crate) struct Following<'a> {
    talk: &'a mut Talk,
    plan: &'a Plan,
    signals: &'a mut Signals,
    /// Who can be asked, once somebody had to be.
    person: Option<Person>,
    /// What waits for the person, in order; the first is on the screen.
    asking: VecDeque<Permission>,
    /// Questions of the agent to the person, answered one after the other.
    dialogs: VecDeque<Dialog>,
    /// Whether the person types commands, too, while the agent works.
    chatting: bool,
    /// The signal that cancelled the turn, and until when the agent may end it.
    interrupted: Option<(Signal, Instant)>,
}

impl<'a> Following<'a> {
    /// Follows a turn that has just begun.
    pub(crate) fn new(talk: &'a mut Talk, plan: &'a Plan, signals: &'a mut Signals) -> Self {
        Self {
            talk,
            plan,
            signals,
            person: None,
            asking: VecDeque::new(),
            dialogs: VecDeque::new(),
            chatting: false,
            interrupted: None,
        }
    }

    /// This person was found in an earlier turn.
    pub(crate) fn knowing(self, person: Option<Person>) -> Self {
        Self { person, ..self }
    }

    /// In a chat: this is the person, who types commands while the agent works.
    pub(crate) fn chatting(self, person: Option<Person>) -> Self {
        Self {
            chatting: person.is_some(),
            person,
            ..self
        }
    }

    /// Follows it to its end, and gives the person back.
    pub(crate) async fn follow_and_return(
        mut self,
        turn: Turn,
    ) -> (Result<Ended, Broken>, Option<Person>) {
        let ended = self.follow_turn(turn).await;
        (ended, self.person)
    }

    async fn follow_turn(&mut self, mut turn: Turn) -> Result<Ended, Broken> {
        // A script may have ended its input; nobody types then.
        let mut types = self.chatting;
        loop {
            let grace = self.interrupted.map(|(_, until)| until);
            let step = if self.asking.is_empty() && !self.dialogs.is_empty() {
                tokio::select! {
                    biased;
                    signal = self.signals.next() => Step::Signal(signal),
                    () = until(grace) => Step::GraceOver,
                    how = settled(self.dialogs.front()) => Step::Settled(how),
                    line = typed(self.person.as_mut()) => Step::Said(line),
                }
            } else if self.asking.is_empty() {
                tokio::select! {
                    biased;
                    signal = self.signals.next() => Step::Signal(signal),
                    () = until(grace) => Step::GraceOver,
                    line = typed(self.person.as_mut().filter(|person| types && person.is_terminal())) => {
                        types = line.is_some();
                        Step::Busy(line)
                    }
                    moment = self.talk.next_served() => Step::Served(moment),
                    received = turn.next_received() => Step::Event(received.map(|received| received.map(Box::new))),
                }
            } else {
                tokio::select! {
                    biased;
                    signal = self.signals.next() => Step::Signal(signal),
                    () = until(grace) => Step::GraceOver,
                    how = withdrawn(self.asking.front()) => Step::Withdrawn(how),
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
                    if !self.asking.is_empty() || !self.dialogs.is_empty() {
                        self.talk.view.question("\n");
                    }
                    let again = if signal == Signal::Interrupt {
                        "; Ctrl-C again ends the agent"
                    } else {
                        ""
                    };
                    self.talk
                        .view
                        .say(Verbosity::Normal, &format!("  cancelling the turn{again}"));
                }
                Step::GraceOver => return Ok(self.interrupted_end()),
                Step::Withdrawn(how) => {
                    self.pop();
                    self.talk
                        .view
                        .say(Verbosity::Normal, &format!("  the question is over: {how}"));
                }
                Step::Settled(how) => {
                    self.dialogs.pop_front();
                    self.talk
                        .view
                        .say(Verbosity::Normal, &format!("  the question is over: {how}"));
                    self.ask();
                }
                Step::Said(line) => self.said(line.as_deref())?,
                Step::Served(moment) => self.talk.show(&moment)?,
                Step::Busy(None) => {}
                Step::Busy(Some(line)) if line.trim() == "/cancel" => {
                    turn.cancel();
                    self.talk
                        .view
                        .say(Verbosity::Normal, "  cancelling the turn");
                }
                Step::Busy(Some(line)) => {
                    if !line.trim().is_empty() {
                        self.talk.view.say(
                            Verbosity::Normal,
                            "  the agent is working; /cancel or Ctrl-C stops it",
                        );
                    }
                }
                Step::Typed(line) => self.typed(line)?,
                Step::Event(Ok(Some(received))) => match received.event {
                    Event::Permission(permission) => self.decide(*permission)?,
                    Event::Elicitation(question) => self.open(*question)?,
                    _ => {
                        if let Event::Settled(settled) = &received.event {
                            self.talk.settled(settled);
                        }
                        if let Some(moment) = self.talk.translator.translate(&received) {
                            self.talk.show(&moment)?;
                        }
                    }
                },
                Step::Event(Ok(None)) => return self.over(&turn),
                Step::Event(Err(RequestError::Call(CallError::Starved(_)))) => {}
                // Whatever an agent does after an interrupt, it was the interrupt that ended the run.
                Step::Event(Err(_)) if self.interrupted.is_some() => {
                    return Ok(self.interrupted_end());
                }
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

    fn interrupted_end(&self) -> Ended {
        Ended::Signal(
            self.interrupted
                .map_or(Signal::Interrupt, |(signal, _)| signal),
        )
    }

    fn over(&mut self, turn: &Turn) -> Result<Ended, Broken> {
        self.talk.show_served()?;
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
        } else if let (Some(dialog), Some(person)) = (self.dialogs.front(), self.person.as_mut()) {
            person.forget();
            self.talk
                .view
                .question(&format!("{}{}", dialog.opening(), dialog.question()));
        }
    }

    /// Asks the person what the agent asks; without one it is declined.
    fn open(&mut self, question: Elicitation) -> Result<(), Broken> {
        if self.plan.person && self.person.is_none() {
            self.person = Person::new();
        }
        if self.person.is_none() {
            let declined = question.decline().is_ok();
            return self.note(if declined { "declined" } else { "too_late" });
        }
        self.dialogs.push_back(Dialog::new(question));
        if self.asking.is_empty() && self.dialogs.len() == 1 {
            self.ask();
        }
        Ok(())
    }

    /// Takes what the person typed as the next word of an answer.
    fn said(&mut self, line: Option<&str>) -> Result<(), Broken> {
        let Some(dialog) = self.dialogs.pop_front() else {
            return Ok(());
        };
        match dialog.typed(line) {
            dialog::Step::Open(dialog) => {
                self.talk.view.question(&dialog.question());
                self.dialogs.push_front(*dialog);
            }
            dialog::Step::Over(word) => {
                self.note(word)?;
                self.ask();
            }
        }
        Ok(())
    }

    /// How a question of the agent was answered.
    fn note(&mut self, class: &'static str) -> Result<(), Broken> {
        self.talk
            .show(&Moment::Served(moment::Served::asked(class)))
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
    rules: &'a Standing,
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
    Withdrawn(Settled),
    Settled(Settled),
    Said(Option<String>),
    Served(Moment),
    Typed(Option<String>),
    Busy(Option<String>),
    Event(Result<Option<Box<Received>>, RequestError>),
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => future::pending().await,
    }
}

async fn withdrawn(permission: Option<&Permission>) -> Settled {
    match permission {
        Some(permission) => permission.withdrawn().await,
        None => future::pending().await,
    }
}

async fn settled(dialog: Option<&Dialog>) -> Settled {
    match dialog {
        Some(dialog) => dialog.withdrawn().await,
        None => future::pending().await,
    }
}

async fn typed(person: Option<&mut Person>) -> Option<String> {
    match person {
        Some(person) => person.line().await,
        None => future::pending().await,
    }
}
