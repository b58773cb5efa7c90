//! A talk in one session, from prompt to prompt.

use acp_harness::{
    client::{RequestError, Session},
    permission::Rules,
    thinking::Wishes,
};

use super::{
    command::{self, Command},
    history::History,
    kinds::Kinds,
};
use crate::{
    ask::Person,
    choose,
    failure::Broken,
    follow::{Ended, Following},
    hiargs::{self, Bound, Misuse, Plan},
    moment::Failure,
    output::Verbosity,
    safe,
    setup::Setup,
    signal::{Signal, Signals},
    start,
    talk::Talk,
    turned,
};

/// A chat that goes on.
pub(super) struct Room<'a> {
    pub(super) talk: &'a mut Talk,
    pub(super) session: Session,
    pub(super) plan: Plan,
    pub(super) kinds: Kinds,
    /// `None` while a turn has borrowed it.
    pub(super) person: Option<Person>,
    pub(super) history: History,
}

impl Room<'_> {
    /// Holds it until the person leaves.
    pub(super) async fn hold(mut self, signals: &mut Signals) -> Result<Option<Signal>, Broken> {
        self.talk.enter("chat");
        self.say("  /help lists the commands; Ctrl-C cancels a turn, Ctrl-D leaves");
        loop {
            let Some(person) = self.person.as_mut() else {
                return Err(Broken::internal("nobody is there any more"));
            };
            if person.is_terminal() {
                self.talk.view.question("› ");
            }
            let line = tokio::select! {
                line = person.line() => line,
                signal = signals.next() => {
                    self.talk.view.question("\n");
                    return Ok(Some(signal));
                }
            };
            let Some(line) = line else {
                if person.is_terminal() {
                    self.talk.view.question("\n");
                }
                break;
            };
            match Command::read(&line) {
                Command::Nothing => {}
                Command::Quit => break,
                Command::Prompt(prompt) => {
                    if let Some(signal) = self.turn(prompt, signals).await? {
                        return Ok(Some(signal));
                    }
                }
                command => self.obey(command).await?,
            }
        }
        self.talk.phase = "done";
        Ok(None)
    }

    fn say(&mut self, line: &str) {
        self.talk.view.say(Verbosity::Normal, line);
    }

    async fn obey(&mut self, command: Command) -> Result<(), Broken> {
        match command {
            Command::Choose(axis, word) => {
                let wishes = choose::wish(Wishes::new(), axis, &word);
                self.choose(wishes).await?;
            }
            Command::Set(words) => match choose::assignments(&words) {
                Ok(wishes) => self.choose(wishes).await?,
                Err(misuse) => self.say(&format!("  {}", misuse.message)),
            },
            Command::Show => {
                let table = choose::table(&Setup::of(&self.session.options()));
                for line in table.lines() {
                    self.say(&format!("  {line}"));
                }
            }
            Command::Allow(more) => {
                let rules = self.kinds.allow(more);
                self.rule(rules);
            }
            Command::Deny(more) => {
                let rules = self.kinds.deny(more);
                self.rule(rules);
            }
            Command::Cancel => self.say("  nothing is running"),
            Command::History => {
                for line in self.history.lines() {
                    self.say(&line);
                }
            }
            Command::Help => {
                for line in command::HELP.lines() {
                    self.say(&format!("  {line}"));
                }
            }
            Command::Unknown(why) => self.say(&format!("  {why}")),
            Command::Nothing | Command::Quit | Command::Prompt(_) => {}
        }
        Ok(())
    }

    /// Decides by these rules from now on.
    fn rule(&mut self, rules: Result<Rules, Misuse>) {
        match rules {
            Ok(rules) => {
                let typed = rules.rooted(&self.plan.started.cwd);
                self.plan.rules.retyped(typed);
                let line = format!("  {}", self.kinds);
                self.say(&line);
            }
            Err(misuse) => self.say(&format!("  {}", misuse.message)),
        }
    }

    /// Puts something in force. What the session does not offer is told and ends nothing.
    async fn choose(&mut self, wishes: Wishes) -> Result<(), Broken> {
        match self.session.choose(wishes).await {
            Ok(_) => {
                let setup = Setup::of(&self.session.options());
                let shown: Vec<String> = [
                    ("model", setup.current_model),
                    ("effort", setup.current_effort),
                    ("mode", setup.current_mode),
                ]
                .into_iter()
                .filter_map(|(what, word)| Some(format!("{what} {}", safe::line(&word?, 60))))
                .collect();
                self.say(&format!("  in force: {}", shown.join(" · ")));
                Ok(())
            }
            Err(error) if ends(&error) => Err(Broken::request(&error, &self.talk.scene())),
            Err(error) => {
                let broken = Broken::request(&error, &self.talk.scene());
                self.say(&format!("  ! {}", broken.failure.message));
                Ok(())
            }
        }
    }

    /// One prompt and what follows from it. A signal that ends more than the turn is given back.
    async fn turn(
        &mut self,
        prompt: String,
        signals: &mut Signals,
    ) -> Result<Option<Signal>, Broken> {
        let prompt = match hiargs::prompt(&prompt) {
            Ok(prompt) => prompt,
            Err(misuse) => {
                self.say(&format!("  {}", misuse.message));
                return Ok(None);
            }
        };
        self.history.push(&prompt);
        self.talk.enter("prompt");
        let budget = match self.plan.started.absolute {
            Bound::Default => {
                start::budget(self.plan.started.idle, self.plan.started.turn_absolute())
            }
            _ => start::budget(self.plan.started.idle, self.plan.started.absolute),
        };
        let turn = match self.session.prompt(prompt).start_within(&budget) {
            Ok(turn) => turn,
            Err(error) => {
                let broken = Broken::request(&error, &self.talk.scene());
                self.say(&format!("  ! {}", broken.failure.message));
                return Ok(None);
            }
        };
        let person = self.person.take();
        let (ended, person) = Following::new(self.talk, &self.plan, signals)
            .chatting(person)
            .follow_and_return(turn)
            .await;
        self.person = person;
        turned::end(self.talk)?;
        let (outcome, stop_reason) = match ended {
            Ok(Ended::Turn {
                outcome,
                stop_reason,
                ..
            }) => (outcome, stop_reason),
            Ok(Ended::Signal(signal)) => return Ok(Some(signal)),
            Ok(Ended::Unread) => return Ok(Some(Signal::Terminate)),
            // The agent said no to this prompt, and is there for the next one.
            Err(broken) if matches!(broken.outcome, "error" | "auth_required") => {
                self.explain(&broken.failure);
                return Ok(None);
            }
            Err(broken) => return Err(broken),
        };
        turned::show(self.talk, outcome, stop_reason)?;
        if let Some((error, wants_login)) = self.talk.turn_failed.take() {
            let broken = Broken::ended(Some(&error), wants_login, &self.talk.scene());
            self.explain(&broken.failure);
        }
        Ok(None)
    }

    /// Says why a turn failed, and what to do about it.
    fn explain(&mut self, failure: &Failure) {
        self.say(&format!("  ✗ {}", failure.message));
        if let Some(said) = &failure.agent_said {
            self.say(&format!("    {}", safe::line(said, 300)));
        }
        let hint = failure.hint.iter().flat_map(|hint| hint.lines());
        for line in hint {
            self.say(&format!("    {}", safe::line(line, 400)));
        }
    }
}

/// Whether there is nothing left to talk with.
fn ends(error: &RequestError) -> bool {
    error.connection().is_some()
}
