//! Anything in any order: bytes, commands and time interleaved. Nothing panics, bounds hold, every
//! request of the agent is answered once and every wait of the host ends.

use std::collections::BTreeMap;

use acp_session::{
    AskKey, Bounds, CallKey, Clock, Config, Connection, Exit, Next, Opening, Protocol, Scope,
    SessionKey, Stream, Transmit, TurnKey, WaitKey,
};
use acp_vocab::{ProtocolVersion, SessionId};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::pair::{S, epoch};

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
enum Step {
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

fn step() -> impl Strategy<Value = Step> {
    let byte = any::<u8>;
    prop_oneof![
        6 => (byte(), 0..2_000_usize).prop_map(|(s, n)| Step::Chunk(s, n)),
        3 => (byte(), byte()).prop_map(|(s, t)| Step::Tool(s, t)),
        2 => (byte(), any::<bool>()).prop_map(|(s, i)| Step::State(s, i)),
        1 => byte().prop_map(Step::Child),
        1 => byte().prop_map(Step::Unknown),
        4 => (byte(), byte()).prop_map(|(s, m)| Step::Ask(s, m)),
        1 => byte().prop_map(Step::Withdraw),
        4 => (byte(), byte()).prop_map(|(c, k)| Step::Answer(c, k)),
        1 => proptest::collection::vec(byte(), 0..40).prop_map(Step::Noise),
        3 => byte().prop_map(Step::Prompt),
        2 => (byte(), any::<bool>()).prop_map(|(s, c)| Step::Call(s, c)),
        2 => Just(Step::New),
        1 => byte().prop_map(Step::Load),
        8 => (byte(), 1..20_u8).prop_map(|(s, n)| Step::Take(s, n)),
        3 => (byte(), any::<bool>()).prop_map(|(a, d)| Step::Decide(a, d)),
        1 => byte().prop_map(Step::Cancel),
        1 => byte().prop_map(Step::GiveUp),
        1 => byte().prop_map(Step::Abandon),
        1 => byte().prop_map(Step::DropSession),
        2 => byte().prop_map(Step::Park),
        1 => byte().prop_map(Step::Unpark),
        6 => (0..3_000_usize).prop_map(Step::Read),
        2 => (0..40_u16).prop_map(Step::Pass),
        1 => any::<bool>().prop_map(Step::General),
    ]
}

struct Storm {
    machine: Connection,
    now: std::time::Instant,
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
            now: epoch(),
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

fn run(version: u16, steps: Vec<Step>, ending: u8) {
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn nothing_breaks_v1(steps in proptest::collection::vec(step(), 0..120), ending: u8) {
        run(1, steps, ending);
    }

    #[test]
    fn nothing_breaks_v2(steps in proptest::collection::vec(step(), 0..120), ending: u8) {
        run(2, steps, ending);
    }

    #[test]
    fn any_bytes_are_survived(chunks in proptest::collection::vec(
        proptest::collection::vec(any::<u8>(), 0..80), 0..40,
    )) {
        let mut storm = Storm::new(1);
        for chunk in chunks {
            storm.machine.handle_bytes(storm.now, &chunk);
            storm.settle();
        }
    }
}
