//! Text for people: the answer on stdout, what happens around it on stderr.

pub(crate) mod diff;
mod markdown;
mod screen;
mod tools;
pub(crate) mod words;

use std::{io, time::Duration};

pub(crate) use self::screen::Ink;
use self::{screen::Screen, tools::Tools};
use crate::{
    duration,
    moment::{Failure, Moment, Outcome, Plan},
    output::{Answer, Style, Verbosity},
    safe,
};

/// Draws moments.
#[derive(Debug)]
pub(crate) struct Text {
    screen: Screen,
    tools: Tools,
    plan: Option<Plan>,
}

impl Text {
    /// Draws on this answer and on stderr.
    pub(crate) fn new(out: Answer, style: Style) -> Self {
        Self {
            screen: Screen::new(out, style),
            tools: Tools::default(),
            plan: None,
        }
    }

    /// Whether nobody reads the answer any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.screen.is_closed()
    }

    /// Writes a line to stderr.
    pub(crate) fn line(&mut self, level: Verbosity, ink: Ink, line: &str) {
        self.screen.line(level, ink, line);
    }

    /// Writes a question to stderr and leaves the cursor behind it.
    pub(crate) fn question(&mut self, question: &str) {
        self.screen.question(question);
    }

    /// Draws one moment that happened at this time since the start.
    pub(crate) fn show(&mut self, at: Duration, moment: &Moment) -> io::Result<()> {
        let screen = &mut self.screen;
        match moment {
            Moment::AgentText(text) => return screen.say(&text.text),
            Moment::UserText(_) => {}
            Moment::Probe(findings) => return screen.document(&findings.text()),
            Moment::Data(data) => return screen.document(&data.text),
            Moment::Agent(agent) => {
                let took = screen.has_times().then_some(at);
                screen.line(Verbosity::Normal, Ink::Bold, &words::agent(agent, took));
                if !agent.narrower.is_empty() {
                    let list: Vec<_> = agent
                        .narrower
                        .iter()
                        .map(|path| safe::line(path, 80))
                        .collect();
                    let line = format!(
                        "  this session is narrower than the agent: {}",
                        list.join(", ")
                    );
                    screen.line(Verbosity::Phases, Ink::Dim, &line);
                }
            }
            Moment::Session(session) => {
                let mut line = format!("  session {}", safe::line(&session.session_id, 80));
                for (what, word) in [
                    ("model", &session.model),
                    ("effort", &session.effort),
                    ("mode", &session.mode),
                ] {
                    if let Some(word) = word {
                        line.push_str(&format!(" · {what} {}", safe::line(word, 60)));
                    }
                }
                screen.line(Verbosity::Phases, Ink::Dim, &line);
            }
            // What stands between two pieces of the answer makes them two messages.
            Moment::Thought(text) => {
                screen.end_message();
                screen.think(&text.text);
            }
            Moment::Tool(tool) => {
                screen.end_message();
                self.tools.show(screen, at, tool);
            }
            Moment::Plan(plan) => {
                screen.end_message();
                self.draw(plan);
            }
            Moment::Permission(decision) => {
                screen.end_message();
                let record = &decision.0;
                let ink = if record.approved {
                    Ink::Good
                } else {
                    Ink::Warn
                };
                screen.line(Verbosity::Normal, ink, &words::permission(record));
                if let Some(id) = &record.tool_call {
                    self.tools.decide(id.as_str(), words::verdict(record));
                }
            }
            Moment::Served(served) => {
                let (level, ink) = if served.is_news {
                    (Verbosity::Normal, Ink::Warn)
                } else {
                    (Verbosity::Phases, Ink::Dim)
                };
                screen.line(level, ink, &words::served(served));
            }
            // What only reports on the side does not.
            Moment::Usage(usage) => {
                screen.line(
                    Verbosity::Phases,
                    Ink::Dim,
                    &format!("  {}", words::usage(usage)),
                );
            }
            Moment::Notice(notice) => {
                let is_news = notice.raw.is_some();
                let level = if is_news {
                    Verbosity::Normal
                } else {
                    Verbosity::Phases
                };
                let (about, text) = (safe::line(&notice.about, 60), safe::line(&notice.text, 160));
                screen.line(level, Ink::Dim, &format!("  · {about}: {text}"));
            }
            Moment::News(news) => {
                let (about, text) = (safe::line(&news.about, 60), safe::line(&news.text, 600));
                screen.line(
                    Verbosity::Normal,
                    Ink::Warn,
                    &format!("  ! {about}: {text}"),
                );
            }
            Moment::Diagnostic(diagnostic) => {
                let line = format!("  ! {}", safe::line(&diagnostic.message, 300));
                screen.line(Verbosity::Normal, Ink::Warn, &line);
            }
        }
        Ok(())
    }

    /// The whole plan at first, then what changed.
    fn draw(&mut self, plan: &Plan) {
        let before = self.plan.replace(plan.clone());
        for entry in &plan.entries {
            if before
                .as_ref()
                .is_none_or(|before| !before.entries.contains(entry))
            {
                self.screen
                    .line(Verbosity::Normal, Ink::Dim, &words::step(entry));
            }
        }
    }

    /// Draws the end of a turn that is not the end of everything.
    pub(crate) fn end_turn(&mut self, at: Duration) -> io::Result<()> {
        self.tools.finish(&mut self.screen, at);
        self.plan = None;
        self.screen.end_answer()
    }

    /// Draws the end.
    pub(crate) fn finish(&mut self, at: Duration, outcome: &Outcome) -> io::Result<()> {
        self.tools.finish(&mut self.screen, at);
        self.screen.end_answer()?;
        match outcome.skipped_lines {
            0 => {}
            1 => self.warn("1 line on its stdout was no message"),
            many => self.warn(&format!("{many} lines on its stdout were no messages")),
        }
        let mark = if outcome.exit == 0 { "✓" } else { "✗" };
        match &outcome.error {
            Some(failure) if outcome.stop_reason.is_none() => {
                self.failure(&format!("{mark} "), failure);
            }
            failure => {
                let ink = if outcome.exit == 0 {
                    Ink::Good
                } else {
                    Ink::Bad
                };
                let line = format!("{mark} {}", self.summary(at, outcome));
                self.line(Verbosity::Normal, ink, &line);
                if let Some(failure) = failure {
                    self.failure("  ", failure);
                }
            }
        }
        Ok(())
    }

    fn warn(&mut self, line: &str) {
        self.line(Verbosity::Normal, Ink::Warn, &format!("  ! {line}"));
    }

    fn summary(&self, at: Duration, outcome: &Outcome) -> String {
        let reason = outcome.stop_reason.as_deref().unwrap_or(outcome.outcome);
        let mut parts = vec![safe::line(reason, 60)];
        if matches!(outcome.outcome, "denied" | "failed") {
            parts.push(outcome.outcome.to_owned());
        }
        if self.screen.has_times() {
            parts.push(duration::show(at));
        }
        match outcome.tools {
            0 => {}
            1 => parts.push(String::from("1 tool")),
            many => parts.push(format!("{many} tools")),
        }
        parts.extend(outcome.usage.as_ref().map(words::usage));
        parts.join(" · ")
    }

    /// Says why it failed: one line of ours, then what the agent said, its stderr, and what to do.
    pub(crate) fn failure(&mut self, mark: &str, failure: &Failure) {
        let line = format!("{mark}{}", safe::line(&failure.message, 1_000));
        self.line(Verbosity::Quiet, Ink::Bad, &line);
        if let Some(said) = &failure.agent_said {
            let line = format!("  the agent said: {}", safe::line(said, 600));
            self.line(Verbosity::Quiet, Ink::Plain, &line);
        }
        if let Some(details) = failure.details() {
            let line = format!("  details: {}", safe::line(&details, 600));
            self.line(Verbosity::Quiet, Ink::Plain, &line);
        }
        for line in failure.stderr.iter().flat_map(|stderr| stderr.lines()) {
            let line = format!("  stderr: {}", safe::line(line, 400));
            self.line(Verbosity::Quiet, Ink::Dim, &line);
        }
        let mut mark = "  hint: ";
        for line in failure.hint.iter().flat_map(|hint| hint.lines()) {
            self.line(
                Verbosity::Quiet,
                Ink::Plain,
                &format!("{mark}{}", safe::line(line, 400)),
            );
            mark = "    ";
        }
    }
}
