//! v1: a prompt that follows a cancelled one waits until that is answered.

use acp_session::{Bounds, Config, Event, Outcome, Stream, UsageError};
use serde_json::json;

use crate::pair::{Pair, S, cancelled, text};

#[test]
fn it_goes_out_once_the_cancelled_one_is_answered() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let first = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.machine.cancel(pair.now, first).unwrap();
    pair.sent();
    let second = pair.prompt(a);
    assert!(
        pair.sent().is_empty(),
        "several agents would mix the two up"
    );
    pair.asks(0, "a");
    assert_eq!(
        pair.sent(),
        [cancelled(0)],
        "this is still the cancelled work"
    );
    pair.says("a", "winding up");
    pair.answers(id, &json!({"stopReason": "cancelled"}));
    let sent = pair.sent();
    assert_eq!(
        (&sent[0]["method"], &sent[0]["id"]),
        (&json!("session/prompt"), &json!(id + 1))
    );
    pair.says("a", "second");
    pair.answers(id + 1, &json!({"stopReason": "end_turn"}));
    assert_eq!(text(&pair.take_all(Stream::Turn(first))), "winding up");
    let events = pair.take_all(Stream::Turn(second));
    assert_eq!((text(&events).as_str(), events[0].late), ("second", false));
}

#[test]
fn what_comes_before_it_goes_out_is_late() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let first = pair.prompt_within(a, Bounds::TURN.idle(5 * S));
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.pass(6 * S);
    pair.end(first).result.unwrap_err();
    pair.sent();
    let second = pair.prompt(a);
    pair.says("a", "of the first");
    pair.asks(0, "a");
    assert_eq!(
        pair.sent(),
        [cancelled(0)],
        "the bound cancelled it, and that is not answered"
    );
    assert!(pair.event(Stream::Turn(second)).late);
    pair.answers(id, &json!({"stopReason": "cancelled"}));
    assert_eq!(pair.sent()[0]["method"], "session/prompt");
    pair.says("a", "of the second");
    let live = |event: &acp_session::Received| matches!(event.event, Event::Text(_));
    let events = pair.take_all(Stream::Turn(second));
    assert!(
        events
            .iter()
            .filter(|event| live(event))
            .all(|event| !event.late)
    );
}

#[test]
fn cancelled_while_it_waits_it_never_goes_out() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let first = pair.prompt(a);
    let id = pair.sent()[0]["id"].as_i64().unwrap();
    pair.machine.cancel(pair.now, first).unwrap();
    let second = pair.prompt(a);
    let third = pair
        .machine
        .start_prompt(pair.now, a, &json!({}), pair.clock());
    assert!(matches!(third, Err(UsageError::TurnRunning { .. })));
    pair.sent();
    pair.machine.cancel(pair.now, second).unwrap();
    assert_eq!(pair.end(second).outcome(), Outcome::Cancelled);
    let third = pair.prompt(a);
    pair.machine.give_up(pair.now, third);
    assert!(pair.sent().is_empty());
    pair.answers(id, &json!({"stopReason": "cancelled"}));
    assert!(pair.sent().is_empty());
    pair.end(first);
    pair.prompt(a);
    assert_eq!(pair.sent()[0]["method"], "session/prompt");
}

#[test]
fn its_bounds_run_while_it_waits() {
    let mut pair = Pair::ready_with(|_| ());
    let a = pair.session("a");
    let first = pair.prompt(a);
    pair.machine.give_up(pair.now, first);
    let second = pair.prompt_within(a, Bounds::TURN.absolute(30 * S));
    pair.sent();
    pair.pass(31 * S);
    assert!(
        pair.sent().is_empty(),
        "nothing of it went out, so nothing is cancelled"
    );
    assert_eq!(pair.machine.diagnostics().total(), 0);
    pair.answers(1, &json!({"stopReason": "cancelled"}));
    let error = pair.end(second).result.unwrap_err().to_string();
    assert!(
        error.starts_with("the absolute bound of 30s elapsed"),
        "{error}"
    );
}

#[test]
fn known_updates_carry_their_json_when_asked() {
    for keep_raw in [false, true] {
        let mut config = Config::default();
        config.keep_raw = keep_raw;
        let mut pair = Pair::ready(config);
        let a = pair.session("a");
        pair.says("a", "x");
        let raw = pair.event(Stream::Session(a)).raw;
        let expected =
            r#"{"content":{"text":"x","type":"text"},"sessionUpdate":"agent_message_chunk"}"#;
        assert_eq!(
            raw.map(|raw| raw.get().to_owned()),
            keep_raw.then(|| expected.to_owned())
        );
    }
}
