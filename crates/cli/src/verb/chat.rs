//! `acp chat`: one session, prompt after prompt, with commands between them and while the agent works.

mod command;
mod history;
mod kinds;
mod room;

use std::io::{self, IsTerminal as _};

use self::{history::History, kinds::Kinds, room::Room};
use crate::{
    ask::Person,
    exit::Exit,
    failure::Broken,
    hiargs::{Misuse, Plan},
    lowargs::Chat,
    output::{Answer, Style},
    stage, start,
};

/// Runs it.
pub(crate) fn chat(low: &Chat, style: &Style) -> Exit {
    let style = &Style {
        markdown: true,
        ..style.clone()
    };
    stage::play(
        &low.start,
        style,
        Answer::new(None),
        async |talk, signals| {
            let plan = Plan::of_chat(low).map_err(Broken::misuse)?;
            let person = person().map_err(Broken::misuse)?;
            let wire = stage::watch(talk, &plan.started, style)?;
            stage::audit(talk, low.decide.audit.as_deref())?;
            let budget = start::budget(plan.started.idle, plan.started.absolute);
            let session = tokio::select! {
                opened = start::start(talk, &plan.started, wire, &budget) => opened?,
                signal = signals.next() => return Ok(Some(signal)),
            };
            let room = Room {
                talk,
                session,
                kinds: Kinds::new(&low.allow, &low.deny),
                plan,
                person: Some(person),
                history: History::default(),
            };
            room.hold(signals).await
        },
        stage::concluded,
    )
}

/// Who talks: a person at the terminal, or whoever writes to stdin.
fn person() -> Result<Person, Misuse> {
    let person = if io::stdin().is_terminal() {
        Person::new()
    } else {
        Person::at_stdin()
    };
    person.ok_or_else(|| Misuse::new("there is nobody to talk with: no terminal"))
}
