//! Following a turn: what comes, who decides, what interrupts.

mod asking;
mod closing;
mod unasked;

use std::{future, time::Duration};

use acp_harness::client::{CallError, Event, Outcome, Received, RequestError, Turn};
use tokio::time::{Instant, sleep_until};

use self::asking::{Asking, News};
use crate::{
    ask::Person,
    failure::Broken,
    hiargs::Plan,
    moment::{Decision, Moment},
    output::Verbosity,
    signal::{self, Signal, Signals},
    talk::Talk,
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
    asking: Asking,
    /// Whether the person types commands, too, while the agent works.
    chatting: bool,
    /// The signal that cancelled the turn, and until when the agent may end it.
    interrupted: Option<(Signal, Instant)>,
}

enum Step {
    Signal(Signal),
    GraceOver,
    News(News),
    Served(Moment),
    Event(Result<Option<Box<Received>>, RequestError>),
}

impl<'a> Following<'a> {
    /// Follows a turn that has just begun.
    pub(crate) fn new(talk: &'a mut Talk, plan: &'a Plan, signals: &'a mut Signals) -> Self {
        Self {
            talk,
            plan,
            signals,
            asking: Asking::default(),
            chatting: false,
            interrupted: None,
        }
    }

    /// This person was found in an earlier turn.
    pub(crate) fn knowing(self, person: Option<Person>) -> Self {
        Self {
            asking: Asking::knowing(person),
            ..self
        }
    }

    /// In a chat: this is the person, who types commands while the agent works.
    pub(crate) fn chatting(self, person: Option<Person>) -> Self {
        Self {
            chatting: person.is_some(),
            ..self.knowing(person)
        }
    }

    /// Follows it to its end, and gives the person back.
    pub(crate) async fn follow_and_return(
        mut self,
        mut turn: Turn,
    ) -> (Result<Ended, Broken>, Option<Person>) {
        let ended = self.follow_turn(&mut turn).await;
        // However it ended: whatever was asked has its record.
        let ended = match self.leave(&mut turn).await {
            Err(broken) if ended.is_ok() => Err(broken),
            Ok(()) | Err(_) => ended,
        };
        (ended, self.asking.into_person())
    }

    async fn follow_turn(&mut self, turn: &mut Turn) -> Result<Ended, Broken> {
        // A script may have ended its input; nobody types then.
        let mut types = self.chatting;
        loop {
            match self.step(turn, types).await {
                Step::Signal(signal) => {
                    if self.interrupted.is_some() {
                        return Ok(Ended::Signal(signal));
                    }
                    self.interrupt(signal, turn);
                }
                Step::GraceOver => return Ok(self.interrupted_end()),
                Step::News(News::Aside(line)) => {
                    types = line.is_some();
                    self.aside(line.as_deref().unwrap_or_default().trim(), turn);
                }
                Step::News(news) => self.asking.take(news, self.talk)?,
                Step::Served(moment) => self.talk.show(&moment)?,
                Step::Event(Ok(Some(received))) => self.take(*received)?,
                Step::Event(Ok(None)) => return self.over(turn),
                Step::Event(Err(RequestError::Call(CallError::Starved(_)))) => {}
                // Whatever an agent does after an interrupt, it was the interrupt that ended the run.
                Step::Event(Err(_)) if self.interrupted.is_some() => {
                    return Ok(self.interrupted_end());
                }
                Step::Event(Err(error)) => {
                    self.talk.open_requests = self.asking.waiting();
                    return Err(Broken::request(&error, &self.talk.scene()));
                }
            }
            // A signal that made it stop waiting for a reader is taken first.
            if self.talk.view.is_closed() && !signal::came() {
                turn.cancel();
                return Ok(Ended::Unread);
            }
        }
    }

    /// Waits for the next thing to do. While a question is on the screen, the turn waits behind it.
    async fn step(&mut self, turn: &mut Turn, types: bool) -> Step {
        let grace = self.interrupted.map(|(_, until)| until);
        let is_open = self.asking.is_open();
        tokio::select! {
            biased;
            signal = self.signals.next() => Step::Signal(signal),
            () = until(grace) => Step::GraceOver,
            news = self.asking.news(types) => Step::News(news),
            moment = self.talk.next_served(), if !is_open => Step::Served(moment),
            received = turn.next_received(), if !is_open => {
                Step::Event(received.map(|received| received.map(Box::new)))
            }
        }
    }

    fn interrupt(&mut self, signal: Signal, turn: &Turn) {
        turn.cancel();
        self.interrupted = Some((signal, Instant::now() + CANCEL_GRACE));
        if self.asking.is_open() {
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

    /// Something was typed while the agent works.
    fn aside(&mut self, line: &str, turn: &Turn) {
        let told = match line {
            "" => return,
            "/cancel" => {
                turn.cancel();
                "  cancelling the turn"
            }
            _ => "  the agent is working; /cancel or Ctrl-C stops it",
        };
        self.talk.view.say(Verbosity::Normal, told);
    }

    fn take(&mut self, received: Received) -> Result<(), Broken> {
        match received.event {
            Event::Permission(permission) => self.asking.decide(*permission, self.plan, self.talk),
            Event::Elicitation(question) => self.asking.open(*question, self.plan, self.talk),
            _ => {
                self.book(&received.event)?;
                match self.talk.translator.translate(&received) {
                    Some(moment) => self.talk.show(&moment),
                    None => Ok(()),
                }
            }
        }
    }

    /// Gives every question that is still open its end: those on the screen, and those that nobody has looked at.
    async fn leave(&mut self, turn: &mut Turn) -> Result<(), Broken> {
        self.asking.give_up(self.talk)?;
        loop {
            let unread = tokio::select! {
                biased;
                received = turn.next_received() => received,
                () = future::ready(()) => return Ok(()),
            };
            let Ok(Some(received)) = unread else {
                return Ok(());
            };
            match received.event {
                Event::Permission(permission) => closing::forgo(*permission, self.talk)?,
                event => self.book(&event)?,
            }
        }
    }

    /// Writes down what became of a permission request that was never ours.
    fn book(&mut self, event: &Event) -> Result<(), Broken> {
        let session = self.talk.session_id.as_deref().unwrap_or_default();
        match unasked::record(event, session) {
            Some(record) => self
                .talk
                .show(&Moment::Permission(Decision(Box::new(record)))),
            None => Ok(()),
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
        self.talk.turn_failed = outcome
            .failure()
            .map(|error| (error.clone(), outcome.wants_login()));
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
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => future::pending().await,
    }
}
