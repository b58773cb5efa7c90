//! v2: a prompt that follows a cancelled one waits until the agent is idle.

use acp_session::{Bounds, Config, Next, Outcome, Protocol, SessionKey, Stream, TurnKey};
use acp_vocab::ProtocolVersion;
use serde_json::{Value, json};

use crate::pair::{Pair, S};

fn pair() -> (Pair, SessionKey) {
    let mut pair = Pair::new(Config::default());
    pair.machine
        .agree(Protocol::new(ProtocolVersion::V2))
        .unwrap();
    let session = pair.session("a");
    (pair, session)
}

fn idle(pair: &mut Pair, reason: &str) {
    pair.agent(
        &json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "a",
        "update": {"sessionUpdate": "state_update", "state": "idle", "stopReason": reason}}}),
    );
}

fn refuses(pair: &mut Pair, id: i64) {
    pair.agent(
        &json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32800, "message": "cancelled"}}),
    );
}

/// A turn that the agent has taken, as this message.
fn taken(pair: &mut Pair, session: SessionKey, message: &str) -> TurnKey {
    let turn = pair.prompt(session);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.answers(id, &json!({ "messageId": message }));
    turn
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

fn methods(pair: &mut Pair) -> Vec<String> {
    let name = |frame: &Value| frame["method"].as_str().unwrap_or("answer").to_owned();
    pair.sent().iter().map(name).collect()
}

#[test]
fn it_goes_out_once_the_agent_is_idle() {
    let (mut pair, a) = pair();
    let first = taken(&mut pair, a, "u1");
    pair.machine.cancel(pair.now, first).unwrap();
    assert_eq!(methods(&mut pair), ["session/cancel"]);
    let second = pair.prompt(a);
    let third = pair.prompt(a);
    assert_eq!(
        methods(&mut pair),
        [""; 0],
        "the cancel may be looked at last"
    );
    idle(&mut pair, "cancelled");
    let sent = pair.sent();
    let ids: Vec<i64> = sent
        .iter()
        .filter_map(|frame| frame["id"].as_i64())
        .collect();
    assert_eq!(ids.len(), 2, "{sent:?}");
    assert_eq!(outcome(&mut pair, first), Some(Outcome::Cancelled));
    for (id, message) in ids.iter().zip(["u2", "u3"]) {
        pair.answers(*id, &json!({ "messageId": message }));
    }
    idle(&mut pair, "end_turn");
    assert_eq!(outcome(&mut pair, second), Some(Outcome::Completed));
    assert_eq!(outcome(&mut pair, third), Some(Outcome::Completed));
    pair.prompt(a);
    assert_eq!(
        methods(&mut pair),
        ["session/prompt"],
        "nothing is in its way"
    );
}

#[test]
fn a_turn_that_was_given_up_or_met_its_bound_is_waited_for_as_well() {
    for by_bound in [false, true] {
        let (mut pair, a) = pair();
        let bounds = Bounds::TURN.idle(5 * S);
        let first = pair.prompt_within(a, bounds);
        let id = pair.sent()[0]["id"].as_i64().unwrap();
        pair.answers(id, &json!({ "messageId": "u1" }));
        if by_bound {
            pair.pass(6 * S);
            pair.end(first).result.unwrap_err();
        } else {
            pair.machine.give_up(pair.now, first);
        }
        assert_eq!(methods(&mut pair), ["session/cancel"]);
        pair.prompt(a);
        assert_eq!(methods(&mut pair), [""; 0]);
        idle(&mut pair, "cancelled");
        assert_eq!(methods(&mut pair), ["session/prompt"]);
    }
}

/// A prompt that the agent never took leaves no idle behind.
#[test]
fn a_cancelled_prompt_that_was_refused_is_over() {
    let (mut pair, a) = pair();
    let first = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.machine.cancel(pair.now, first).unwrap();
    pair.sent();
    pair.prompt(a);
    assert_eq!(methods(&mut pair), [""; 0]);
    refuses(&mut pair, id);
    assert_eq!(methods(&mut pair), ["session/prompt"]);
}

/// A refusal of something else says nothing about the work that winds down.
#[test]
fn another_refusal_releases_nothing() {
    let (mut pair, a) = pair();
    let first = taken(&mut pair, a, "u1");
    pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.machine.cancel(pair.now, first).unwrap();
    pair.sent();
    pair.prompt(a);
    refuses(&mut pair, id);
    assert_eq!(methods(&mut pair), [""; 0]);
    assert_eq!(outcome(&mut pair, first), None);
    idle(&mut pair, "cancelled");
    assert_eq!(methods(&mut pair), ["session/prompt"]);
}

#[test]
fn it_does_not_wait_for_ever() {
    let (mut pair, a) = pair();
    let first = taken(&mut pair, a, "u1");
    pair.machine.cancel(pair.now, first).unwrap();
    pair.sent();
    let second = pair.prompt(a);
    pair.pass(9 * S);
    assert_eq!(methods(&mut pair), [""; 0]);
    pair.pass(2 * S);
    let sent = pair.sent();
    assert_eq!(sent[0]["method"], "session/prompt", "{sent:?}");
    // The idle of the old work does not end the new one.
    idle(&mut pair, "cancelled");
    pair.answers(
        sent[0]["id"].as_i64().unwrap(),
        &json!({ "messageId": "u2" }),
    );
    idle(&mut pair, "end_turn");
    assert_eq!(outcome(&mut pair, second), Some(Outcome::Completed));
}

#[test]
fn cancelled_or_closed_while_it_waits_it_never_goes_out() {
    let (mut pair, a) = pair();
    let first = taken(&mut pair, a, "u1");
    pair.machine.cancel(pair.now, first).unwrap();
    let (second, third) = (pair.prompt(a), pair.prompt(a));
    pair.sent();
    pair.machine.cancel(pair.now, second).unwrap();
    assert_eq!(outcome(&mut pair, second), Some(Outcome::Cancelled));
    let close = json!({"sessionId": "a"});
    let clock = pair.clock();
    pair.machine
        .end_session(pair.now, "session/close", &close, a, clock)
        .unwrap();
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.answers(id, &json!({}));
    assert_eq!(outcome(&mut pair, third), Some(Outcome::Cancelled));
    idle(&mut pair, "cancelled");
    pair.pass(60 * S);
    assert_eq!(methods(&mut pair), [""; 0]);
    assert!(!matches!(
        pair.machine.next_event(pair.now, Stream::Session(a)),
        Next::Pending
    ));
}
