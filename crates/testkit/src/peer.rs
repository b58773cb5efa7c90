//! One end of a conversation in the hands of a test: JSON lines, one step at a time.

use std::{collections::VecDeque, fmt, io, pin::Pin, time::Duration};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};

use crate::{blast::Blast, pipe::End};

/// What went wrong in a test peer: always a fault of the test or of the code under test.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PeerError {
    /// The other side closed while something was expected.
    #[error("expected {expected}, got the end of the stream after {heard} frames")]
    Ended {
        /// What was waited for.
        expected: String,
        /// Frames heard so far.
        heard: usize,
    },
    /// The other side wrote a line that is not JSON.
    #[error("heard a line that is not JSON: {0}")]
    NotJson(String),
    /// A step refers to a frame that never came, such as a reply before any request.
    #[error("the script is wrong: {0}")]
    Script(&'static str),
    /// The pipe failed.
    #[error("pipe: {0}")]
    Io(#[from] io::Error),
}

/// A request or notification that the peer received.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Call {
    /// The id, absent on a notification.
    pub id: Option<Value>,
    /// The method.
    pub method: String,
    /// The parameters, `null` when there were none.
    pub params: Value,
}

/// One end of a conversation, driven step by step. Frames that a step does not wait for are
/// kept, and a later step finds them.
pub struct Peer {
    reader: Option<BufReader<Pin<Box<dyn AsyncRead + Send>>>>,
    writer: Option<Pin<Box<dyn AsyncWrite + Send>>>,
    line: Vec<u8>,
    backlog: VecDeque<Value>,
    heard: Vec<Value>,
    next_id: i64,
}

impl fmt::Debug for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Peer")
            .field("heard", &self.heard.len())
            .finish_non_exhaustive()
    }
}

impl From<End> for Peer {
    fn from(end: End) -> Self {
        Self::new(end.reader, end.writer)
    }
}

impl Peer {
    /// A peer over any reader and writer.
    pub fn new(
        reader: impl AsyncRead + Send + 'static,
        writer: impl AsyncWrite + Send + 'static,
    ) -> Self {
        Self {
            reader: Some(BufReader::new(Box::pin(reader))),
            writer: Some(Box::pin(writer)),
            line: Vec::new(),
            backlog: VecDeque::new(),
            heard: Vec::new(),
            next_id: 0,
        }
    }

    /// Every frame heard so far, in wire order.
    #[must_use]
    pub fn heard(&self) -> &[Value] {
        &self.heard
    }

    /// Takes the record of every frame heard.
    #[must_use]
    pub fn into_heard(self) -> Vec<Value> {
        self.heard
    }

    /// The next frame from the wire, or `None` at the end of the stream.
    ///
    /// # Errors
    /// A line that is not JSON, or a failing pipe.
    pub async fn next(&mut self) -> Result<Option<Value>, PeerError> {
        let Some(reader) = self.reader.as_mut() else {
            return Ok(None);
        };
        loop {
            reader.read_until(b'\n', &mut self.line).await?;
            if self.line.is_empty() {
                return Ok(None);
            }
            let line = std::mem::take(&mut self.line);
            let text = String::from_utf8_lossy(&line);
            if text.trim().is_empty() {
                continue;
            }
            let frame: Value =
                serde_json::from_str(&text).map_err(|_| PeerError::NotJson(text.into_owned()))?;
            self.heard.push(frame.clone());
            return Ok(Some(frame));
        }
    }

    /// Waits for a frame that `wanted` accepts; others are kept for later steps.
    ///
    /// # Errors
    /// As [`Peer::next`], and [`PeerError::Ended`] when the stream ends first.
    pub async fn find(
        &mut self,
        expected: &str,
        wanted: impl Fn(&Value) -> bool,
    ) -> Result<Value, PeerError> {
        if let Some(at) = self.backlog.iter().position(&wanted)
            && let Some(frame) = self.backlog.remove(at)
        {
            return Ok(frame);
        }
        while let Some(frame) = self.next().await? {
            if wanted(&frame) {
                return Ok(frame);
            }
            self.backlog.push_back(frame);
        }
        Err(PeerError::Ended {
            expected: expected.to_owned(),
            heard: self.heard.len(),
        })
    }

    /// Waits for a request or notification of this method.
    ///
    /// # Errors
    /// As [`Peer::find`].
    pub async fn expect(&mut self, method: &str) -> Result<Call, PeerError> {
        let mut frame = self.find(method, |frame| frame["method"] == method).await?;
        Ok(Call {
            id: frame.get("id").cloned(),
            method: method.to_owned(),
            params: frame.get_mut("params").map(Value::take).unwrap_or_default(),
        })
    }

    /// Waits for the answer to a request of ours: the whole response.
    ///
    /// # Errors
    /// As [`Peer::find`].
    pub async fn expect_answer(&mut self, id: i64) -> Result<Value, PeerError> {
        self.find("an answer", |frame| {
            frame.get("method").is_none() && frame["id"] == id
        })
        .await
    }

    /// Reads to the end of the stream and returns what had not been waited for.
    ///
    /// # Errors
    /// As [`Peer::next`].
    pub async fn rest(&mut self) -> Result<Vec<Value>, PeerError> {
        while let Some(frame) = self.next().await? {
            self.backlog.push_back(frame);
        }
        Ok(std::mem::take(&mut self.backlog).into())
    }

    /// Reads for this long (virtual time when it is paused), keeping what comes.
    ///
    /// # Errors
    /// As [`Peer::next`].
    pub async fn listen(&mut self, period: Duration) -> Result<(), PeerError> {
        let end = tokio::time::Instant::now() + period;
        loop {
            match tokio::time::timeout_at(end, self.next()).await {
                Ok(Ok(Some(frame))) => self.backlog.push_back(frame),
                Ok(Ok(None)) => {
                    tokio::time::sleep_until(end).await;
                    return Ok(());
                }
                Ok(Err(error)) => return Err(error),
                Err(_) => return Ok(()),
            }
        }
    }

    /// Writes these bytes as they are.
    ///
    /// # Errors
    /// A failing or closed pipe.
    pub async fn bytes(&mut self, bytes: &[u8]) -> Result<(), PeerError> {
        let writer = self
            .writer
            .as_mut()
            .ok_or(PeerError::Script("the output is closed"))?;
        writer.write_all(bytes).await?;
        Ok(writer.flush().await?)
    }

    /// Writes this text and a newline.
    ///
    /// # Errors
    /// As [`Peer::bytes`].
    pub async fn line(&mut self, line: &str) -> Result<(), PeerError> {
        self.bytes(format!("{line}\n").as_bytes()).await
    }

    /// Writes one JSON value as a line.
    ///
    /// # Errors
    /// As [`Peer::bytes`].
    pub async fn frame(&mut self, frame: &Value) -> Result<(), PeerError> {
        self.line(&frame.to_string()).await
    }

    /// Answers a call with a result.
    ///
    /// # Errors
    /// As [`Peer::bytes`].
    pub async fn reply(&mut self, call: &Call, result: Value) -> Result<(), PeerError> {
        self.frame(&json!({"jsonrpc":"2.0","id":call.id,"result":result}))
            .await
    }

    /// Answers a call with an error.
    ///
    /// # Errors
    /// As [`Peer::bytes`].
    pub async fn refuse(&mut self, call: &Call, code: i32, message: &str) -> Result<(), PeerError> {
        let error = json!({"code":code,"message":message});
        self.frame(&json!({"jsonrpc":"2.0","id":call.id,"error":error}))
            .await
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// As [`Peer::bytes`].
    pub async fn notify(&mut self, method: &str, params: Value) -> Result<(), PeerError> {
        self.frame(&json!({"jsonrpc":"2.0","method":method,"params":params}))
            .await
    }

    /// Sends a request and returns its id; ids count from 0, as real agents do.
    ///
    /// # Errors
    /// As [`Peer::bytes`].
    pub async fn ask(&mut self, method: &str, params: Value) -> Result<i64, PeerError> {
        self.ask_text(method, &params.to_string()).await
    }

    /// The same with params as JSON text, which goes out as it is.
    ///
    /// # Errors
    /// As [`Peer::bytes`].
    pub async fn ask_text(&mut self, method: &str, params: &str) -> Result<i64, PeerError> {
        let id = self.next_id;
        self.next_id += 1;
        let method = Value::String(method.to_owned());
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method},"params":{params}}}"#);
        self.line(&line).await?;
        Ok(id)
    }

    /// Sends one `session/update`.
    ///
    /// # Errors
    /// As [`Peer::bytes`].
    pub async fn update(&mut self, session: &str, update: Value) -> Result<(), PeerError> {
        self.notify(
            "session/update",
            json!({"sessionId":session,"update":update}),
        )
        .await
    }

    /// Sends one `agent_message_chunk` of text.
    ///
    /// # Errors
    /// As [`Peer::bytes`].
    pub async fn say(&mut self, session: &str, text: &str) -> Result<(), PeerError> {
        let content = json!({"type":"text","text":text});
        self.update(
            session,
            json!({"sessionUpdate":"agent_message_chunk","content":content}),
        )
        .await
    }

    /// Asks for permission with one option of each kind (`yes`, `always`, `no`, `never`).
    ///
    /// # Errors
    /// As [`Peer::bytes`].
    pub async fn ask_permission(&mut self, session: &str, call: &str) -> Result<i64, PeerError> {
        self.ask("session/request_permission", permission(session, call))
            .await
    }

    /// Writes many updates as fast as the pipe takes them.
    ///
    /// # Errors
    /// As [`Peer::bytes`].
    pub async fn blast(&mut self, blast: &Blast) -> Result<(), PeerError> {
        for chunk in blast.chunks() {
            self.bytes(&chunk).await?;
        }
        Ok(())
    }

    /// Closes what we write: the other side reads the end of file.
    ///
    /// # Errors
    /// A failing pipe.
    pub async fn close_output(&mut self) -> Result<(), PeerError> {
        if let Some(mut writer) = self.writer.take() {
            writer.shutdown().await?;
        }
        Ok(())
    }

    /// Closes what we read: the other side's writes fail.
    pub fn close_input(&mut self) {
        self.reader = None;
    }

    /// Agent's side of the usual opening: answers `initialize` (v1) and `session/new`.
    ///
    /// # Errors
    /// As [`Peer::find`] and [`Peer::bytes`].
    pub async fn open(&mut self, session: &str) -> Result<(), PeerError> {
        let call = self.expect("initialize").await?;
        self.reply(&call, initialized()).await?;
        let call = self.expect("session/new").await?;
        self.reply(&call, json!({"sessionId":session})).await
    }

    /// Agent's side of the end of a turn: answers this `session/prompt`.
    ///
    /// # Errors
    /// As [`Peer::bytes`].
    pub async fn end_turn(&mut self, prompt: &Call) -> Result<(), PeerError> {
        self.reply(prompt, json!({"stopReason":"end_turn"})).await
    }
}

/// A v1 `initialize` result of an agent that can load, close and list.
pub(crate) fn initialized() -> Value {
    json!({
        "protocolVersion": 1,
        "agentCapabilities": {
            "loadSession": true,
            "promptCapabilities": {"image": true, "embeddedContext": true},
            "sessionCapabilities": {"close": {}, "list": {}, "resume": {}},
        },
        "agentInfo": {"name": "scripted", "version": "1.0.0"},
        "authMethods": [],
    })
}

/// Permission parameters with one option of each kind.
pub(crate) fn permission(session: &str, call: &str) -> Value {
    json!({
        "sessionId": session,
        "toolCall": {"toolCallId": call, "title": "Edit a file", "kind": "edit"},
        "options": [
            {"optionId": "always", "name": "Always", "kind": "allow_always"},
            {"optionId": "yes", "name": "Allow", "kind": "allow_once"},
            {"optionId": "no", "name": "Reject", "kind": "reject_once"},
            {"optionId": "never", "name": "Never", "kind": "reject_always"},
        ],
    })
}
