//! Who watches a run: a person, or a script that reads records.

use std::{
    io::{self, Write as _},
    time::Duration,
};

use tokio::time::Instant;

use crate::{
    moment::{Moment, Outcome},
    output::{Answer, Style, Verbosity},
    record::Recorder,
    render::{Ink, Text},
};

/// The watcher of one run, with the clock that its times are taken from.
#[derive(Debug)]
pub(crate) struct View {
    started: Instant,
    style: Style,
    form: Form,
}

#[derive(Debug)]
enum Form {
    Text(Box<Text>),
    Json(Recorder),
}

impl View {
    /// Starts watching.
    pub(crate) fn new(out: Answer, style: &Style) -> Self {
        let form = if style.json {
            Form::Json(Recorder::new(out))
        } else {
            Form::Text(Box::new(Text::new(out, style.clone())))
        };
        Self {
            started: Instant::now(),
            style: style.clone(),
            form,
        }
    }

    /// The time since the start, as far as times are shown at all.
    pub(crate) fn at(&self) -> Option<Duration> {
        self.style.times.then(|| self.started.elapsed())
    }

    /// Whether nobody reads the answer any more.
    pub(crate) fn is_closed(&self) -> bool {
        match &self.form {
            Form::Text(text) => text.is_closed(),
            Form::Json(recorder) => recorder.is_closed(),
        }
    }

    /// Shows one moment.
    pub(crate) fn show(&mut self, moment: &Moment) -> io::Result<()> {
        let at = self.at();
        match &mut self.form {
            Form::Text(text) => text.show(at.unwrap_or_default(), moment),
            Form::Json(recorder) => recorder.write(moment.kind(), at, moment),
        }
    }

    /// Shows the end of a turn after which the talk goes on.
    pub(crate) fn end_turn(&mut self) -> io::Result<()> {
        let at = self.at().unwrap_or_default();
        match &mut self.form {
            Form::Text(text) => text.end_turn(at),
            Form::Json(_) => Ok(()),
        }
    }

    /// Shows the end: with `--json` the last line, whatever happened; a failure is told to people in both forms.
    pub(crate) fn finish(&mut self, outcome: &Outcome) -> io::Result<()> {
        let at = self.at();
        match &mut self.form {
            Form::Text(text) => text.finish(at.unwrap_or_default(), outcome),
            Form::Json(recorder) => {
                if let Some(failure) = &outcome.error {
                    // Words for a person who looks at stderr of a script that failed.
                    Text::new(Answer::none(), self.style.clone()).failure("✗ ", failure);
                }
                recorder.finish(at, outcome)
            }
        }
    }

    /// Says something on stderr that is no moment of the conversation.
    pub(crate) fn say(&mut self, level: Verbosity, line: &str) {
        match &mut self.form {
            Form::Text(text) => text.line(level, Ink::Plain, line),
            Form::Json(_) if self.style.verbosity >= level => {
                drop(writeln!(io::stderr(), "{line}"));
            }
            Form::Json(_) => {}
        }
    }

    /// Asks on stderr, with the cursor left behind the question.
    pub(crate) fn question(&mut self, question: &str) {
        match &mut self.form {
            Form::Text(text) => text.question(question),
            Form::Json(_) => {
                drop(write!(io::stderr(), "{question}").and_then(|()| io::stderr().flush()));
            }
        }
    }
}
