//! What an agent says, in the shape of the version that is spoken, and what a proper one says by itself.

use serde_json::Value;

use super::{Here, Over, Player};
use crate::mock::{script::Step, shape::Version};

impl Player {
    /// An update of a session.
    pub(crate) fn update(&mut self, session: &str, update: &str) -> Result<(), Over> {
        let json = format!(
            r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"{session}","update":{update}}}}}"#
        );
        Ok(self.out.message(&json)?)
    }

    /// A piece of the answer.
    pub(crate) fn say(&mut self, here: &mut Here, said: &str) -> Result<(), Over> {
        self.begin(here)?;
        self.desk.said(&here.session, said);
        let message = format!("a{}", self.messages);
        let chunk = self.desk.version().chunk("agent_message", &message, said);
        self.update(&here.session, &chunk)
    }

    /// Answers the request at hand; a notification has nothing to answer.
    pub(crate) fn answer(&mut self, here: &mut Here, member: &str, json: &str) -> Result<(), Over> {
        here.answered = true;
        if here.method == "initialize" && member == "result" {
            self.desk.agree(here);
            self.note("initialize");
        }
        if here.method == "session/prompt"
            && (self.desk.version() == Version::One || member == "error")
        {
            here.over = true;
        }
        match &here.id {
            Some(id) => Ok(self.out.answer(id, &format!("\"{member}\":{json}"))?),
            None => Ok(()),
        }
    }

    /// Refuses the request at hand.
    pub(crate) fn refuse(&mut self, here: &mut Here, refusal: &str) -> Result<(), Over> {
        self.answer(here, "error", refusal)
    }

    /// Version 2: the prompt is in the conversation, and work on it has begun.
    pub(super) fn begin(&mut self, here: &mut Here) -> Result<(), Over> {
        if here.method != "session/prompt" || here.answered || self.desk.version() == Version::One {
            return Ok(());
        }
        self.messages += 1;
        let message = format!("u{}", self.messages);
        self.update(
            &here.session,
            r#"{"sessionUpdate":"state_update","state":"running"}"#,
        )?;
        let content = here.params.get("prompt").cloned().unwrap_or_default();
        self.update(
            &here.session,
            &format!(
                r#"{{"sessionUpdate":"user_message","messageId":"{message}","content":{content}}}"#
            ),
        )?;
        self.answer(here, "result", &format!(r#"{{"messageId":"{message}"}}"#))
    }

    /// Ends the turn.
    pub(crate) fn stop(&mut self, here: &mut Here, reason: &str) -> Result<(), Over> {
        self.begin(here)?;
        here.over = true;
        self.note("stop");
        let reason = Value::from(reason);
        match self.desk.version() {
            Version::One => self.answer(here, "result", &format!(r#"{{"stopReason":{reason}}}"#)),
            Version::Two => self.update(
                &here.session,
                &format!(
                    r#"{{"sessionUpdate":"state_update","state":"idle","stopReason":{reason}}}"#
                ),
            ),
        }
    }

    /// Notes for the report what is said.
    pub(super) fn note(&mut self, said: &str) {
        if let Some(report) = &mut self.report {
            report.said(said);
        }
    }

    pub(super) fn ask(&mut self, here: &mut Here, options: &str) -> Result<(), Over> {
        self.note(&format!("ask {options}"));
        self.begin(here)?;
        let id = self.asked.len() as u64;
        self.asked.insert(id, false);
        let params = self.desk.version().permission(&here.session, options);
        let json = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"session/request_permission","params":{params}}}"#
        );
        Ok(self.out.message(&json)?)
    }

    /// What a good agent does.
    pub(super) fn properly(&mut self, here: &mut Here) -> Result<(), Over> {
        if here.method == "session/prompt" {
            return self.turn_properly(here);
        }
        let reply = self.desk.reply(here, &self.script);
        for update in reply.updates {
            let session = here.session.clone();
            self.update(&session, &update)?;
        }
        match reply.outcome {
            Ok(result) => self.answer(here, "result", &result),
            Err(refusal) => self.refuse(here, &refusal),
        }
    }

    /// A turn that does what its prompt says: it asks for a permission where that word is in it, and takes its time where it is to
    /// be slow.
    pub(super) fn turn_properly(&mut self, here: &mut Here) -> Result<(), Over> {
        let prompt = here
            .params
            .get("prompt")
            .map(prompt_text)
            .unwrap_or_default();
        let steps = if prompt.contains("permission") {
            vec![
                Step::Say(String::from("May I? ")),
                Step::Ask(String::from(Version::OFFERED)),
                Step::Answers,
                Step::Say(String::from("That is settled.\n")),
                Step::Stop(String::from("end_turn")),
            ]
        } else if prompt.contains("slowly") {
            vec![
                Step::Say(String::from("One. ")),
                Step::Cancelled,
                Step::Stop(String::from("end_turn")),
            ]
        } else {
            vec![
                Step::Say(String::from("The answer ")),
                Step::Say(String::from("is 42.\n")),
                Step::Stop(String::from("end_turn")),
            ]
        };
        self.desk.asked(&here.session, &prompt);
        self.steps(&steps, here)
    }
}

/// The text blocks of a prompt.
fn prompt_text(prompt: &Value) -> String {
    let blocks = prompt.as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = blocks
        .iter()
        .filter_map(|block| block.get("text").and_then(Value::as_str));
    texts.collect::<Vec<_>>().join("\n")
}
