//! The two streams as a person sees them: what stands unfinished where, and what has to come first.
//!
//! When one screen (or one log) shows both, a line of stderr begins at the left and never in the middle of the answer.

use std::io;

use super::markdown::Markdown;
use crate::{
    output::{self, Answer, Style, Verbosity},
    safe,
};

/// What a piece of text looks like.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ink {
    Plain,
    Dim,
    Good,
    Bad,
    Warn,
    Bold,
}

impl Ink {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Dim => "2",
            Self::Good => "32",
            Self::Bad => "31",
            Self::Warn => "33",
            Self::Bold => "1",
        }
    }
}

/// The answer on its stream, and stderr.
#[derive(Debug)]
pub(crate) struct Screen {
    out: Answer,
    style: Style,
    /// How the answer is styled, if it is.
    markdown: Option<Markdown>,
    /// Whether any of the answer was written.
    answered: bool,
    /// Whether the answer so far ends with a newline.
    at_line_start: bool,
    /// Whether the next piece of the answer is another message.
    next_message: bool,
    /// Whether the last line of stderr is an unfinished thought.
    thinking: bool,
}

impl Screen {
    pub(crate) fn new(out: Answer, style: Style) -> Self {
        let is_styled = style.markdown && style.color && out.is_terminal();
        Self {
            out,
            style,
            markdown: is_styled.then(Markdown::new),
            answered: false,
            at_line_start: true,
            next_message: false,
            thinking: false,
        }
    }

    /// Whether nobody reads the answer any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.out.is_closed()
    }

    /// Whether times are shown.
    pub(crate) fn has_times(&self) -> bool {
        self.style.times
    }

    /// What comes next of the answer is another message.
    pub(crate) fn end_message(&mut self) {
        self.next_message = true;
        // A failure will show with the next piece of the answer.
        drop(self.give_out(Markdown::finish));
    }

    /// A piece of the answer. On a terminal it is made safe; a pipe gets what the agent said.
    pub(crate) fn say(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.end_thought();
        if std::mem::take(&mut self.next_message) && self.answered {
            self.out
                .write(if self.at_line_start { b"\n" } else { b"\n\n" })?;
        }
        if self.out.is_terminal() {
            let text = safe::text(text);
            match &mut self.markdown {
                Some(markdown) => self.out.write(markdown.feed(&text).as_bytes())?,
                None => self.out.write(text.as_bytes())?,
            }
        } else {
            self.out.write(text.as_bytes())?;
        }
        self.answered = true;
        self.at_line_start = text.ends_with('\n');
        Ok(())
    }

    /// A document of our own instead of an answer.
    pub(crate) fn document(&mut self, text: &str) -> io::Result<()> {
        self.close();
        self.out.write(text.as_bytes())
    }

    /// A file or a pipe gets whole lines, too.
    pub(crate) fn end_answer(&mut self) -> io::Result<()> {
        self.give_out(Markdown::finish)?;
        if !self.at_line_start {
            self.out.write(b"\n")?;
            self.at_line_start = true;
        }
        Ok(())
    }

    /// A piece of a thought, on stderr.
    pub(crate) fn think(&mut self, text: &str) {
        if self.style.verbosity < Verbosity::Normal || text.is_empty() {
            return;
        }
        if !self.thinking {
            self.close();
        }
        let prefix = if self.thinking { "" } else { "  ✻ " };
        self.thinking = true;
        let text = safe::text(text).replace('\n', "\n    ");
        let text = self.paint(Ink::Dim, &format!("{prefix}{text}"));
        output::tell(&text);
    }

    /// Writes a line to stderr, after whatever is unfinished there.
    pub(crate) fn line(&mut self, level: Verbosity, ink: Ink, line: &str) {
        if self.style.verbosity < level {
            return;
        }
        self.close();
        let line = self.paint(ink, line);
        output::tell(&format!("{line}\n"));
    }

    /// Writes a question to stderr and leaves the cursor behind it.
    pub(crate) fn question(&mut self, question: &str) {
        self.close();
        output::tell(question);
    }

    fn paint(&self, ink: Ink, text: &str) -> String {
        match ink.code() {
            code if self.style.color && !code.is_empty() => {
                format!("\u{1b}[{code}m{text}\u{1b}[0m")
            }
            _ => text.to_owned(),
        }
    }

    /// Ends what stands unfinished, so that a line of stderr begins at the left.
    fn close(&mut self) {
        self.end_thought();
        // A failure will show with the next piece of the answer.
        if !self.at_line_start && self.out.shares_stderr() {
            let settled = self.give_out(Markdown::settle);
            self.at_line_start = settled.and_then(|()| self.out.write(b"\n")).is_ok();
        }
    }

    /// Writes what was held back of the answer.
    fn give_out(&mut self, held: impl FnOnce(&mut Markdown) -> String) -> io::Result<()> {
        match self.markdown.as_mut().map(held) {
            Some(text) if !text.is_empty() => self.out.write(text.as_bytes()),
            _ => Ok(()),
        }
    }

    fn end_thought(&mut self) {
        if std::mem::take(&mut self.thinking) {
            output::tell("\n");
        }
    }
}
