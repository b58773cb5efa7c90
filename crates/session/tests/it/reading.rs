//! Rules 1 to 6: when to read, and where what was read goes.

use acp_session::{Config, Diagnostic, Event, Limits, Next, Outcome, Stream, UsageError, WaitKey};
use serde_json::json;

use crate::pair::{Pair, S, cancelled, chunk, permission, text};

fn small(limits: &mut Limits) {
    limits.session_bytes = 4_000;
    limits.connection_bytes = 10_000;
    limits.overdraft_bytes = 20_000;
}

/// Lets the agent talk until the machine has enough; returns how many chunks it took.
fn flood(pair: &mut Pair, session: &str) -> usize {
    let mut sent = 0;
    while pair.reads() && sent < 10_000 {
        pair.says(session, "a chunk of text");
        sent += 1;
    }
    sent
}

#[test]
fn rule_01_queues_are_bounded_in_bytes_and_a_large_event_is_admitted_alone() {
    let mut pair = Pair::ready_with(small);
    let a = pair.session("a");
    pair.says("a", &"x".repeat(50_000));
    assert!(
        !pair.reads(),
        "one event larger than the bound stands alone"
    );
    assert!(pair.machine.unread_bytes() > 50_000);
    assert_eq!(pair.take_all(Stream::Session(a)).len(), 1);
    assert!(pair.reads());
    let count = flood(&mut pair, "a");
    let bytes = pair.machine.unread_bytes();
    assert!(
        (4_000..4_400).contains(&bytes),
        "{count} small events are {bytes} bytes"
    );
    assert!(count < 20, "each is charged 256 bytes and more");
}

#[test]
fn rule_01_the_connection_has_a_bound_over_all_sessions() {
    let mut pair = Pair::ready_with(small);
    for id in ["a", "b", "c", "d"] {
        pair.session(id);
        for _ in 0..10 {
            pair.says(id, "12345");
        }
        pair.sent();
    }
    assert!(
        !pair.reads(),
        "{} bytes in all",
        pair.machine.unread_bytes()
    );
}

#[test]
fn rule_01_frames_behind_the_bound_wait_in_the_decoder_and_come_in_order() {
    let mut pair = Pair::ready_with(small);
    let a = pair.session("a");
    let lines: String = (0..100)
        .map(|n| format!("{}\n", chunk("a", &format!("{n},"))))
        .collect();
    pair.agent_text(&lines);
    assert!(!pair.reads());
    assert!(
        pair.machine.unread_bytes() < 4_500,
        "the rest of the chunk is not decoded yet"
    );
    let all = pair.take_all(Stream::Session(a));
    let expected: String = (0..100).map(|n| format!("{n},")).collect();
    assert_eq!(text(&all), expected);
    assert!(pair.reads());
}

// An event that the machine makes by itself is charged for the agent's text in it, too.
#[test]
fn rule_01_what_is_told_of_a_fault_is_charged_for_what_it_holds() {
    let long = "x".repeat(3000);
    for fault in [
        json!({"jsonrpc": "2.0", "id": 1, "method": long, "params": {"sessionId": "a"}}),
        json!({"jsonrpc": "2.0", "id": long, "method": "_x", "params": {"sessionId": "a"}}),
        json!({"jsonrpc": "2.0", "id": long, "result": {}}),
        json!({"jsonrpc": "2.0", "method": long, "params": {"sessionId": "nobody's"}}),
    ] {
        let mut pair = Pair::ready_with(|limits| {
            limits.session_bytes = 9000;
            limits.connection_bytes = 9000;
        });
        pair.machine.take_connection_stream().unwrap();
        pair.session("a");
        for _ in 0..3 {
            assert!(pair.reads());
            pair.agent(&fault);
            pair.sent();
        }
        assert!(!pair.reads(), "{} bytes", pair.machine.unread_bytes());
    }
    // One that was taken back is told with its id.
    let mut pair = Pair::ready_with(|limits| limits.session_bytes = 9000);
    let a = pair.session("a");
    for _ in 0..3 {
        let mut question = permission(0, "a");
        question["id"] = json!(long);
        pair.agent(&question);
        pair.ask(Stream::Session(a));
    }
    for _ in 0..3 {
        assert!(pair.reads());
        pair.agent(&json!({"jsonrpc": "2.0", "method": "$/cancel_request",
            "params": {"requestId": long}}));
    }
    assert!(!pair.reads(), "{} bytes", pair.machine.unread_bytes());
}

#[test]
fn rule_02_within_the_bound_sessions_do_not_feel_each_other() {
    let mut pair = Pair::ready_with(small);
    let (_, b) = (pair.session("a"), pair.session("b"));
    for _ in 0..8 {
        pair.says("a", "unread");
    }
    let turn = pair.prompt(b);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.says("b", "hello");
    pair.answers(id, &json!({"stopReason": "end_turn"}));
    assert_eq!(text(&pair.take_all(Stream::Turn(turn))), "hello");
    assert!(pair.reads());
}

#[test]
fn rule_02_at_the_bound_reading_pauses_and_writing_goes_on() {
    let mut pair = Pair::ready_with(small);
    let a = pair.session("a");
    flood(&mut pair, "a");
    assert!(!pair.reads());
    let turn = pair.prompt(a);
    pair.machine.cancel(pair.now, turn).unwrap();
    let methods: Vec<_> = pair
        .sent()
        .iter()
        .map(|line| line["method"].clone())
        .collect();
    assert_eq!(methods, ["session/prompt", "session/cancel"]);
}

#[test]
fn rule_03_a_waiter_reads_past_the_bound_and_taking_resumes_at_three_quarters() {
    let mut pair = Pair::ready_with(small);
    let (a, b) = (pair.session("a"), pair.session("b"));
    flood(&mut pair, "a");
    assert!(!pair.reads());
    let call = pair.call(b, "session/set_mode");
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    assert!(!pair.reads(), "nobody waits yet");
    pair.park(WaitKey::Call(call));
    assert!(pair.reads(), "the answer may stand behind unread events");
    pair.says("a", "more");
    pair.answers(id, &json!({}));
    assert_eq!(pair.ready_keys(), [WaitKey::Call(call)]);
    assert!(!pair.reads(), "the wait is over");
    pair.reply(call).unwrap();
    while pair.machine.unread_bytes() > 3_000 {
        assert!(!pair.reads(), "at {}", pair.machine.unread_bytes());
        pair.event(Stream::Session(a));
    }
    assert!(pair.reads());
}

#[test]
fn rule_03_a_turns_own_stream_counts_as_a_wait_only_while_it_is_empty() {
    let mut pair = Pair::ready_with(small);
    let (a, b) = (pair.session("a"), pair.session("b"));
    let turn = pair.prompt(a);
    flood(&mut pair, "a");
    assert!(!pair.reads());
    pair.park(WaitKey::Stream(Stream::Session(a)));
    assert!(
        !pair.reads(),
        "the session's reader waits for the turn's, and reading does not help"
    );
    pair.park(WaitKey::Stream(Stream::Session(b)));
    assert!(pair.reads());
    pair.machine
        .unpark(pair.now, WaitKey::Stream(Stream::Session(b)));
    assert!(!pair.reads(), "dropping the wait ends it");
    assert!(matches!(
        pair.machine.next_event(pair.now, Stream::Turn(turn)),
        Next::Event(_)
    ));
}

#[test]
fn rule_03_with_the_overdraft_used_up_a_waiter_fails_after_30_s_without_a_taker() {
    let mut pair = Pair::ready_with(small);
    let (a, b) = (pair.session("a"), pair.session("b"));
    let call = pair.call(b, "session/set_mode");
    pair.park(WaitKey::Call(call));
    pair.park(WaitKey::Stream(Stream::Session(b)));
    flood(&mut pair, "a");
    let bytes = pair.machine.unread_bytes();
    assert!(
        (24_000..24_500).contains(&bytes),
        "bound + overdraft: {bytes}"
    );
    pair.pass(29 * S);
    assert!(pair.ready_keys().is_empty());
    pair.event(Stream::Session(a));
    pair.says("a", "again full");
    pair.pass(29 * S);
    assert!(
        pair.ready_keys().is_empty(),
        "something was taken, so patience starts again"
    );
    pair.pass(2 * S);
    assert_eq!(pair.ready_keys().len(), 2);
    let error = pair.reply(call).unwrap_err().to_string();
    assert!(
        error.contains("session a") && error.contains("session/set_mode"),
        "{error}"
    );
    let next = pair.machine.next_event(pair.now, Stream::Session(b));
    assert!(matches!(next, Next::Starved(_)));
    let next = pair.machine.next_event(pair.now, Stream::Session(b));
    assert!(matches!(next, Next::Pending), "the stream itself is whole");
}

#[test]
fn rule_03_a_wait_that_was_dropped_leaves_no_verdict_for_the_next() {
    let mut pair = Pair::ready_with(small);
    let b = pair.session("b");
    pair.session("a");
    let stream = Stream::Session(b);
    pair.park(WaitKey::Stream(stream));
    flood(&mut pair, "a");
    pair.pass(31 * S);
    assert_eq!(pair.ready_keys(), [WaitKey::Stream(stream)]);
    // Its future is dropped before it looks.
    pair.machine.unpark(pair.now, WaitKey::Stream(stream));
    let next = pair.machine.next_event(pair.now, stream);
    assert!(matches!(next, Next::Pending), "{next:?}");
}

#[test]
fn rule_04_nobody_reads_so_it_is_drained_and_its_requests_are_answered() {
    let mut pair = Pair::ready_with(small);
    let a = pair.session("a");
    pair.says("a", "unread");
    pair.asks(0, "a");
    pair.sent();
    pair.machine.drop_session(pair.now, a);
    assert_eq!(pair.sent_answers(), [cancelled(0)]);
    assert_eq!(pair.machine.unread_bytes(), 0);
    assert_eq!(pair.machine.counters().drained, 2);
    pair.says("a", "late");
    pair.asks(1, "a");
    assert_eq!(pair.sent_answers(), [cancelled(1)]);
    assert_eq!(
        pair.machine.counters().foreign,
        2,
        "its id is known and inactive"
    );
}

#[test]
fn rule_04_events_of_no_session_go_to_who_took_them() {
    let mut pair = Pair::ready_with(small);
    let note = json!({"jsonrpc": "2.0", "method": "_auth/status_update", "params": {"a": 1}});
    pair.agent(&note);
    assert_eq!(pair.machine.counters().drained, 1);
    let stream = pair.machine.take_connection_stream().unwrap();
    assert!(matches!(
        pair.machine.take_connection_stream(),
        Err(UsageError::Gone { .. })
    ));
    pair.agent(&note);
    let Event::Notification(seen) = pair.event(stream).event else {
        panic!()
    };
    assert_eq!(&*seen.method, "_auth/status_update");
    assert_eq!(seen.params.unwrap().get(), r#"{"a":1}"#);
}

#[test]
fn rule_05_the_stream_goes_from_turn_to_turn_to_session() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let first = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.says("a", "one");
    pair.answers(id, &json!({"stopReason": "end_turn"}));
    pair.says("a", "late");
    let second = pair.prompt(a);
    pair.says("a", "two");
    pair.answers(id + 1, &json!({"stopReason": "end_turn"}));
    pair.says("a", "after");

    assert_eq!(text(&pair.take_all(Stream::Turn(first))), "one");
    // The end was the last item of the first stream, and `take_all` took it.
    let seen = pair.take_all(Stream::Turn(second));
    assert_eq!(text(&seen), "latetwo");
    assert_eq!(
        seen.iter().map(|event| event.late).collect::<Vec<_>>(),
        [true, false]
    );
    let after = pair.take_all(Stream::Session(a));
    assert_eq!((text(&after).as_str(), after[0].late), ("after", true));
    assert!(matches!(
        pair.machine.next_event(pair.now, Stream::Turn(first)),
        Next::Finished
    ));
}

// A host that cancels a turn and starts the next one may keep the first handle and never look at it.
#[test]
fn rule_05_nobody_waits_for_the_reader_of_a_turn_that_has_ended() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let first = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.says("a", "one");
    pair.machine.cancel(pair.now, first).unwrap();
    let second = pair.prompt(a);
    pair.park(WaitKey::Stream(Stream::Turn(second)));
    pair.park(WaitKey::Stream(Stream::Session(a)));
    pair.answers(id, &json!({"stopReason": "cancelled"}));
    assert!(pair.ready_keys().is_empty(), "nothing of theirs is there");
    pair.says("a", "two");
    assert_eq!(pair.ready_keys(), [WaitKey::Stream(Stream::Turn(second))]);
    pair.answers(id + 1, &json!({"stopReason": "end_turn"}));
    pair.says("a", "after");
    assert_eq!(pair.ready_keys(), [WaitKey::Stream(Stream::Session(a))]);
    // In any order, and each gets what is his.
    assert_eq!(text(&pair.take_all(Stream::Session(a))), "after");
    assert_eq!(text(&[pair.event(Stream::Turn(second))]), "two");
    assert_eq!(pair.end(second).outcome(), Outcome::Completed);
    pair.says("a", "later");
    assert_eq!(text(&pair.take_all(Stream::Session(a))), "later");
    assert_eq!(text(&[pair.event(Stream::Turn(first))]), "one");
    assert_eq!(pair.end(first).outcome(), Outcome::Cancelled);
    assert_eq!(pair.machine.unread_bytes(), 0);
}

#[test]
fn rule_05_what_was_kept_of_a_turn_in_between_goes_to_the_next_reader() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let title = json!({"jsonrpc": "2.0", "method": "session/update", "params": {
        "sessionId": "a", "update": {"sessionUpdate": "session_info_update", "title": "T"}}});
    let turns: Vec<_> = (0..3)
        .map(|_| {
            let turn = pair.prompt(a);
            let id = pair.sent()[0]["id"].as_i64().unwrap();
            pair.says("a", "text");
            pair.agent(&title);
            pair.answers(id, &json!({"stopReason": "end_turn"}));
            turn
        })
        .collect();
    pair.machine.give_up(pair.now, turns[1]);
    let names = |events: &[acp_session::Received]| {
        let names = events.iter().map(|event| event.event.name());
        names.collect::<Vec<_>>()
    };
    let third = pair.take_all(Stream::Turn(turns[2]));
    assert_eq!(names(&third), ["info", "text", "info"]);
    let first = pair.take_all(Stream::Turn(turns[0]));
    assert_eq!(names(&first), ["text", "info"]);
    assert_eq!(pair.machine.counters().drained, 1, "the text of the second");
    assert_eq!(pair.machine.unread_bytes(), 0);
}

// With the bound reached by the unread first turn, the second reads on into the overdraft.
#[test]
fn rule_05_an_unread_turn_that_has_ended_does_not_stop_the_reading_for_the_next() {
    let mut pair = Pair::ready_with(|limits| limits.session_bytes = 2000);
    let a = pair.session("a");
    let first = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.says("a", &"x".repeat(3000));
    assert!(!pair.reads());
    pair.park(WaitKey::Stream(Stream::Session(a)));
    assert!(!pair.reads(), "the turn runs: reading on would not help");
    let call = pair.call(a, "session/set_mode");
    pair.park(WaitKey::Call(call));
    pair.answers(id, &json!({"stopReason": "end_turn"}));
    let second = pair.prompt(a);
    pair.park(WaitKey::Stream(Stream::Turn(second)));
    pair.answers(id + 1, &json!({}));
    assert!(pair.reads(), "what comes now is what it waits for");
    pair.says("a", "two");
    assert_eq!(text(&[pair.event(Stream::Turn(second))]), "two");
    assert_eq!(pair.take_all(Stream::Turn(first)).len(), 1);
}

#[test]
fn rule_05_the_end_of_a_turn_stands_behind_everything_before_it() {
    let mut pair = Pair::ready_with(small);
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    let mut lines: String = (0..200)
        .map(|n| format!("{}\n", chunk("a", &n.to_string())))
        .collect();
    lines += &format!(
        "{}\n",
        json!({"jsonrpc":"2.0","id":id,"result":{"stopReason":"end_turn"}})
    );
    pair.agent_text(&lines);
    let mut count = 0;
    let end = loop {
        match pair.machine.next_event(pair.now, Stream::Turn(turn)) {
            Next::Event(_) => count += 1,
            Next::End(end) => break end,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(count, 200);
    assert_eq!(end.outcome(), Outcome::Completed);
}

#[test]
fn rule_06_early_updates_are_kept_while_a_session_is_being_made() {
    let mut pair = Pair::ready_with(|_| ());
    pair.says("s1", "nobody makes a session");
    assert_eq!(pair.machine.counters().foreign, 1);
    let call = pair.make("session/new");
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.says("s1", "one ");
    pair.says("other", "lost");
    pair.asks(7, "s1");
    pair.says("s1", "two");
    assert!(pair.sent().is_empty(), "nothing is decided yet");
    pair.answers(id, &json!({"sessionId": "s1"}));
    let session = pair.reply(call).unwrap().session.unwrap();
    assert_eq!(pair.machine.session_id(session).unwrap().as_str(), "s1");
    let events = pair.take_all(Stream::Session(session));
    assert_eq!(text(&events), "one two");
    assert!(matches!(events[1].event, Event::Permission(_)));
    assert_eq!(
        pair.machine.counters().early_dropped,
        1,
        "the other session never came"
    );
}

#[test]
fn rule_06_early_frames_are_bounded_and_dropped_requests_are_answered() {
    let mut pair = Pair::ready_with(|limits| limits.early_bytes = 2_000);
    let call = pair.make("session/new");
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.asks(7, "s1");
    for n in 0..100 {
        pair.says("s1", &n.to_string());
    }
    assert_eq!(pair.sent_answers(), [cancelled(7)], "the oldest goes first");
    for n in 0..20 {
        pair.says(&format!("other{n}"), "x");
    }
    pair.answers(id, &json!({"sessionId": "s1"}));
    let session = pair.reply(call).unwrap().session.unwrap();
    let kept = pair.take_all(Stream::Session(session));
    assert!(text(&kept).len() < 30);
    let counters = pair.machine.counters();
    assert_eq!(counters.early_dropped as usize + kept.len(), 121);
}

#[test]
fn rule_06_an_early_question_can_be_taken_back() {
    let mut pair = Pair::ready_with(|_| ());
    let call = pair.make("session/new");
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.says("s", "hello");
    pair.agent(&permission(4, "s"));
    pair.agent(&json!({"jsonrpc": "2.0", "method": "$/cancel_request",
        "params": {"requestId": 4}}));
    assert_eq!(pair.sent(), [cancelled(4)]);
    pair.answers(id, &json!({"sessionId": "s"}));
    let session = pair.reply(call).unwrap().session.unwrap();
    let events = pair.take_all(Stream::Session(session));
    assert_eq!((text(&events).as_str(), events.len()), ("hello", 1));
    assert!(pair.sent().is_empty());
}

#[test]
fn rule_06_a_failed_opening_leaves_nothing_and_approves_nothing() {
    let mut pair = Pair::ready_with(|_| ());
    let call = pair.make("session/new");
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.asks(3, "s1");
    pair.agent(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32000, "message": "x"}}));
    assert!(pair.reply(call).is_err());
    assert_eq!(pair.sent_answers(), [cancelled(3)]);
}

#[test]
fn a_strict_connection_ends_on_a_question_for_an_unknown_session() {
    let mut config = Config::default();
    config.strict_sessions = true;
    let mut pair = Pair::ready(config);
    let a = pair.session("a");
    pair.machine.drop_session(pair.now, a);
    pair.asks(0, "a");
    assert!(
        pair.machine.closed().is_none(),
        "known and over is only counted"
    );
    pair.asks(1, "b");
    assert!(
        pair.machine
            .closed()
            .unwrap()
            .to_string()
            .contains("session/request_permission")
    );
}

// What came early was kept because its session might be the one that is being made. It was not.
#[test]
fn a_strict_connection_ends_on_an_early_frame_for_another_session() {
    let strict = |fails: bool| {
        let mut config = Config::default();
        config.strict_sessions = true;
        let mut pair = Pair::ready(config);
        let calls = [pair.make("session/new"), pair.make("session/new")];
        let id = pair.sent()[0]["id"].as_i64().unwrap();
        pair.says("c", "hello");
        pair.answers(id, &json!({"sessionId": "a"}));
        assert!(pair.machine.closed().is_none(), "the other may be it");
        if fails {
            pair.agent(&json!({"jsonrpc": "2.0", "id": id + 1,
                "error": {"code": -32603, "message": "x"}}));
        } else {
            pair.answers(id + 1, &json!({"sessionId": "b"}));
        }
        pair.reply(calls[0]).unwrap();
        assert_eq!(pair.machine.counters().early_dropped, 1);
        let ended = pair.machine.closed().map(ToString::to_string);
        ended.unwrap_or_default()
    };
    assert_eq!(
        strict(false),
        "session/update for a session that is not open in use"
    );
    assert_eq!(strict(true), "", "it may have been of the one that failed");
}

// An agent that has one session may forget to name it; with two of them, or where the host is strict,
// nobody guesses.
#[test]
fn an_update_that_names_no_session_belongs_to_the_only_one() {
    let delivered = |sessions: &[&str], strict: bool| {
        let mut config = Config::default();
        config.strict_sessions = strict;
        let mut pair = Pair::ready(config);
        let keys: Vec<_> = sessions.iter().map(|id| pair.session(id)).collect();
        let mut nameless = chunk("", "hello");
        nameless["params"]
            .as_object_mut()
            .unwrap()
            .remove("sessionId");
        pair.agent(&nameless);
        let broken = pair.machine.counters().broken;
        let texts = keys
            .iter()
            .map(|&key| text(&pair.take_all(Stream::Session(key))));
        (texts.collect::<String>(), broken)
    };
    assert_eq!(delivered(&["a"], false), ("hello".into(), 0));
    assert_eq!(delivered(&["a"], true), (String::new(), 1));
    assert_eq!(delivered(&["a", "b"], false), (String::new(), 1));
    assert_eq!(delivered(&[], false), (String::new(), 1));
}

#[test]
fn history_is_marked_and_comes_before_the_reply() {
    let mut pair = Pair::ready_with(|_| ());
    let (call, session) = pair.open("session/load", "s1");
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.says("s1", "old");
    assert!(pair.event(Stream::Session(session)).replay);
    pair.answers(id, &serde_json::Value::Null);
    pair.says("s1", "new");
    let received = pair.event(Stream::Session(session));
    assert!(!received.replay && !received.late);
    assert_eq!(pair.reply(call).unwrap().session, Some(session));
    let again = acp_vocab::SessionId::from("s1");
    let clock = pair.clock();
    let opening = acp_session::Opening::Known(&again);
    let twice = pair
        .machine
        .open_session(pair.now, "session/load", &json!({}), opening, clock);
    assert!(matches!(twice, Err(UsageError::SessionOpen { .. })));
}

#[test]
fn a_session_that_cannot_be_loaded_finishes_its_stream() {
    let mut pair = Pair::ready_with(|_| ());
    let (call, session) = pair.open("session/load", "s1");
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.says("s1", "half a history");
    pair.agent(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32002, "message": "x"}}));
    assert!(pair.reply(call).is_err());
    assert_eq!(
        text(&pair.take_all(Stream::Session(session))),
        "half a history"
    );
    assert!(matches!(
        pair.machine.next_event(pair.now, Stream::Session(session)),
        Next::Finished
    ));
}

#[test]
fn faults_of_the_agent_are_noted() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let call = pair.call(a, "session/set_mode");
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.agent(&json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "?"}}));
    pair.agent(&json!({"jsonrpc": "2.0", "id": "x", "result": {}}));
    pair.agent(&json!({"jsonrpc": "2.0", "id": id.to_string(), "result": {}}));
    pair.agent(&json!({"jsonrpc": "2.0", "id": id, "result": {}}));
    pair.reply(call).unwrap();
    let noted: Vec<_> = pair
        .machine
        .diagnostics()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        noted,
        [
            "reply without an id (error -32700)",
            "reply to a request never sent (id \"x\")",
            "reply with the id as a string: \"1\"",
            "reply to a request that is not open any more (id 1)",
        ]
    );
    let seen = pair.event(Stream::Session(a));
    let Event::Diagnostic(diagnostic) = seen.event else {
        panic!()
    };
    assert!(matches!(*diagnostic, Diagnostic::CoercedReply { .. }));
}
