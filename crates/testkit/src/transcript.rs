//! Plays the agent's side of a recorded conversation.

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::script::{Script, Step};

#[derive(Deserialize)]
struct Line {
    dir: String,
    frame: String,
}

/// The members of a frame that are passed on as they were written.
#[derive(Deserialize)]
struct Members {
    params: Option<Box<RawValue>>,
    result: Option<Box<RawValue>>,
    error: Option<Box<RawValue>>,
}

impl Script {
    /// The agent's side of a transcript: one JSON object a line, `dir` (`out`: the client wrote
    /// it, `in`: the agent, `note`: neither) and `frame` (the line itself).
    ///
    /// A request or notification of the client becomes a step that waits for its method; a
    /// response of the agent goes to the request it answered then, whatever the id is now. The
    /// client's answers are waited for where they stood. A line of the client that was no
    /// message (some recordings misbehave on purpose) is passed over, with its answers.
    ///
    /// # Errors
    /// A line of the file that is not such an object.
    pub fn from_transcript(text: &str) -> Result<Self, serde_json::Error> {
        let mut script = Self::new();
        let mut requests: Vec<(Value, String)> = Vec::new();
        let mut asked: Vec<(Value, i64)> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let line: Line = serde_json::from_str(line)?;
            let frame: Option<Value> = serde_json::from_str(&line.frame).ok();
            match (line.dir.as_str(), frame) {
                ("out", Some(frame)) => script.client_wrote(&frame, &mut requests, &asked),
                ("in", Some(frame)) => {
                    script.agent_wrote(&line.frame, &frame, &requests, &mut asked);
                }
                ("in", None) => script.steps.push(Step::Line(line.frame)),
                _ => {}
            }
        }
        Ok(script)
    }

    fn client_wrote(
        &mut self,
        frame: &Value,
        requests: &mut Vec<(Value, String)>,
        asked: &[(Value, i64)],
    ) {
        let id = frame.get("id");
        if let Some(method) = frame.get("method").and_then(Value::as_str) {
            self.steps.push(Step::Expect(method.to_owned()));
            if let Some(id) = id {
                requests.push((id.clone(), method.to_owned()));
            }
        } else if let Some((_, own)) = asked.iter().find(|(theirs, _)| Some(theirs) == id) {
            self.steps.push(Step::ExpectAnswer(Some(*own)));
        }
    }

    fn agent_wrote(
        &mut self,
        line: &str,
        frame: &Value,
        requests: &[(Value, String)],
        asked: &mut Vec<(Value, i64)>,
    ) {
        let id = frame.get("id").cloned();
        let method = frame.get("method").and_then(Value::as_str);
        let members: Option<Members> = serde_json::from_str(line).ok();
        let step = match (method, id, members) {
            (Some(method), Some(id), Some(members)) => {
                let own = i64::try_from(asked.len()).unwrap_or(i64::MAX);
                asked.push((id, own));
                Step::Ask {
                    method: method.to_owned(),
                    params: members.params.unwrap_or_default(),
                }
            }
            (None, Some(id), Some(members)) => {
                answer(&id, members, requests).unwrap_or_else(|| Step::Line(line.to_owned()))
            }
            _ => Step::Line(line.to_owned()),
        };
        self.steps.push(step);
    }
}

/// The step that answers the request which had this id in the recording.
fn answer(id: &Value, members: Members, requests: &[(Value, String)]) -> Option<Step> {
    let at = requests.iter().rposition(|(known, _)| known == id)?;
    let (_, method) = requests.get(at)?;
    let nth = requests
        .iter()
        .take(at)
        .filter(|(_, earlier)| earlier == method)
        .count();
    let method = method.clone();
    match (members.result, members.error) {
        (_, Some(error)) => Some(Step::Answer {
            method,
            nth,
            member: "error".into(),
            value: error,
        }),
        (Some(result), None) => Some(Step::Answer {
            method,
            nth,
            member: "result".into(),
            value: result,
        }),
        (None, None) => None,
    }
}
