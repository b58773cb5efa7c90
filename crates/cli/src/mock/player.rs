//! Plays a script: reads what the client says, does what the script has for it, and the proper thing where it has nothing.

use std::{
    collections::{BTreeMap, VecDeque},
    env, io,
    io::Write as _,
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};

use serde_json::Value;

use super::{
    desk::Desk,
    input::{Came, Input, forever, wait},
    output::Output,
    report::Report,
    script::{Accepted, Ignored, Repeat, Script, Step},
    shape::{Version, error},
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

    fn take(&mut self, line: &[u8]) -> Result<(), Over> {
        if let Some(report) = &mut self.report {
            report.line(line);
        }
        if line.is_empty() {
            return Ok(());
        }
        let message = match serde_json::from_slice::<Value>(line) {
            Ok(Value::Object(message)) => message,
            Ok(_) => return self.garbage(-32600, "not a message"),
            Err(_) => return self.garbage(-32700, "not JSON"),
        };
        let member = |name: &str| message.get(name).cloned();
        let id = member("id");
        let Some(method) = member("method") else {
            if let Some(asked) = id
                .as_ref()
                .and_then(Value::as_u64)
                .and_then(|id| self.asked.get_mut(&id))
                && (message.contains_key("result") || message.contains_key("error"))
            {
                *asked = true;
                return Ok(());
            }
            return if message.contains_key("result") || message.contains_key("error") {
                Ok(())
            } else {
                self.garbage(-32600, "neither a request nor a response")
            };
        };
        let (Some(method), true) = (
            method.as_str(),
            member("jsonrpc").is_some_and(|version| version == "2.0"),
        ) else {
            return self.garbage(-32600, "not JSON-RPC 2.0");
        };
        let params = member("params").unwrap_or_default();
        let is_id = |id: &Value| match id {
            Value::String(_) => true,
            Value::Number(number) => number.is_i64() || number.is_u64(),
            Value::Null => self.desk.version() == Version::One,
            _ => false,
        };
        if !id.as_ref().is_none_or(is_id) {
            return self.garbage(-32600, "no id");
        }
        match id {
            None => self.notified(method, &params),
            Some(id) => self.requested(method, id.to_string(), params),
        }
    }

    /// Cancels the turn of a session; `false` when none runs.
    fn cancel(&mut self, session: &str) -> bool {
        let turn = self
            .turns
            .iter_mut()
            .find(|(running, _)| running == session);
        match turn {
            Some((_, cancelled)) => {
                *cancelled = true;
                true
            }
            None => false,
        }
    }

    fn is_cancelled(&self, session: &str) -> bool {
        self.turns
            .iter()
            .any(|(running, cancelled)| running == session && *cancelled)
    }

    fn garbage(&mut self, code: i32, message: &str) -> Result<(), Over> {
        if self.accepts(Accepted::Garbage) {
            return Ok(());
        }
        let script = Arc::clone(&self.script);
        if !script.garbage.is_empty() {
            return self.steps(&script.garbage, &mut Here::default());
        }
        let json = format!(
            r#"{{"jsonrpc":"2.0","id":null,"error":{}}}"#,
            error(code, message, "")
        );
        Ok(self.out.message(&json)?)
    }

    fn notified(&mut self, method: &str, params: &Value) -> Result<(), Over> {
        let session = text(params, "sessionId");
        if method == "session/cancel" {
            self.cancel(&session);
            if !self.script.ignores.contains(&Ignored::Cancel) {
                let (dropped, kept) = std::mem::take(&mut self.held)
                    .into_iter()
                    .partition(|(_, params)| text(params, "sessionId") == session);
                self.held = kept;
                let dropped: VecDeque<(String, Value)> = dropped;
                for (id, _) in dropped {
                    self.drop_prompt(&id)?;
                }
            }
        }
        if method == "$/cancel_request" {
            let withdrawn = params.get("requestId").map(Value::to_string);
            let at = self
                .held
                .iter()
                .position(|(id, _)| Some(id) == withdrawn.as_ref());
            if let Some((id, _)) = at.and_then(|at| self.held.remove(at)) {
                self.drop_prompt(&id)?;
            }
        }
        let script = Arc::clone(&self.script);
        let mut here = Here {
            method: method.to_owned(),
            session,
            ..Here::default()
        };
        for part in [&script.before, &script.instead, &script.after] {
            if let Some(steps) = part.get(method) {
                self.steps(steps, &mut here)?;
            }
        }
        Ok(())
    }

    /// A prompt that waited is not to begin any more.
    fn drop_prompt(&mut self, id: &str) -> Result<(), Over> {
        let outcome = error(-32800, "cancelled before it began", "");
        Ok(self.out.answer(id, &format!("\"error\":{outcome}"))?)
    }

    fn requested(&mut self, method: &str, id: String, params: Value) -> Result<(), Over> {
        let is_prompt = method == "session/prompt";
        let script = Arc::clone(&self.script);
        let named = text(&params, "sessionId");
        if method == "session/close" && self.cancel(&named) {
            self.closing.push_back((id, params));
            return Ok(());
        }
        if is_prompt && self.turns.iter().any(|(running, _)| *running == named) {
            if !script.busy.is_empty() {
                let mut here = Here {
                    id: Some(id),
                    ..Here::default()
                };
                return self.steps(&script.busy, &mut here);
            }
            if self.desk.version() == Version::Two {
                self.held.push_back((id, params));
                return Ok(());
            }
            let refusal = error(-32600, "a turn of this session is running", "");
            return Ok(self.out.answer(&id, &format!("\"error\":{refusal}"))?);
        }
        let session = match params.get("sessionId").and_then(Value::as_str) {
            Some(session) => session.to_owned(),
            None => self.desk.next_session(),
        };
        let mut here = Here {
            method: method.to_owned(),
            id: Some(id),
            params,
            session,
            ..Here::default()
        };
        if let Err(refusal) = self.desk.admit(&here, &script) {
            self.steps(
                script.before.get(method).map_or(&[], Vec::as_slice),
                &mut here,
            )?;
            return self.refuse(&mut here, &refusal);
        }
        if is_prompt {
            self.turns.push((here.session.clone(), false));
            self.note("turn");
        }
        for (part, is_answer) in [
            (&script.before, false),
            (&script.instead, true),
            (&script.after, false),
        ] {
            match part.get(method) {
                Some(steps) => self.steps(steps, &mut here)?,
                None if is_answer => self.properly(&mut here)?,
                None => {}
            }
            if is_prompt && is_answer {
                self.turns.pop();
                here.over = false;
            }
        }
        while is_prompt && let Some((id, params)) = self.closing.pop_front() {
            self.requested("session/close", id, params)?;
        }
        if is_prompt && let Some((id, params)) = self.held.pop_front() {
            return self.requested(method, id, params);
        }
        Ok(())
    }

    /// Does these things one after the other, and looks up between them: a turn that was cancelled ends.
    fn steps(&mut self, steps: &[Step], here: &mut Here) -> Result<(), Over> {
        for step in steps {
            if here.over {
                return Ok(());
            }
            self.step(step, here)?;
            self.look_up(here)?;
        }
        Ok(())
    }

    fn look_up(&mut self, here: &mut Here) -> Result<(), Over> {
        if here.method != "session/prompt" || here.over {
            return Ok(());
        }
        while let Came::Line(line) = self.input.next(Some(Duration::ZERO)) {
            self.take(&line)?;
        }
        let heeds = !self.script.ignores.contains(&Ignored::Cancel);
        if heeds && self.is_cancelled(&here.session) {
            self.stop(here, "cancelled")?;
        }
        Ok(())
    }

    fn step(&mut self, step: &Step, here: &mut Here) -> Result<(), Over> {
        match step {
            Step::Line(line) => self.out.message(&fill_in(line, here))?,
            Step::Write(text) => self.out.bytes(fill_in(text, here).as_bytes())?,
            Step::Bytes(bytes) => self.out.bytes(bytes)?,
            Step::Fill(count) => self.out.bytes(&vec![b'x'; *count])?,
            Step::Say(said) => self.say(here, &fill_in(said, here))?,
            Step::SayBytes(count) => self.say(here, &"x".repeat(*count))?,
            Step::Update(update) => {
                self.begin(here)?;
                self.update(&here.session, &fill_in(update, here))?;
            }
            Step::Result(result) => {
                let result = fill_in(result, here);
                self.answer(here, "result", &result)?;
            }
            Step::Error(refusal) => {
                let refusal = fill_in(refusal, here);
                self.answer(here, "error", &refusal)?;
            }
            Step::Stop(reason) => self.stop(here, reason)?,
            Step::Ask(options) => self.ask(here, options)?,
            Step::Answers => {
                let session = here.session.clone();
                let done = |player: &Self| {
                    player.asked.values().all(|answered| *answered) || player.is_cancelled(&session)
                };
                self.pump(done, None)?;
            }
            Step::Properly => self.properly(here)?,
            Step::Pause(millis) => self.pump(|_| false, Some(Duration::from_millis(*millis)))?,
            Step::Wait(millis) => wait(Duration::from_millis(*millis)),
            Step::Cancelled => {
                let session = here.session.clone();
                self.pump(|player| player.is_cancelled(&session), None)?;
            }
            Step::Silence => loop {
                match self.input.next(None) {
                    Came::End => self.end()?,
                    Came::Line(line) => {
                        if let Some(report) = &mut self.report {
                            report.line(&line);
                        }
                    }
                    Came::Nothing => {}
                }
            },
            Step::StopReading => self.input.stop(),
            Step::Exit(status) => return Err(Over(*status)),
            Step::Abort => std::process::abort(),
            Step::Stderr(text) => drop(io::stderr().write_all(text.as_bytes())),
            Step::StderrBytes(count) => {
                let line = format!("{}\n", "e".repeat(99));
                for _ in 0..count.div_ceil(line.len()) {
                    // With stderr gone there is nobody to tell.
                    drop(io::stderr().write_all(line.as_bytes()));
                }
            }
            Step::CloseOutput => close_output()?,
            Step::HoldFile => {
                let file = std::fs::File::open(env::current_exe()?)?;
                std::mem::forget(file);
            }
            Step::Grandchild(holds) => grandchild(*holds)?,
            Step::Repeat(repeat) => self.repeat(repeat, here)?,
        }
        Ok(())
    }

    fn repeat(&mut self, repeat: &Repeat, here: &mut Here) -> Result<(), Over> {
        let outer = here.round;
        let mut round = 0;
        while repeat.times.is_none_or(|times| round < times) && !here.over {
            here.round = Some(round);
            self.steps(&repeat.steps, here)?;
            round += 1;
        }
        here.round = outer;
        Ok(())
    }

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
    fn begin(&mut self, here: &mut Here) -> Result<(), Over> {
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
    fn note(&mut self, said: &str) {
        if let Some(report) = &mut self.report {
            report.said(said);
        }
    }

    fn ask(&mut self, here: &mut Here, options: &str) -> Result<(), Over> {
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
    fn properly(&mut self, here: &mut Here) -> Result<(), Over> {
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
    fn turn_properly(&mut self, here: &mut Here) -> Result<(), Over> {
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

/// A member that is text; empty when it is not.
pub(crate) fn text(params: &Value, name: &str) -> String {
    params
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// The text blocks of a prompt.
fn prompt_text(prompt: &Value) -> String {
    let blocks = prompt.as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = blocks
        .iter()
        .filter_map(|block| block.get("text").and_then(Value::as_str));
    texts.collect::<Vec<_>>().join("\n")
}

fn fill_in(text: &str, here: &Here) -> String {
    if !text.contains('$') {
        return text.to_owned();
    }
    text.replace("$id", here.id.as_deref().unwrap_or("null"))
        .replace("$session", &here.session)
        .replace("$n", &here.round.unwrap_or_default().to_string())
}

/// Starts a process that is in nobody's way but there: this program, as a mock that ends by nothing but SIGKILL or its own bound.
fn grandchild(holds_output: bool) -> io::Result<()> {
    let mut command = Command::new(env::current_exe()?);
    command
        .args(["mock", "--mode", "lingers"])
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    if !holds_output {
        command.stdout(Stdio::null());
    }
    command.spawn().map(drop)
}

#[cfg(unix)]
fn close_output() -> io::Result<()> {
    let nowhere = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
    Ok(rustix::stdio::dup2_stdout(nowhere)?)
}

/// Elsewhere the only way to close our output is to end.
#[cfg(not(unix))]
fn close_output() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
