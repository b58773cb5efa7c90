//! `--format json`: one document at the end, with the answer and the result.

use std::{io, time::Duration};

use serde::Serialize;
use serde_json::Value;

use crate::{
    moment::{Moment, Outcome},
    output::Answer,
    record,
};

/// How much of the answers is kept until the end.
const MAX_BYTES: usize = 64 << 20;

/// The document while it is not written yet.
#[derive(Debug)]
pub(crate) struct Document {
    out: Answer,
    /// One for each turn.
    answers: Vec<String>,
    /// Whether what comes next of the answer is another message.
    next_message: bool,
    /// What may still be kept.
    room: usize,
    /// Whether something was left out.
    cut: bool,
    agent: Option<Value>,
    session: Option<Value>,
}

#[derive(Serialize)]
struct Line<'a> {
    v: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    t_ms: Option<u64>,
    /// The answer of the last turn.
    answer: &'a str,
    /// Those of all turns, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<&'a [String]>,
    /// The answers were too long, and end early.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
    agent: &'a Option<Value>,
    session: &'a Option<Value>,
    result: &'a Outcome,
}

impl Document {
    /// Writes to this answer, at the end.
    pub(crate) fn new(out: Answer) -> Self {
        Self {
            out,
            answers: vec![String::new()],
            next_message: false,
            room: MAX_BYTES,
            cut: false,
            agent: None,
            session: None,
        }
    }

    /// Keeps what will stand in it.
    pub(crate) fn show(&mut self, moment: &Moment) -> io::Result<()> {
        match moment {
            Moment::AgentText(text) => self.say(&text.text),
            Moment::Agent(agent) => self.agent = Some(serde_json::to_value(agent)?),
            Moment::Session(session) => self.session = Some(serde_json::to_value(session)?),
            moment if moment.parts() => self.next_message = true,
            _ => {}
        }
        Ok(())
    }

    fn say(&mut self, text: &str) {
        let Some(answer) = self.answers.last_mut() else {
            return;
        };
        if std::mem::take(&mut self.next_message) && !answer.is_empty() && !text.is_empty() {
            let space = if answer.ends_with('\n') { "\n" } else { "\n\n" };
            answer.push_str(space);
            self.room = self.room.saturating_sub(space.len());
        }
        let mut end = self.room.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let kept = text.get(..end).unwrap_or_default();
        if kept.len() < text.len() {
            // What comes after a gap would read as if there were none.
            self.cut = true;
            self.room = 0;
        }
        self.room -= kept.len().min(self.room);
        answer.push_str(kept);
    }

    /// What follows is the answer of the next turn.
    pub(crate) fn end_turn(&mut self) {
        self.answers.push(String::new());
        self.next_message = false;
    }

    /// Writes it.
    pub(crate) fn finish(&mut self, at: Option<Duration>, outcome: &Outcome) -> io::Result<()> {
        let mut line = serde_json::to_vec(&Line {
            v: record::VERSION,
            t_ms: at.map(|at| u64::try_from(at.as_millis()).unwrap_or(u64::MAX)),
            answer: self.answers.last().map_or("", String::as_str),
            answers: (self.answers.len() > 1).then_some(self.answers.as_slice()),
            cut: self.cut,
            agent: &self.agent,
            session: &self.session,
            result: outcome,
        })?;
        line.push(b'\n');
        self.out.write(&line)
    }
}

#[cfg(test)]
mod tests {
    use super::Document;
    use crate::output::Answer;

    #[test]
    fn a_long_answer_is_cut_between_characters_and_says_so() {
        let mut document = Document::new(Answer::none());
        document.room = 7;
        document.say("ab");
        document.next_message = true;
        document.say("cdé");
        document.say("f");
        assert_eq!(document.answers, ["ab\n\ncd"]);
        assert!(document.cut);
        let mut whole = Document::new(Answer::none());
        whole.say("one");
        whole.end_turn();
        whole.say("two\n");
        whole.next_message = true;
        whole.say("three");
        assert_eq!(whole.answers, ["one", "two\n\nthree"]);
        assert!(!whole.cut);
    }
}
