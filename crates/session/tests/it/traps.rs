//! The traps of `docs/traps.md` that the machine springs and no other test of it is about.

use acp_session::{Config, Conversation, Event, Outcome, Protocol, Stream};
use acp_vocab::ProtocolVersion;
use serde_json::{Value, json};

use crate::pair::{Pair, text};

fn update(update: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "session/update",
        "params": {"sessionId": "s1", "update": update}})
}

#[test]
fn trap_03_an_update_of_an_unknown_session_reaches_nobody_and_is_counted() {
    let mut pair = Pair::ready_with(|_| ());
    let session = pair.session("s1");
    let turn = pair.prompt(session);
    pair.sent();
    pair.says("somebody else", "not yours");
    pair.says("s1", "yours");
    assert_eq!(text(&pair.take_all(Stream::Turn(turn))), "yours");
    assert_eq!(pair.machine.counters().foreign, 1);
    assert!(pair.machine.closed().is_none());
    assert!(pair.sent().is_empty(), "nothing is said about it");
}

#[test]
fn trap_08_a_tool_may_run_before_it_was_approved() {
    let mut pair = Pair::ready_with(|_| ());
    let session = pair.session("s1");
    let turn = pair.prompt(session);
    pair.sent();
    pair.agent(&update(
        &json!({"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "run it",
        "status": "in_progress"}),
    ));
    pair.asks(0, "s1");
    let started = pair.event(Stream::Turn(turn));
    assert_eq!(started.event.tool().unwrap().status.as_str(), "in_progress");
    let Event::Permission(asked) = pair.event(Stream::Turn(turn)).event else {
        panic!("it is still a question")
    };
    let tool = asked.tool.unwrap();
    assert_eq!(
        (tool.created, tool.status.as_str()),
        (false, "in_progress"),
        "the same call, as far as it is"
    );
    assert!(pair.sent().is_empty(), "what runs is not thereby approved");
}

#[test]
fn trap_34_content_that_cannot_be_shown_as_text_has_a_word_in_its_place() {
    let mut pair = Pair::ready_with(|_| ());
    let session = pair.session("s1");
    let turn = pair.prompt(session);
    for content in [
        json!({"type": "text", "text": "see "}),
        json!({"type": "image", "mimeType": "image/png", "data": "AAAA"}),
    ] {
        pair.agent(&update(
            &json!({"sessionUpdate": "agent_message_chunk", "content": content}),
        ));
    }
    let events = pair.take_all(Stream::Turn(turn));
    assert_eq!(text(&events), "see [image image/png]");
}

#[test]
fn trap_35_behaviour_in_meta_is_handed_on_and_never_needed() {
    let mut pair = Pair::ready_with(|_| ());
    let session = pair.session("s1");
    let turn = pair.prompt(session);
    let meta = json!({"terminal_output": {"data": "x"}, "steering": true});
    pair.agent(&update(&json!({"sessionUpdate": "agent_message_chunk",
        "content": {"type": "text", "text": "a"}, "_meta": meta})));
    pair.agent(&update(&json!({"sessionUpdate": "agent_message_chunk",
        "content": {"type": "text", "text": "b"}, "_meta": null})));
    let events = pair.take_all(Stream::Turn(turn));
    assert_eq!(text(&events), "ab");
    let Event::Text(chunk) = &events[0].event else {
        panic!("a chunk")
    };
    let kept = serde_json::to_value(chunk.meta.as_ref().unwrap()).unwrap();
    assert_eq!(kept, meta);
    let id = 1;
    pair.agent(
        &json!({"jsonrpc": "2.0", "id": id, "result": {"stopReason": "end_turn",
        "_meta": meta}}),
    );
    assert_eq!(pair.end(turn).outcome(), Outcome::Completed);
}

#[test]
fn trap_36_one_slash_in_front_of_a_command_is_taken_off() {
    let mut pair = Pair::ready_with(|_| ());
    let session = pair.session("s1");
    let named = |name: &str| json!({"name": name, "description": "d"});
    pair.agent(&update(
        &json!({"sessionUpdate": "available_commands_update",
        "availableCommands": [named("plan"), named("/review"), named("//x")]}),
    ));
    let Event::Commands(commands) = pair.event(Stream::Session(session)).event else {
        panic!("commands")
    };
    let names: Vec<Value> = commands
        .iter()
        .map(|command| serde_json::to_value(command).unwrap()["name"].clone())
        .collect();
    assert_eq!(names, ["plan", "review", "/x"]);
}

#[test]
fn trap_45_what_the_agent_made_of_the_prompt_is_what_is_shown() {
    let mut pair = Pair::new(Config::default());
    pair.machine
        .agree(Protocol::new(ProtocolVersion::V2))
        .unwrap();
    let session = pair.session("s1");
    let turn = pair.prompt(session);
    pair.agent(&update(&json!({"sessionUpdate": "user_message",
        "messageId": "u1", "content": [{"type": "text", "text": "go, with all its files"}]})));
    let mut conversation = Conversation::default();
    for event in pair.take_all(Stream::Turn(turn)) {
        conversation.apply(&event);
    }
    let shown: Vec<String> = conversation
        .timeline()
        .filter_map(|entry| match entry {
            acp_session::Entry::Message(message) => Some(message.content.text()),
            _ => None,
        })
        .collect();
    assert_eq!(shown, ["go, with all its files"]);
}

#[test]
fn trap_51_what_the_agent_does_without_a_prompt_is_seen() {
    let mut pair = Pair::ready_with(|_| ());
    let session = pair.session("s1");
    pair.says("s1", "the nightly job is done");
    pair.agent(&update(
        &json!({"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "clean up"}),
    ));
    let events = pair.take_all(Stream::Session(session));
    assert_eq!(text(&events), "the nightly job is done");
    assert_eq!(
        events.iter().filter(|event| event.late).count(),
        0,
        "late is what comes behind a turn of ours"
    );
    assert_eq!(&*events[1].event.tool().unwrap().title, "clean up");
    // And a turn of ours is none the worse.
    let turn = pair.prompt(session);
    let id = pair.sent().last().unwrap()["id"].as_i64().unwrap();
    pair.says("s1", "hello");
    pair.answers(id, &json!({"stopReason": "end_turn"}));
    assert_eq!(text(&pair.take_all(Stream::Turn(turn))), "hello");
}

#[test]
fn trap_53_a_question_outside_a_turn_is_delivered_and_approves_nothing_by_itself() {
    let mut pair = Pair::ready_with(|_| ());
    let session = pair.session("s1");
    pair.sent();
    pair.asks(0, "s1");
    let ask = pair.ask(Stream::Session(session));
    assert!(pair.sent().is_empty());
    pair.machine.drop_ask(pair.now, ask);
    assert_eq!(pair.sent(), [crate::pair::cancelled(0)]);
}
