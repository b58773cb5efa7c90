//! `acp options`: what a session offers to choose from, and choosing it.

use std::sync::Arc;

use crate::{
    choose::{self, Wish},
    exit::Exit,
    failure::Broken,
    hiargs::{Misuse, Started},
    lowargs::{Options, OptionsAct},
    moment::{Data, Moment},
    output::{Answer, Style},
    setup::Setup,
    stage, start,
    talk::Talk,
    wire::Wire,
};

/// Runs it.
pub(crate) fn options(low: &Options, style: &Style) -> Exit {
    stage::play(
        &low.start,
        style,
        Answer::new(None),
        async |talk, signals| {
            let started = plan(low).map_err(Broken::misuse)?;
            let wire = stage::watch(talk, &started, style)?;
            tokio::select! {
                asked = ask(talk, &started, wire) => asked.map(|()| None),
                signal = signals.next() => Ok(Some(signal)),
            }
        },
        stage::concluded,
    )
}

fn plan(low: &Options) -> Result<Started, Misuse> {
    let mut started = Started::new(&low.start)?.reopening(&low.reopen);
    match (low.act, low.set.is_empty()) {
        (OptionsAct::Set, true) => {
            return Err(Misuse::new("set takes what to set, such as effort=high"));
        }
        (OptionsAct::List, false) => return Err(Misuse::new("list takes no more words")),
        _ => {}
    }
    if !low.set.is_empty() {
        started.wishes.push(Wish {
            typed: low.set.join(" "),
            wishes: choose::assignments(&low.set)?,
        });
    }
    Ok(started)
}

/// Opens a session with what was wished for, and shows what is in force.
async fn ask(talk: &mut Talk, started: &Started, wire: Option<Arc<Wire>>) -> Result<(), Broken> {
    let budget = start::budget(started.idle, started.absolute);
    let session = start::start(talk, started, wire, &budget).await?;
    let setup = Setup::of(&session.options());
    let data = Data::new("options", &setup, choose::table(&setup))
        .map_err(|_| Broken::internal("options cannot be written"))?;
    talk.show(&Moment::Data(data))?;
    talk.phase = "done";
    Ok(())
}
