//! Rules 15 to 17: everything that was said is read, every wait ends, and nothing is owed.

use acp_session::{
    Config, EndCause, Exit, Next, Outcome, Phase, Settled, Stream, Transmit, WaitKey,
};
use serde_json::json;

use crate::pair::{Pair, S, cancelled, chunk, text};

fn child() -> Config {
    let mut config = Config::default();
    config.expects_exit = true;
    config
}

#[test]
fn rule_15_what_the_agent_wrote_before_it_died_is_read_to_the_end() {
    let mut config = child();
    config.limits.session_bytes = 2_000;
    let mut pair = Pair::ready(config);
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let call = pair.call(a, "session/set_mode");
    pair.sent();
    let lines: String = (0..50)
        .map(|n| format!("{}\n", chunk("a", &n.to_string())))
        .collect();
    pair.agent_text(&lines);
    assert!(!pair.reads());
    pair.machine
        .handle_exit(pair.now, Exit::new(Some(3), None, "no api key"));
    assert!(pair.reads(), "past the bound, to the end");
    assert!(!pair.is_answered(call));
    pair.says("a", "last words");
    pair.agent_text("{\"jsonrpc\":\"2.0\",\"id\":1,\"res");
    pair.machine.handle_eof(pair.now);
    let error = pair.reply(call).unwrap_err().to_string();
    assert_eq!(
        error,
        "the agent closed its output in use (exit code 3); a partial line of 28 bytes was left; \
         1 lines were no messages and skipped while waiting for session/set_mode (id 2)"
    );
    assert!(text(&pair.take_all(Stream::Turn(turn))).ends_with("49last words"));
    let end = pair.machine.closed().unwrap().clone();
    assert_eq!(
        (end.phase(), end.stderr(), end.partial()),
        (Phase::Ready, "no api key", 28)
    );
    assert!(!pair.reads());
}

#[test]
fn rule_15_a_turn_ends_behind_everything_that_was_read() {
    let mut pair = Pair::ready(child());
    let a = pair.session("a");
    let turn = pair.prompt(a);
    pair.says("a", "one");
    pair.machine.handle_eof(pair.now);
    assert!(
        pair.machine.closed().is_none(),
        "the exit status is worth waiting for"
    );
    pair.machine
        .handle_exit(pair.now, Exit::new(None, Some(9), ""));
    pair.event(Stream::Turn(turn));
    let end = pair.end(turn);
    assert_eq!(end.outcome(), Outcome::Lost);
    assert!(end.result.unwrap_err().to_string().contains("(signal 9)"));
    let next = pair.machine.next_event(pair.now, Stream::Session(a));
    assert!(matches!(next, Next::Closed(_)));
}

#[test]
fn rule_15_a_grandchild_that_holds_the_pipe_has_one_second() {
    let mut pair = Pair::ready(child());
    let a = pair.session("a");
    let call = pair.call(a, "session/set_mode");
    pair.machine
        .handle_exit(pair.now, Exit::new(Some(0), None, ""));
    pair.says("a", "a grandchild speaks");
    pair.sent();
    pair.pass(S / 2);
    assert!(!pair.is_answered(call));
    pair.pass(S);
    assert!(
        pair.reply(call)
            .unwrap_err()
            .to_string()
            .starts_with("the agent exited in use")
    );
    assert_eq!(
        text(&pair.take_all(Stream::Session(a))),
        "a grandchild speaks"
    );
}

#[test]
fn rule_15_an_agent_that_closed_its_output_and_lives_on_has_one_second() {
    let mut pair = Pair::ready(child());
    let call = pair.make("session/new");
    pair.sent();
    pair.machine.handle_eof(pair.now);
    pair.pass(S * 2);
    assert_eq!(*pair.machine.closed().unwrap().cause(), EndCause::Eof);
    pair.reply(call).unwrap_err();
}

#[test]
fn rule_15_a_plain_pipe_ends_at_once_and_a_last_line_without_newline_counts() {
    let mut pair = Pair::ready_with(|_| ());
    let call = pair.make("session/new");
    pair.sent();
    pair.agent_text("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"sessionId\":\"s\"}}");
    pair.machine.handle_eof(pair.now);
    pair.reply(call).unwrap();
    assert!(pair.machine.closed().is_some());
}

#[test]
fn a_failed_write_still_reads_what_the_agent_said() {
    let mut pair = Pair::ready(child());
    let call = pair.make("session/new");
    pair.machine
        .handle_write_error(pair.now, std::io::ErrorKind::BrokenPipe);
    assert_eq!(pair.machine.poll_transmit(), Transmit::Nothing);
    pair.answers(0, &json!({"sessionId": "s"}));
    pair.reply(call).unwrap();
    pair.machine.handle_eof(pair.now);
    pair.machine
        .handle_exit(pair.now, Exit::new(Some(1), None, ""));
    let error = pair.machine.closed().unwrap();
    assert_eq!(
        *error.cause(),
        EndCause::Write(std::io::ErrorKind::BrokenPipe)
    );
}

#[test]
fn rule_16_closing_answers_every_question_flushes_and_drains() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    pair.machine.register("fs/read_text_file", false);
    let turn = pair.prompt(a);
    let call = pair.call(a, "session/set_mode");
    pair.says("a", "readable");
    pair.asks(0, "a");
    pair.agent(
        &json!({"jsonrpc": "2.0", "id": 1, "method": "fs/read_text_file",
        "params": {"sessionId": "a", "path": "/x"}}),
    );
    pair.sent();
    pair.park(WaitKey::Call(call));
    pair.machine.close(pair.now);
    pair.machine.close(pair.now);
    assert_eq!(pair.ready_keys(), [WaitKey::Call(call)]);
    assert!(
        matches!(pair.machine.poll_transmit(), Transmit::Bytes(_)),
        "flushed before"
    );
    let sent = pair.sent();
    assert_eq!(sent[0]["method"], "session/cancel");
    assert_eq!(sent[1], cancelled(0));
    assert_eq!(
        (&sent[2]["id"], &sent[2]["error"]["code"]),
        (&json!(1), &json!(-32603))
    );
    assert_eq!(pair.machine.poll_transmit(), Transmit::Shutdown);
    assert!(pair.reads(), "the reader drains");
    pair.agent_text("{\"x\":1}\nnoise\n");
    assert_eq!(pair.machine.counters().discarded, 2);
    assert!(pair.machine.closed().is_none());
    pair.machine.handle_eof(pair.now);
    assert_eq!(*pair.machine.closed().unwrap().cause(), EndCause::Closed);
    assert_eq!(
        text(&pair.take_all(Stream::Turn(turn))),
        "readable",
        "queued events stay"
    );
}

// Its output is closed, and it may still wait for an answer.
#[test]
fn rule_16_an_agent_that_says_no_more_gets_its_answers_too() {
    let mut pair = Pair::ready(child());
    let a = pair.session("a");
    pair.asks(0, "a");
    pair.ask(Stream::Session(a));
    pair.machine.handle_eof(pair.now);
    pair.machine.close(pair.now);
    assert_eq!(pair.sent(), [cancelled(0)]);
    assert_eq!(pair.machine.poll_transmit(), Transmit::Shutdown);
}

#[test]
fn rule_16_a_peer_that_does_not_read_has_one_second_to_let_us_close() {
    let mut pair = Pair::ready_with(|_| ());
    pair.agent_reads = false;
    pair.make("session/new");
    pair.machine.close(pair.now);
    assert!(matches!(pair.machine.poll_transmit(), Transmit::Bytes(_)));
    pair.pass(S);
    assert_eq!(pair.machine.poll_transmit(), Transmit::Shutdown);
}

#[test]
fn rule_17_dropping_a_turn_gives_it_up() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.says("a", "unread");
    pair.asks(0, "a");
    pair.machine.give_up(pair.now, turn);
    let sent = pair.sent();
    assert_eq!(
        (&sent[0]["method"], &sent[1]),
        (&json!("session/cancel"), &cancelled(0))
    );
    pair.says("a", "more");
    pair.asks(1, "a");
    assert_eq!(pair.sent(), [cancelled(1)]);
    pair.answers(id, &json!({"stopReason": "cancelled"}));
    pair.says("a", "for the session");
    assert_eq!(text(&pair.take_all(Stream::Session(a))), "for the session");
    // Two pieces of text, and what became of each question.
    assert_eq!(pair.machine.counters().drained, 4);
    pair.prompt(a);
}

#[test]
fn rule_17_dropping_a_turn_that_has_ended_only_drains_it() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.says("a", "unread");
    pair.answers(id, &json!({"stopReason": "end_turn"}));
    pair.says("a", "late");
    pair.machine.give_up(pair.now, turn);
    assert!(pair.sent().is_empty());
    assert_eq!(text(&pair.take_all(Stream::Session(a))), "late");
}

#[test]
fn rule_17_dropping_an_opening_cancels_it_and_a_late_session_is_closed() {
    let mut pair = Pair::ready_with(|_| ());
    let call = pair.make("session/new");
    pair.machine.abandon(pair.now, call);
    let sent = pair.sent();
    assert_eq!(sent[1]["method"], "$/cancel_request");
    assert_eq!(sent[1]["params"], json!({"requestId": 0}));
    pair.says("s", "early");
    pair.answers(0, &json!({"sessionId": "s"}));
    let sent = pair.sent();
    assert_eq!(
        (&sent[0]["method"], &sent[0]["params"]),
        (&json!("session/close"), &json!({"sessionId": "s"}))
    );
    pair.asks(5, "s");
    assert_eq!(pair.sent(), [cancelled(5)]);
    pair.answers(1, &json!({}));
    assert_eq!(pair.machine.unread_bytes(), 0);
}

#[test]
fn rule_17_dropping_a_load_drains_its_history() {
    let mut pair = Pair::ready_with(|_| ());
    let (call, session) = pair.open("session/load", "s");
    pair.says("s", "history");
    pair.machine.abandon(pair.now, call);
    pair.says("s", "more history");
    assert_eq!(pair.machine.unread_bytes(), 0);
    assert_eq!(pair.sent()[1]["method"], "$/cancel_request");
    pair.answers(0, &serde_json::Value::Null);
    assert_eq!(pair.sent()[0]["method"], "session/close");
    assert!(matches!(
        pair.machine.next_event(pair.now, Stream::Session(session)),
        Next::Finished
    ));
}

#[test]
fn rule_17_dropping_the_wait_after_the_answer_closes_what_it_opened() {
    let mut pair = Pair::ready_with(|_| ());
    let call = pair.make("session/new");
    pair.sent();
    pair.answers(0, &json!({"sessionId": "s"}));
    pair.machine.abandon(pair.now, call);
    assert_eq!(pair.sent()[0]["method"], "session/close");
}

#[test]
fn closing_a_session_makes_its_id_inactive() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    pair.asks(0, "a");
    let ask = pair.ask(Stream::Session(a));
    let clock = pair.clock();
    let params = json!({"sessionId": "a"});
    let call = pair
        .machine
        .end_session(pair.now, "session/close", &params, a, clock)
        .unwrap();
    // The agent may wait for the answer before it closes anything.
    let sent = pair.sent();
    assert_eq!(sent[1..], [cancelled(0)]);
    assert_eq!(pair.machine.ask_settled(ask), Some(Settled::Cancelled));
    let id = sent[0]["id"].as_i64().unwrap();
    pair.asks(1, "a");
    assert_eq!(pair.sent(), [cancelled(1)]);
    assert_eq!(pair.event(Stream::Session(a)).event.name(), "settled");
    pair.says("a", "going");
    pair.agent(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32002, "message": "x"}}));
    pair.reply(call).unwrap_err();
    pair.says("a", "gone");
    let events = pair.take_all(Stream::Session(a));
    assert_eq!(text(&events), "going");
    assert!(matches!(
        pair.machine.next_event(pair.now, Stream::Session(a)),
        Next::Finished
    ));
    let clock = pair.clock();
    pair.machine
        .start_prompt(pair.now, a, &json!({}), clock)
        .unwrap_err();
}

#[test]
fn a_line_too_long_ends_everything() {
    let mut pair = Pair::ready_with(|limits| limits.line_bytes = 100);
    let call = pair.make("session/new");
    pair.agent_text(&"x".repeat(200));
    let error = pair.reply(call).unwrap_err().to_string();
    assert!(
        error.starts_with("a line of more than 100 bytes (200 bytes seen)"),
        "{error}"
    );
    assert_eq!(pair.machine.poll_transmit(), Transmit::Shutdown);
}

#[test]
fn rule_17_how_the_session_stands_outlives_a_turn_that_was_given_up() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let mode = |mode: &str| {
        json!({"jsonrpc": "2.0", "method": "session/update", "params": {
        "sessionId": "a", "update": {"sessionUpdate": "current_mode_update",
            "currentModeId": mode}}})
    };
    let title = json!({"jsonrpc": "2.0", "method": "session/update", "params": {
        "sessionId": "a", "update": {"sessionUpdate": "session_info_update", "title": "T"}}});
    pair.agent(&mode("plan"));
    pair.says("a", "text");
    pair.park(WaitKey::Stream(Stream::Session(a)));
    pair.machine.give_up(pair.now, turn);
    pair.agent(&title);
    pair.agent(&mode("code"));
    assert!(pair.ready_keys().is_empty());
    pair.answers(1, &json!({"stopReason": "cancelled"}));
    assert_eq!(pair.ready_keys(), [WaitKey::Stream(Stream::Session(a))]);
    let names: Vec<_> = pair
        .take_all(Stream::Session(a))
        .iter()
        .map(|event| event.event.name())
        .collect();
    assert_eq!(names, ["info", "mode"]);
    assert_eq!(
        pair.machine.counters().drained,
        2,
        "the text and the older mode"
    );
    assert_eq!(pair.machine.unread_bytes(), 0);
}

#[test]
fn who_reads_next_is_woken_when_a_finished_turn_is_given_up() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let turn = pair.prompt(a);
    pair.sent();
    pair.agent(
        &json!({"jsonrpc": "2.0", "method": "session/update", "params": {
        "sessionId": "a", "update": {"sessionUpdate": "session_info_update", "title": "T"}}}),
    );
    pair.answers(1, &json!({"stopReason": "end_turn"}));
    pair.park(WaitKey::Stream(Stream::Session(a)));
    assert!(pair.ready_keys().is_empty(), "it belongs to the turn");
    pair.machine.give_up(pair.now, turn);
    assert_eq!(pair.ready_keys(), [WaitKey::Stream(Stream::Session(a))]);
    assert_eq!(pair.event(Stream::Session(a)).event.name(), "info");
}

/// A child that has exited, with more unread than the overdraft holds.
fn dead_and_unread() -> (Pair, acp_session::TurnKey) {
    let mut config = child();
    (config.limits.session_bytes, config.limits.overdraft_bytes) = (2_000, 2_000);
    let mut pair = Pair::ready(config);
    let a = pair.session("a");
    let turn = pair.prompt(a);
    pair.sent();
    let lines: String = (0..50)
        .map(|n| format!("{}\n", chunk("a", &n.to_string())))
        .collect();
    pair.agent_text(&lines);
    pair.machine
        .handle_exit(pair.now, Exit::new(Some(3), None, ""));
    (pair, turn)
}

#[test]
fn rule_15_the_grace_of_an_exit_runs_only_while_there_is_room_to_read() {
    let (mut pair, turn) = dead_and_unread();
    assert!(!pair.reads(), "the overdraft is used up");
    // The timer of the grace must neither spin nor end what cannot be read yet.
    for _ in 0..20 {
        pair.machine.handle_timeout(pair.now);
        let at = pair.machine.poll_timeout().expect("there is a bound");
        assert!(at > pair.now, "a timer that fired is over");
        pair.now += S;
    }
    assert!(pair.machine.closed().is_none());
    // With room again the rest comes: from the decoder, then from the pipe.
    let mut heard = text(&pair.take_all(Stream::Turn(turn)));
    while !pair.reads() {
        heard.push_str(&text(&pair.take_all(Stream::Turn(turn))));
    }
    pair.says("a", "last words");
    pair.pass(S);
    heard.push_str(&text(&pair.take_all(Stream::Turn(turn))));
    assert!(heard.ends_with("4849last words"), "{heard}");
    assert_eq!(
        pair.machine.closed().unwrap().cause(),
        &EndCause::Exited,
        "a grandchild holds the pipe, for one second"
    );
}

#[test]
fn rule_15_what_nobody_makes_room_for_is_given_up() {
    let (mut pair, turn) = dead_and_unread();
    pair.pass(29 * S);
    assert!(pair.machine.closed().is_none());
    pair.pass(2 * S);
    assert_eq!(pair.machine.closed().unwrap().cause(), &EndCause::Exited);
    let mut events = Vec::new();
    let end = loop {
        match pair.machine.next_event(pair.now, Stream::Turn(turn)) {
            Next::Event(event) => events.push(event),
            Next::End(end) => break end,
            other => panic!("{other:?}"),
        }
    };
    let heard = text(&events);
    assert!(heard.starts_with("012") && !heard.contains("49"), "{heard}");
    assert_eq!(end.outcome(), Outcome::Lost);
}

#[test]
fn rule_16_closing_ends_a_dead_agent_that_was_not_read_to_the_end() {
    let (mut pair, _turn) = dead_and_unread();
    pair.machine.close(pair.now);
    pair.pass(3 * S);
    assert!(pair.machine.closed().is_some());
}
