//! `--format md`: the run as a page of Markdown: the prompt, what was thought and done, the answer, how it ended.
//!
//! What the agent answers is Markdown already and stands as it came; its other words are made harmless: a title opens no list, and
//! a changed line closes no fence.

use std::{collections::BTreeMap, io, time::Duration};

use crate::{
    duration,
    moment::{AgentUp, Moment, Outcome, Plan, Tool},
    output::Answer,
    render::words,
    safe,
};

/// How many running calls are remembered.
const MAX_REMEMBERED: usize = 1_024;

/// The page as far as it is written.
#[derive(Debug)]
pub(crate) struct Page {
    out: Answer,
    /// Who answers, for the headings.
    agent: String,
    part: Part,
    at_line_start: bool,
    /// Calls that are not over.
    running: BTreeMap<String, Tool>,
    plan: Option<Plan>,
}

/// What is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Nothing,
    Heading,
    Answer,
    Thought,
    List,
}

impl Page {
    /// Writes to this answer.
    pub(crate) fn new(out: Answer) -> Self {
        Self {
            out,
            agent: String::from("Agent"),
            part: Part::Nothing,
            at_line_start: true,
            running: BTreeMap::new(),
            plan: None,
        }
    }

    /// Whether nobody reads it any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.out.is_closed()
    }

    /// Begins a turn.
    pub(crate) fn prompt(&mut self, prompt: &str) -> io::Result<()> {
        self.part(Part::Heading)?;
        self.write("## Prompt\n\n")?;
        self.write(prompt.trim_end())?;
        self.part(Part::Nothing)?;
        let heading = format!("## {}", self.agent);
        self.part(Part::Heading)?;
        self.write(&heading)
    }

    /// Writes what belongs on the page.
    pub(crate) fn show(&mut self, moment: &Moment) -> io::Result<()> {
        match moment {
            Moment::Agent(agent) => {
                self.agent = named(agent);
                Ok(())
            }
            Moment::AgentText(text) if !text.text.is_empty() => {
                self.part(Part::Answer)?;
                self.write(&text.text)
            }
            Moment::Thought(text) if !text.text.is_empty() => {
                if self.part != Part::Thought {
                    self.part(Part::Thought)?;
                    self.write("> ")?;
                }
                self.write(&text.text.replace('\n', "\n> "))
            }
            Moment::Plan(plan) => self.plan(plan),
            Moment::Tool(tool) if tool.is_final => {
                self.running.remove(&tool.id);
                self.tool(tool)
            }
            Moment::Tool(tool) => {
                if self.running.len() >= MAX_REMEMBERED {
                    self.running.pop_first();
                }
                self.running.insert(tool.id.clone(), tool.clone());
                Ok(())
            }
            Moment::Permission(decision) => {
                let record = &decision.0;
                self.item(&format!(
                    "asked to {} {}: {} by {}",
                    plain(&record.kind.to_string()),
                    plain(&record.title),
                    words::verdict(record),
                    plain(&record.by)
                ))
            }
            Moment::Data(data) if !data.text.is_empty() => {
                self.part(Part::Answer)?;
                self.write(&data.text)
            }
            _ => Ok(()),
        }
    }

    /// Ends a turn after which the talk goes on.
    pub(crate) fn end_turn(&mut self) -> io::Result<()> {
        for tool in std::mem::take(&mut self.running).into_values() {
            self.tool(&tool)?;
        }
        self.plan = None;
        self.part(Part::Nothing)
    }

    /// Says how it ended.
    pub(crate) fn finish(&mut self, at: Option<Duration>, outcome: &Outcome) -> io::Result<()> {
        self.end_turn()?;
        let mut parts = vec![plain(
            outcome.stop_reason.as_deref().unwrap_or(outcome.outcome),
        )];
        if let Some(failure) = &outcome.error {
            parts.push(plain(&failure.message));
        }
        parts.extend(at.map(duration::show));
        parts.extend(
            outcome
                .usage
                .as_ref()
                .map(|usage| plain(&words::usage(usage))),
        );
        self.part(Part::Heading)?;
        self.write(&format!("*{}*\n", parts.join(" · ")))
    }

    fn plan(&mut self, plan: &Plan) -> io::Result<()> {
        let before = self.plan.replace(plan.clone());
        for entry in &plan.entries {
            let is_done = entry.status == "completed";
            let before = before.iter().flat_map(|before| &before.entries);
            let known = before
                .filter(|before| before.content == entry.content)
                .any(|before| (before.status == "completed") == is_done);
            if !known {
                let mark = if is_done { 'x' } else { ' ' };
                self.item(&format!("[{mark}] {}", plain(&entry.content)))?;
            }
        }
        Ok(())
    }

    fn tool(&mut self, tool: &Tool) -> io::Result<()> {
        let mut line = format!("**{}** {}", plain(&tool.kind), plain(&tool.title));
        if tool.status != "completed" {
            line.push_str(&format!(" ({})", plain(&tool.status)));
        }
        self.item(&line)?;
        for diff in tool.diffs.iter().filter(|diff| !diff.lines.is_empty()) {
            let fence = fence(&diff.lines);
            self.write(&format!("  {fence}diff\n"))?;
            for line in &diff.lines {
                self.write(&format!("  {}\n", safe::line(line, 400)))?;
            }
            self.write(&format!("  {fence}\n"))?;
        }
        Ok(())
    }

    fn item(&mut self, text: &str) -> io::Result<()> {
        if self.part != Part::List {
            self.part(Part::List)?;
        }
        self.write(&format!("- {text}\n"))
    }

    /// Goes on with another part, an empty line below the last one.
    fn part(&mut self, part: Part) -> io::Result<()> {
        if self.part == part && part != Part::Heading {
            return Ok(());
        }
        let before = std::mem::replace(&mut self.part, part);
        if before == Part::Nothing {
            return Ok(());
        }
        let end = if self.at_line_start { "\n" } else { "\n\n" };
        self.write(end)
    }

    /// Writes. On a terminal it is made safe; a pipe gets what the agent said.
    fn write(&mut self, text: &str) -> io::Result<()> {
        if let Some(last) = text.chars().next_back() {
            self.at_line_start = last == '\n';
        }
        if self.out.is_terminal() {
            self.out.write(safe::text(text).as_bytes())
        } else {
            self.out.write(text.as_bytes())
        }
    }
}

fn named(agent: &AgentUp) -> String {
    let name = plain(&agent.name);
    match &agent.version {
        Some(version) => format!("{name} {}", plain(version)),
        None => name,
    }
}

/// One line in which nothing is markup.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in safe::line(text, 400).chars() {
        if matches!(
            c,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A fence that none of these lines closes.
fn fence(lines: &[String]) -> String {
    let longest = lines
        .iter()
        .flat_map(|line| line.split(|c| c != '`'))
        .map(str::len)
        .max();
    "`".repeat(longest.unwrap_or_default().max(2) + 1)
}

#[cfg(test)]
mod tests {
    use super::{fence, plain};

    #[test]
    fn words_of_an_agent_are_no_markup() {
        assert_eq!(plain("a *b* `c`\n# d"), "a \\*b\\* \\`c\\`⏎\\# d");
        assert_eq!(plain("src/lib.rs"), "src/lib.rs");
    }

    #[test]
    fn a_fence_is_longer_than_what_stands_in_it() {
        let of = |lines: &[&str]| fence(&lines.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(of(&["+a"]), "```");
        assert_eq!(of(&["+```rust", "-`"]), "````");
        assert_eq!(of(&[]), "```");
    }
}
