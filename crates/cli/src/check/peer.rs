//! An agent under test, at the other end of a raw link: what was really sent and what really came.

use std::time::Duration;

use acp_harness::{
    codec::{FrameDecoder, Item, Limits, Overflow},
    transport::{self, KillHandle, Link, Reader, Writer},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    time::{Instant, sleep_until, timeout_at},
};

use super::{stand::Stand, verdict::Stop};

/// How much is read at once.
const READ: usize = 64 << 10;
/// How long an agent that should say nothing is listened to.
pub(crate) const QUIET: Duration = Duration::from_millis(200);

/// The version in which a test speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    One,
    Two,
}

impl Version {
    /// The number.
    pub(crate) fn number(self) -> u16 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

/// Something that an agent said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Heard {
    /// An object with an id and no method, as it came.
    Reply(Value),
    /// A request, as it came.
    Request(Value),
    /// A notification, as it came.
    Notification(Value),
    /// A line that is no message.
    Noise(String),
}

/// The answer to a request.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) json: Value,
    what: String,
}

impl Reply {
    /// The result.
    pub(crate) fn ok(self) -> Result<Value, Stop> {
        match self.code() {
            Some(code) => Err(Stop::fail(format!(
                "{} was refused with error {code}",
                self.what
            ))),
            None => self
                .json
                .get("result")
                .cloned()
                .ok_or_else(|| Stop::fail(format!("the answer to {} has no result", self.what))),
        }
    }

    /// The code of the error.
    pub(crate) fn refused(&self) -> Result<i64, Stop> {
        self.code()
            .ok_or_else(|| Stop::fail(format!("{} was accepted", self.what)))
    }

    /// Whether it was refused with one of these codes.
    pub(crate) fn refused_with(&self, codes: &[i64]) -> Result<(), Stop> {
        let code = self.refused()?;
        if codes.contains(&code) {
            return Ok(());
        }
        let wanted: Vec<String> = codes.iter().map(ToString::to_string).collect();
        Err(Stop::fail(format!(
            "{} was refused with error {code} and not with {}",
            self.what,
            wanted.join(" or ")
        )))
    }

    /// The code, when it is an error.
    pub(crate) fn code(&self) -> Option<i64> {
        self.json.get("error")?.get("code")?.as_i64()
    }

    /// Whether the agent wants a login or a key.
    pub(crate) fn wants_key(&self) -> bool {
        match self.code() {
            Some(-32000 | 401 | 403) => true,
            Some(_) => {
                let said = self.json.pointer("/error/message").and_then(Value::as_str);
                let said = said.unwrap_or_default().to_ascii_lowercase();
                ["api key", "api_key", "log in", "login", "authenticat"]
                    .iter()
                    .any(|word| said.contains(word))
            }
            None => false,
        }
    }
}

/// How a turn ended.
#[derive(Debug)]
pub(crate) struct Turn {
    /// The reason, when one was given.
    pub(crate) reason: Option<String>,
    /// The answer to the request.
    pub(crate) reply: Reply,
    /// How much had been heard when it began, and when it had ended.
    pub(crate) from: usize,
    pub(crate) upto: usize,
}

/// A prompt that was sent.
#[derive(Debug, Clone)]
pub(crate) struct Sent {
    pub(crate) id: Value,
    session: String,
    /// How much had been heard when it was sent.
    pub(crate) from: usize,
}

/// An agent that runs.
#[derive(Debug)]
pub(crate) struct Peer<'a> {
    stand: &'a Stand<'a>,
    reader: Reader,
    /// `None` when its input was closed.
    writer: Option<Writer>,
    _process: transport::Peer,
    pub(crate) handle: KillHandle,
    decoder: FrameDecoder,
    /// Everything that came, in order.
    pub(crate) heard: Vec<Heard>,
    next_id: i64,
    /// The result of `initialize`.
    pub(crate) agreement: Value,
    /// What the session was opened with.
    pub(crate) setup: Value,
    /// Whether its permission requests are answered; with a rejection.
    pub(crate) answers: bool,
    ended: bool,
}

impl<'a> Peer<'a> {
    pub(crate) fn new(stand: &'a Stand<'a>, link: Link, handle: KillHandle) -> Self {
        let (reader, writer, process) = link.into_parts();
        let limits = Limits::default().with_overflow(Overflow::Drain);
        Self {
            stand,
            reader,
            writer: Some(writer),
            _process: process,
            handle,
            decoder: FrameDecoder::new(limits),
            heard: Vec::new(),
            next_id: 1,
            agreement: Value::Null,
            setup: Value::Null,
            answers: true,
            ended: false,
        }
    }

    /// The version of the test.
    pub(crate) fn version(&self) -> Version {
        self.stand.version
    }

    /// Sends bytes as they stand.
    pub(crate) async fn bytes(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.stand.note("→", bytes);
        let deadline = Instant::now() + self.stand.setting.bound;
        let mut rest = bytes;
        while !rest.is_empty() {
            let Some(writer) = &mut self.writer else {
                return Ok(());
            };
            // An agent that writes while we do not read may not read either.
            let mut buffer = vec![0; READ];
            tokio::select! {
                written = writer.write(rest) => match written {
                    Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                    Err(_) => return Err(self.gone("while it was written to").await),
                },
                read = self.reader.read(&mut buffer), if !self.ended => {
                    let count = read.unwrap_or(0);
                    self.ended = count == 0;
                    self.decoder.feed(buffer.get(..count).unwrap_or_default());
                }
                () = sleep_until(deadline) => {
                    return Err(Stop::fail("the agent does not read its input"));
                }
            }
        }
        if let Some(writer) = &mut self.writer {
            drop(writer.flush().await);
        }
        Ok(())
    }

    /// Sends a line.
    pub(crate) async fn line(&mut self, line: &str) -> Result<(), Stop> {
        self.bytes(format!("{line}\n").as_bytes()).await
    }

    /// Closes its input.
    pub(crate) async fn close(&mut self) {
        if let Some(mut writer) = self.writer.take() {
            drop(writer.shutdown().await);
        }
    }

    /// Sends a request and gives back its id.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Result<Value, Stop> {
        let id = Value::from(self.next_id);
        self.next_id += 1;
        let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.line(&line.to_string()).await?;
        Ok(id)
    }

    /// Sends a notification.
    pub(crate) async fn notify(&mut self, method: &str, params: Value) -> Result<(), Stop> {
        let line = json!({"jsonrpc": "2.0", "method": method, "params": params});
        self.line(&line.to_string()).await
    }

    /// Sends a request and waits for its answer.
    pub(crate) async fn call(&mut self, method: &str, params: Value) -> Result<Reply, Stop> {
        let id = self.request(method, params).await?;
        self.reply(&id, method).await
    }

    /// Waits for the answer with this id.
    pub(crate) async fn reply(&mut self, id: &Value, what: &str) -> Result<Reply, Stop> {
        self.reply_within(id, what, self.stand.setting.bound).await
    }

    pub(crate) async fn reply_within(
        &mut self,
        id: &Value,
        what: &str,
        bound: Duration,
    ) -> Result<Reply, Stop> {
        let answers =
            |heard: &Heard| matches!(heard, Heard::Reply(json) if json.get("id") == Some(id));
        let found = self
            .wait_for(0, bound, answers)
            .await
            .map_err(|stop| match stop {
                Stop::Fail(why) => Stop::Fail(format!("{what} was not answered: {why}")),
                other => other,
            })?;
        match self.heard.get(found) {
            Some(Heard::Reply(json)) => Ok(Reply {
                json: json.clone(),
                what: what.to_owned(),
            }),
            _ => Err(Stop::fail(format!("{what} was not answered"))),
        }
    }

    /// Waits for something that is like this, among what came from there on, and tells where it is.
    pub(crate) async fn wait_for(
        &mut self,
        from: usize,
        bound: Duration,
        like: impl Fn(&Heard) -> bool,
    ) -> Result<usize, Stop> {
        let deadline = Instant::now() + bound;
        let mut next = from;
        loop {
            while let Some(heard) = self.heard.get(next) {
                if like(heard) {
                    return Ok(next);
                }
                next += 1;
            }
            if !self.more(deadline).await? {
                return Err(if self.ended {
                    self.gone("in the middle of it").await
                } else {
                    Stop::fail(format!("nothing came for {}", crate::duration::show(bound)))
                });
            }
        }
    }

    /// Listens for so long, or until its output ends.
    pub(crate) async fn listen(&mut self, time: Duration) -> Result<(), Stop> {
        let deadline = Instant::now() + time;
        while self.more(deadline).await? {}
        Ok(())
    }

    /// Reads on; `false` when the time is over, or its output is.
    async fn more(&mut self, deadline: Instant) -> Result<bool, Stop> {
        let before = self.heard.len();
        loop {
            let from = self.heard.len();
            self.take();
            for at in from..self.heard.len() {
                self.answer(at).await?;
            }
            if self.heard.len() > before {
                return Ok(true);
            }
            if self.ended {
                return Ok(false);
            }
            let mut buffer = vec![0; READ];
            let Ok(read) = timeout_at(deadline, self.reader.read(&mut buffer)).await else {
                return Ok(false);
            };
            match read {
                Ok(count) if count > 0 => {
                    self.decoder.feed(buffer.get(..count).unwrap_or_default());
                }
                _ => self.ended = true,
            }
        }
    }

    /// Moves what was read into what was heard.
    fn take(&mut self) {
        let (stand, heard) = (self.stand, &mut self.heard);
        while let Some(item) = self.decoder.poll() {
            heard.push(one(stand, &item));
        }
        if self.ended
            && let Some(item) = self.decoder.finish()
        {
            heard.push(one(stand, &item));
        }
    }

    /// Answers a request of the agent: permissions are rejected, nothing else was offered.
    async fn answer(&mut self, at: usize) -> Result<(), Stop> {
        let Some(Heard::Request(request)) = self.heard.get(at) else {
            return Ok(());
        };
        let id = request.get("id").cloned().unwrap_or_default();
        let line = if request
            .get("method")
            .is_some_and(|name| name == "session/request_permission")
        {
            if !self.answers {
                return Ok(());
            }
            let options = request.pointer("/params/options").and_then(Value::as_array);
            let rejection = options.into_iter().flatten().find(|option| {
                let kind = option.get("kind").and_then(Value::as_str);
                kind.is_some_and(|kind| kind.starts_with("reject"))
            });
            let outcome = match rejection.and_then(|option| option.get("optionId")) {
                Some(option) => json!({"outcome": "selected", "optionId": option}),
                None => json!({"outcome": "cancelled"}),
            };
            json!({"jsonrpc": "2.0", "id": id, "result": {"outcome": outcome}})
        } else {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "not offered"}})
        };
        // An agent that has gone does not wait for it.
        drop(Box::pin(self.line(&line.to_string())).await);
        Ok(())
    }

    /// Why there is no more to come.
    async fn gone(&mut self, when: &str) -> Stop {
        let ended = self.handle.ending().clone();
        let waited = timeout_at(Instant::now() + Duration::from_secs(1), ended.wait()).await;
        match waited {
            Ok(ended) => Stop::fail(format!("the agent {ended} {when}")),
            Err(_) => Stop::fail(format!("the agent closed its output {when}")),
        }
    }

    /// Agrees on the version.
    pub(crate) async fn initialize(&mut self) -> Result<(), Stop> {
        let params = initialize(self.version(), self.version().number());
        let id = self.request("initialize", params).await?;
        let bound = self.stand.setting.startup;
        let result = self.reply_within(&id, "initialize", bound).await?.ok()?;
        let agreed = result.get("protocolVersion").and_then(Value::as_u64);
        if agreed != Some(u64::from(self.version().number())) {
            let answer = result.get("protocolVersion").cloned().unwrap_or_default();
            return Err(match (self.version(), agreed) {
                (Version::Two, Some(1)) => {
                    Stop::NotTested(String::from("the agent speaks no version 2"))
                }
                (Version::One, Some(2)) => {
                    Stop::NotTested(String::from("the agent speaks no version 1"))
                }
                _ => Stop::fail(format!(
                    "protocolVersion {} was answered with {answer}",
                    self.version().number()
                )),
            });
        }
        self.agreement = result;
        Ok(())
    }

    /// What the agent declares at this path of its capabilities.
    pub(crate) fn capability(&self, path: &str) -> Option<&Value> {
        let capabilities = match self.version() {
            Version::One => "agentCapabilities",
            Version::Two => "capabilities",
        };
        let mut value = self.agreement.get(capabilities)?;
        for name in path.split('.') {
            value = value.get(name)?;
        }
        (!matches!(value, Value::Null | Value::Bool(false))).then_some(value)
    }

    /// Ends the test unless the agent declares one of these: the path of version 1, the path of version 2.
    pub(crate) fn needs(&self, one: &str, two: &str) -> Result<(), Stop> {
        let path = match self.version() {
            Version::One => one,
            Version::Two => two,
        };
        match path {
            "" => Ok(()),
            path if self.capability(path).is_some() => Ok(()),
            path => Err(Stop::NotTested(format!(
                "the agent does not declare {path}"
            ))),
        }
    }

    /// Opens a session and gives back its id; logs in first where that was asked for.
    pub(crate) async fn open(&mut self) -> Result<String, Stop> {
        self.login().await?;
        let params = self.setup_params();
        let reply = self.call("session/new", params).await?;
        if reply.wants_key() {
            return Err(Stop::Skip(String::from(
                "the agent wants a login before a session: name a method with --auth-method, or log in with its own command",
            )));
        }
        self.setup = reply.ok().map_err(|stop| stop.elsewhere("SESSION-001"))?;
        let id = self.setup.get("sessionId").and_then(Value::as_str);
        id.map(ToOwned::to_owned)
            .ok_or_else(|| Stop::Skip(String::from("session/new gave no id (see SESSION-001)")))
    }

    /// Logs in with the method that was named, if one was.
    pub(crate) async fn login(&mut self) -> Result<(), Stop> {
        let Some(method) = &self.stand.setting.auth_method else {
            return Ok(());
        };
        let params = json!({"methodId": method});
        let name = self.login_method();
        let reply = self.call(name, params).await?;
        reply
            .ok()
            .map(drop)
            .map_err(|stop| stop.elsewhere("AUTH-003"))
    }

    /// The method that logs in.
    pub(crate) fn login_method(&self) -> &'static str {
        match self.version() {
            Version::One => "authenticate",
            Version::Two => "auth/login",
        }
    }

    /// The params that set a session up in the directory of the test.
    pub(crate) fn setup_params(&self) -> Value {
        json!({"cwd": self.cwd(), "mcpServers": []})
    }

    /// The directory of the test.
    pub(crate) fn cwd(&self) -> String {
        self.stand.setting.cwd.to_string_lossy().into_owned()
    }

    /// Sends a prompt of one text.
    pub(crate) async fn send(&mut self, session: &str, text: &str) -> Result<Sent, Stop> {
        self.send_blocks(session, json!([{"type": "text", "text": text}]))
            .await
    }

    pub(crate) async fn send_blocks(&mut self, session: &str, blocks: Value) -> Result<Sent, Stop> {
        let from = self.heard.len();
        let params = json!({"sessionId": session, "prompt": blocks});
        let id = self.request("session/prompt", params).await?;
        Ok(Sent {
            id,
            session: session.to_owned(),
            from,
        })
    }

    /// Waits for the end of the turn of a prompt, however it ends.
    pub(crate) async fn finish(&mut self, sent: &Sent) -> Result<Turn, Stop> {
        let reply = self.reply(&sent.id, "session/prompt").await?;
        let replied = self.heard.iter().rposition(
            |heard| matches!(heard, Heard::Reply(json) if json.get("id") == Some(&sent.id)),
        );
        let mut upto = replied.unwrap_or_default();
        let mut reason = reply
            .json
            .pointer("/result/stopReason")
            .and_then(Value::as_str)
            .map(ToOwned::to_owned);
        if self.version() == Version::Two && reply.code().is_none() {
            let message = reply.json.pointer("/result/messageId").cloned();
            let inserted = self.heard.iter().position(|heard| {
                update_of(heard, &sent.session)
                    .is_some_and(|update| update.get("messageId") == message.as_ref())
            });
            let from = inserted.unwrap_or(upto).min(upto);
            let is_idle = |heard: &Heard| {
                update_of(heard, &sent.session).is_some_and(|update| {
                    update
                        .get("sessionUpdate")
                        .is_some_and(|kind| kind == "state_update")
                        && update.get("state").is_some_and(|state| state == "idle")
                })
            };
            let bound = self.stand.setting.bound;
            let at = self
                .wait_for(from, bound, is_idle)
                .await
                .map_err(|stop| match stop {
                    Stop::Fail(why) => Stop::Fail(format!("the turn did not become idle: {why}")),
                    other => other,
                })?;
            upto = upto.max(at);
            let idle = self
                .heard
                .get(at)
                .and_then(|heard| update_of(heard, &sent.session));
            reason = idle
                .and_then(|update| update.get("stopReason"))
                .and_then(Value::as_str)
                .map(ToOwned::to_owned);
        }
        Ok(Turn {
            reason,
            reply,
            from: sent.from,
            upto,
        })
    }

    /// A whole turn that has to be possible: without a key it is not.
    pub(crate) async fn turn(&mut self, session: &str, text: &str) -> Result<Turn, Stop> {
        let sent = self.send(session, text).await?;
        let turn = self.finish(&sent).await?;
        turn.needs_key()?;
        Ok(turn)
    }

    /// The updates of a session among what was heard there.
    pub(crate) fn updates(&self, session: &str, from: usize, upto: usize) -> Vec<&Value> {
        let heard = self.heard.get(from..upto.max(from)).unwrap_or_default();
        heard
            .iter()
            .filter_map(|heard| update_of(heard, session))
            .collect()
    }

    /// Everything heard from there on.
    pub(crate) fn since(&self, from: usize) -> &[Heard] {
        self.heard.get(from..).unwrap_or_default()
    }

    /// Whether its output has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }
}

impl Turn {
    /// Ends the test when the agent has no key to work with.
    pub(crate) fn needs_key(&self) -> Result<(), Stop> {
        if self.reply.wants_key() {
            return Err(Stop::Skip(format!(
                "the agent has no key to answer a prompt with (error {}): nothing that needs a prompt is tested",
                self.reply.code().unwrap_or_default()
            )));
        }
        Ok(())
    }
}

/// The update that a notification holds, when it is one of this session.
pub(crate) fn update_of<'h>(heard: &'h Heard, session: &str) -> Option<&'h Value> {
    let Heard::Notification(json) = heard else {
        return None;
    };
    let is_update = json
        .get("method")
        .is_some_and(|name| name == "session/update");
    let params = json.get("params").filter(|_| is_update)?;
    params.get("sessionId").filter(|id| *id == session)?;
    params.get("update")
}

/// The params of `initialize` in the shape of this version, asking for that one.
pub(crate) fn initialize(shape: Version, asked: u16) -> Value {
    let info = json!({"name": "acp-check", "version": env!("CARGO_PKG_VERSION")});
    match shape {
        Version::One => json!({
            "protocolVersion": asked,
            "clientInfo": info,
            "clientCapabilities": {"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false},
        }),
        Version::Two => json!({"protocolVersion": asked, "info": info, "capabilities": {}}),
    }
}

fn one(stand: &Stand<'_>, item: &Item<'_>) -> Heard {
    match item {
        Item::Frame(frame) => {
            stand.note("←", frame.raw);
            let json: Value = match serde_json::from_slice(frame.raw) {
                Ok(json) => json,
                Err(_) => return Heard::Noise(String::from_utf8_lossy(frame.raw).into_owned()),
            };
            match (json.get("method").is_some(), json.get("id").is_some()) {
                (true, true) => Heard::Request(json),
                (true, false) => Heard::Notification(json),
                _ => Heard::Reply(json),
            }
        }
        Item::Skipped { sample, .. } => {
            stand.note("?", sample);
            Heard::Noise(String::from_utf8_lossy(sample).into_owned())
        }
        _ => {
            stand.note("?", b"a line longer than 64 MiB");
            Heard::Noise(String::from("a line longer than 64 MiB"))
        }
    }
}
