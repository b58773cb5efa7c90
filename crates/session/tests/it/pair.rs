//! A connection, the agent's end of it as text, and a clock that only moves when told.

use std::time::{Duration, Instant};

use acp_session::{
    AskKey, Bounds, CallError, CallKey, Clock, Config, Connection, Event, Limits, Next, Opening,
    Protocol, Received, Reply, Scope, SessionKey, Stream, Transmit, TurnEnd, TurnKey, WaitKey,
};
use acp_vocab::{ProtocolVersion, SessionId};
use serde_json::{Value, json};

/// One second.
pub(crate) const S: Duration = Duration::from_secs(1);

/// A moment to count from.
#[expect(
    clippy::disallowed_methods,
    reason = "a test needs a first instant, and no other"
)]
pub(crate) fn epoch() -> Instant {
    Instant::now()
}

/// The machine under test and the agent that it talks to.
pub(crate) struct Pair {
    pub(crate) machine: Connection,
    pub(crate) now: Instant,
    /// Whether the agent reads what we write while time passes.
    pub(crate) agent_reads: bool,
    /// What it has read and the test has not looked at.
    inbox: Vec<u8>,
}

impl Pair {
    /// A connection on which nothing was said.
    pub(crate) fn new(config: Config) -> Self {
        Self {
            machine: Connection::new(config),
            now: epoch(),
            agent_reads: true,
            inbox: Vec::new(),
        }
    }

    /// A v1 connection that is ready, with these limits.
    pub(crate) fn ready_with(change: impl FnOnce(&mut Limits)) -> Self {
        let mut config = Config::default();
        change(&mut config.limits);
        Self::ready(config)
    }

    /// A v1 connection that is ready.
    pub(crate) fn ready(config: Config) -> Self {
        let mut pair = Self::new(config);
        pair.machine
            .agree(Protocol::new(ProtocolVersion::V1).closes_sessions(true))
            .unwrap();
        pair
    }

    /// A clock for things that are not about clocks.
    pub(crate) fn clock(&self) -> Clock {
        Clock::start(self.now, Bounds::TURN)
    }

    /// Opens a session with this id.
    pub(crate) fn session(&mut self, id: &str) -> SessionKey {
        let call = self.make("session/new");
        let sent = self.sent();
        let request = sent.last().expect("the request was sent")["id"].clone();
        self.agent(&json!({"jsonrpc": "2.0", "id": request, "result": {"sessionId": id}}));
        self.reply(call)
            .unwrap()
            .session
            .expect("it opened a session")
    }

    /// Sends a request that makes a session.
    pub(crate) fn make(&mut self, method: &'static str) -> CallKey {
        let (clock, params) = (self.clock(), json!({"cwd": "/w", "mcpServers": []}));
        self.machine
            .open_session(self.now, method, &params, Opening::New, clock)
            .unwrap()
            .0
    }

    /// Sends a request that opens a session whose id is known.
    pub(crate) fn open(&mut self, method: &'static str, id: &str) -> (CallKey, SessionKey) {
        let (clock, params) = (self.clock(), json!({"sessionId": id}));
        let id = SessionId::from(id);
        let opening = Opening::Known(&id);
        let (call, key) = self
            .machine
            .open_session(self.now, method, &params, opening, clock)
            .unwrap();
        (call, key.expect("its id is known"))
    }

    /// Sends any request of a session.
    pub(crate) fn call(&mut self, session: SessionKey, method: &'static str) -> CallKey {
        let clock = self.clock();
        let scope = Scope::Session(session);
        self.machine
            .request(self.now, method, &json!({}), scope, clock)
            .unwrap()
    }

    /// Starts a turn.
    pub(crate) fn prompt(&mut self, session: SessionKey) -> TurnKey {
        self.prompt_within(session, Bounds::TURN)
    }

    /// Starts a turn with these bounds.
    pub(crate) fn prompt_within(&mut self, session: SessionKey, bounds: Bounds) -> TurnKey {
        let clock = Clock::start(self.now, bounds);
        let id = self.machine.session_id(session).unwrap().to_string();
        let params = json!({"sessionId": id, "prompt": [{"type": "text", "text": "go"}]});
        self.machine
            .start_prompt(self.now, session, &params, clock)
            .unwrap()
    }

    /// The agent writes one message.
    pub(crate) fn agent(&mut self, message: &Value) {
        self.agent_text(&format!("{message}\n"));
    }

    /// The agent writes text.
    pub(crate) fn agent_text(&mut self, text: &str) {
        self.machine.handle_bytes(self.now, text.as_bytes());
    }

    /// The agent says something in a session.
    pub(crate) fn says(&mut self, session: &str, text: &str) {
        self.agent(&chunk(session, text));
    }

    /// The agent answers a request of ours.
    pub(crate) fn answers(&mut self, id: i64, result: &Value) {
        self.agent(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
    }

    /// The agent asks for permission.
    pub(crate) fn asks(&mut self, id: i64, session: &str) {
        self.agent(&permission(id, session));
    }

    /// What was written since the last look, as the agent reads it.
    pub(crate) fn sent(&mut self) -> Vec<Value> {
        self.read();
        let text = String::from_utf8(std::mem::take(&mut self.inbox)).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// The agent reads what stands in the pipe.
    fn read(&mut self) {
        while let Transmit::Bytes(pending) = self.machine.poll_transmit() {
            self.inbox.extend_from_slice(pending);
            let written = pending.len();
            self.machine.handle_written(self.now, written);
        }
    }

    /// The ids and the outcome of what was answered since the last look.
    pub(crate) fn sent_answers(&mut self) -> Vec<Value> {
        self.sent()
            .into_iter()
            .filter(|line| line.get("method").is_none())
            .collect()
    }

    /// Lets time pass, firing every timer at its moment.
    pub(crate) fn pass(&mut self, time: Duration) {
        let end = self.now + time;
        loop {
            if self.agent_reads {
                self.read();
            }
            match self.machine.poll_timeout() {
                Some(at) if at <= end => {
                    self.now = at.max(self.now);
                    self.machine.handle_timeout(self.now);
                }
                Some(_) | None => break,
            }
        }
        self.now = end;
        self.machine.handle_timeout(self.now);
    }

    /// Parks on a key.
    pub(crate) fn park(&mut self, key: WaitKey) {
        self.machine.park(self.now, key);
    }

    /// The keys that became ready.
    pub(crate) fn ready_keys(&mut self) -> Vec<WaitKey> {
        std::iter::from_fn(|| self.machine.poll_ready()).collect()
    }

    /// The reply to a call, which must be there.
    #[track_caller]
    pub(crate) fn reply(&mut self, call: CallKey) -> Result<Reply, CallError> {
        self.machine
            .take_reply(call)
            .unwrap()
            .expect("the reply is there")
    }

    /// Whether the reply to a call is there; it stays.
    pub(crate) fn is_answered(&mut self, call: CallKey) -> bool {
        self.machine.park(self.now, WaitKey::Call(call));
        let ready = self.ready_keys().contains(&WaitKey::Call(call));
        if !ready {
            self.machine.unpark(self.now, WaitKey::Call(call));
        }
        ready
    }

    /// The next event of a stream, which must be there.
    #[track_caller]
    pub(crate) fn event(&mut self, stream: Stream) -> Received {
        match self.machine.next_event(self.now, stream) {
            Next::Event(received) => received,
            other => panic!("expected an event, found {other:?}"),
        }
    }

    /// Takes everything that stands in a stream.
    pub(crate) fn take_all(&mut self, stream: Stream) -> Vec<Received> {
        let mut taken = Vec::new();
        while let Next::Event(received) = self.machine.next_event(self.now, stream) {
            taken.push(received);
        }
        taken
    }

    /// The end of a turn, which must be the next item of its stream.
    #[track_caller]
    pub(crate) fn end(&mut self, turn: TurnKey) -> TurnEnd {
        match self.machine.next_event(self.now, Stream::Turn(turn)) {
            Next::End(end) => *end,
            other => panic!("expected the end, found {other:?}"),
        }
    }

    /// The key of the question that a stream gives next.
    #[track_caller]
    pub(crate) fn ask(&mut self, stream: Stream) -> AskKey {
        let received = self.event(stream);
        received.event.ask().expect("a question").key
    }

    /// Whether the machine wants to read.
    pub(crate) fn reads(&mut self) -> bool {
        self.machine.wants_read(self.now)
    }
}

/// A chunk of the agent's message.
pub(crate) fn chunk(session: &str, text: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session,
        "update": {"sessionUpdate": "agent_message_chunk",
            "content": {"type": "text", "text": text}}}})
}

/// A permission request.
pub(crate) fn permission(id: i64, session: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": {
        "sessionId": session, "toolCall": {"toolCallId": "t1", "title": "run it"},
        "options": [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}]}})
}

/// The answer that approves nothing.
pub(crate) fn cancelled(id: i64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": {"outcome": {"outcome": "cancelled"}}})
}

/// The text of chunks among events, joined.
pub(crate) fn text(events: &[Received]) -> String {
    let text = |received: &Received| match &received.event {
        Event::Text(chunk) => Some(chunk.to_string()),
        _ => None,
    };
    events.iter().filter_map(text).collect()
}
