//! The questions of the agent that wait for a person, in order; the first is on the screen.
//!
//! Every permission request that comes in here leaves with one record, whoever settles it: the rules, the person, the end of its turn.

use std::{collections::VecDeque, future};

use acp_harness::{
    client::{Decided, Elicitation, Permission, Settled},
    permission::{Decision, Verdict},
};

use super::closing::{forgo, settle, show, withdraw};
use crate::{
    ask::{self, Person},
    dialog::{Dialog, Step},
    failure::Broken,
    hiargs::Plan,
    moment::{self, Moment},
    output::Verbosity,
    talk::{NOBODY, Talk},
};

/// Who is asked, and what.
#[derive(Debug, Default)]
pub(super) struct Asking {
    /// Who can be asked, once somebody had to be.
    person: Option<Person>,
    permissions: VecDeque<Permission>,
    /// Answered one after the other, behind the permissions.
    dialogs: VecDeque<Dialog>,
}

/// What becomes of the question on the screen.
#[derive(Debug)]
pub(super) enum News {
    /// The person typed a line; `None` when the terminal is gone.
    Typed(Option<String>),
    /// The same, while there was no question.
    Aside(Option<String>),
    /// Somebody else settled it.
    Over(Settled),
}

impl Asking {
    /// This person is known already.
    pub(super) fn knowing(person: Option<Person>) -> Self {
        Self {
            person,
            ..Self::default()
        }
    }

    /// Gives the person back.
    pub(super) fn into_person(self) -> Option<Person> {
        self.person
    }

    /// Whether a question is on the screen.
    pub(super) fn is_open(&self) -> bool {
        !self.permissions.is_empty() || !self.dialogs.is_empty()
    }

    /// How many permissions wait.
    pub(super) fn waiting(&self) -> usize {
        self.permissions.len()
    }

    /// What becomes of the question on the screen; while there is none, what a person at a terminal types who `types` at all. Cancel-safe.
    pub(super) async fn news(&mut self, types: bool) -> News {
        if !self.is_open() {
            let person = self.person.as_mut();
            let line = typed(person.filter(|person| types && person.is_terminal())).await;
            return News::Aside(line);
        }
        let over = async {
            match (self.permissions.front(), self.dialogs.front()) {
                (Some(permission), _) => permission.withdrawn().await,
                (None, Some(dialog)) => dialog.withdrawn().await,
                (None, None) => future::pending().await,
            }
        };
        tokio::select! {
            biased;
            how = over => News::Over(how),
            line = typed(self.person.as_mut()) => News::Typed(line),
        }
    }

    /// Goes on by what became of the question on the screen.
    pub(super) fn take(&mut self, news: News, talk: &mut Talk) -> Result<(), Broken> {
        match news {
            News::Typed(line) if self.permissions.is_empty() => self.said(line.as_deref(), talk),
            News::Typed(line) => self.typed(line, talk),
            News::Aside(_) => Ok(()),
            News::Over(how) => {
                let first = self.permissions.pop_front();
                if first.is_none() {
                    self.dialogs.pop_front();
                }
                talk.view
                    .say(Verbosity::Normal, &format!("  the question is over: {how}"));
                if let Some(permission) = first {
                    withdraw(&permission, how, talk)?;
                }
                self.ask(talk);
                Ok(())
            }
        }
    }

    /// Decides by the rules, or finds somebody who can.
    pub(super) fn decide(
        &mut self,
        permission: Permission,
        plan: &Plan,
        talk: &mut Talk,
    ) -> Result<(), Broken> {
        // It may say more of its tool call than was said before, or for the first time that there is one.
        if let Some(tool) = &permission.asked().tool {
            talk.translator.tool(tool, false);
        } else if let Some(tool) = permission.request().tool_call() {
            talk.translator.note(tool.as_str());
        }
        // It was taken back, or its turn was over, before we looked.
        if let Some(how) = permission.settled() {
            return withdraw(&permission, how, talk);
        }
        match permission.decide(&plan.rules) {
            Ok(Decided::Answered(record)) => show(record, talk),
            Ok(Decided::Open(permission)) => {
                self.find_person(plan);
                if self.person.is_none() {
                    let verdict =
                        Verdict::new(Decision::Cancel, NOBODY, "nobody was there to decide");
                    return settle(permission, &verdict, talk);
                }
                self.permissions.push_back(permission);
                if self.permissions.len() == 1 {
                    self.ask(talk);
                }
                Ok(())
            }
            Ok(_) | Err(_) => Err(Broken::internal("a decision could not be written")),
        }
    }

    /// Asks the person what the agent asks; without one it is declined.
    pub(super) fn open(
        &mut self,
        question: Elicitation,
        plan: &Plan,
        talk: &mut Talk,
    ) -> Result<(), Broken> {
        self.find_person(plan);
        if self.person.is_none() {
            let declined = question.decline().is_ok();
            return note(if declined { "declined" } else { "too_late" }, talk);
        }
        self.dialogs.push_back(Dialog::new(question));
        if self.permissions.is_empty() && self.dialogs.len() == 1 {
            self.ask(talk);
        }
        Ok(())
    }

    /// Nobody is asked any more: what still waits is cancelled.
    pub(super) fn give_up(&mut self, talk: &mut Talk) -> Result<(), Broken> {
        self.dialogs.clear();
        while let Some(permission) = self.permissions.pop_front() {
            forgo(permission, talk)?;
        }
        Ok(())
    }

    fn find_person(&mut self, plan: &Plan) {
        if plan.person && self.person.is_none() {
            self.person = Person::new();
        }
    }

    /// Shows the first of the questions.
    fn ask(&mut self, talk: &mut Talk) {
        let question = match (self.permissions.front(), self.dialogs.front()) {
            (Some(permission), _) => {
                let request = permission.request();
                let call = request.tool_call().map_or("", |call| call.as_str());
                ask::question(request, talk.translator.changes(call))
            }
            (None, Some(dialog)) => format!("{}{}", dialog.opening(), dialog.question()),
            (None, None) => return,
        };
        if let Some(person) = self.person.as_mut() {
            person.forget();
            talk.view.question(&question);
        }
    }

    /// Takes what the person typed as the answer to a permission.
    fn typed(&mut self, line: Option<String>, talk: &mut Talk) -> Result<(), Broken> {
        let Some(permission) = self.permissions.pop_front() else {
            return Ok(());
        };
        let verdict = match line {
            None => Verdict::new(Decision::Cancel, NOBODY, "the terminal went away"),
            Some(line) => match ask::decision(permission.request(), &line) {
                Some(decision) => Verdict::person(decision),
                None => {
                    self.permissions.push_front(permission);
                    talk.view.question("  that is no answer: ");
                    return Ok(());
                }
            },
        };
        settle(permission, &verdict, talk)?;
        self.ask(talk);
        Ok(())
    }

    /// Takes what the person typed as the next word of an answer.
    fn said(&mut self, line: Option<&str>, talk: &mut Talk) -> Result<(), Broken> {
        let Some(dialog) = self.dialogs.pop_front() else {
            return Ok(());
        };
        match dialog.typed(line) {
            Step::Open(dialog) => {
                talk.view.question(&dialog.question());
                self.dialogs.push_front(*dialog);
            }
            Step::Over(word) => {
                note(word, talk)?;
                self.ask(talk);
            }
        }
        Ok(())
    }
}

/// How a question of the agent was answered.
fn note(class: &'static str, talk: &mut Talk) -> Result<(), Broken> {
    talk.show(&Moment::Served(moment::Served::asked(class)))
}

async fn typed(person: Option<&mut Person>) -> Option<String> {
    match person {
        Some(person) => person.line().await,
        None => future::pending().await,
    }
}
