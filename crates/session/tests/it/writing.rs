//! Rules 9 to 12: nothing waits for the pipe, and a peer that does not read is found out.

use acp_session::{EndCause, Stream, Transmit, UsageError, WaitKey};
use serde_json::json;

use crate::pair::{Pair, S};

#[test]
fn rule_09_bytes_go_out_as_the_writer_takes_them() {
    let mut pair = Pair::ready_with(|_| ());
    let call = pair.make("session/new");
    let mut line = Vec::new();
    while let Transmit::Bytes(bytes) = pair.machine.poll_transmit() {
        line.push(bytes[0]);
        pair.machine.handle_written(pair.now, 1);
    }
    assert_eq!(line.last(), Some(&b'\n'));
    pair.agent_text("{\"jsonrpc\":\"2.0\",");
    for byte in "\"id\":0,\"result\":{\"sessionId\":\"s\"}}\r\n".bytes() {
        pair.machine.handle_bytes(pair.now, &[byte]);
    }
    assert!(pair.reply(call).unwrap().session.is_some());
}

#[test]
fn rule_10_cancels_and_answers_are_never_refused_for_fullness() {
    let mut pair = Pair::ready_with(|limits| {
        limits.outbox_bytes = 10;
        limits.answers = 1;
    });
    let a = pair.session("a");
    pair.asks(0, "a");
    let ask = pair.ask(Stream::Session(a));
    let turn = pair.prompt(a);
    let params = json!({});
    let refused = pair.machine.notify(pair.now, "_x/y", &params);
    assert!(
        matches!(refused, Err(UsageError::Backlog { .. })),
        "a command has to wait"
    );
    pair.machine.answer(pair.now, ask, &json!({})).unwrap();
    pair.machine.cancel(pair.now, turn).unwrap();
    assert_eq!(pair.sent().len(), 3);
    pair.machine.notify(pair.now, "_x/y", &params).unwrap();
}

#[test]
fn rule_10_too_many_automatic_answers_stop_reading_even_for_waiters() {
    let mut pair = Pair::ready_with(|limits| limits.answers = 3);
    let call = pair.make("session/new");
    pair.park(WaitKey::Call(call));
    let mut refused = 0;
    while pair.reads() && refused < 100 {
        pair.agent(&json!({"jsonrpc": "2.0", "id": refused, "method": "_x/unknown"}));
        refused += 1;
    }
    assert_eq!(refused, 3);
    pair.sent();
    assert!(pair.reads());
}

#[test]
fn rule_11_an_agent_that_stops_reading_ends_the_connection() {
    let mut pair = Pair::ready_with(|_| ());
    pair.agent_reads = false;
    let call = pair.make("session/new");
    pair.pass(20 * S);
    pair.machine.handle_written(pair.now, 5);
    pair.pass(29 * S);
    assert!(
        pair.machine.closed().is_none(),
        "it took five bytes 29 seconds ago"
    );
    pair.pass(2 * S);
    let error = pair.machine.closed().unwrap();
    let EndCause::StoppedReading {
        pending, ref label, ..
    } = *error.cause()
    else {
        panic!()
    };
    assert!(pending > 50);
    assert_eq!(label.to_string(), "session/new (id 0)");
    assert!(
        error.to_string().starts_with("the agent stopped reading: "),
        "{error}"
    );
    assert!(
        pair.reply(call)
            .unwrap_err()
            .to_string()
            .contains("stopped reading")
    );
    assert_eq!(pair.machine.poll_transmit(), Transmit::Shutdown);
}

#[test]
fn rule_11_also_while_reading_is_paused() {
    let mut pair = Pair::ready_with(|limits| limits.session_bytes = 500);
    pair.session("a");
    pair.says("a", &"x".repeat(1_000));
    assert!(!pair.reads());
    pair.agent_reads = false;
    pair.machine.notify(pair.now, "_x/y", &json!({})).unwrap();
    pair.pass(31 * S);
    assert!(pair.machine.closed().is_some());
}

#[test]
fn rule_12_a_prompt_waits_for_nothing_and_its_refusal_is_the_end_of_the_turn() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.says("a", "before");
    pair.agent(&json!({"jsonrpc": "2.0", "id": id, "error":
        {"code": 400, "message": "{\"error\":1}", "data": ["x", {"y": 1}]}}));
    pair.event(Stream::Turn(turn));
    let error = pair.end(turn).result.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the agent refused session/prompt (id 1) with error 400"
    );
    let acp_session::CallError::Refused { error, .. } = error else {
        panic!()
    };
    assert_eq!(&*error.message, "{\"error\":1}");
    assert_eq!(error.data.unwrap().get(), r#"["x",{"y":1}]"#);
}

#[test]
fn rule_12_a_second_prompt_in_v1_is_a_usage_error() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    pair.prompt(a);
    let clock = pair.clock();
    let again = pair.machine.start_prompt(pair.now, a, &json!({}), clock);
    assert!(matches!(again, Err(UsageError::TurnRunning { .. })));
}

#[test]
fn a_flush_can_be_waited_for() {
    let mut pair = Pair::ready_with(|_| ());
    pair.machine.notify(pair.now, "_x/y", &json!({})).unwrap();
    pair.park(WaitKey::Writer);
    assert!(pair.ready_keys().is_empty());
    pair.sent();
    assert_eq!(pair.ready_keys(), [WaitKey::Writer]);
    pair.park(WaitKey::Writer);
    assert_eq!(
        pair.ready_keys(),
        [WaitKey::Writer],
        "ready at once when nothing is pending"
    );
}

#[test]
fn nothing_but_initialize_before_the_version_is_agreed_and_nothing_after_the_end() {
    let mut pair = Pair::new(acp_session::Config::default());
    let clock = pair.clock();
    let scope = acp_session::Scope::Connection;
    let early = pair
        .machine
        .request(pair.now, "session/list", &json!({}), scope, clock);
    assert!(matches!(early, Err(UsageError::NotReady { .. })));
    pair.machine
        .request(pair.now, "initialize", &json!({}), scope, clock)
        .unwrap();
    pair.machine.close(pair.now);
    let late = pair
        .machine
        .request(pair.now, "initialize", &json!({}), scope, clock);
    assert!(matches!(late, Err(UsageError::Closed { .. })));
}

#[test]
fn requests_in_flight_are_bounded() {
    let mut pair = Pair::ready_with(|limits| limits.calls = 3);
    for _ in 0..3 {
        let call = pair.make("session/new");
        pair.machine.abandon(pair.now, call);
    }
    let kept: Vec<_> = (0..3).map(|_| pair.make("session/new")).collect();
    let clock = pair.clock();
    let scope = acp_session::Scope::Connection;
    let more = pair
        .machine
        .request(pair.now, "session/list", &json!({}), scope, clock);
    assert!(matches!(more, Err(UsageError::TooMany { limit: 3, .. })));
    assert_eq!(kept.len(), 3);
}
