//! Plays a script: reads what the client says, does what the script has for it, and the proper thing where it has nothing.

mod act;
mod listen;
mod speak;

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    sync::Arc,
    time::Duration,
};

use serde_json::Value;

use super::{
    desk::Desk,
    input::{Came, Input, forever},
    output::Output,
    report::Report,
    script::{Accepted, Ignored, Script},
};

/// The end of the play, with the status of the process.
#[derive(Debug)]
pub(crate) struct Over(pub(crate) i32);

impl From<io::Error> for Over {
    /// Nobody reads us any more.
    fn from(_: io::Error) -> Self {
        Self(0)
    }
}

/// The request that is being dealt with.
#[derive(Debug, Default)]
pub(crate) struct Here {
    pub(crate) method: String,
    /// As it came, JSON; `None` for a notification.
    pub(crate) id: Option<String>,
    pub(crate) params: Value,
    pub(crate) session: String,
    /// Whether it has been answered.
    pub(crate) answered: bool,
    /// Whether the turn that it began is over.
    over: bool,
    /// The number of the round of a `repeat`.
    round: Option<u64>,
}

/// A mock in the middle of a conversation.
#[derive(Debug)]
pub(crate) struct Player {
    script: Arc<Script>,
    pub(crate) out: Output,
    input: Input,
    report: Option<Report>,
    pub(crate) desk: Desk,
    /// Requests of ours, and whether they are answered.
    asked: BTreeMap<u64, bool>,
    /// The sessions whose turns run, and whether they were cancelled; a turn waits for those that began after it.
    turns: Vec<(String, bool)>,
    /// Prompts that wait for the turn to end; version 2.
    held: VecDeque<(String, Value)>,
    /// Requests to close the session whose turn runs; answered behind it.
    closing: VecDeque<(String, Value)>,
    messages: u64,
    ended: bool,
}

impl Player {
    /// Sets it up.
    pub(crate) fn new(script: Script, report: Option<Report>) -> io::Result<Self> {
        let input = Input::start(script.ignores.contains(&Ignored::Eof))?;
        Ok(Self {
            out: Output::new(script.wire.clone()),
            desk: Desk::new(&script),
            script: Arc::new(script),
            input,
            report,
            asked: BTreeMap::new(),
            turns: Vec::new(),
            held: VecDeque::new(),
            closing: VecDeque::new(),
            messages: 0,
            ended: false,
        })
    }

    /// Plays to the end.
    pub(crate) fn play(mut self) -> i32 {
        let script = Arc::clone(&self.script);
        let mut here = Here {
            session: self.desk.next_session(),
            ..Here::default()
        };
        let Over(status) = match self.steps(&script.start, &mut here) {
            Err(over) => over,
            Ok(()) => self.pump(|_| false, None).err().unwrap_or(Over(0)),
        };
        if let Some(report) = &mut self.report {
            report.exit(status);
        }
        status
    }

    /// Whether the script lets this pass.
    pub(crate) fn accepts(&self, what: Accepted) -> bool {
        self.script.accepts.contains(&what)
    }

    /// Deals with what comes until this holds, or nothing comes for this long.
    fn pump(
        &mut self,
        until: impl Fn(&Self) -> bool,
        within: Option<Duration>,
    ) -> Result<(), Over> {
        while !until(self) {
            match self.input.next(within) {
                Came::Line(line) => self.take(&line)?,
                Came::Nothing => return Ok(()),
                Came::End => self.end()?,
            }
        }
        Ok(())
    }

    /// The client closed our input.
    fn end(&mut self) -> Result<(), Over> {
        if let Some(report) = &mut self.report {
            report.end();
        }
        let script = Arc::clone(&self.script);
        if !std::mem::replace(&mut self.ended, true) {
            self.steps(&script.eof, &mut Here::default())?;
        }
        if script.ignores.contains(&Ignored::Eof) {
            forever();
        }
        Err(Over(0))
    }
}

/// A member that is text; empty when it is not.
pub(crate) fn text(params: &Value, name: &str) -> String {
    params
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}
