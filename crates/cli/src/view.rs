//! Who watches a run: a person, or a script that reads records.

mod document;
mod page;

use std::{io, time::Duration};

use tokio::time::Instant;

pub(crate) use self::document::Document;
use self::page::Page;
use crate::{
    lowargs::Format,
    moment::{Moment, Outcome},
    output::{self, Answer, Shared, Style, Verbosity},
    record::Recorder,
    render::{Ink, Text},
};

/// The watcher of one run, with the clock that its times are taken from.
#[derive(Debug)]
pub(crate) struct View {
    started: Instant,
    style: Style,
    form: Form,
    /// What a person sees on stderr beside a form that is not for people.
    beside: Option<Box<Text>>,
}

#[derive(Debug)]
enum Form {
    Text(Box<Text>),
    Json(Recorder),
    Document(Document),
    Page(Page),
    Wire(Shared),
}

impl View {
    /// Starts watching.
    pub(crate) fn new(out: Answer, style: &Style) -> Self {
        // One screen does not show everything twice.
        let shares_stderr = out.shares_stderr();
        let form = match style.format {
            _ if style.json => Form::Json(Recorder::new(out)),
            Format::Text | Format::Jsonl => Form::Text(Box::new(Text::new(out, style.clone()))),
            Format::Md => Form::Page(Page::new(out)),
            Format::Json => Form::Document(Document::new(out)),
            Format::Wire => Form::Wire(Shared::new(out)),
        };
        let has_reader = matches!(form, Form::Page(_)) && !shares_stderr;
        Self {
            started: Instant::now(),
            style: style.clone(),
            form,
            beside: has_reader.then(|| Box::new(Text::new(Answer::none(), style.clone()))),
        }
    }

    /// The time since the start, as far as times are shown at all.
    pub(crate) fn at(&self) -> Option<Duration> {
        self.style.times.then(|| self.started.elapsed())
    }

    /// Where the wire is written, if that is the answer.
    pub(crate) fn wire(&self) -> Option<Shared> {
        match &self.form {
            Form::Wire(out) => Some(out.clone()),
            _ => None,
        }
    }

    /// Whether nobody reads the answer any more.
    pub(crate) fn is_closed(&self) -> bool {
        match &self.form {
            Form::Text(text) => text.is_closed(),
            Form::Json(recorder) => recorder.is_closed(),
            Form::Document(_) => false,
            Form::Page(page) => page.is_closed(),
            Form::Wire(out) => out.is_closed(),
        }
    }

    /// Shows what is asked of the agent.
    pub(crate) fn prompt(&mut self, prompt: &str) -> io::Result<()> {
        match &mut self.form {
            Form::Page(page) => page.prompt(prompt),
            _ => Ok(()),
        }
    }

    /// Shows one moment.
    pub(crate) fn show(&mut self, moment: &Moment) -> io::Result<()> {
        let at = self.at();
        if let Some(text) = &mut self.beside {
            text.show(at.unwrap_or_default(), moment)?;
        }
        match &mut self.form {
            Form::Text(text) => text.show(at.unwrap_or_default(), moment),
            Form::Json(recorder) => recorder.write(moment.kind(), at, moment),
            Form::Document(document) => document.show(moment),
            Form::Page(page) => page.show(moment),
            Form::Wire(_) => Ok(()),
        }
    }

    /// Shows the end of a turn after which the talk goes on.
    pub(crate) fn end_turn(&mut self) -> io::Result<()> {
        let at = self.at().unwrap_or_default();
        if let Some(text) = &mut self.beside {
            text.end_turn(at)?;
        }
        match &mut self.form {
            Form::Text(text) => text.end_turn(at),
            Form::Document(document) => {
                document.end_turn();
                Ok(())
            }
            Form::Page(page) => page.end_turn(),
            Form::Json(_) | Form::Wire(_) => Ok(()),
        }
    }

    /// Shows the end, whatever happened: records and documents have it last. A failure is told to people in every form.
    pub(crate) fn finish(&mut self, outcome: &Outcome) -> io::Result<()> {
        let at = self.at();
        match (&mut self.form, &mut self.beside) {
            (Form::Text(text), _) => return text.finish(at.unwrap_or_default(), outcome),
            (_, Some(text)) => text.finish(at.unwrap_or_default(), outcome)?,
            (_, None) => {
                if let Some(failure) = &outcome.error {
                    // Words for a person who looks at stderr of a script that failed.
                    Text::new(Answer::none(), self.style.clone()).failure("✗ ", failure);
                }
            }
        }
        match &mut self.form {
            Form::Text(_) | Form::Wire(_) => Ok(()),
            Form::Json(recorder) => recorder.finish(at, outcome),
            Form::Document(document) => document.finish(at, outcome),
            Form::Page(page) => page.finish(at, outcome),
        }
    }

    /// Who draws for people, if anybody does.
    fn text(&mut self) -> Option<&mut Text> {
        match &mut self.form {
            Form::Text(text) => Some(text),
            _ => self.beside.as_deref_mut(),
        }
    }

    /// Says something on stderr that is no moment of the conversation.
    pub(crate) fn say(&mut self, level: Verbosity, line: &str) {
        let is_said = self.style.verbosity >= level;
        match self.text() {
            Some(text) => text.line(level, Ink::Plain, line),
            None if is_said => output::tell(&format!("{line}\n")),
            None => {}
        }
    }

    /// Asks on stderr, with the cursor left behind the question.
    pub(crate) fn question(&mut self, question: &str) {
        match self.text() {
            Some(text) => text.question(question),
            None => output::tell(question),
        }
    }
}
