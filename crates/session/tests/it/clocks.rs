//! Rules 13 and 14: which bound elapses, what does not run it, and what follows.

use acp_session::{Bound, Bounds, CallError, Clock, Next, Outcome, Scope, Stream, WaitKey};
use serde_json::json;

use crate::pair::{Pair, S, text};

#[test]
fn rule_13_noise_and_other_sessions_are_not_frames() {
    let mut pair = Pair::ready_with(|_| ());
    let (a, _) = (pair.session("a"), pair.session("b"));
    let turn = pair.prompt_within(a, Bounds::TURN.idle(10 * S));
    pair.pass(4 * S);
    pair.says("a", "a frame");
    for _ in 0..8 {
        pair.pass(S);
        pair.agent_text("Loading...\n\n");
        pair.says("b", "elsewhere");
    }
    pair.pass(3 * S);
    pair.sent();
    pair.event(Stream::Turn(turn));
    let Err(CallError::Deadline(error)) = pair.end(turn).result else {
        panic!()
    };
    assert_eq!(
        (error.bound, error.length, error.frames, error.skipped),
        (Bound::Idle, 10 * S, 1, 8)
    );
    assert_eq!(
        error.to_string(),
        "the idle bound of 10s elapsed after 14s of session/prompt (id 2): 1 frames came, the \
         last 10.0s ago; the last byte came 2.0s ago; 8 lines were no messages and skipped"
    );
}

#[test]
fn rule_13_a_frame_of_the_connection_as_a_whole_counts() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let turn = pair.prompt_within(a, Bounds::TURN.idle(10 * S));
    pair.pass(9 * S);
    pair.agent(&json!({"jsonrpc": "2.0", "method": "_auth/status_update", "params": {}}));
    pair.pass(9 * S);
    assert!(pair.take_all(Stream::Turn(turn)).is_empty());
    pair.pass(2 * S);
    pair.end(turn).result.unwrap_err();
}

#[test]
fn rule_13_taking_a_question_back_is_a_frame_of_its_session() {
    let mut pair = Pair::ready_with(|_| ());
    let (a, b) = (pair.session("a"), pair.session("b"));
    let bounds = Bounds::TURN.idle(10 * S);
    let (of_a, of_b) = (pair.prompt_within(a, bounds), pair.prompt_within(b, bounds));
    pair.asks(0, "a");
    pair.pass(6 * S);
    let taken_back = |id: i64| json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": id}});
    pair.agent(&taken_back(0));
    pair.pass(6 * S);
    pair.take_all(Stream::Turn(of_a));
    let ended = |pair: &mut Pair, turn| {
        matches!(
            pair.machine.next_event(pair.now, Stream::Turn(turn)),
            Next::End(_)
        )
    };
    assert_eq!(
        (ended(&mut pair, of_a), ended(&mut pair, of_b)),
        (false, true)
    );
    // One that is not open (any more) concerns the connection as a whole.
    pair.agent(&taken_back(99));
    pair.pass(9 * S);
    assert!(!ended(&mut pair, of_a));
    pair.pass(2 * S);
    assert!(ended(&mut pair, of_a));
}

#[test]
fn rule_13_idle_does_not_run_while_reading_is_paused() {
    let mut pair = Pair::ready_with(|limits| limits.session_bytes = 500);
    let a = pair.session("a");
    let turn = pair.prompt_within(a, Bounds::TURN.idle(10 * S).absolute(60 * S));
    pair.sent();
    pair.says("a", &"x".repeat(1_000));
    pair.pass(30 * S);
    assert_eq!(
        pair.take_all(Stream::Turn(turn)).len(),
        1,
        "we did not read, so it was not late"
    );
    pair.pass(9 * S);
    assert!(pair.sent().is_empty());
    pair.pass(2 * S);
    assert_eq!(pair.sent()[0]["method"], "session/cancel");
}

#[test]
fn rule_13_the_absolute_bound_is_shared_by_everything_on_one_clock() {
    let mut pair = Pair::ready_with(|_| ());
    let clock = Clock::start(pair.now, Bounds::START_UP.idle(30 * S).absolute(40 * S));
    let request = |pair: &mut Pair, method: &'static str| {
        pair.machine
            .request(pair.now, method, &json!({}), Scope::Connection, clock)
            .unwrap()
    };
    let first = request(&mut pair, "session/list");
    pair.pass(25 * S);
    pair.answers(0, &json!({"sessions": []}));
    pair.reply(first).unwrap();
    let second = request(&mut pair, "session/list");
    pair.pass(14 * S);
    assert!(!pair.is_answered(second));
    pair.pass(2 * S);
    let Err(CallError::Deadline(error)) = pair.reply(second) else {
        panic!()
    };
    assert_eq!(
        (error.bound, error.length, error.waited),
        (Bound::Absolute, 40 * S, 15 * S)
    );
    let third = request(&mut pair, "session/list");
    pair.pass(S);
    let Err(CallError::Deadline(error)) = pair.reply(third) else {
        panic!()
    };
    assert_eq!(
        error.bound,
        Bound::Absolute,
        "an exhausted clock fails at once, after sending"
    );
}

#[test]
fn rule_13_before_anything_came_the_error_says_so() {
    let mut pair = Pair::new(acp_session::Config::default());
    let clock = Clock::start(pair.now, Bounds::START_UP);
    let call = pair
        .machine
        .request(pair.now, "initialize", &json!({}), Scope::Connection, clock)
        .unwrap();
    pair.sent();
    pair.pass(121 * S);
    let error = pair.reply(call).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the idle bound of 120s elapsed after 120s of initialize (id 0): no frame came for it; \
         the agent printed nothing at all"
    );
    assert!(
        pair.sent().is_empty(),
        "initialize is never cancelled on the wire"
    );
}

#[test]
fn rule_14_a_turn_whose_bound_elapses_cancels_itself_and_ends_behind_its_events() {
    let mut pair = Pair::ready_with(|limits| limits.session_bytes = 2_000);
    let a = pair.session("a");
    let turn = pair.prompt_within(a, Bounds::TURN.absolute(60 * S));
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    while pair.reads() {
        pair.says("a", "x");
    }
    pair.asks(0, "a");
    pair.pass(30 * S);
    pair.pass(30 * S);
    let sent = pair.sent();
    assert_eq!(
        sent.len(),
        1,
        "the queue is full, and the end is not refused for that"
    );
    assert_eq!(sent[0]["method"], "session/cancel");
    let events = pair.take_all(Stream::Turn(turn));
    assert!(text(&events).starts_with("xxxx"));
    let answers = pair.sent_answers();
    assert_eq!(
        answers,
        [crate::pair::cancelled(0)],
        "it stood behind the bound, and is late"
    );
    let settled = pair.event(Stream::Session(a));
    assert!(
        settled.late && settled.event.name() == "settled",
        "nobody was asked, and it is told all the same"
    );
    pair.says("a", "still going");
    assert!(pair.event(Stream::Session(a)).late);
    pair.answers(id, &json!({"stopReason": "cancelled"}));
    assert_eq!(
        pair.machine.counters().repeated_replies,
        1,
        "a late reply is only noted"
    );
}

#[test]
fn rule_14_another_request_whose_bound_elapses_is_cancelled_on_the_wire() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let clock = Clock::start(pair.now, Bounds::START_UP.idle(5 * S));
    let call = pair
        .machine
        .request(
            pair.now,
            "session/set_mode",
            &json!({}),
            Scope::Session(a),
            clock,
        )
        .unwrap();
    let id = pair.sent()[0]["id"].clone();
    pair.park(WaitKey::Call(call));
    pair.pass(6 * S);
    assert_eq!(pair.ready_keys(), [WaitKey::Call(call)]);
    assert_eq!(
        pair.sent(),
        [json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": id}})]
    );
    pair.answers(id.as_i64().unwrap(), &json!({}));
    pair.reply(call).unwrap_err();
}

#[test]
fn the_outcome_of_a_turn_is_told_apart() {
    let cases = [
        (
            json!({"result": {"stopReason": "end_turn"}}),
            false,
            Outcome::Completed,
        ),
        (
            json!({"result": {"stopReason": "max_tokens"}}),
            false,
            Outcome::MaxTokens,
        ),
        (
            json!({"result": {"stopReason": "refusal"}}),
            false,
            Outcome::Refusal,
        ),
        (
            json!({"result": {"stopReason": "cancelled"}}),
            false,
            Outcome::Cancelled,
        ),
        (
            json!({"result": {"stopReason": "error"}}),
            false,
            Outcome::Failed,
        ),
        (
            json!({"result": {"stopReason": "end_turn"}}),
            true,
            Outcome::Cancelled,
        ),
        (
            json!({"error": {"code": -32603, "message": "aborted"}}),
            true,
            Outcome::Cancelled,
        ),
        (
            json!({"error": {"code": -32800, "message": "x"}}),
            false,
            Outcome::Cancelled,
        ),
        (
            json!({"error": {"code": -32603, "message": "x"}}),
            false,
            Outcome::Lost,
        ),
        (json!({"result": {}}), false, Outcome::Lost),
        (json!({"result": null}), false, Outcome::Lost),
        (json!({"nothing": 1}), true, Outcome::Lost),
    ];
    for (mut reply, cancel, expected) in cases {
        let mut pair = Pair::ready_with(|_| ());
        let a = pair.session("a");
        let turn = pair.prompt(a);
        reply["id"] = pair.sent()[0]["id"].clone();
        if cancel {
            pair.machine.cancel(pair.now, turn).unwrap();
        }
        pair.agent(&reply);
        let end = pair.end(turn);
        assert_eq!(end.outcome(), expected, "{reply} cancel {cancel}");
        assert_eq!(end.cancel_requested, cancel);
        if let Ok(report) = end.result {
            assert_eq!(
                *report.stop_reason,
                *reply["result"]["stopReason"].as_str().unwrap()
            );
        }
    }
}
