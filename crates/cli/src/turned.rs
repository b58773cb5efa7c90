//! The end of a turn after which the talk goes on.

use acp_harness::client::Outcome;
use serde::Serialize;

use crate::{
    exit::Exit,
    failure::Broken,
    moment::{Data, Moment},
    output::Verbosity,
    safe,
    talk::Talk,
};

/// How one turn ended.
#[derive(Debug, Serialize)]
pub(crate) struct Turned {
    outcome: String,
    stop_reason: Option<String>,
}

/// Shows it: a line for a person, a record for a script.
pub(crate) fn show(
    talk: &mut Talk,
    outcome: Outcome,
    stop_reason: Option<String>,
) -> Result<(), Broken> {
    let word = stop_reason.clone().unwrap_or_else(|| outcome.to_string());
    let mark = if outcome == Outcome::Completed {
        "✓"
    } else {
        "✗"
    };
    talk.view.say(
        Verbosity::Normal,
        &format!("{mark} {}", safe::line(&word, 60)),
    );
    let turned = Turned {
        outcome: outcome.to_string(),
        stop_reason,
    };
    let data = Data::new("turn", &turned, "")
        .map_err(|_| Broken::internal("an outcome cannot be written"))?;
    talk.show(&Moment::Data(data))
}

/// Ends what is on the screen of the turn.
pub(crate) fn end(talk: &mut Talk) -> Result<(), Broken> {
    talk.view
        .end_turn()
        .map_err(|error| Broken::new(Exit::Failed, "unwritable", error.to_string()))
}
