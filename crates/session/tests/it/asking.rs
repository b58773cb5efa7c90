//! Rules 7 and 8: what the agent asks is bounded, handed over once and answered exactly once.

use acp_session::{Bounds, Event, Settled, Stream, UsageError, WaitKey};
use acp_vocab::{ErrorCode, ErrorObject};
use serde_json::json;

use crate::pair::{Pair, S, cancelled, permission};

#[test]
fn rule_07_a_question_pauses_the_idle_clock_only_once_it_was_handed_over() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let turn = pair.prompt_within(a, Bounds::TURN.idle(10 * S).absolute(100 * S));
    pair.sent();
    pair.asks(0, "a");
    let ask = pair.ask(Stream::Turn(turn));
    pair.pass(60 * S);
    assert!(
        pair.sent().is_empty(),
        "we owe the answer, so the agent is not late"
    );
    pair.machine
        .answer(pair.now, ask, &json!({"outcome": {"outcome": "cancelled"}}))
        .unwrap();
    pair.pass(9 * S);
    assert_eq!(pair.sent().len(), 1, "only the answer");
    pair.pass(2 * S);
    let error = pair.end(turn).result.unwrap_err().to_string();
    assert!(
        error.starts_with("the idle bound of 10s elapsed"),
        "{error}"
    );
}

#[test]
fn rule_07_the_absolute_bound_runs_while_a_question_is_open() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let turn = pair.prompt_within(a, Bounds::TURN.idle(10 * S).absolute(100 * S));
    pair.sent();
    pair.asks(0, "a");
    let ask = pair.ask(Stream::Turn(turn));
    pair.pass(101 * S);
    let sent = pair.sent();
    assert_eq!(sent[0]["method"], "session/cancel");
    assert_eq!(sent[1], cancelled(0));
    assert!(matches!(
        pair.event(Stream::Turn(turn)).event,
        Event::Settled(_)
    ));
    let error = pair.end(turn).result.unwrap_err().to_string();
    assert!(
        error.starts_with("the absolute bound of 100s elapsed"),
        "{error}"
    );
    let late = pair.machine.answer(pair.now, ask, &json!({}));
    assert_eq!(
        late,
        Err(UsageError::TooLate {
            settled: Settled::Cancelled
        })
    );
    assert!(pair.sent().is_empty(), "answered once");
}

#[test]
fn rule_07_an_unread_question_does_not_pause_and_another_sessions_neither() {
    let mut pair = Pair::ready_with(|_| ());
    let (a, b) = (pair.session("a"), pair.session("b"));
    let bounds = Bounds::TURN.idle(10 * S).absolute(100 * S);
    let (one, two) = (pair.prompt_within(a, bounds), pair.prompt_within(b, bounds));
    pair.sent();
    pair.asks(0, "a");
    pair.asks(1, "b");
    pair.ask(Stream::Turn(two));
    pair.pass(11 * S);
    assert_eq!(
        pair.sent()[0],
        json!({"jsonrpc": "2.0", "method": "session/cancel",
        "params": {"sessionId": "a"}})
    );
    pair.take_all(Stream::Turn(one));
    assert!(
        pair.take_all(Stream::Turn(two)).is_empty(),
        "the other turn goes on"
    );
}

#[test]
fn rule_07_unread_for_30_s_behind_a_parked_call_gets_the_default_answer() {
    let mut pair = Pair::ready_with(|_| ());
    let (a, b) = (pair.session("a"), pair.session("b"));
    let call = pair.call(a, "session/set_mode");
    pair.sent();
    pair.asks(0, "a");
    pair.asks(1, "b");
    pair.pass(60 * S);
    assert!(
        pair.sent().is_empty(),
        "nobody waits, so nothing is blocked"
    );
    pair.park(WaitKey::Call(call));
    pair.pass(29 * S);
    assert!(pair.sent().is_empty());
    pair.pass(2 * S);
    assert_eq!(
        pair.sent(),
        [cancelled(0)],
        "only that of the call's session"
    );
    let Event::Settled(settled) = pair.event(Stream::Session(a)).event else {
        panic!()
    };
    assert_eq!(
        (settled.how, settled.was_handed_over),
        (Settled::Unread, false)
    );
    assert_eq!(settled.how.to_string(), "nobody was there to decide");
    let ask = pair.ask(Stream::Session(b));
    pair.machine.answer(pair.now, ask, &json!({})).unwrap();
}

#[test]
fn rule_07_a_question_of_no_session_is_in_the_way_of_any_call() {
    let mut pair = Pair::ready_with(|_| ());
    pair.machine.register("elicitation/create", false);
    let stream = pair.machine.take_connection_stream().unwrap();
    let call = pair.make("session/new");
    let id = pair.sent()[0]["id"].clone();
    pair.agent(
        &json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create",
        "params": {"requestId": id, "mode": "form", "message": "m",
            "requestedSchema": {"type": "object", "properties": {}}}}),
    );
    pair.park(WaitKey::Call(call));
    pair.pass(31 * S);
    assert_eq!(
        pair.sent(),
        [json!({"jsonrpc": "2.0", "id": "q", "result": {"action": "decline"}})]
    );
    assert!(matches!(pair.event(stream).event, Event::Settled(_)));
}

#[test]
fn rule_07_a_handed_question_of_no_session_pauses_the_call_that_it_is_scoped_to() {
    let mut pair = Pair::ready_with(|_| ());
    pair.machine.register("elicitation/create", false);
    let stream = pair.machine.take_connection_stream().unwrap();
    let call = pair.make("session/new");
    let id = pair.sent()[0]["id"].clone();
    pair.agent(
        &json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create",
        "params": {"requestId": id, "mode": "form", "message": "m",
            "requestedSchema": {"type": "object", "properties": {}}}}),
    );
    let ask = pair.ask(stream);
    pair.pass(900 * S);
    assert!(
        !pair.is_answered(call),
        "the idle bound of ten minutes stands still"
    );
    pair.machine.drop_ask(pair.now, ask);
    pair.pass(601 * S);
    assert!(pair.is_answered(call));
}

#[test]
fn rule_08_open_questions_are_bounded_and_refused_beyond() {
    let mut pair = Pair::ready_with(|limits| {
        limits.session_asks = 2;
        limits.connection_asks = 3;
    });
    let (a, _) = (pair.session("a"), pair.session("b"));
    for id in 0..3 {
        pair.asks(id, "a");
    }
    let refused = pair.sent_answers();
    assert_eq!(
        (&refused[0]["id"], &refused[0]["error"]["code"]),
        (&json!(2), &json!(-32603))
    );
    pair.asks(3, "b");
    pair.asks(4, "b");
    assert_eq!(
        pair.sent_answers()[0]["id"],
        json!(4),
        "three on the connection"
    );
    let ask = pair.ask(Stream::Session(a));
    pair.machine.answer(pair.now, ask, &json!({})).unwrap();
    pair.asks(5, "a");
    assert_eq!(
        pair.sent_answers().len(),
        2 - 1 + 1,
        "the slot is free once it was written"
    );
    assert_eq!(pair.machine.counters().refused, 3);
}

#[test]
fn rule_08_an_agent_that_asks_and_does_not_read_is_bounded() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    pair.machine.register("fs/read_text_file", false);
    let mut asked = 0;
    while pair.reads() && asked < 100_000 {
        pair.agent(&permission(asked, "a"));
        while let acp_session::Next::Event(received) =
            pair.machine.next_event(pair.now, Stream::Session(a))
        {
            if let Event::Permission(ask) = received.event {
                pair.machine
                    .answer(pair.now, ask.ask.key, &json!({}))
                    .unwrap();
            }
        }
        asked += 1;
    }
    assert_eq!(
        asked,
        256 + 1024,
        "slots, then automatic refusals, then reading stops"
    );
    assert!(pair.machine.pending_bytes() < 400_000);
    pair.sent();
    assert!(pair.reads());
}

#[test]
fn rule_08_a_handler_has_a_bound_of_its_own() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    pair.machine.register("fs/read_text_file", true);
    let read = |id| {
        json!({"jsonrpc": "2.0", "id": id, "method": "fs/read_text_file",
        "params": {"sessionId": "a", "path": "/x"}})
    };
    pair.agent(&read(1));
    pair.agent(&read(2));
    let turn = pair.prompt(a);
    pair.sent();
    let first = pair.machine.next_handler_ask(pair.now).unwrap();
    let second = pair.machine.next_handler_ask(pair.now).unwrap();
    assert_eq!(
        (first.id, second.id),
        (1_i64.into(), 2_i64.into()),
        "in wire order"
    );
    pair.machine
        .answer(pair.now, first.key, &json!({"content": ""}))
        .unwrap();
    pair.park(WaitKey::Ask(second.key));
    pair.pass(299 * S);
    assert_eq!(pair.sent().len(), 1);
    pair.pass(2 * S);
    assert_eq!(pair.sent()[0]["error"]["code"], json!(-32603));
    assert_eq!(pair.ready_keys(), [WaitKey::Ask(second.key)]);
    assert_eq!(
        pair.machine.ask_settled(second.key),
        Some(Settled::TimedOut)
    );
    pair.machine.drop_ask(pair.now, second.key);
    assert!(pair.sent().is_empty());
    assert!(pair.take_all(Stream::Turn(turn)).is_empty());
}

#[test]
fn rule_08_waiting_for_a_terminal_has_the_bound_of_its_turn() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    pair.machine.register("terminal/wait_for_exit", true);
    let turn = pair.prompt_within(a, Bounds::TURN.absolute(3_600 * S));
    pair.sent();
    pair.agent(
        &json!({"jsonrpc": "2.0", "id": 9, "method": "terminal/wait_for_exit",
        "params": {"sessionId": "a", "terminalId": "t"}}),
    );
    pair.machine.next_handler_ask(pair.now).unwrap();
    pair.pass(3_599 * S);
    assert!(pair.sent().is_empty());
    pair.pass(2 * S);
    assert!(pair.sent().iter().any(|line| line["id"] == json!(9)));
    pair.end(turn).result.unwrap_err();
}

#[test]
fn unknown_requests_are_refused_at_once_and_nothing_is_echoed() {
    let mut pair = Pair::ready_with(|_| ());
    pair.session("a");
    pair.agent(&json!({"jsonrpc": "2.0", "id": 0, "method": "_x/secret", "params": {"k": "v"}}));
    pair.agent(
        &json!({"jsonrpc": "2.0", "id": "s", "method": "fs/read_text_file",
        "params": {"sessionId": "a", "path": "/x"}}),
    );
    let refusal = |id| {
        json!({"jsonrpc": "2.0", "id": id, "error":
        {"code": -32601, "message": "method not found"}})
    };
    assert_eq!(pair.sent(), [refusal(json!(0)), refusal(json!("s"))]);
    assert_eq!(pair.machine.counters().unsupported, 2);
}

#[test]
fn the_host_can_refuse_and_only_once() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    pair.asks(0, "a");
    let ask = pair.ask(Stream::Session(a));
    let error = ErrorObject::new(ErrorCode::INTERNAL_ERROR, "no");
    pair.machine.refuse(pair.now, ask, &error).unwrap();
    assert_eq!(pair.sent()[0]["error"]["message"], "no");
    let again = pair.machine.answer(pair.now, ask, &json!({}));
    assert_eq!(
        again,
        Err(UsageError::TooLate {
            settled: Settled::Answered
        })
    );
    pair.machine.drop_ask(pair.now, ask);
    assert!(pair.sent().is_empty());
}

#[test]
fn case_permission_withdrawn() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    pair.asks(4, "a");
    pair.asks(5, "a");
    let ask = pair.ask(Stream::Session(a));
    pair.park(WaitKey::Ask(ask));
    for id in [4, 5, 77] {
        pair.agent(&json!({"jsonrpc": "2.0", "method": "$/cancel_request",
            "params": {"requestId": id}}));
    }
    assert_eq!(pair.sent_answers(), [cancelled(4), cancelled(5)]);
    assert_eq!(pair.ready_keys(), [WaitKey::Ask(ask)]);
    let late = pair.machine.answer(pair.now, ask, &json!({}));
    assert_eq!(
        late,
        Err(UsageError::TooLate {
            settled: Settled::Withdrawn
        })
    );
    let events = pair.take_all(Stream::Session(a));
    assert_eq!(
        events.len(),
        2,
        "one in the place of the unread question, one for the other"
    );
    for event in events {
        assert!(matches!(event.event, Event::Settled(ref s) if s.how == Settled::Withdrawn));
    }
    assert!(pair.sent().is_empty());
}

#[test]
fn case_cancel_needs_answer() {
    let mut pair = Pair::ready_with(|_| ());
    let (a, b) = (pair.session("a"), pair.session("b"));
    let turn = pair.prompt(a);
    pair.prompt(b);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.asks(0, "a");
    pair.asks(1, "a");
    pair.asks(2, "b");
    pair.ask(Stream::Turn(turn));
    pair.machine.cancel(pair.now, turn).unwrap();
    pair.machine.cancel(pair.now, turn).unwrap();
    let sent = pair.sent();
    assert_eq!(
        sent[0],
        json!({"jsonrpc": "2.0", "method": "session/cancel",
        "params": {"sessionId": "a"}})
    );
    assert_eq!(
        sent[1..],
        [cancelled(0), cancelled(1)],
        "of that session, and one cancel"
    );
    pair.asks(3, "a");
    assert_eq!(pair.sent(), [cancelled(3)], "those that still come, too");
    pair.says("a", "winding up");
    pair.answers(id, &json!({"stopReason": "cancelled"}));
    let events = pair.take_all(Stream::Turn(turn));
    assert_eq!(crate::pair::text(&events), "winding up");
    pair.asks(4, "a");
    assert!(pair.sent().is_empty(), "the cancel is over with its turn");
}

#[test]
fn a_question_that_is_open_when_its_turn_ends_is_settled() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.asks(0, "a");
    let ask = pair.ask(Stream::Turn(turn));
    pair.answers(id, &json!({"stopReason": "end_turn"}));
    assert_eq!(pair.sent(), [cancelled(0)]);
    let late = pair.machine.answer(pair.now, ask, &json!({}));
    assert_eq!(
        late,
        Err(UsageError::TooLate {
            settled: Settled::TurnEnded
        })
    );
}
