//! A world in which anything can happen to a machine, and what holds in it all the same. The
//! property tests and the fuzz target run in it.

use std::time::{Duration, Instant};

use acp_session::{
    AskKey, Bounds, CallKey, Clock, Config, Connection, Exit, Next, Opening, Protocol, Scope,
    SessionKey, Stream, Transmit, TurnKey, WaitKey,
};
use acp_vocab::{ProtocolVersion, SessionId};
use serde_json::{Value, json};

use super::heard::Heard;

const S: Duration = Duration::from_secs(1);
const SESSION: usize = 3_000;
const CONNECTION: usize = 8_000;
const OVERDRAFT: usize = 10_000;
const EARLY: usize = 2_000;
const ASKS: usize = 6;
/// No frame of this test is charged more than this: a state is, and a large one.
const LARGEST: usize = 16_000;
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
    /// Bytes as they are: a part of a line, or several.
    Raw(Vec<u8>),
    /// The last line of such bytes, so many times more.
    Repeat(u8),
    /// The pipe or the agent ends, or we close.
    End(u8),
}

struct Storm {
    machine: Connection,
    now: Instant,
    sessions: Vec<SessionKey>,
    turns: Vec<TurnKey>,
    calls: Vec<CallKey>,
    asks: Vec<AskKey>,
    parked: Vec<WaitKey>,
    heard: Heard,
    /// Ids under which the agent asked.
    asked: Vec<u64>,
    /// The agent reads no more: nothing can be owed to it.
    gone: bool,
    /// The last line of raw bytes.
    line: Vec<u8>,
    raw: bool,
    /// Ids of our requests, as the agent reads them.
    requests: Vec<Value>,
    written: Vec<u8>,
}

fn pick<T: Copy>(list: &[T], index: u8) -> Option<T> {
    list.get(usize::from(index) % list.len().max(1)).copied()
}

const NAMES: [&str; 5] = ["s0", "s1", "s2", "child", "never"];

/// How a machine is set up.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Setting {
    pub(crate) second_version: bool,
    /// Lines end the connection at 1,024 bytes.
    pub(crate) short_lines: bool,
    pub(crate) keep_raw: bool,
    pub(crate) strict_sessions: bool,
    pub(crate) no_exit: bool,
}

impl Setting {
    /// Each bit is one of them.
    pub(crate) const fn of(bits: u8) -> Self {
        Self {
            second_version: bits & 1 != 0,
            short_lines: bits & 2 != 0,
            keep_raw: bits & 4 != 0,
            strict_sessions: bits & 8 != 0,
            no_exit: bits & 16 != 0,
        }
    }
}

impl Storm {
    fn new(setting: Setting) -> Self {
        let mut config = Config::default();
        config.expects_exit = !setting.no_exit;
        config.keep_raw = setting.keep_raw;
        config.strict_sessions = setting.strict_sessions;
        let limits = &mut config.limits;
        if setting.short_lines {
            limits.line_bytes = 1_024;
        }
        let line = acp_codec::Limits::default().with_max_line(limits.line_bytes);
        (limits.session_bytes, limits.connection_bytes) = (SESSION, CONNECTION);
        (limits.overdraft_bytes, limits.early_bytes) = (OVERDRAFT, EARLY);
        (limits.session_asks, limits.connection_asks) = (4, ASKS);
        (limits.answers, limits.calls, limits.tool_calls) = (5, 8, 4);
        let mut machine = Connection::new(config);
        let version = ProtocolVersion(1 + u16::from(setting.second_version));
        let protocol = Protocol::new(version).closes_sessions(true);
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
            heard: Heard::new(line),
            asked: Vec::new(),
            gone: false,
            line: Vec::new(),
            raw: false,
            requests: Vec::new(),
            written: Vec::new(),
        }
    }

    fn agent(&mut self, message: &Value) {
        let line = format!("{message}\n");
        let middle = line.len() / 2;
        let (first, second) = line.as_bytes().split_at(middle);
        if self.say(first) {
            // A pipe gives what was written, so the other half comes as well.
            self.feed(second);
        }
    }

    /// The agent's bytes come, if they are read. Returns whether they are.
    fn say(&mut self, bytes: &[u8]) -> bool {
        let reads = self.machine.closed().is_none() && self.machine.wants_read(self.now);
        if reads {
            self.feed(bytes);
        }
        reads
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.heard.say(bytes);
        self.machine.handle_bytes(self.now, bytes);
        self.heard.read(self.machine.counters().frames);
    }

    fn update(&mut self, session: u8, update: Value) {
        let name = pick(&NAMES, session).unwrap();
        self.agent(&json!({"jsonrpc": "2.0", "method": "session/update",
            "params": {"sessionId": name, "update": update}}));
    }

    /// The agent takes up to so many bytes and reads the lines that are complete.
    fn read(&mut self, mut room: usize) {
        self.heard.read(self.machine.counters().frames);
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
            self.requests.extend(self.heard.written(&line));
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
                    self.asked.push(number);
                    self.agent(&json!({"jsonrpc": "2.0", "id": number, "method": method,
                        "params": {"sessionId": pick(&NAMES, session), "title": "t",
                            "toolCall": {"toolCallId": "t1"}, "options": [], "message": "m",
                            "mode": "form",
                            "requestedSchema": {"type": "object", "properties": {}}}}));
                }
            }
            Step::Withdraw(index) => {
                if let Some(id) = pick(&self.asked, index) {
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
                if self.say(&bytes) {
                    self.feed(b"\n");
                }
            }
            Step::Raw(bytes) => {
                self.raw = true;
                self.say(&bytes);
                let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
                self.line = lines.next_back().unwrap_or_default().to_vec();
            }
            Step::Repeat(times) => {
                let line = self.line.clone();
                for _ in 0..times {
                    if !self.say(&line) {
                        break;
                    }
                }
            }
            Step::End(how) => self.end(how),
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
        let largest = if self.raw {
            // What the events of the longest frame are charged at most.
            64 * (LARGEST + self.heard.longest())
        } else {
            LARGEST
        };
        let bound = CONNECTION + OVERDRAFT + largest + EARLY + ASKS * OWN;
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

impl Storm {
    /// An end from outside, or ours.
    fn end(&mut self, how: u8) {
        let now = self.now;
        self.gone |= how % 5 == 3;
        match how % 5 {
            0 => {
                let alive = self.machine.ended().is_none() && !self.gone;
                self.machine.close(now);
                if alive {
                    // Whatever was accepted is owed an answer, and it stands in the outbox.
                    self.read(usize::MAX);
                    self.heard.all_are_answered();
                }
            }
            1 => {
                self.heard.finish();
                self.machine.handle_eof(now);
            }
            2 => self.machine.handle_exit(now, Exit::new(Some(1), None, "")),
            3 => {
                let kind = std::io::ErrorKind::BrokenPipe;
                self.machine.handle_write_error(now, kind);
                self.written.clear();
            }
            _ => {
                self.heard.finish();
                let kind = std::io::ErrorKind::ConnectionReset;
                self.machine.handle_read_error(now, kind);
            }
        }
    }
}

/// Lets the steps happen, then ends the connection in one of three ways.
pub(crate) fn run(setting: Setting, steps: Vec<Step>, ending: u8) {
    let mut storm = Storm::new(setting);
    for (number, step) in steps.into_iter().enumerate() {
        storm.apply(step, number as u64);
    }
    storm.end(ending % 3);
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
    let mut storm = Storm::new(Setting::default());
    storm.raw = true;
    for chunk in chunks {
        storm.say(&chunk);
        storm.settle();
    }
}

/// A program of bytes: the setting, the ending, then steps of three bytes each. Behind a raw step
/// its bytes follow.
pub(crate) fn interpret(program: &[u8]) {
    let [setting, ending, rest @ ..] = program else {
        return;
    };
    let mut steps = Vec::new();
    let mut rest = rest;
    while let [kind, a, b, after @ ..] = rest {
        rest = after;
        let step = match kind % KINDS {
            RAW => {
                let len = usize::from(u16::from_le_bytes([*a, *b])).min(rest.len());
                let (bytes, after) = rest.split_at(len);
                rest = after;
                Step::Raw(bytes.to_vec())
            }
            kind => Step::of(kind, *a, *b),
        };
        steps.push(step);
    }
    run(Setting::of(*setting), steps, *ending);
}

/// How many kinds of steps a program has.
const KINDS: u8 = 27;
/// The kind behind which bytes follow.
const RAW: u8 = 24;

impl Step {
    fn of(kind: u8, a: u8, b: u8) -> Self {
        match kind {
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
            23 => Self::General(b.is_multiple_of(2)),
            25 => Self::Repeat(a),
            // Rarely: nothing much happens afterwards.
            _ if b == 0 => Self::End(a),
            _ => Self::Read(usize::MAX),
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
