//! An agent under test, at the other end of a raw link: what was really sent and what really came.

mod heard;
mod reply;
mod setup;
mod turn;

use std::time::Duration;

use acp_harness::{
    codec::{FrameDecoder, Limits, Overflow},
    transport::{self, KillHandle, Link, Reader, Writer},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    time::{Instant, sleep_until, timeout_at},
};

use self::heard::one;
pub(crate) use self::{
    heard::{Heard, update_of},
    reply::Reply,
    setup::initialize,
    turn::{Sent, Turn},
};
use super::{stand::Stand, verdict::Stop, version::Version};

/// How much is read at once.
const READ: usize = 64 << 10;
/// How much an agent must have read for the bound on writing to begin anew.
const RENEWED_BY: usize = 1 << 20;
/// How long an agent that should say nothing is listened to.
pub(crate) const QUIET: Duration = Duration::from_millis(200);

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
        let mut deadline = Instant::now() + self.stand.setting.bound;
        let mut rest = bytes;
        let mut renewed_at = bytes.len();
        while !rest.is_empty() {
            // A slow reader is one that reads: each mebibyte has the bound for itself.
            if renewed_at - rest.len() >= RENEWED_BY {
                renewed_at = rest.len();
                deadline = Instant::now() + self.stand.setting.bound;
            }
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
                if self.ended {
                    return Err(self.gone("in the middle of it").await);
                }
                let bound = crate::duration::show(bound);
                return Err(Stop::fail(match next - from {
                    0 => format!("nothing came for {bound}"),
                    1 => format!("it did not come within {bound}, another message did"),
                    others => format!("it did not come within {bound}, {others} others did"),
                }));
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
