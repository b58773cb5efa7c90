//! Every fault at every phase: whatever waits, ends within its bound, and says why.

use acp_session::{
    Bounds, CallError, CallKey, Clock, Config, Exit, Next, Protocol, Scope, SessionKey, Stream,
    TurnKey,
};
use acp_vocab::ProtocolVersion;
use serde_json::json;

use crate::pair::{Pair, S};

/// Where the conversation stands when the fault happens.
#[derive(Debug, Clone, Copy)]
enum Phase {
    Initialize,
    New,
    Load,
    SetMode,
    Prompt,
    Asking,
    Cancelling,
}

/// What the agent does then, for as long as it takes.
#[derive(Debug, Clone, Copy)]
enum Fault {
    Silence,
    Noise,
    Stream,
    OtherAnswers,
    HalfLine,
    Eof,
    Exit,
    ExitHeld,
    WriteError,
    ReadError,
    StopsReading,
}

/// What waits.
enum Wait {
    Call(CallKey),
    Turn(TurnKey, SessionKey),
}

fn clock(pair: &Pair) -> Clock {
    Clock::start(pair.now, Bounds::TURN.idle(20 * S).absolute(60 * S))
}

fn begin(pair: &mut Pair, phase: Phase, version: u16) -> Wait {
    let params = json!({});
    if matches!(phase, Phase::Initialize) {
        let clock = clock(pair);
        let machine = &mut pair.machine;
        let call = machine
            .request(pair.now, "initialize", &params, Scope::Connection, clock)
            .unwrap();
        return Wait::Call(call);
    }
    pair.machine
        .agree(Protocol::new(ProtocolVersion(version)))
        .unwrap();
    let clock = clock(pair);
    match phase {
        Phase::Initialize | Phase::New => {
            let opening = acp_session::Opening::New;
            let now = pair.now;
            let opened = pair
                .machine
                .open_session(now, "session/new", &params, opening, clock);
            Wait::Call(opened.unwrap().0)
        }
        Phase::Load => {
            let id = acp_vocab::SessionId::from("s");
            let opening = acp_session::Opening::Known(&id);
            let now = pair.now;
            let opened = pair
                .machine
                .open_session(now, "session/load", &params, opening, clock);
            pair.says("s", "half a history");
            Wait::Call(opened.unwrap().0)
        }
        Phase::SetMode => {
            let session = pair.session("s");
            let scope = Scope::Session(session);
            let now = pair.now;
            let sent = pair
                .machine
                .request(now, "session/set_mode", &params, scope, clock);
            Wait::Call(sent.unwrap())
        }
        Phase::Prompt | Phase::Asking | Phase::Cancelling => {
            let session = pair.session("s");
            let turn = pair
                .machine
                .start_prompt(pair.now, session, &params, clock)
                .unwrap();
            if matches!(phase, Phase::Asking) {
                pair.agent(&json!({"jsonrpc": "2.0", "id": 0, "method":
                    "session/request_permission", "params": {"sessionId": "s", "title": "t",
                    "toolCall": {"toolCallId": "t"}, "options": []}}));
                pair.ask(Stream::Turn(turn));
            }
            if matches!(phase, Phase::Cancelling) {
                pair.machine.cancel(pair.now, turn).unwrap();
            }
            Wait::Turn(turn, session)
        }
    }
}

fn strike(pair: &mut Pair, fault: Fault, second: u32) {
    match fault {
        Fault::Silence => {}
        Fault::Noise => pair.agent_text("Still loading...\n[1]\n"),
        Fault::Stream => {
            let tag = "agent_message_chunk";
            pair.agent(
                &json!({"jsonrpc": "2.0", "method": "session/update", "params":
                {"sessionId": "s", "update": {"sessionUpdate": tag, "messageId": "m",
                    "content": {"type": "text", "text": "more "}}}}),
            );
        }
        Fault::OtherAnswers => {
            pair.agent(&json!({"jsonrpc": "2.0", "id": 77, "result": {}}));
            pair.agent(&json!({"jsonrpc": "2.0", "id": null, "error":
                {"code": -32700, "message": "?"}}));
        }
        Fault::StopsReading => pair.agent_reads = false,
        Fault::HalfLine
        | Fault::Eof
        | Fault::Exit
        | Fault::ExitHeld
        | Fault::WriteError
        | Fault::ReadError
            if second > 0 => {}
        Fault::HalfLine => {
            pair.agent_text("{\"jsonrpc\":\"2.0\",\"id\":0,\"res");
            pair.machine.handle_eof(pair.now);
        }
        Fault::Eof => pair.machine.handle_eof(pair.now),
        Fault::Exit => {
            pair.machine
                .handle_exit(pair.now, Exit::new(Some(1), None, "why"));
            pair.machine.handle_eof(pair.now);
        }
        Fault::ExitHeld => pair
            .machine
            .handle_exit(pair.now, Exit::new(None, Some(9), "why")),
        Fault::WriteError => {
            pair.machine
                .handle_write_error(pair.now, std::io::ErrorKind::BrokenPipe);
        }
        Fault::ReadError => {
            pair.machine
                .handle_read_error(pair.now, std::io::ErrorKind::ConnectionReset);
        }
    }
}

/// The error of the wait, once it has ended.
fn ended(pair: &mut Pair, wait: &Wait) -> Option<CallError> {
    match *wait {
        Wait::Call(call) => {
            let reply = pair.machine.take_reply(call).unwrap()?;
            Some(reply.expect_err("the agent never answered"))
        }
        Wait::Turn(turn, session) => loop {
            match pair.machine.next_event(pair.now, Stream::Turn(turn)) {
                Next::Event(_) => {}
                Next::End(end) => {
                    pair.take_all(Stream::Session(session));
                    return Some(end.result.expect_err("the agent never answered"));
                }
                _ => return None,
            }
        },
    }
}

#[track_caller]
fn check(phase: Phase, fault: Fault, version: u16) {
    let name = format!("{phase:?} {fault:?} v{version}");
    let mut config = Config::default();
    config.expects_exit = true;
    let mut pair = Pair::new(config);
    let wait = begin(&mut pair, phase, version);
    let begun = pair.now;
    let mut error = None;
    for second in 0..62 {
        strike(&mut pair, fault, second);
        error = ended(&mut pair, &wait);
        if error.is_some() {
            break;
        }
        pair.pass(S);
    }
    let error = error.unwrap_or_else(|| panic!("{name}: hangs"));
    let waited = pair.now - begun;
    let text = error.to_string();
    let ends_the_connection = !matches!(
        fault,
        Fault::Silence | Fault::Noise | Fault::Stream | Fault::OtherAnswers | Fault::StopsReading
    );
    if ends_the_connection {
        assert!(waited <= 2 * S, "{name}: {waited:?}");
        assert!(
            matches!(error, CallError::Connection { .. }),
            "{name}: {text}"
        );
    } else if !matches!(error, CallError::Connection { .. }) {
        assert!(matches!(error, CallError::Deadline(_)), "{name}: {text}");
    }
    assert!(
        text.contains("session/") || text.contains("initialize"),
        "{name}: {text}"
    );
    // Nothing is left behind, and a second fault on top changes nothing.
    pair.machine.close(pair.now);
    pair.pass(3 * S);
    pair.machine.handle_eof(pair.now);
    pair.machine.handle_exit(pair.now, Exit::default());
    pair.pass(3 * S);
    assert!(pair.machine.closed().is_some(), "{name}");
    assert!(pair.machine.poll_timeout().is_none(), "{name}");
}

#[test]
fn every_wait_ends_within_its_bound() {
    for version in [1, 2] {
        for phase in [
            Phase::Initialize,
            Phase::New,
            Phase::Load,
            Phase::SetMode,
            Phase::Prompt,
            Phase::Asking,
            Phase::Cancelling,
        ] {
            for fault in [
                Fault::Silence,
                Fault::Noise,
                Fault::Stream,
                Fault::OtherAnswers,
                Fault::HalfLine,
                Fault::Eof,
                Fault::Exit,
                Fault::ExitHeld,
                Fault::WriteError,
                Fault::ReadError,
                Fault::StopsReading,
            ] {
                check(phase, fault, version);
            }
        }
    }
}

/// How the agent answers, where it does.
#[derive(Debug, Clone, Copy)]
enum Odd {
    Twice,
    TwiceAndThenNo,
    AnotherIdFirst,
    IdAsString,
}

/// The end of the wait, once it is there: whether it was a good one.
fn came_out(pair: &mut Pair, wait: &Wait) -> Option<bool> {
    match *wait {
        Wait::Call(call) => pair.machine.take_reply(call).unwrap().map(|it| it.is_ok()),
        Wait::Turn(turn, _) => loop {
            match pair.machine.next_event(pair.now, Stream::Turn(turn)) {
                Next::Event(_) => {}
                Next::End(end) => return Some(end.result.is_ok()),
                _ => return None,
            }
        },
    }
}

#[track_caller]
fn check_odd(phase: Phase, odd: Odd, version: u16) {
    let name = format!("{phase:?} {odd:?} v{version}");
    let mut pair = Pair::new(Config::default());
    let wait = begin(&mut pair, phase, version);
    let sent = pair.sent();
    let mut requests = sent.iter().filter(|line| line.get("id").is_some());
    let id = requests.next_back().expect("a request")["id"].clone();
    let result = match phase {
        Phase::New => json!({"sessionId": "n"}),
        Phase::Prompt | Phase::Asking | Phase::Cancelling if version == 2 => {
            json!({"messageId": "m"})
        }
        Phase::Prompt | Phase::Asking | Phase::Cancelling => json!({"stopReason": "end_turn"}),
        Phase::Initialize | Phase::Load | Phase::SetMode => json!({}),
    };
    let good = json!({"jsonrpc": "2.0", "id": id, "result": result});
    let no = json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": "no"}});
    let mut as_string = good.clone();
    as_string["id"] = json!(id.to_string());
    let mut another = good.clone();
    another["id"] = json!(4711);
    let lines = match odd {
        Odd::Twice => [good.clone(), good],
        Odd::TwiceAndThenNo => [good, no],
        Odd::AnotherIdFirst => [another, good],
        Odd::IdAsString => [as_string, good],
    };
    lines.iter().for_each(|line| pair.agent(line));
    if matches!(wait, Wait::Turn(..)) && version == 2 {
        pair.agent(
            &json!({"jsonrpc": "2.0", "method": "session/update", "params": {
            "sessionId": "s", "update": {"sessionUpdate": "state_update", "state": "idle",
                "stopReason": "end_turn"}}}),
        );
    }
    assert_eq!(came_out(&mut pair, &wait), Some(true), "{name}");
    let counters = pair.machine.counters();
    let told = match odd {
        Odd::Twice | Odd::TwiceAndThenNo => counters.repeated_replies,
        Odd::AnotherIdFirst => counters.unknown_replies,
        Odd::IdAsString => counters.coerced_replies * counters.repeated_replies,
    };
    assert_eq!(told, 1, "{name}: {counters:?}");
    assert!(pair.machine.closed().is_none(), "{name}");
}

#[test]
fn an_odd_answer_ends_the_wait_once() {
    for version in [1, 2] {
        for phase in [
            Phase::Initialize,
            Phase::New,
            Phase::Load,
            Phase::SetMode,
            Phase::Prompt,
            Phase::Asking,
            Phase::Cancelling,
        ] {
            for odd in [
                Odd::Twice,
                Odd::TwiceAndThenNo,
                Odd::AnotherIdFirst,
                Odd::IdAsString,
            ] {
                check_odd(phase, odd, version);
            }
        }
    }
}

// In v1 nothing is left of a turn that has ended; in v2 the question may be of background work.
#[test]
fn a_decision_behind_the_end_of_the_turn_is_one_answer() {
    for version in [1, 2] {
        let mut pair = Pair::new(Config::default());
        let wait = begin(&mut pair, Phase::Prompt, version);
        let Wait::Turn(turn, _) = wait else {
            panic!("a turn")
        };
        let id = pair.sent().pop().unwrap()["id"].clone();
        pair.agent(
            &json!({"jsonrpc": "2.0", "id": 0, "method": "session/request_permission",
            "params": {"sessionId": "s", "title": "t", "toolCall": {"toolCallId": "t"},
                "options": [{"optionId": "y", "name": "Y", "kind": "allow_once"}]}}),
        );
        let ask = pair.ask(Stream::Turn(turn));
        let result = json!({"messageId": "m", "stopReason": "end_turn"});
        pair.agent(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
        pair.agent(
            &json!({"jsonrpc": "2.0", "method": "session/update", "params": {
            "sessionId": "s", "update": {"sessionUpdate": "state_update", "state": "idle",
                "stopReason": "end_turn"}}}),
        );
        assert_eq!(came_out(&mut pair, &wait), Some(true));
        let allow = json!({"outcome": {"outcome": "selected", "optionId": "y"}});
        let decided = pair.machine.answer(pair.now, ask, &allow);
        let answers = pair.sent_answers();
        assert_eq!(answers.len(), 1, "v{version}: {answers:?}");
        let outcome = &answers[0]["result"]["outcome"]["outcome"];
        let expected = if version == 1 {
            "cancelled"
        } else {
            "selected"
        };
        assert_eq!((outcome, decided.is_ok()), (&json!(expected), version == 2));
        pair.machine.answer(pair.now, ask, &allow).unwrap_err();
        assert!(pair.sent().is_empty());
    }
}
