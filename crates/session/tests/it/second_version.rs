//! Version 2 on the same machine: the idle that belongs to the prompt ends the turn.

use acp_session::{
    Config, Event, Next, Opening, Outcome, Protocol, Settled, Stream, TurnKey, UsageError,
};
use acp_vocab::{ProtocolVersion, SessionId};
use serde_json::{Value, json};

use crate::pair::{Pair, S, cancelled, text};

fn pair() -> Pair {
    let mut pair = Pair::new(Config::default());
    pair.machine
        .agree(Protocol::new(ProtocolVersion::V2))
        .unwrap();
    pair
}

fn update(update: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "session/update",
        "params": {"sessionId": "a", "update": update}})
}

fn chunk(text: &str) -> Value {
    update(
        json!({"sessionUpdate": "agent_message_chunk", "messageId": "m",
        "content": {"type": "text", "text": text}}),
    )
}

fn echo(id: &str) -> Value {
    update(json!({"sessionUpdate": "user_message", "messageId": id,
        "content": [{"type": "text", "text": "go"}]}))
}

fn idle(reason: &str) -> Value {
    update(json!({"sessionUpdate": "state_update", "state": "idle", "stopReason": reason}))
}

fn running() -> Value {
    update(json!({"sessionUpdate": "state_update", "state": "running"}))
}

/// The outcome, if the end is the next item behind the events that are there.
fn outcome(pair: &mut Pair, turn: TurnKey) -> Option<Outcome> {
    loop {
        match pair.machine.next_event(pair.now, Stream::Turn(turn)) {
            Next::Event(_) => {}
            Next::End(end) => return Some(end.outcome()),
            _ => return None,
        }
    }
}

/// Which steps come in which order, and whether the turn is over after them.
#[track_caller]
fn check(steps: &[&str], expected: Option<Outcome>) {
    let mut pair = pair();
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    for step in steps {
        match *step {
            "answer" => pair.answers(id, &json!({"messageId": "u1"})),
            "echo" => pair.agent(&echo("u1")),
            "other echo" => pair.agent(&echo("u0")),
            "running" => pair.agent(&running()),
            "text" => pair.agent(&chunk("x")),
            reason => pair.agent(&idle(reason)),
        }
    }
    assert_eq!(outcome(&mut pair, turn), expected, "{steps:?}");
}

#[test]
fn an_idle_ends_the_turn_only_behind_its_prompt() {
    let done = Some(Outcome::Completed);
    check(&["answer", "running", "echo", "text", "end_turn"], done);
    check(&["running", "echo", "text", "answer", "end_turn"], done);
    check(&["answer", "end_turn"], done);
    check(&["echo", "end_turn", "answer"], done);
    check(&["end_turn", "answer"], None);
    check(&["end_turn", "answer", "running", "end_turn"], done);
    check(&["end_turn", "echo", "answer"], None);
    check(&["other echo", "end_turn", "echo", "answer"], None);
    check(
        &["other echo", "end_turn", "echo", "end_turn", "answer"],
        done,
    );
    // The first idle behind the echo is the end; a later one repeats it or belongs to other work.
    let refused = Some(Outcome::Refusal);
    check(&["echo", "refusal", "end_turn", "answer"], refused);
    check(
        &["echo", "refusal", "running", "end_turn", "answer"],
        refused,
    );
    check(
        &[
            "other echo",
            "end_turn",
            "echo",
            "refusal",
            "cancelled",
            "answer",
        ],
        refused,
    );
    check(&["answer", "running", "text"], None);
    check(&["answer", "running", "refusal"], Some(Outcome::Refusal));
    check(
        &["answer", "running", "cancelled"],
        Some(Outcome::Cancelled),
    );
    check(&["answer", "running", "error"], Some(Outcome::Failed));
    check(&["answer", "running", "_custom"], done);
    check(&["answer", "running", "surprise"], Some(Outcome::Failed));
}

// Ids of messages and of background work are as many and as long as their agent likes.
#[test]
fn what_is_remembered_of_echoes_and_of_background_work_is_bounded() {
    let mut pair = pair();
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    let long = "m".repeat(1 << 20);
    pair.agent(&echo(&long));
    pair.agent(&idle("refusal"));
    pair.answers(id, &json!({"messageId": long}));
    assert_eq!(outcome(&mut pair, turn), None, "it was not remembered");
    pair.agent(&idle("end_turn"));
    assert_eq!(outcome(&mut pair, turn), Some(Outcome::Completed));

    let second = pair.prompt(a);
    let listed: Vec<_> = (0..10_000)
        .map(|n| json!({"type": "tool_call", "toolCallId": format!("{n:05}")}))
        .collect();
    pair.agent(&update(json!({"sessionUpdate": "state_update",
        "state": "running", "background": listed})));
    for (id, tool) in [(1, "00000"), (2, "09999")] {
        pair.agent(
            &json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission",
            "params": {"sessionId": "a", "title": "t", "options": [],
                "subject": {"type": "tool_call", "toolCall": {"toolCallId": tool}}}}),
        );
    }
    pair.sent();
    pair.machine.cancel(pair.now, second).unwrap();
    assert_eq!(
        pair.sent_answers(),
        [cancelled(2)],
        "the first is in the background"
    );
}

#[test]
fn an_idle_without_a_reason_ends_it_too_and_an_unknown_state_does_not() {
    let mut pair = pair();
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.answers(id, &json!({"messageId": "u1"}));
    for state in ["unknown", "brand_new", "requires_action", "running"] {
        pair.agent(&update(
            json!({"sessionUpdate": "state_update", "state": state}),
        ));
    }
    assert_eq!(pair.take_all(Stream::Turn(turn)).len(), 4);
    pair.agent(&update(
        json!({"sessionUpdate": "state_update", "state": "idle"}),
    ));
    pair.event(Stream::Turn(turn));
    let end = pair.end(turn);
    assert_eq!(end.outcome(), Outcome::Completed);
    assert_eq!(end.message.unwrap().as_str(), "u1");
    assert_eq!(&*end.result.unwrap().stop_reason, "");
}

#[test]
fn an_error_is_kept_beside_the_outcome() {
    let mut pair = pair();
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.answers(id, &json!({"messageId": "u1"}));
    pair.agent(&update(
        json!({"sessionUpdate": "state_update", "state": "idle",
        "stopReason": "error", "error": {"code": -32603, "message": "provider down"}}),
    ));
    pair.event(Stream::Turn(turn));
    let report = pair.end(turn).result.unwrap();
    assert_eq!(&*report.error.unwrap().message, "provider down");
    assert!(report.raw.get().contains("\"stopReason\":\"error\""));
}

#[test]
fn several_prompts_end_together_once_they_are_inserted() {
    let mut pair = pair();
    let a = pair.session("a");
    let turns: Vec<_> = (0..3).map(|_| pair.prompt(a)).collect();
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.answers(id, &json!({"messageId": "u1"}));
    pair.answers(id + 1, &json!({"messageId": "u2"}));
    pair.agent(&chunk("both"));
    pair.agent(&idle("end_turn"));
    pair.agent(&running());
    pair.answers(id + 2, &json!({"messageId": "u3"}));
    pair.agent(&chunk("third"));
    let first = pair.take_all(Stream::Turn(turns[0]));
    assert_eq!(text(&first), "both");
    assert_eq!(outcome(&mut pair, turns[1]), Some(Outcome::Completed));
    let third = pair.take_all(Stream::Turn(turns[2]));
    assert_eq!(text(&third), "third");
    assert!(third.iter().all(|event| !event.late), "a turn is running");
}

#[test]
fn a_refused_prompt_ends_before_the_turn_that_it_waited_behind() {
    let mut pair = pair();
    let a = pair.session("a");
    let (first, second) = (pair.prompt(a), pair.prompt(a));
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.answers(id, &json!({"messageId": "u1"}));
    pair.agent(&chunk("first"));
    pair.machine.cancel(pair.now, second).unwrap();
    let sent = pair.sent();
    assert_eq!(
        sent,
        [json!({"jsonrpc": "2.0", "method": "$/cancel_request",
        "params": {"requestId": id + 1}})]
    );
    pair.agent(&json!({"jsonrpc": "2.0", "id": id + 1,
        "error": {"code": -32800, "message": "cancelled"}}));
    assert_eq!(outcome(&mut pair, second), Some(Outcome::Cancelled));
    pair.agent(&idle("end_turn"));
    assert_eq!(outcome(&mut pair, first), Some(Outcome::Completed));
}

#[test]
fn cancel_leaves_background_work_alone() {
    let mut pair = pair();
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.answers(id, &json!({"messageId": "u1"}));
    pair.agent(&update(
        json!({"sessionUpdate": "state_update", "state": "running",
        "background": [{"type": "tool_call", "toolCallId": "bg"}]}),
    ));
    for (id, tool) in [(0, "bg"), (1, "fg")] {
        pair.agent(
            &json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission",
            "params": {"sessionId": "a", "title": "run?", "options": [],
                "subject": {"type": "tool_call", "toolCall": {"toolCallId": tool}}}}),
        );
    }
    pair.machine.cancel(pair.now, turn).unwrap();
    let sent = pair.sent();
    assert_eq!(sent[0]["method"], "session/cancel");
    assert_eq!(sent[1..], [cancelled(1)]);
    pair.agent(&idle("cancelled"));
    assert!(pair.sent().is_empty(), "it may still be answered");
    pair.agent(&json!({"jsonrpc": "2.0", "method": "$/cancel_request",
        "params": {"requestId": 0}}));
    assert_eq!(pair.sent(), [cancelled(0)]);
    let events = pair.take_all(Stream::Turn(turn));
    let settled = events.iter().filter(
        |event| matches!(&event.event, Event::Settled(settled) if settled.how == Settled::Cancelled),
    );
    assert_eq!(settled.count(), 1);
}

// Work of a process is listed as its terminal only, and a child session as itself.
#[test]
fn what_goes_on_beside_the_turn_is_known_by_its_terminal_and_by_its_session() {
    let ask = |id: i64, session: &str, subject: Value| {
        json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission",
            "params": {"sessionId": session, "title": "t", "options": [], "subject": subject}})
    };
    let command = |member: &str, id: &str| {
        let mut subject = json!({"type": "command", "command": "make", "cwd": "/w"});
        subject[member] = json!(id);
        subject
    };
    let tool = |id: &str| json!({"type": "tool_call", "toolCall": {"toolCallId": id}});
    let terminal = |tool: &str, terminal: &str| {
        update(
            json!({"sessionUpdate": "tool_call_update", "toolCallId": tool,
            "status": "in_progress", "content": [{"type": "terminal", "terminalId": terminal}]}),
        )
    };
    let mut pair = pair();
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.answers(id, &json!({"messageId": "u"}));
    for child in ["behind", "front"] {
        pair.agent(&update(
            json!({"sessionUpdate": "subagent_update", "sessionId": child}),
        ));
    }
    pair.agent(&terminal("serves", "p1"));
    pair.agent(&terminal("builds", "p2"));
    pair.agent(&update(
        json!({"sessionUpdate": "state_update", "state": "running", "background": [
        {"type": "terminal", "terminalId": "p1"}, {"type": "subagent", "sessionId": "behind"},
        {"type": "tool_call", "toolCallId": "watch"}]}),
    ));
    let questions = [
        ask(0, "a", command("terminalId", "p1")),
        ask(1, "a", command("terminalId", "p2")),
        ask(2, "a", command("toolCallId", "watch")),
        ask(3, "a", command("toolCallId", "serves")),
        ask(4, "a", tool("builds")),
        ask(5, "behind", tool("any")),
        ask(6, "front", tool("watch")),
    ];
    questions.iter().for_each(|question| pair.agent(question));
    pair.machine.cancel(pair.now, turn).unwrap();
    let of_the_turn = [cancelled(1), cancelled(4), cancelled(6)];
    assert_eq!(pair.sent_answers(), of_the_turn);
    // So it is for what comes behind the cancel.
    questions.iter().for_each(|question| pair.agent(question));
    assert_eq!(pair.sent_answers(), of_the_turn);
    pair.agent(&idle("cancelled"));
    let end = loop {
        match pair.machine.next_event(pair.now, Stream::Turn(turn)) {
            Next::Event(_) => {}
            Next::End(end) => break end,
            other => panic!("{other:?}"),
        }
    };
    // "serves" goes on in its terminal, "watch" is listed itself.
    assert_eq!(end.open_tools, ["builds"]);
}

#[test]
fn ids_of_a_childs_tool_calls_are_its_own() {
    let mut pair = pair();
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.answers(id, &json!({"messageId": "u"}));
    pair.agent(&update(
        json!({"sessionUpdate": "subagent_update", "sessionId": "c"}),
    ));
    let call = |session: &str, rest: Value| {
        let mut update = json!({"sessionUpdate": "tool_call_update", "toolCallId": "1"});
        for (name, value) in rest.as_object().unwrap() {
            update[name] = value.clone();
        }
        json!({"jsonrpc": "2.0", "method": "session/update",
            "params": {"sessionId": session, "update": update}})
    };
    pair.agent(&call(
        "a",
        json!({"title": "of the parent", "kind": "edit"}),
    ));
    pair.agent(&call("c", json!({"status": "in_progress"})));
    pair.agent(&call("a", json!({"status": "completed"})));
    pair.agent(&idle("end_turn"));
    let mut seen = Vec::new();
    let end = loop {
        match pair.machine.next_event(pair.now, Stream::Turn(turn)) {
            Next::Event(received) => {
                if let Event::Tool(tool) = received.event {
                    seen.push((tool.title.to_string(), tool.created));
                }
            }
            Next::End(end) => break end,
            other => panic!("{other:?}"),
        }
    };
    let parent = "of the parent".to_owned();
    assert_eq!(
        seen,
        [
            (parent.clone(), true),
            ("1".to_owned(), true),
            (parent, false)
        ]
    );
    assert!(end.open_tools.is_empty(), "the child goes on by itself");
}

#[test]
fn a_tool_call_in_the_background_is_not_closed_at_the_end() {
    let mut pair = pair();
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.answers(id, &json!({"messageId": "u1"}));
    for tool in ["bg", "left"] {
        pair.agent(&update(
            json!({"sessionUpdate": "tool_call_update", "toolCallId": tool,
            "title": "t", "status": "in_progress"}),
        ));
    }
    pair.agent(&update(
        json!({"sessionUpdate": "state_update", "state": "idle",
        "stopReason": "end_turn",
        "background": [{"type": "tool_call", "toolCallId": "bg"}]}),
    ));
    for _ in 0..3 {
        pair.event(Stream::Turn(turn));
    }
    let open: Vec<_> = pair
        .end(turn)
        .open_tools
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(open, ["left"]);
}

#[test]
fn children_feed_their_parents_stream_and_end_nothing() {
    let mut pair = pair();
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.answers(id, &json!({"messageId": "u1"}));
    pair.agent(&update(
        json!({"sessionUpdate": "subagent_update", "sessionId": "child"}),
    ));
    pair.agent(
        &json!({"jsonrpc": "2.0", "method": "session/update", "params": {
        "sessionId": "child", "update": {"sessionUpdate": "state_update", "state": "idle",
            "stopReason": "end_turn"}}}),
    );
    pair.agent(
        &json!({"jsonrpc": "2.0", "id": 7, "method": "session/request_permission",
        "params": {"sessionId": "child", "title": "run?", "options": []}}),
    );
    pair.event(Stream::Turn(turn));
    let state = pair.event(Stream::Turn(turn));
    assert_eq!(state.child, Some(SessionId::from("child")));
    let ask = pair.ask(Stream::Turn(turn));
    pair.machine.answer(pair.now, ask, &json!({})).unwrap();
    assert!(matches!(
        pair.machine.next_event(pair.now, Stream::Turn(turn)),
        Next::Pending
    ));
}

#[test]
fn a_turn_has_its_bounds_until_the_idle() {
    let mut pair = pair();
    let a = pair.session("a");
    let turn = pair.prompt_within(a, acp_session::Bounds::TURN.idle(10 * S));
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.answers(id, &json!({"messageId": "u1"}));
    pair.pass(9 * S);
    pair.agent(&running());
    pair.pass(11 * S);
    assert_eq!(pair.sent()[0]["method"], "session/cancel");
    assert_eq!(outcome(&mut pair, turn), Some(Outcome::Lost));
    pair.agent(&idle("cancelled"));
    assert!(pair.event(Stream::Session(a)).late);
}

#[test]
fn history_ends_with_its_marker_or_with_the_answer() {
    let mut pair = pair();
    let (_, session) = pair.open("session/resume", "a");
    pair.agent(&chunk("old"));
    pair.agent(&update(json!({"sessionUpdate": "replay_complete"})));
    pair.agent(&idle("end_turn"));
    pair.answers(0, &json!({}));
    let events = pair.take_all(Stream::Session(session));
    let replays: Vec<_> = events.iter().map(|event| event.replay).collect();
    assert_eq!(replays, [true, true, false]);
}

#[test]
fn a_session_that_goes_on_has_no_history() {
    let mut pair = pair();
    let id = SessionId::from("a");
    let clock = pair.clock();
    let opened = pair.machine.open_session(
        pair.now,
        "session/resume",
        &json!({"sessionId": "a"}),
        Opening::Resumed(&id),
        clock,
    );
    let (call, session) = opened.unwrap();
    pair.agent(&idle("end_turn"));
    assert!(!pair.event(Stream::Session(session.unwrap())).replay);
    let early = pair
        .machine
        .start_prompt(pair.now, session.unwrap(), &json!({}), clock);
    assert!(matches!(early, Err(UsageError::NotReady { .. })));
    pair.answers(0, &json!({}));
    assert_eq!(pair.reply(call).unwrap().session, session);
}

#[test]
fn a_broken_answer_to_a_prompt_ends_the_turn() {
    let mut pair = pair();
    let a = pair.session("a");
    let turn = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.answers(id, &json!({"stopReason": "end_turn"}));
    let error = pair.end(turn).result.unwrap_err();
    assert_eq!(
        error.to_string(),
        "unusable result of session/prompt (id 1): expected a string as messageId"
    );
}

#[test]
fn a_closed_session_leaves_no_turn_waiting_for_an_idle() {
    for answer_first in [true, false] {
        let mut pair = pair();
        let a = pair.session("a");
        let turn = pair.prompt(a);
        let id = pair.sent()[0]["id"].as_i64().unwrap();
        let clock = pair.clock();
        let params = json!({"sessionId": "a"});
        let call = pair
            .machine
            .end_session(pair.now, "session/close", &params, a, clock)
            .unwrap();
        let order = if answer_first {
            [id, id + 1]
        } else {
            [id + 1, id]
        };
        for id in order {
            pair.answers(id, &json!({"messageId": "u1"}));
        }
        pair.reply(call).unwrap();
        assert_eq!(outcome(&mut pair, turn), Some(Outcome::Cancelled));
        let next = pair.machine.next_event(pair.now, Stream::Session(a));
        assert!(matches!(next, Next::Finished));
    }
}
