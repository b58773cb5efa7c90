//! A world in which anything can happen to a machine, and what holds in it all the same. The
//! property tests and the fuzz target run in it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use acp_session::{
    AskKey, Bounds, CallKey, Clock, Config, Connection, Exit, Next, Opening, Protocol, Scope,
    SessionKey, Stream, Transmit, TurnKey, WaitKey,
};
use acp_vocab::{ProtocolVersion, SessionId};
use serde_json::{Value, json};

const S: Duration = Duration::from_secs(1);
const SESSION: usize = 3_000;
const CONNECTION: usize = 8_000;
const OVERDRAFT: usize = 10_000;
const EARLY: usize = 2_000;
const ASKS: usize = 6;
/// No frame of this test is charged more than this.
const LARGEST: usize = 3_000;
/// What an event is charged that the machine adds by itself: at most one for each open question.
const OWN: usize = 800;

/// One thing that happens.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Chunk(u8, usize),
    Tool(u8, u8),
    State(u8, bool),
    Child(u8),
    Unknown(u8),
    Ask(u8, u8),
    Withdraw(u8),
    Answer(u8, u8),
    Noise(Vec<u8>),
    Prompt(u8),
    Call(u8, bool),
    New,
    Load(u8),
    Take(u8, u8),
    Decide(u8, bool),
    Cancel(u8),
    GiveUp(u8),
    Abandon(u8),
    DropSession(u8),
    Park(u8),
    Unpark(u8),
    Read(usize),
    Pass(u16),
    General(bool),
}

struct Storm {
    machine: Connection,
    now: Instant,
    sessions: Vec<SessionKey>,
    turns: Vec<TurnKey>,
    calls: Vec<CallKey>,
    asks: Vec<AskKey>,
    parked: Vec<WaitKey>,
    /// Requests that the agent sent, and how often each was answered.
    asked: BTreeMap<u64, u32>,
    /// Ids of our requests, as the agent reads them.
    requests: Vec<Value>,
    written: Vec<u8>,
}

fn pick<T: Copy>(list: &[T], index: u8) -> Option<T> {
    list.get(usize::from(index) % list.len().max(1)).copied()
}

const NAMES: [&str; 5] = ["s0", "s1", "s2", "child", "never"];

impl Storm {
    fn new(version: u16) -> Self {
        let mut config = Config::default();
        config.expects_exit = true;
        let limits = &mut config.limits;
        (limits.session_bytes, limits.connection_bytes) = (SESSION, CONNECTION);
        (limits.overdraft_bytes, limits.early_bytes) = (OVERDRAFT, EARLY);
        (limits.session_asks, limits.connection_asks) = (4, ASKS);
        (limits.answers, limits.calls, limits.tool_calls) = (5, 8, 4);
        let mut machine = Connection::new(config);
        let protocol = Protocol::new(ProtocolVersion(version)).closes_sessions(true);
        machine.agree(protocol).unwrap();
        machine.register("fs/read_text_file", true);
        machine.register("elicitation/create", false);
        Self {
            machine,
            now: beginning(),
            sessions: Vec::new(),
            turns: Vec::new(),
            calls: Vec::new(),
            asks: Vec::new(),
            parked: Vec::new(),
            asked: BTreeMap::new(),
            requests: Vec::new(),
            written: Vec::new(),
        }
    }

    fn agent(&mut self, message: &Value) {
        let line = format!("{message}\n");
        let middle = line.len() / 2;
        if self.machine.wants_read(self.now) {
            let (first, second) = line.as_bytes().split_at(middle);
            self.machine.handle_bytes(self.now, first);
            self.machine.handle_bytes(self.now, second);
        }
    }

    fn update(&mut self, session: u8, update: Value) {
        let name = pick(&NAMES, session).unwrap();
        self.agent(&json!({"jsonrpc": "2.0", "method": "session/update",
            "params": {"sessionId": name, "update": update}}));
    }

    /// The agent takes up to so many bytes and reads the lines that are complete.
    fn read(&mut self, mut room: usize) {
        while let Transmit::Bytes(bytes) = self.machine.poll_transmit() {
            let n = bytes.len().min(room);
            if n == 0 {
                break;
            }
            self.written.extend_from_slice(&bytes[..n]);
            self.machine.handle_written(self.now, n);
            room -= n;
        }
        while let Some(end) = self.written.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.written.drain(..=end).collect();
            let line: Value = serde_json::from_slice(&line).unwrap();
            match (line.get("method"), line.get("id")) {
                (Some(_), Some(id)) => self.requests.push(id.clone()),
                (None, Some(id)) => {
                    let count = self
                        .asked
                        .get_mut(&id.as_u64().unwrap())
                        .expect("was asked");
                    *count += 1;
                    assert_eq!(*count, 1, "request {id} was answered twice");
                }
                (_, None) => {}
            }
        }
    }

    fn stream(&self, index: u8) -> Stream {
        match index % 3 {
            0 => pick(&self.turns, index / 3).map_or(Stream::Connection, Stream::Turn),
            1 => pick(&self.sessions, index / 3).map_or(Stream::Connection, Stream::Session),
            _ => Stream::Connection,
        }
    }

    fn take(&mut self, stream: Stream, count: u8) {
        for _ in 0..count {
            match self.machine.next_event(self.now, stream) {
                Next::Event(received) => {
                    if let Some(ask) = received.event.ask() {
                        self.asks.push(ask.key);
                    }
                }
                Next::End(_) => {
                    let Stream::Turn(turn) = stream else {
                        panic!("only turns end")
                    };
                    self.turns.retain(|&live| live != turn);
                    break;
                }
                _ => break,
            }
        }
        while let Some(ask) = self.machine.next_handler_ask(self.now) {
            self.asks.push(ask.key);
        }
    }

    fn replies(&mut self) {
        let mut waiting = Vec::new();
        for call in std::mem::take(&mut self.calls) {
            match self
                .machine
                .take_reply(call)
                .expect("it is ours until taken")
            {
                Some(Ok(reply)) => self.sessions.extend(reply.session),
                Some(Err(_)) => {}
                None => waiting.push(call),
            }
        }
        self.calls = waiting;
        self.sessions.sort();
        self.sessions.dedup();
    }

    fn apply(&mut self, step: Step, number: u64) {
        let now = self.now;
        let clock = Clock::start(now, Bounds::START_UP.idle(20 * S).absolute(90 * S));
        match step {
            Step::Chunk(session, size) => self.update(
                session,
                json!({
                "sessionUpdate": "agent_message_chunk", "messageId": "m",
                "content": {"type": "text", "text": "x".repeat(size)}}),
            ),
            Step::Tool(session, tool) => self.update(
                session,
                json!({
                "sessionUpdate": "tool_call_update", "toolCallId": format!("t{}", tool % 8),
                "content": [{"type": "session", "sessionId": "child"}]}),
            ),
            Step::State(session, idle) => self.update(
                session,
                json!({
                "sessionUpdate": "state_update", "state": if idle { "idle" } else { "running" },
                "stopReason": "end_turn"}),
            ),
            Step::Child(session) => self.update(
                session,
                json!({
                "sessionUpdate": "subagent_update", "sessionId": "child"}),
            ),
            Step::Unknown(session) => self.update(session, json!({"sessionUpdate": "new_thing"})),
            Step::Ask(session, method) => {
                if self.machine.wants_read(now) {
                    let method = [
                        "session/request_permission",
                        "fs/read_text_file",
                        "elicitation/create",
                        "_x/unknown",
                    ][usize::from(method % 4)];
                    self.asked.insert(number, 0);
                    self.agent(&json!({"jsonrpc": "2.0", "id": number, "method": method,
                        "params": {"sessionId": pick(&NAMES, session), "title": "t",
                            "toolCall": {"toolCallId": "t1"}, "options": [], "message": "m",
                            "mode": "form",
                            "requestedSchema": {"type": "object", "properties": {}}}}));
                }
            }
            Step::Withdraw(index) => {
                let ids: Vec<u64> = self.asked.keys().copied().collect();
                if let Some(id) = pick(&ids, index) {
                    self.agent(&json!({"jsonrpc": "2.0", "method": "$/cancel_request",
                        "params": {"requestId": id}}));
                }
            }
            Step::Answer(index, kind) => {
                let at = usize::from(index) % self.requests.len().max(1);
                let Some(id) = self.requests.get(at).cloned() else {
                    return;
                };
                if kind % 5 != 0 {
                    self.requests.remove(at);
                }
                let session = NAMES[usize::from(kind) % 3];
                let mut reply = match kind % 4 {
                    0 => json!({"error": {"code": -32603, "message": "no"}}),
                    1 => json!({"neither": true}),
                    _ => json!({"result": {"sessionId": session, "stopReason": "end_turn",
                        "messageId": "u"}}),
                };
                reply["id"] = id;
                self.agent(&reply);
            }
            Step::Noise(bytes) => {
                if self.machine.wants_read(now) {
                    self.machine.handle_bytes(now, &bytes);
                    self.machine.handle_bytes(now, b"\n");
                }
            }
            Step::Prompt(index) => {
                if let Some(session) = pick(&self.sessions, index) {
                    let started =
                        self.machine
                            .start_prompt(now, session, &json!({"prompt": []}), clock);
                    self.turns.extend(started.ok());
                }
            }
            Step::Call(index, closes) => {
                let Some(session) = pick(&self.sessions, index) else {
                    return;
                };
                let params = json!({});
                let sent = if closes {
                    self.machine
                        .end_session(now, "session/close", &params, session, clock)
                } else {
                    let scope = Scope::Session(session);
                    self.machine
                        .request(now, "session/set_mode", &params, scope, clock)
                };
                self.calls.extend(sent.ok());
            }
            Step::New => {
                let opening = Opening::New;
                let sent =
                    self.machine
                        .open_session(now, "session/new", &json!({}), opening, clock);
                self.calls.extend(sent.ok().map(|(call, _)| call));
            }
            Step::Load(index) => {
                let id = SessionId::from(NAMES[usize::from(index % 3)]);
                let opening = Opening::Known(&id);
                let sent =
                    self.machine
                        .open_session(now, "session/load", &json!({}), opening, clock);
                if let Ok((call, session)) = sent {
                    self.calls.push(call);
                    self.sessions.extend(session);
                }
            }
            Step::Take(index, count) => self.take(self.stream(index), count),
            Step::Decide(index, decide) => {
                let at = usize::from(index) % self.asks.len().max(1);
                if self.asks.get(at).is_some() {
                    let ask = self.asks.remove(at);
                    if decide {
                        let _late = self.machine.answer(now, ask, &json!({"ok": true}));
                    } else {
                        self.machine.drop_ask(now, ask);
                    }
                }
            }
            Step::Cancel(index) => {
                if let Some(turn) = pick(&self.turns, index) {
                    self.machine
                        .cancel(now, turn)
                        .expect("its end was not taken");
                }
            }
            Step::GiveUp(index) => {
                if let Some(turn) = pick(&self.turns, index) {
                    self.machine.give_up(now, turn);
                    self.turns.retain(|&live| live != turn);
                }
            }
            Step::Abandon(index) => {
                if let Some(call) = pick(&self.calls, index) {
                    self.machine.abandon(now, call);
                    self.calls.retain(|&live| live != call);
                }
            }
            Step::DropSession(index) => {
                if let Some(session) = pick(&self.sessions, index) {
                    self.machine.drop_session(now, session);
                    self.sessions.retain(|&live| live != session);
                }
            }
            Step::Park(index) => {
                let key = match index % 3 {
                    0 => pick(&self.calls, index / 3).map_or(WaitKey::Writer, WaitKey::Call),
                    1 => pick(&self.asks, index / 3).map_or(WaitKey::Handler, WaitKey::Ask),
                    _ => WaitKey::Stream(self.stream(index / 3)),
                };
                self.machine.park(now, key);
                self.parked.push(key);
            }
            Step::Unpark(index) => {
                if let Some(key) = pick(&self.parked, index) {
                    self.machine.unpark(now, key);
                    self.parked.retain(|&parked| parked != key);
                }
            }
            Step::Read(room) => self.read(room),
            Step::Pass(seconds) => {
                self.now += u32::from(seconds) * S;
                self.machine.handle_timeout(self.now);
            }
            Step::General(take) => {
                if take {
                    let _taken = self.machine.take_connection_stream();
                } else {
                    self.machine.drop_connection_stream(now);
                }
            }
        }
        self.settle();
    }

    /// What holds after every step.
    fn settle(&mut self) {
        while let Some(key) = self.machine.poll_ready() {
            assert!(
                self.parked.contains(&key),
                "{key:?} became ready and nobody waits"
            );
            self.parked.retain(|&parked| parked != key);
        }
        self.replies();
        let bound = CONNECTION + OVERDRAFT + LARGEST + EARLY + ASKS * OWN;
        assert!(
            self.machine.unread_bytes() < bound,
            "{}",
            self.machine.unread_bytes()
        );
        if let Some(at) = self.machine.poll_timeout() {
            if at <= self.now {
                self.machine.handle_timeout(self.now);
            }
            assert!(
                self.machine.poll_timeout().is_none_or(|at| at > self.now),
                "a timer that fired does not fire again at the same moment"
            );
        }
    }
}

/// Lets the steps happen, then ends the connection in one of three ways.
pub(crate) fn run(version: u16, steps: Vec<Step>, ending: u8) {
    let mut storm = Storm::new(version);
    for (number, step) in steps.into_iter().enumerate() {
        storm.apply(step, number as u64);
    }
    let alive = storm.machine.closed().is_none();
    match ending % 3 {
        0 => storm.machine.close(storm.now),
        1 => storm.machine.handle_eof(storm.now),
        _ => storm
            .machine
            .handle_exit(storm.now, Exit::new(Some(1), None, "")),
    }
    if ending.is_multiple_of(3) && alive {
        storm.read(usize::MAX);
        for (id, count) in &storm.asked {
            assert_eq!(*count, 1, "request {id} was never answered");
        }
    }
    storm.now += 3 * S;
    storm.machine.handle_timeout(storm.now);
    storm.machine.handle_eof(storm.now);
    storm.now += 3 * S;
    storm.machine.handle_timeout(storm.now);
    assert!(storm.machine.closed().is_some());
    storm.replies();
    assert!(storm.calls.is_empty(), "a call waits for ever");
    for _ in 0..storm.turns.len() {
        for turn in storm.turns.clone() {
            storm.take(Stream::Turn(turn), u8::MAX);
            storm.take(Stream::Turn(turn), u8::MAX);
        }
    }
    assert!(storm.turns.is_empty(), "a turn never ended");
    assert!(storm.machine.poll_timeout().is_none());
}

/// Bytes, chunk by chunk, to a machine that does nothing else.
pub(crate) fn feed(chunks: Vec<Vec<u8>>) {
    let mut storm = Storm::new(1);
    for chunk in chunks {
        storm.machine.handle_bytes(storm.now, &chunk);
        storm.settle();
    }
}

/// A program of bytes: version, ending, then steps of three bytes each.
pub(crate) fn interpret(program: &[u8]) {
    let [version, ending, rest @ ..] = program else {
        return;
    };
    let steps = rest
        .chunks_exact(3)
        .map(|step| Step::of(step[0], step[1], step[2]));
    run(1 + u16::from(*version % 2), steps.collect(), *ending);
}

impl Step {
    fn of(kind: u8, a: u8, b: u8) -> Self {
        match kind % 24 {
            0 => Self::Chunk(a, usize::from(b) * 8),
            1 => Self::Tool(a, b),
            2 => Self::State(a, b.is_multiple_of(2)),
            3 => Self::Child(a),
            4 => Self::Unknown(a),
            5 => Self::Ask(a, b),
            6 => Self::Withdraw(a),
            7 => Self::Answer(a, b),
            8 => Self::Noise(vec![a, b, b'{', b'"']),
            9 => Self::Prompt(a),
            10 => Self::Call(a, b.is_multiple_of(2)),
            11 => Self::New,
            12 => Self::Load(a),
            13 => Self::Take(a, b % 20),
            14 => Self::Decide(a, b.is_multiple_of(2)),
            15 => Self::Cancel(a),
            16 => Self::GiveUp(a),
            17 => Self::Abandon(a),
            18 => Self::DropSession(a),
            19 => Self::Park(a),
            20 => Self::Unpark(a),
            21 => Self::Read(usize::from(b) * 12),
            22 => Self::Pass(u16::from(b) % 40),
            _ => Self::General(b.is_multiple_of(2)),
        }
    }
}

/// A moment to count from.
#[expect(
    clippy::disallowed_methods,
    reason = "a world needs a first instant, and no other"
)]
fn beginning() -> Instant {
    Instant::now()
}
