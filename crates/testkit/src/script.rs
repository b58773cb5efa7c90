//! A conversation as data: what a peer waits for and what it writes, in order.

use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use crate::blast::Blast;

/// One thing that a scripted peer does.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Step {
    /// Wait for a request or notification of this method; it becomes the call in hand.
    Expect(String),
    /// Answer the call in hand, or the last one of the named method, with this result.
    Reply {
        /// Which call; the one in hand when absent.
        method: Option<String>,
        /// The result, as JSON text.
        result: Box<RawValue>,
    },
    /// Answer the `nth` call (from 0) of this method with one member, `result` or `error`.
    Answer {
        /// Method of the call.
        method: String,
        /// Which of its calls.
        nth: usize,
        /// Name of the member.
        member: String,
        /// Its value, as JSON text.
        value: Box<RawValue>,
    },
    /// Answer the call in hand with an error.
    Refuse {
        /// JSON-RPC error code.
        code: i32,
        /// Message.
        message: String,
    },
    /// Write this line; `{id}` stands for the id of the call in hand.
    Line(String),
    /// Write these bytes with nothing added; `{id}` is not replaced.
    Bytes(Vec<u8>),
    /// Send a notification.
    Notify {
        /// Method.
        method: String,
        /// Parameters, as JSON text.
        params: Box<RawValue>,
    },
    /// Send a request; ids count from 0.
    Ask {
        /// Method.
        method: String,
        /// Parameters, as JSON text.
        params: Box<RawValue>,
    },
    /// Wait for the answer to the last request sent, or to the one with this id.
    ExpectAnswer(Option<i64>),
    /// Write many updates.
    Blast(Blast),
    /// Neither read nor write for this many milliseconds.
    Silence(u64),
    /// Read, and write nothing, for this many milliseconds.
    Listen(u64),
    /// Do these steps so many times.
    Repeat(u64, Vec<Self>),
    /// Close the output.
    CloseOutput,
    /// Close the input.
    CloseInput,
    /// Read to the end of the stream.
    Drain,
    /// Neither read nor write, for ever.
    Hang,
    /// End the process with this code (in memory: end the script).
    Exit(i32),
    /// Write these bytes to standard error (in memory: nothing).
    Complain(String),
    /// Leave a grandchild behind that holds the output open for so many milliseconds (in
    /// memory: nothing).
    Orphan(u64),
}

/// A list of steps with a builder. It plays in memory, or in a child process over pipes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Script {
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// A malformed fixture in a script is a fault of the test: it stands in the frame as a string
/// that says so, and the test fails where it looks.
fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).unwrap_or_else(|_| {
        let text = Value::String(format!("not JSON: {json}")).to_string();
        RawValue::from_string(text).unwrap_or_default()
    })
}

impl Script {
    /// An empty script.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one step.
    #[must_use]
    pub fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// Adds the steps of another script.
    #[must_use]
    pub fn then(mut self, other: Self) -> Self {
        self.steps.extend(other.steps);
        self
    }

    /// Waits for a request or notification of this method.
    #[must_use]
    pub fn expect(self, method: &str) -> Self {
        self.step(Step::Expect(method.to_owned()))
    }

    /// Answers the call in hand with this result (JSON text).
    #[must_use]
    pub fn reply(self, result: &str) -> Self {
        self.step(Step::Reply {
            method: None,
            result: raw(result),
        })
    }

    /// Answers the last call of this method with this result (JSON text).
    #[must_use]
    pub fn reply_to(self, method: &str, result: &str) -> Self {
        self.step(Step::Reply {
            method: Some(method.to_owned()),
            result: raw(result),
        })
    }

    /// Answers the call in hand with an error.
    #[must_use]
    pub fn refuse(self, code: i32, message: &str) -> Self {
        self.step(Step::Refuse {
            code,
            message: message.to_owned(),
        })
    }

    /// Writes a line; `{id}` stands for the id of the call in hand.
    #[must_use]
    pub fn line(self, line: &str) -> Self {
        self.step(Step::Line(line.to_owned()))
    }

    /// Writes the beginning of a line and no newline.
    #[must_use]
    pub fn half(self, text: &str) -> Self {
        self.step(Step::Bytes(text.as_bytes().to_vec()))
    }

    /// Sends a notification (parameters as JSON text).
    #[must_use]
    pub fn notify(self, method: &str, params: &str) -> Self {
        self.step(Step::Notify {
            method: method.to_owned(),
            params: raw(params),
        })
    }

    /// Sends a request (parameters as JSON text).
    #[must_use]
    pub fn request(self, method: &str, params: &str) -> Self {
        self.step(Step::Ask {
            method: method.to_owned(),
            params: raw(params),
        })
    }

    /// Asks for permission with one option of each kind (`yes`, `always`, `no`, `never`).
    #[must_use]
    pub fn ask_permission(self, session: &str, call: &str) -> Self {
        let params = crate::peer::permission(session, call).to_string();
        self.request("session/request_permission", &params)
    }

    /// Waits for the answer to the last request sent.
    #[must_use]
    pub fn expect_answer(self) -> Self {
        self.step(Step::ExpectAnswer(None))
    }

    /// Sends one `session/update` (the update as JSON text).
    #[must_use]
    pub fn update(self, session: &str, update: &str) -> Self {
        let session = Value::String(session.to_owned());
        self.notify(
            "session/update",
            &format!(r#"{{"sessionId":{session},"update":{update}}}"#),
        )
    }

    /// Sends one `agent_message_chunk` of text.
    #[must_use]
    pub fn say(self, session: &str, text: &str) -> Self {
        let text = Value::String(text.to_owned());
        let update = format!(
            r#"{{"sessionUpdate":"agent_message_chunk","content":{{"type":"text","text":{text}}}}}"#
        );
        self.update(session, &update)
    }

    /// Writes many updates.
    #[must_use]
    pub fn blast(self, blast: Blast) -> Self {
        self.step(Step::Blast(blast))
    }

    /// Neither reads nor writes for so many milliseconds.
    #[must_use]
    pub fn silence_ms(self, ms: u64) -> Self {
        self.step(Step::Silence(ms))
    }

    /// Reads, and writes nothing, for so many milliseconds.
    #[must_use]
    pub fn listen_ms(self, ms: u64) -> Self {
        self.step(Step::Listen(ms))
    }

    /// Does these steps so many times.
    #[must_use]
    pub fn repeat(self, times: u64, steps: Self) -> Self {
        self.step(Step::Repeat(times, steps.steps))
    }

    /// Reads to the end of the stream.
    #[must_use]
    pub fn drain(self) -> Self {
        self.step(Step::Drain)
    }

    /// Does nothing more, for ever, and reads nothing.
    #[must_use]
    pub fn hang(self) -> Self {
        self.step(Step::Hang)
    }

    /// Agent's side of the usual opening: `initialize` (v1), then `session/new`.
    #[must_use]
    pub fn open(self, session: &str) -> Self {
        let session = Value::String(session.to_owned());
        self.initialize()
            .expect("session/new")
            .reply(&format!(r#"{{"sessionId":{session}}}"#))
    }

    /// Agent's side of `initialize`, v1, with load, list, resume and close.
    #[must_use]
    pub fn initialize(self) -> Self {
        self.expect("initialize")
            .reply(&crate::peer::initialized().to_string())
    }

    /// Agent's side of a turn's end: answers the last prompt.
    #[must_use]
    pub fn end_turn(self) -> Self {
        self.reply_to("session/prompt", r#"{"stopReason":"end_turn"}"#)
    }
}
