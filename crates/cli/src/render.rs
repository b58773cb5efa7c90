//! Text for people: the answer on stdout, what happens around it on stderr.

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    time::Duration,
};

use crate::{
    duration,
    moment::{Diff, Failure, Moment, Outcome, Plan, PlanEntry, Tool, Usage},
    output::{Answer, Style, Verbosity},
    safe,
};

/// How many changed lines of a diff are shown.
pub(crate) const DIFF_LINES: usize = 24;

/// Draws moments.
#[derive(Debug)]
pub(crate) struct Text {
    out: Answer,
    style: Style,
    /// Whether any of the answer was written.
    answered: bool,
    /// Whether the answer so far ends with a newline.
    at_line_start: bool,
    /// Whether something else happened since, so that the next piece of the answer is another message.
    next_message: bool,
    /// Whether the last line of stderr is an unfinished thought.
    thinking: bool,
    plan: Option<Plan>,
    /// When each running tool was first seen.
    running: BTreeMap<String, (Duration, Tool)>,
    /// What was decided about a tool, to be said with it.
    decided: BTreeMap<String, String>,
}

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

impl Text {
    /// Draws on this answer and on stderr.
    pub(crate) fn new(out: Answer, style: Style) -> Self {
        Self {
            out,
            style,
            answered: false,
            at_line_start: true,
            next_message: false,
            thinking: false,
            plan: None,
            running: BTreeMap::new(),
            decided: BTreeMap::new(),
        }
    }

    /// Whether nobody reads the answer any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.out.is_closed()
    }

    /// Draws one moment that happened at this time since the start.
    pub(crate) fn show(&mut self, at: Duration, moment: &Moment) -> io::Result<()> {
        // What stands between two pieces of text makes them two messages; what only reports on the side does not.
        self.next_message |= matches!(
            moment,
            Moment::Thought(_) | Moment::Tool(_) | Moment::Plan(_) | Moment::Permission(_)
        );
        match moment {
            Moment::AgentText(text) => return self.say(&text.text),
            Moment::Thought(text) => self.think(&text.text),
            Moment::Agent(agent) => {
                let mut line = format!("● {}", safe::line(&agent.name, 60));
                if let Some(version) = &agent.version {
                    line.push_str(&format!(" {}", safe::line(version, 40)));
                }
                line.push_str(&format!(" · ACP v{}", agent.protocol_version));
                if self.style.times {
                    line.push_str(&format!(" · started in {}", duration::show(at)));
                }
                self.line(Verbosity::Normal, Ink::Bold, &line);
                if !agent.narrower.is_empty() {
                    let list: Vec<String> = agent
                        .narrower
                        .iter()
                        .map(|path| safe::line(path, 80))
                        .collect();
                    self.line(
                        Verbosity::Phases,
                        Ink::Dim,
                        &format!(
                            "  this session is narrower than the agent: {}",
                            list.join(", ")
                        ),
                    );
                }
            }
            Moment::Session(session) => {
                let mode = session
                    .mode
                    .as_deref()
                    .map(|mode| format!(" · mode {}", safe::line(mode, 60)))
                    .unwrap_or_default();
                self.line(
                    Verbosity::Phases,
                    Ink::Dim,
                    &format!("  session {}{mode}", safe::line(&session.session_id, 80)),
                );
            }
            Moment::UserText(_) => {}
            Moment::Probe(findings) => {
                self.close();
                self.out.write(findings.text().as_bytes())?;
            }
            Moment::Tool(tool) => self.tool(at, tool),
            Moment::Plan(plan) => self.plan(plan),
            Moment::Permission(decision) => {
                let record = &decision.0;
                let verdict = if record.approved {
                    "allowed"
                } else if record.outcome == "selected" {
                    "denied"
                } else {
                    "cancelled"
                };
                let by = format!(
                    "{verdict} by {} ({})",
                    record.by,
                    safe::line(&record.why, 80)
                );
                let ink = if record.approved {
                    Ink::Good
                } else {
                    Ink::Warn
                };
                self.line(
                    Verbosity::Normal,
                    ink,
                    &format!(
                        "  ⚿ {}  {}  {by}",
                        record.kind,
                        safe::line(&record.title, 80)
                    ),
                );
                if let Some(id) = &record.tool_call {
                    self.decided
                        .insert(id.as_str().to_owned(), verdict.to_owned());
                }
            }
            Moment::Usage(usage) => self.line(
                Verbosity::Phases,
                Ink::Dim,
                &format!("  {}", context(usage)),
            ),
            Moment::Notice(notice) => {
                let level = if notice.raw.is_some() {
                    Verbosity::Normal
                } else {
                    Verbosity::Phases
                };
                self.line(
                    level,
                    Ink::Dim,
                    &format!(
                        "  · {}: {}",
                        safe::line(&notice.about, 60),
                        safe::line(&notice.text, 160)
                    ),
                );
            }
            Moment::Diagnostic(diagnostic) => {
                self.line(
                    Verbosity::Normal,
                    Ink::Warn,
                    &format!("  ! {}", safe::line(&diagnostic.message, 300)),
                );
            }
        }
        Ok(())
    }

    /// Draws the end.
    pub(crate) fn finish(&mut self, at: Duration, outcome: &Outcome) -> io::Result<()> {
        for (since, tool) in std::mem::take(&mut self.running).into_values() {
            self.tool_line(at.saturating_sub(since), &tool);
        }
        // A file or a pipe gets whole lines, too.
        if !self.at_line_start {
            self.out.write(b"\n")?;
            self.at_line_start = true;
        }
        if outcome.skipped_lines > 0 {
            let lines = if outcome.skipped_lines == 1 {
                "1 line"
            } else {
                &format!("{} lines", outcome.skipped_lines)
            };
            self.line(
                Verbosity::Normal,
                Ink::Warn,
                &format!("  ! {lines} on its stdout were no messages"),
            );
        }
        if let Some(failure) = &outcome.error
            && outcome.stop_reason.is_none()
        {
            self.failure("✗ ", failure);
            return Ok(());
        }
        let mut parts = vec![safe::line(
            outcome.stop_reason.as_deref().unwrap_or(outcome.outcome),
            60,
        )];
        if matches!(outcome.outcome, "denied" | "failed") {
            parts.push(outcome.outcome.to_owned());
        }
        if self.style.times {
            parts.push(duration::show(at));
        }
        if outcome.tools > 0 {
            parts.push(format!(
                "{} tool{}",
                outcome.tools,
                if outcome.tools == 1 { "" } else { "s" }
            ));
        }
        if let Some(usage) = &outcome.usage {
            parts.push(context(usage));
        }
        let (mark, ink) = if outcome.exit == 0 {
            ("✓", Ink::Good)
        } else {
            ("✗", Ink::Bad)
        };
        self.line(
            Verbosity::Normal,
            ink,
            &format!("{mark} {}", parts.join(" · ")),
        );
        if let Some(failure) = &outcome.error {
            self.failure("  ", failure);
        }
        Ok(())
    }

    /// Says why it failed: one line of ours, then what the agent said, its stderr, and what to do.
    pub(crate) fn failure(&mut self, mark: &str, failure: &Failure) {
        self.line(
            Verbosity::Quiet,
            Ink::Bad,
            &format!("{mark}{}", safe::line(&failure.message, 1_000)),
        );
        if let Some(said) = &failure.agent_said {
            self.line(
                Verbosity::Quiet,
                Ink::Plain,
                &format!("  the agent said: {}", safe::line(said, 600)),
            );
        }
        if let Some(stderr) = &failure.stderr {
            for line in stderr.lines() {
                self.line(
                    Verbosity::Quiet,
                    Ink::Dim,
                    &format!("  stderr: {}", safe::line(line, 400)),
                );
            }
        }
        if let Some(hint) = &failure.hint {
            self.line(
                Verbosity::Quiet,
                Ink::Plain,
                &format!("  hint: {}", safe::line(hint, 400)),
            );
        }
    }

    /// Writes a line to stderr, after whatever is unfinished there.
    pub(crate) fn line(&mut self, level: Verbosity, ink: Ink, line: &str) {
        if self.style.verbosity < level {
            return;
        }
        self.close();
        let line = self.paint(ink, line);
        // With stderr gone there is nobody left to tell.
        drop(writeln!(io::stderr(), "{line}"));
    }

    /// Writes a question to stderr and leaves the cursor behind it.
    pub(crate) fn question(&mut self, question: &str) {
        self.close();
        drop(write!(io::stderr(), "{question}").and_then(|()| io::stderr().flush()));
    }

    fn paint(&self, ink: Ink, text: &str) -> String {
        match ink.code() {
            code if self.style.color && !code.is_empty() => {
                format!("\u{1b}[{code}m{text}\u{1b}[0m")
            }
            _ => text.to_owned(),
        }
    }

    /// A piece of the answer. On a terminal it is made safe; a pipe gets what the agent said.
    fn say(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.end_thought();
        if std::mem::take(&mut self.next_message) && self.answered {
            self.out
                .write(if self.at_line_start { b"\n" } else { b"\n\n" })?;
        }
        if self.out.is_terminal() {
            self.out.write(safe::text(text).as_bytes())?;
        } else {
            self.out.write(text.as_bytes())?;
        }
        self.answered = true;
        self.at_line_start = text.ends_with('\n');
        Ok(())
    }

    fn think(&mut self, text: &str) {
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
        drop(write!(io::stderr(), "{text}"));
    }

    /// Ends what stands unfinished on either stream, so that a line of stderr begins at the left.
    fn close(&mut self) {
        self.end_thought();
        // A failure will show with the next piece of the answer.
        if !self.at_line_start && self.out.shares_stderr() {
            self.at_line_start = self.out.write(b"\n").is_ok();
        }
    }

    fn end_thought(&mut self) {
        if std::mem::take(&mut self.thinking) {
            drop(writeln!(io::stderr()));
        }
    }

    fn tool(&mut self, at: Duration, tool: &Tool) {
        let since = self.running.get(&tool.id).map(|(since, _)| *since);
        if tool.is_final {
            self.running.remove(&tool.id);
            self.tool_line(
                since.map_or(Duration::ZERO, |since| at.saturating_sub(since)),
                tool,
            );
        } else {
            if since.is_none() {
                let text = format!(
                    "  ⏵ {}  {}",
                    safe::line(&tool.kind, 20),
                    safe::line(&tool.title, 100)
                );
                self.line(Verbosity::Phases, Ink::Dim, &text);
            }
            self.running
                .insert(tool.id.clone(), (since.unwrap_or(at), tool.clone()));
        }
    }

    fn tool_line(&mut self, took: Duration, tool: &Tool) {
        let (added, removed) = tool.diffs.iter().fold((0, 0), |sum, diff| {
            (sum.0 + diff.added, sum.1 + diff.removed)
        });
        let mut parts = vec![format!(
            "  ⏺ {:<7}  {}",
            safe::line(&tool.kind, 20),
            safe::line(&tool.title, 100)
        )];
        if !tool.diffs.is_empty() {
            parts.push(format!("+{added} −{removed}"));
        }
        if self.style.times {
            parts.push(duration::show(took));
        }
        if tool.status != "completed" {
            parts.push(safe::line(&tool.status, 30));
        }
        parts.extend(self.decided.remove(&tool.id));
        let ink = if tool.status == "failed" {
            Ink::Bad
        } else {
            Ink::Plain
        };
        self.line(Verbosity::Normal, ink, &parts.join("  "));
        for line in tool
            .diffs
            .iter()
            .flat_map(|diff| &diff.lines)
            .take(DIFF_LINES)
        {
            let ink = if line.starts_with('+') {
                Ink::Good
            } else {
                Ink::Bad
            };
            self.line(
                Verbosity::Normal,
                ink,
                &format!("    {}", safe::line(line, 160)),
            );
        }
    }

    /// The whole plan at first, then what changed.
    fn plan(&mut self, plan: &Plan) {
        let before = self.plan.replace(plan.clone());
        for entry in &plan.entries {
            if before
                .as_ref()
                .is_none_or(|before| !before.entries.contains(entry))
            {
                self.line(Verbosity::Normal, Ink::Dim, &format!("  {}", step(entry)));
            }
        }
    }
}

fn step(entry: &PlanEntry) -> String {
    let mark = match entry.status.as_str() {
        "completed" => '☑',
        "in_progress" => '▣',
        _ => '☐',
    };
    format!("{mark} {}", safe::line(&entry.content, 160))
}

fn context(usage: &Usage) -> String {
    let number = |tokens: u64| match tokens {
        0..=999 => tokens.to_string(),
        1_000..=999_999 => format!("{}.{}k", tokens / 1_000, tokens % 1_000 / 100),
        _ => format!("{}.{}M", tokens / 1_000_000, tokens % 1_000_000 / 100_000),
    };
    let mut text = match (usage.used, usage.size.filter(|size| *size > 0)) {
        (Some(used), Some(size)) => format!("context {}/{}", number(used), number(size)),
        (Some(used), None) => format!("context {}", number(used)),
        (None, _) => String::from("context unknown"),
    };
    text.push_str(&match &usage.cost {
        Some(cost) => format!(
            " · cost {:.4} {}",
            cost.amount,
            safe::line(&cost.currency, 8)
        ),
        None => String::from(" · cost unknown"),
    });
    text
}

/// The change from one text to another: what is left between the common beginning and the common end.
pub(crate) fn diff(path: &str, old: Option<&str>, new: &str) -> Diff {
    let old: Vec<&str> = old.unwrap_or_default().lines().collect();
    let new: Vec<&str> = new.lines().collect();
    let start = old
        .iter()
        .zip(&new)
        .take_while(|(old, new)| old == new)
        .count();
    let longest = old.len().min(new.len()) - start;
    let end = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(longest)
        .take_while(|(old, new)| old == new)
        .count();
    let removed = old.get(start..old.len() - end).unwrap_or_default();
    let added = new.get(start..new.len() - end).unwrap_or_default();
    let lines = removed
        .iter()
        .map(|line| format!("-{line}"))
        .chain(added.iter().map(|line| format!("+{line}")));
    Diff {
        path: path.to_owned(),
        added: added.len(),
        removed: removed.len(),
        lines: lines.take(DIFF_LINES).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[track_caller]
    fn check(old: Option<&str>, new: &str, lines: &[&str]) {
        let diff = diff("f", old, new);
        assert_eq!(diff.lines, lines);
        assert_eq!(
            diff.added,
            lines.iter().filter(|line| line.starts_with('+')).count()
        );
        assert_eq!(
            diff.removed,
            lines.iter().filter(|line| line.starts_with('-')).count()
        );
    }

    #[test]
    fn what_changed_stands_between_what_did_not() {
        check(Some("a\nb\nc\n"), "a\nx\nc\n", &["-b", "+x"]);
        check(Some("a\na\n"), "a\n", &["-a"]);
        check(Some("a\n"), "a\na\n", &["+a"]);
        check(None, "one\ntwo\n", &["+one", "+two"]);
        check(Some(""), "", &[]);
        check(Some("same\n"), "same\n", &[]);
        check(Some("x\ny\n"), "", &["-x", "-y"]);
    }
}
